/** @module Text in a field of CSV (RFC 4180), so that it comes back as it was and no spreadsheet takes it for a formula. */

/** A spreadsheet runs a field that begins so; `'` is doubled, so that the sign before it can be told from its own. */
const FORMULA = /^[=+\-@\t\r']/;
const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?$/i;

/**
 * Text as a field: one that begins like a formula (`=`, `+`, `-`, `@`, a tab) and is no number stands in quotes after a
 * `'`; one with a comma, a quote or a line end stands in quotes.
 * @example csvText('=1+1') // `"'=1+1"`
 */
export function csvText(text: string): string {
  if (FORMULA.test(text) && !NUMBER.test(text)) return `"'${text.replaceAll('"', '""')}"`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a field, out of its quotes, that {@link csvText} wrote. */
export function textOfCsv(field: string): string {
  return field.startsWith("'") ? field.slice(1) : field;
}

/** @module The one reader of dates and times that people and files write: ISO 8601 in UTC, checked against the calendar. */

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|\+00:00))?$/;

/**
 * The instant `text` in Unix microseconds: `2026-01-06`, `2026-01-06T08:00Z`, `2026-01-06 08:00:00.123456+00:00`.
 * `undefined` for any other text, for a date that does not exist and for parts of a microsecond.
 */
export function parseInstantUs(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, date = '', clock = '00:00', seconds = '00', fraction = ''] = match;
  const iso = `${date}T${clock}:${seconds}.000Z`;
  const ms = Date.parse(iso);
  // What rolls over, as 30 February or 24:00 do, comes back as another text.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== iso) return undefined;
  const digits = fraction.padEnd(6, '0');
  return /^0*$/.test(digits.slice(6)) ? ms * 1_000 + Number(digits.slice(0, 6)) : undefined;
}

/** As {@link parseInstantUs} in Unix milliseconds; `undefined` for parts of a millisecond too. */
export function parseInstantMs(text: string): number | undefined {
  const us = parseInstantUs(text);
  return us === undefined || us % 1_000 !== 0 ? undefined : us / 1_000;
}

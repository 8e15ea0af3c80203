/** @module Lengths of time as people write them. */

/** The form of a duration: `250ms`, `5s`, `2m` or `1h`. */
export const DURATION_TEXT = /^[0-9]{1,9}(?:ms|s|m|h)$/;

/** The longest duration that is read anywhere: ten years, an exact integer in microseconds too. */
export const DURATION_MAX = '87600h';

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration in milliseconds. The text must have the form {@link DURATION_TEXT}. */
export function parseDurationMs(text: string): number {
  const unit = text.replace(/^[0-9]+/, '');
  return Number.parseInt(text, 10) * (UNITS_MS[unit] ?? 1);
}

/** @module Lengths of time as people write them. */

/** A duration text in milliseconds. The text must have the form `250ms`, `5s`, `2m` or `1h`. */
export function parseDurationMs(text: string): number {
  const unit = /[a-z]+$/.exec(text)?.[0] ?? 'ms';
  const factor = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 1;
  return Number(text.slice(0, -unit.length)) * factor;
}

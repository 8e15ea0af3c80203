/** @module Recorded times as text to whole microseconds, exactly: no time passes through a binary fraction. */
import { malformed, type Place, quoted } from './location.ts';

const SECONDS = /^([0-9]{1,19})(?:\.([0-9]+))?$/;

/**
 * Seconds with a fraction to microseconds; digits beyond the sixth are cut. @throws ProtocolError naming the location.
 */
export function secondsToUs(place: Place, text: string): number {
  const match = SECONDS.exec(text);
  if (match === null) throw malformed(place, 'a time in seconds', quoted(text));
  return Number(match[1]) * 1_000_000 + Number((match[2] ?? '').slice(0, 6).padEnd(6, '0'));
}

/** What a number of a time column counts; `auto` decides by its digits: 10 s, 13 ms, 16 us, 19 ns. */
const TIME_UNITS = ['auto', 's', 'ms', 'us', 'ns'] as const;
/** One of {@link TIME_UNITS}. */
export type TimeUnit = (typeof TIME_UNITS)[number];

const WHOLE = /^[0-9]{1,19}$/;

/**
 * A time in `unit` to microseconds; nanoseconds are cut. Whether it can be one is for `recorded-time.ts` to say.
 * @throws ProtocolError naming the location.
 */
export function timeToUs(place: Place, text: string, unit: TimeUnit): number {
  if (unit === 's' || (unit === 'auto' && text.includes('.'))) return secondsToUs(place, text);
  if (!WHOLE.test(text)) throw malformed(place, `a time in ${nameOf(unit)}`, quoted(text));
  const us = scaledUs(text, unit);
  if (us !== undefined) return us;
  throw malformed(place, `a time in ${nameOf(unit)}`, quoted(text));
}

function scaledUs(text: string, unit: TimeUnit): number | undefined {
  if (unit === 'ms' || (unit === 'auto' && text.length === 13)) return Number(text) * 1_000;
  if (unit === 'us' || (unit === 'auto' && text.length === 16)) return Number(text);
  if (unit === 'ns' || (unit === 'auto' && text.length === 19)) return Number(text.slice(0, -3));
  return text.length === 10 ? Number(text) * 1_000_000 : undefined;
}

function nameOf(unit: TimeUnit): string {
  return unit === 'auto' ? 's, ms, us or ns (10, 13, 16 or 19 digits)' : unit;
}

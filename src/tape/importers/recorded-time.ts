/**
 * @module Whether a recorded time can be one: a unit that is one step too fine gives a year of 1970, one too coarse the
 * year 58000. The error names the unit that fits. Recordings begin with 2009; what is later than tomorrow was not recorded.
 */
import { ProtocolError, SystemClock } from '../../core/index.ts';
import { type Place, quoted, receivedAt } from './location.ts';
import { secondsToUs, type TimeUnit, timeToUs } from './times.ts';

const EARLIEST_US = Date.UTC(2009, 0, 1) * 1_000;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
const UNIT_US = { s: 1_000_000, ms: 1_000, us: 1, ns: 0.001 } as const;
type Unit = keyof typeof UNIT_US;

const clock = new SystemClock();
/** Tomorrow at the last look; a time beyond it looks again. */
let latestUs = 0;

/** A column of times. */
export interface TimeColumn {
  /** Its name in the file, or what it is. */
  readonly name: string;
  /** The unit in which it was read. */
  readonly unit: TimeUnit;
}

/** The time `text` of `column`, Unix us. @throws ProtocolError naming location, column and the unit that fits. */
export function recordedUs(place: Place, text: string, column: TimeColumn): number {
  return plausibleUs(place, timeToUs(place, text, column.unit), column, text);
}

/** A receive time of 13, 16 or 19 digits in nanoseconds. @throws ProtocolError as {@link recordedUs}. */
export function receivedNs(place: Place, text: string, name: string): bigint {
  const ns = receivedAt(place, text);
  plausibleUs(place, Number(ns / 1_000n), { name, unit: 'auto' }, text);
  return ns;
}

/**
 * Seconds after midnight in us, within the span that the name of the file says, give or take a second.
 * @throws ProtocolError naming location, span and the unit that fits.
 */
export function timeOfDayUs(
  place: Place,
  text: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  const us = secondsToUs(place, text);
  const isWithin = (one: number) => one >= (fromMs - SECOND_MS) * 1_000 && one <= (toMs + SECOND_MS) * 1_000;
  if (isWithin(us)) return us;
  const unit = (['ms', 'us', 'ns'] as const).find((one) => isWithin((us / UNIT_US.s) * UNIT_US[one]));
  throw new ProtocolError({
    code: 'TAPE_TIME_INVALID',
    message: `expected seconds after midnight from ${fromMs / SECOND_MS} to ${toMs / SECOND_MS}, as the file is named, at ${place.file}:${place.line}, got ${quoted(text)}${unit === undefined ? '' : `, which fits in ${unit}`}`,
    remedy:
      'Write the first column in seconds after midnight, or give the file the name under which it was recorded.',
    details: { file: place.file, line: place.line, ...(unit && { unit }) },
  });
}

/** `us`, which `text` in `column` says. @throws ProtocolError naming location, column and the unit that fits. */
function plausibleUs(place: Place, us: number, column: TimeColumn, text: string): number {
  if (us >= EARLIEST_US && (us <= latestUs || us <= tomorrowUs())) return us;
  throw implausible(place, us, column, text);
}

function tomorrowUs(): number {
  latestUs = (clock.nowMs() + DAY_MS) * 1_000;
  return latestUs;
}

function implausible(place: Place, us: number, { name, unit }: TimeColumn, text: string): ProtocolError {
  const readAs = unit === 'auto' ? unitByDigits(text) : unit;
  const usIn = (one: Unit) => Number(text) * UNIT_US[one];
  const fitting = (Object.keys(UNIT_US) as Unit[]).find((one) => isPlausible(usIn(one)));
  const fits =
    fitting === undefined
      ? 'no unit of s, ms, us and ns gives a time since 2009'
      : `in ${fitting} it is ${shownUs(usIn(fitting))}`;
  return new ProtocolError({
    code: 'TAPE_TIME_INVALID',
    message: `expected a time from 2009-01-01 to tomorrow in column ${name} at ${place.file}:${place.line}, got ${quoted(text)}, which in ${readAs} is ${shownUs(us)}; ${fits}`,
    remedy:
      fitting === undefined
        ? 'Look whether this is the column of the time; recordings from before 2009 are not read.'
        : `Name the unit of the column: \`unit: ${fitting}\` in the mapping of format csv. Where a format fixes the unit, write the column in ${readAs}, or read the file as format csv.`,
    details: { file: place.file, line: place.line, column: name, ...(fitting && { unit: fitting }) },
  });
}

function isPlausible(us: number): boolean {
  return us >= EARLIEST_US && us <= tomorrowUs();
}

function unitByDigits(text: string): Unit {
  if (text.includes('.') || text.length <= 11) return 's';
  if (text.length <= 14) return 'ms';
  return text.length <= 17 ? 'us' : 'ns';
}

/** The time in words that are never wrong: years beyond what a date can hold stay a number. */
export function shownUs(us: number): string {
  const date = new Date(us / 1_000);
  return Number.isNaN(date.getTime()) ? `${us} us since 1970` : date.toISOString();
}

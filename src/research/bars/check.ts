/**
 * @module Checks that an engine may run over bars. Whole prices above 0, low and high around open and close, one after
 * the other without overlap, and without gaps unless they are allowed. The first row that is wrong is named with its
 * location.
 */
import { assert, BotError, isoOfUs } from '../../core/index.ts';
import { PRICE_TICKS_MAX } from '../../domain/index.ts';
import { areCandlePrices } from '../../tape/importers/index.ts';
import type { BarColumns } from './columns.ts';

const US_PER_MS = 1_000;

/** How bars are checked. */
export interface BarChecks {
  /** Where row `at` came from, for people. @example bars.csv:12 */
  placeOf(at: number): string;
  /** True if bars may be missing. A position is held over a gap. */
  readonly isGapAllowed: boolean;
}

/** @throws BotError `BARS_EMPTY`, `BARS_PRICE_INVALID`, `BARS_OUT_OF_ORDER` or `BARS_GAP` for the first row that is wrong. */
export function checkBars(bars: BarColumns, checks: BarChecks): void {
  if (bars.rows === 0)
    throw new BotError({
      code: 'BARS_EMPTY',
      message: `expected bars in ${checks.placeOf(0)}, got none`,
      remedy: 'Name another file or tape, or another span of time.',
    });
  const firstUs = bars.openUs[0] ?? Number.NaN;
  assert(
    Number.isSafeInteger(firstUs) &&
      firstUs >= 0 &&
      firstUs % US_PER_MS === 0 &&
      bars.barUs % US_PER_MS === 0,
    `bars that begin at a millisecond and last whole ones, got ${firstUs} us and ${bars.barUs} us`,
  );
  for (let at = 0; at < bars.rows; at++) {
    checkPrices(bars, at, checks);
    if (at > 0) checkTime(bars, at, checks);
  }
}

function checkPrices(bars: BarColumns, at: number, { placeOf }: BarChecks): void {
  const values = [bars.open[at], bars.high[at], bars.low[at], bars.close[at]];
  const [open = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN] = values;
  const isPrice = (value: number) => Number.isInteger(value) && value > 0 && value <= PRICE_TICKS_MAX;
  const isInside = areCandlePrices(open, high, low, close);
  const volume = bars.volume[at] ?? Number.NaN;
  if ([open, high, low, close].every(isPrice) && isInside && volume >= 0) return;
  throw new BotError({
    code: 'BARS_PRICE_INVALID',
    message: `${placeOf(at)}: expected prices above 0 in whole ticks with the low at or below open and close, the high at or above them, and a volume, got open ${open}, high ${high}, low ${low}, close ${close} ticks, volume ${volume} lots`,
    remedy: 'Fix the row, or leave the bar out and allow gaps.',
  });
}

function checkTime({ openUs, barUs }: BarColumns, at: number, { placeOf, isGapAllowed }: BarChecks): void {
  const beganUs = openUs[at] ?? Number.NaN;
  const dueUs = (openUs[at - 1] ?? Number.NaN) + barUs;
  if (beganUs === dueUs) return;
  if (!(beganUs > dueUs))
    throw new BotError({
      code: 'BARS_OUT_OF_ORDER',
      message: `${placeOf(at)}: expected a bar that begins at ${isoOfUs(dueUs)} or later, got ${isoOfUs(beganUs)}`,
      remedy: 'Sort the bars by time, each once, all of one length.',
    });
  if (isGapAllowed) return;
  throw new BotError({
    code: 'BARS_GAP',
    message: `${placeOf(at)}: expected the bar of ${isoOfUs(dueUs)}, got ${isoOfUs(beganUs)}`,
    remedy: 'Fill in what is missing, or allow gaps with --allow-gaps: a position is then held over them.',
  });
}

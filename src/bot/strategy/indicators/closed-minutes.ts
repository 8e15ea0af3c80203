/** @module The past that candles of one minute give an estimate when it begins. */
import type { Ticks } from '../../../domain/index.ts';
import type { MarketView } from '../context.ts';

const MINUTE_MS = 60_000;

/** The end of a minute. */
export interface ClosedMinute {
  readonly endAtMs: number;
  readonly closeTicks: Ticks;
}

/** The minutes of a market that are over, oldest first: none where it has no candles of one minute. */
export function closedMinutesOf(view: MarketView, nowMs: number): readonly ClosedMinute[] {
  return view
    .candles('1m')
    .map(({ startAtMs, closeTicks }) => ({ endAtMs: startAtMs + MINUTE_MS, closeTicks }))
    .filter(({ endAtMs }) => endAtMs <= nowMs);
}

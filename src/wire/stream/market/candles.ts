/**
 * @module
 * Candles of one market and interval. A live frame is the latest state of its bar and replaces it: volumes are never
 * added (obligation O94). History is fetched at the start and after every interruption, and shown before the live bars
 * that waited for it. It is asked for at a seq after the one from which bars are live: a replica that is
 * further behind would leave a trade out that no frame reports either, and where it was the last of its minute, for good.
 */
import { assert, type Timer } from '../../../core/index.ts';
import type { Candle, CandleInterval, Seq } from '../../../domain/index.ts';
import {
  CANDLES_MAX,
  decodeCandles,
  type MarketFrame,
  type SubscriptionParams,
} from '../../protocol/index.ts';
import { Backfill } from './backfill.ts';
import type { MarketStream, MarketStreamOptions } from './market-stream.ts';

/** Bars fetched at the start. */
const CANDLES_AT_START = 500;

/** How long, ms, a log position is waited for; after that history is asked for at any. */
const POSITION_WAIT_MS = 1_000;
/** Reads at a log position; after that, at any: it may be of a ledger that is gone. */
const READS_AT_POSITION_MAX = 8;

const INTERVAL_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** The candles of one market and interval. */
export class CandlesStream implements MarketStream {
  readonly params: SubscriptionParams;
  readonly #options: MarketStreamOptions;
  readonly #backfill: Backfill<readonly Candle[]>;
  readonly #intervalMs: number;
  /** The newest bar that was shown. */
  #lastStartAtMs: number | undefined;
  /** Live bars that wait for history, by their start: a later state replaces an earlier one. */
  readonly #waiting = new Map<number, Candle>();
  /** True while live bars are shown as they come. */
  #isJoined = false;
  /** Runs while a log position is waited for. */
  #patience: Timer | undefined;
  #place: Seq | undefined;
  #placedReads = 0;

  constructor(params: SubscriptionParams, symbol: string, options: MarketStreamOptions) {
    const interval = params.interval ?? '';
    assert(Object.hasOwn(INTERVAL_MS, interval), `a known candle interval, got ${interval}`);
    this.params = params;
    this.#options = options;
    this.#intervalMs = INTERVAL_MS[interval as CandleInterval];
    this.#backfill = new Backfill(
      {
        name: `candles of ${symbol} ${interval}`,
        read: () =>
          options.history.candles({
            symbol,
            interval,
            limit: this.#limit(),
            minSeq: this.#placedReads++ < READS_AT_POSITION_MAX ? this.#place : undefined,
          }),
        decode: (text) => decodeCandles(text, options.markets),
        done: (candles) => this.#join(candles),
      },
      options,
    );
  }

  apply(frame: MarketFrame): void {
    if (frame.channel !== 'candles') return;
    if (this.#isJoined) this.#show(frame.candle, false);
    else this.#waiting.set(frame.candle.startAtMs, frame.candle);
  }

  interrupt(): void {
    this.#isJoined = false;
    this.#patience?.cancel();
    this.#patience = undefined;
    this.#backfill.cancel();
    this.#waiting.clear();
  }

  resume(): void {
    this.#isJoined = false;
    this.#patience?.cancel();
    this.#patience = this.#options.clock.after(POSITION_WAIT_MS, () => this.place(undefined));
  }

  place(seq: Seq | undefined): void {
    if (this.#patience === undefined) return;
    this.#patience.cancel();
    this.#patience = undefined;
    this.#place = seq;
    this.#placedReads = 0;
    this.#backfill.begin();
  }

  isWaiting(): boolean {
    return false;
  }

  /** As many bars as may have begun since the last one shown, and that one again: it was not finished. */
  #limit(): number {
    if (this.#lastStartAtMs === undefined) return CANDLES_AT_START;
    const missedMs = this.#options.clock.nowMs() - this.#lastStartAtMs;
    // A bar that begins later than now: its time is false, or our clock is.
    if (missedMs < 0) return CANDLES_AT_START;
    return Math.min(CANDLES_MAX, Math.max(2, Math.ceil(missedMs / this.#intervalMs) + 2));
  }

  #join(history: readonly Candle[]): void {
    const sorted = [...history].sort((a, b) => a.startAtMs - b.startAtMs);
    const end = sorted.at(-1)?.startAtMs;
    // The history has the bar that is not finished, too: none that was shown can begin after it.
    if (end !== undefined && (this.#lastStartAtMs ?? end) > end) this.#lastStartAtMs = undefined;
    for (const candle of sorted) {
      const isOlder = this.#lastStartAtMs !== undefined && candle.startAtMs < this.#lastStartAtMs;
      if (!isOlder && !this.#waiting.has(candle.startAtMs)) this.#show(candle, true);
    }
    for (const candle of this.#waiting.values()) this.#show(candle, false);
    this.#waiting.clear();
    this.#isJoined = true;
  }

  #show(candle: Candle, isHistory: boolean): void {
    this.#lastStartAtMs = Math.max(this.#lastStartAtMs ?? 0, candle.startAtMs);
    this.#options.sink({ type: 'CandleUpdated', candle, isHistory });
  }
}

/**
 * @module
 * What one strategy wants in one market, and why it has no orders there while it has none (N10): a reason per market,
 * recorded when it changes.
 */
import type { MarketSymbol } from '../domain/index.ts';
import type { WantedQuotes } from './intent-reader.ts';
import type { Recorder } from './recorder.ts';
import type { Seat } from './seat.ts';

/** One strategy in one market. */
export class QuoteDesk {
  readonly seat: Seat;
  readonly symbol: MarketSymbol;
  /** What is wanted; `undefined`: never asked. */
  wanted: WantedQuotes | undefined;
  /** Must be compared with what is there. */
  isDue = false;
  #silence: string | undefined = 'not asked for yet';
  #silentSinceMs = 0;
  readonly #recorder: Recorder;

  constructor(seat: Seat, symbol: MarketSymbol, recorder: Recorder) {
    this.seat = seat;
    this.symbol = symbol;
    this.#recorder = recorder;
  }

  /** Why there are no quotes; `undefined` while there are. */
  get silence(): string | undefined {
    return this.#silence;
  }

  /** Since when the reason holds. */
  get silentSinceMs(): number {
    return this.#silentSinceMs;
  }

  /** Notes why there are no quotes. */
  silent(reason: string, nowMs: number): void {
    if (this.#silence === reason) return;
    this.#silence = reason;
    this.#silentSinceMs = nowMs;
    this.#recorder.record('NoQuoteBegan', { strategy: this.seat.id, symbol: this.symbol, reason });
  }

  /** Notes that there are quotes. */
  quoting(nowMs: number): void {
    if (this.#silence === undefined) return;
    const forMs = nowMs - this.#silentSinceMs;
    this.#recorder.record('NoQuoteEnded', {
      strategy: this.seat.id,
      symbol: this.symbol,
      reason: this.#silence,
      forMs,
    });
    this.#silence = undefined;
  }
}

/**
 * @module
 * Funding settlements of one market, each once. After an interruption those that were missed are fetched.
 */
import type { FundingRate } from '../../../domain/index.ts';
import { decodeFundingHistory, type MarketFrame, type SubscriptionParams } from '../../protocol/index.ts';
import { Backfill } from './backfill.ts';
import type { MarketStream, MarketStreamOptions } from './market-stream.ts';

/** The settlements of one market. */
export class FundingStream implements MarketStream {
  readonly params: SubscriptionParams;
  readonly #options: MarketStreamOptions;
  readonly #backfill: Backfill<readonly FundingRate[]>;
  #lastAtMs: number | undefined;
  #isInterrupted = false;
  #waiting: FundingRate[] = [];

  constructor(params: SubscriptionParams, symbol: string, options: MarketStreamOptions) {
    this.params = params;
    this.#options = options;
    this.#backfill = new Backfill(
      {
        name: `funding of ${symbol}`,
        read: () => options.history.funding(symbol),
        decode: (text) => decodeFundingHistory(text, options.markets),
        done: (rates) => this.#join(rates),
      },
      options,
    );
  }

  apply(frame: MarketFrame): void {
    if (frame.channel !== 'funding') return;
    if (this.#backfill.isRunning) this.#waiting.push(frame.funding);
    else this.#show(frame.funding);
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#backfill.cancel();
  }

  resume(): void {
    if (this.#isInterrupted && this.#lastAtMs !== undefined) this.#backfill.begin();
    this.#isInterrupted = false;
  }

  isWaiting(): boolean {
    return false;
  }

  #join(rates: readonly FundingRate[]): void {
    const sorted = [...rates, ...this.#waiting].sort((a, b) => a.atMs - b.atMs);
    this.#waiting = [];
    for (const rate of sorted) this.#show(rate);
  }

  /** Settlements are an hour apart: one that is not later than the last was shown. */
  #show(funding: FundingRate): void {
    if (this.#lastAtMs !== undefined && funding.atMs <= this.#lastAtMs) return;
    this.#lastAtMs = funding.atMs;
    this.#options.sink({ type: 'FundingSettled', funding });
  }
}

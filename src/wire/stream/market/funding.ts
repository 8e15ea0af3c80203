/**
 * @module
 * Funding settlements of one market, each once. After an interruption those that were missed are fetched.
 */
import type { FundingRate } from '../../../domain/index.ts';
import { decodeFundingHistory, type MarketFrame, type SubscriptionParams } from '../../protocol/index.ts';
import { Backfill } from './backfill.ts';
import type { MarketStream, MarketStreamOptions } from './market-stream.ts';
import { ShownEntries } from './shown-entries.ts';

/** The settlements of one market. */
export class FundingStream implements MarketStream {
  readonly params: SubscriptionParams;
  readonly #options: MarketStreamOptions;
  readonly #backfill: Backfill<readonly FundingRate[]>;
  readonly #shown = new ShownEntries<number>((one, other) => one - other);
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
        lackOf: (rates) => {
          const { newest } = this.#shown;
          const end = this.#shown.newestOf(rates.map(({ atMs }) => atMs));
          return this.#shown.settle(end) ? undefined : `it ends before ${newest}`;
        },
        done: (rates) => this.#join(rates),
      },
      options,
    );
  }

  apply(frame: MarketFrame): void {
    if (frame.channel !== 'funding' || this.#shown.has(frame.funding.atMs)) return;
    const isOlder = this.#shown.isOlder(frame.funding.atMs);
    if (!isOlder && !this.#backfill.isRunning) {
      this.#show(frame.funding);
      return;
    }
    this.#waiting.push(frame.funding);
    // One of the two has a false time.
    if (isOlder) this.#shown.doubt();
    if (isOlder && !this.#backfill.isRunning) this.#backfill.begin();
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#backfill.cancel();
  }

  resume(): void {
    if (this.#isInterrupted && this.#shown.newest !== undefined) this.#backfill.begin();
    this.#isInterrupted = false;
  }

  isWaiting(): boolean {
    return false;
  }

  #join(rates: readonly FundingRate[]): void {
    // With a false time none is known that was shown before: what the list has may be from before the first.
    const listed = this.#shown.newest === undefined ? [] : rates;
    const sorted = [...listed, ...this.#waiting].sort((a, b) => a.atMs - b.atMs);
    this.#waiting = [];
    for (const rate of sorted) this.#show(rate);
  }

  #show(funding: FundingRate): void {
    if (this.#shown.show(funding.atMs)) this.#options.sink({ type: 'FundingSettled', funding });
  }
}

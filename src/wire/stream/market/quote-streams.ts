/**
 * @module
 * Best quotes and published prices: state that begins with a snapshot. Best quotes are replaced whole by every frame;
 * prices are replaced by a snapshot and updated market by market otherwise (ambiguity A4).
 */
import type { UnixMs } from '../../../core/index.ts';
import type { MarketSymbol } from '../../../domain/index.ts';
import type { MarketFrame, SubscriptionParams } from '../../protocol/index.ts';
import type { MarketStream, MarketStreamOptions } from './market-stream.ts';
import type { QuoteWitness } from './quote-witness.ts';

/** The best quotes of one market. */
export class BboStream implements MarketStream {
  readonly params: SubscriptionParams;
  readonly #symbol: MarketSymbol;
  readonly #options: MarketStreamOptions;
  readonly #witness: QuoteWitness;
  #hasSnapshot = false;
  #heardAtMs = 0;

  constructor(
    params: SubscriptionParams,
    { symbol, witness }: { readonly symbol: MarketSymbol; readonly witness: QuoteWitness },
    options: MarketStreamOptions,
  ) {
    this.params = params;
    this.#symbol = symbol;
    this.#options = options;
    this.#witness = witness;
  }

  apply(frame: MarketFrame, receivedAtMs: number): void {
    if (frame.channel !== 'bbo') return;
    if (!this.#hasSnapshot && !frame.isSnapshot) {
      this.#options.meter.count('stream_frames_before_snapshot_total');
      return;
    }
    this.#hasSnapshot = true;
    const nowMs = this.#options.clock.monotonicMs();
    this.#heardAtMs = nowMs;
    const { bidTicks, askTicks } = frame.bbo;
    if (bidTicks !== undefined && askTicks !== undefined && bidTicks >= askTicks) {
      this.#options.meter.count('stream_invalid_books_total');
      this.#stale('the best bid reaches the best ask');
      return;
    }
    this.#witness.bbo(bidTicks ?? 0, askTicks ?? 0, { seq: frame.seq, atMs: receivedAtMs, nowMs });
    this.#options.sink({ type: 'BboUpdated', bbo: { ...frame.bbo, receivedAtMs: receivedAtMs as UnixMs } });
  }

  interrupt(reason: string): void {
    if (this.#hasSnapshot) this.#stale(reason);
    this.#hasSnapshot = false;
  }

  resume(): void {
    // The first frame after an acknowledgement is a snapshot; there is nothing to fetch.
  }

  isWaiting(): boolean {
    return !this.#hasSnapshot;
  }

  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  #stale(reason: string): void {
    this.#options.sink({ type: 'MarketStale', symbol: this.#symbol, reason });
  }
}

/** The prices of all markets. */
export class PricesStream implements MarketStream {
  readonly params: SubscriptionParams;
  readonly #options: MarketStreamOptions;
  #hasSnapshot = false;
  #shown = new Set<MarketSymbol>();

  constructor(params: SubscriptionParams, options: MarketStreamOptions) {
    this.params = params;
    this.#options = options;
  }

  apply(frame: MarketFrame): void {
    if (frame.channel !== 'prices') return;
    if (!this.#hasSnapshot && !frame.isSnapshot) {
      this.#options.meter.count('stream_frames_before_snapshot_total');
      return;
    }
    this.#hasSnapshot = true;
    if (frame.isSnapshot) this.#dropMissing(new Set(frame.prices.map(({ symbol }) => symbol)));
    for (const prices of frame.prices) {
      this.#shown.add(prices.symbol);
      this.#options.sink({ type: 'PricesUpdated', prices });
    }
  }

  interrupt(reason: string): void {
    this.#hasSnapshot = false;
    for (const symbol of this.#shown) this.#options.sink({ type: 'MarketStale', symbol, reason });
  }

  resume(): void {
    // The first frame after an acknowledgement is a snapshot; there is nothing to fetch.
  }

  isWaiting(): boolean {
    return !this.#hasSnapshot;
  }

  /** A snapshot replaces everything: a market it leaves out has no prices any more. */
  #dropMissing(present: ReadonlySet<MarketSymbol>): void {
    for (const symbol of this.#shown) {
      if (present.has(symbol)) continue;
      this.#options.sink({ type: 'MarketStale', symbol, reason: 'the prices leave the market out' });
    }
    this.#shown = new Set(present);
  }
}

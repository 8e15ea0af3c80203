/**
 * @module
 * Public trades of one market, each once and in order. After an interruption the newest trades are fetched (at most 200,
 * the interface has no cursor for them) and joined with the live ones that waited; what is further back is counted as
 * lost. Before the first live trade nothing is fetched.
 */
import { type Cursor, compareCursors, type Trade } from '../../../domain/index.ts';
import { decodeTrades, type MarketFrame, type SubscriptionParams, TRADES_MAX } from '../../protocol/index.ts';
import { isCursor } from '../cursors.ts';
import { Backfill } from './backfill.ts';
import type { MarketStream, MarketStreamOptions } from './market-stream.ts';

/** Live trades that wait for a backfill; when there are more, the backfill is given up. */
const WAITING_TRADES_MAX = 10_000;

/** The trades of one market. */
export class TradesStream implements MarketStream {
  readonly params: SubscriptionParams;
  readonly #options: MarketStreamOptions;
  readonly #backfill: Backfill<readonly Trade[]>;
  #last: Cursor | undefined;
  #waiting: Trade[] = [];

  constructor(params: SubscriptionParams, symbol: string, options: MarketStreamOptions) {
    this.params = params;
    this.#options = options;
    this.#backfill = new Backfill(
      {
        name: `trades of ${symbol}`,
        read: () => options.history.trades(symbol),
        decode: (text) => decodeTrades(text, options.markets),
        done: (trades) => this.#join(trades.filter(({ id }) => isCursor(id))),
      },
      options,
    );
  }

  apply(frame: MarketFrame): void {
    if (frame.channel !== 'trades') return;
    if (!isCursor(frame.trade.id)) {
      this.#options.meter.count('stream_malformed_frames_total');
      return;
    }
    if (!this.#backfill.isRunning && this.#waiting.length === 0) {
      this.#show(frame.trade);
      return;
    }
    this.#waiting.push(frame.trade);
    if (this.#waiting.length <= WAITING_TRADES_MAX) return;
    this.#options.meter.count('stream_trade_gaps_total');
    this.#backfill.cancel();
    this.#join([]);
  }

  interrupt(): void {
    // What waits continues to wait: shown now, it would hide the older ones that the next fetch may bring.
    this.#backfill.cancel();
  }

  resume(): void {
    if (this.#last !== undefined) this.#backfill.begin();
  }

  isWaiting(): boolean {
    return false;
  }

  #join(history: readonly Trade[]): void {
    const trades = [...history, ...this.#waiting].sort((a, b) => compareCursors(a.id, b.id));
    this.#waiting = [];
    const oldest = history.length < TRADES_MAX ? undefined : trades[0];
    if (oldest !== undefined && this.#last !== undefined && compareCursors(oldest.id, this.#last) > 0) {
      this.#options.meter.count('stream_trade_gaps_total');
    }
    for (const trade of trades) this.#show(trade);
  }

  #show(trade: Trade): void {
    if (this.#last !== undefined && compareCursors(trade.id, this.#last) <= 0) return;
    this.#last = trade.id;
    this.#options.sink({ type: 'TradePrinted', trade });
  }
}

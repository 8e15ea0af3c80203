/**
 * @module
 * Public trades of one market, each once and in order. After an interruption the newest trades are fetched (at most 200,
 * the interface has no cursor for them) and joined with the live ones that waited; what is further back is counted as
 * lost. Before the first live trade nothing is fetched. The newest ones are fetched as well where the place of the newest
 * trade is in doubt: it is older than its market's book lets it be, or a trade comes that should have come before it.
 */
import {
  type Cursor,
  compareCursors,
  type MarketSymbol,
  seqOfCursor,
  type Trade,
} from '../../../domain/index.ts';
import { decodeTrades, type MarketFrame, type SubscriptionParams, TRADES_MAX } from '../../protocol/index.ts';
import { isCursor } from '../cursors.ts';
import { Backfill } from './backfill.ts';
import type { MarketStream, MarketStreamOptions } from './market-stream.ts';
import type { QuoteWitness } from './quote-witness.ts';
import { ShownEntries } from './shown-entries.ts';

/** Live trades that wait for a backfill; when there are more, the backfill is given up. */
const WAITING_TRADES_MAX = 10_000;
/** While a trade speaks against a book the place of the newest one is looked up this often, ms. */
const LOOK_UP_MS = 30_000;
const TRADE = 'a trade';

/** The trades of one market. */
export class TradesStream implements MarketStream {
  readonly params: SubscriptionParams;
  readonly #options: MarketStreamOptions;
  readonly #witness: QuoteWitness;
  readonly #backfill: Backfill<readonly Trade[]>;
  readonly #shown = new ShownEntries<Cursor>(compareCursors);
  #waiting: Trade[] = [];
  #lookedUpAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    params: SubscriptionParams,
    { symbol, witness }: { readonly symbol: MarketSymbol; readonly witness: QuoteWitness },
    options: MarketStreamOptions,
  ) {
    this.params = params;
    this.#options = options;
    this.#witness = witness;
    this.#backfill = new Backfill(
      {
        name: `trades of ${symbol}`,
        read: () => options.history.trades(symbol),
        decode: (text) => decodeTrades(text, options.markets),
        lackOf: (trades) => this.#lackOf(trades.filter(({ id }) => isCursor(id))),
        done: (trades) => this.#join(trades.filter(({ id }) => isCursor(id))),
      },
      options,
    );
  }

  apply(frame: MarketFrame): void {
    if (frame.channel !== 'trades') return;
    const { trade } = frame;
    if (!isCursor(trade.id)) {
      this.#options.meter.count('stream_malformed_frames_total');
      return;
    }
    if (this.#shown.has(trade.id)) return;
    const isOlder = this.#shown.isOlder(trade.id);
    if (!isOlder && !this.#backfill.isRunning && this.#waiting.length === 0) {
      this.#show(trade);
      return;
    }
    this.#waiting.push(trade);
    if (isOlder) this.#lookUp();
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
    if (this.#shown.newest !== undefined) this.#backfill.begin();
  }

  isWaiting(): boolean {
    return false;
  }

  /** The market's book is doubted. If it is for a trade, that one's place may be false: no book could ever reach it. */
  doubt(nowMs: number): void {
    if (!this.#witness.isDoubtedBy(TRADE) || nowMs - this.#lookedUpAtMs < LOOK_UP_MS) return;
    this.#lookedUpAtMs = nowMs;
    this.#lookUp();
  }

  /** The exchange's list says whether the newest trade has its place there. */
  #lookUp(): void {
    this.#shown.doubt();
    if (!this.#backfill.isRunning) this.#backfill.begin();
  }

  #lackOf(trades: readonly Trade[]): string | undefined {
    if (!this.#shown.isDoubted) return undefined;
    const { newest } = this.#shown;
    const end = this.#shown.newestOf(trades.map(({ id }) => id));
    if (!this.#shown.settle(end)) return `it ends before ${newest}`;
    if (end !== undefined) this.#witness.placed(TRADE, seqOfCursor(end));
    return undefined;
  }

  #join(history: readonly Trade[]): void {
    const { newest } = this.#shown;
    const waiting = this.#waiting;
    this.#waiting = [];
    // With a false place none is known that was shown before: what the list has may be from before the first.
    const listed = newest === undefined ? [] : history;
    const trades = [...listed, ...waiting].sort((a, b) => compareCursors(a.id, b.id));
    const oldest = listed.length < TRADES_MAX ? undefined : trades[0];
    const isBeyondList =
      oldest !== undefined && newest !== undefined && compareCursors(oldest.id, newest) > 0;
    const isLate = waiting.some(({ id }) => !this.#shown.has(id) && this.#shown.isOlder(id));
    if (isBeyondList || isLate) this.#options.meter.count('stream_trade_gaps_total');
    for (const trade of trades) this.#show(trade);
  }

  #show(trade: Trade): void {
    if (!this.#shown.show(trade.id)) return;
    const { priceTicks, id } = trade;
    const nowMs = this.#options.clock.monotonicMs();
    this.#witness.traded(TRADE, priceTicks, { seq: seqOfCursor(id), nowMs });
    this.#options.sink({ type: 'TradePrinted', trade });
  }
}

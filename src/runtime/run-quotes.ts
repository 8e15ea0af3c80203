/**
 * @module
 * Own orders on the book, as a chart shows them, and how long each side was quoted. What a chart may leave out is thinned
 * so that memory stays bounded: beyond a limit one order of two is kept, then of four, and so on; times are of all orders.
 */
import type { UnixMs } from '../core/index.ts';
import {
  type MarketSymbol,
  type OrderId,
  RecentIds,
  type RecordedQuote,
  type RunQuoting,
  type StrategyId,
  type WorkingOrder,
} from '../domain/index.ts';

/** How many changes of orders are kept at the most: about 40 MB. */
export const QUOTES_MAX = 400_000;
/** How many ended orders are remembered for fills that come after their end. */
const ENDED_MAX = 4_096;

/** An order that rests, or rested a moment ago. */
export interface RestingOrder {
  readonly order: WorkingOrder;
  readonly queueAtRestLots: number;
  /** Its number among all that came to rest. */
  readonly ordinal: number;
}

/** Sides of one strategy in one market. */
interface Desk {
  readonly strategyId: StrategyId;
  readonly symbol: MarketSymbol;
  readonly counts: { buy: number; sell: number };
  sinceMs: number;
  bidMs: number;
  askMs: number;
  bothMs: number;
}

/** See the module. */
export class RunQuotes {
  readonly #max: number;
  #quotes: RecordedQuote[] = [];
  /** The number of the order of each entry. */
  #ordinals: number[] = [];
  #keptOneOf = 1;
  #count = 0;
  readonly #resting = new Map<OrderId, RestingOrder>();
  readonly #ended = new Map<OrderId, RestingOrder>();
  readonly #endedIds = new RecentIds<OrderId>(ENDED_MAX);
  readonly #desks = new Map<string, Desk>();

  constructor(max = QUOTES_MAX) {
    this.#max = max;
  }

  /** An order as it rests now or rested before its end, while that is remembered. */
  of(orderId: OrderId): RestingOrder | undefined {
    return this.#resting.get(orderId) ?? this.#ended.get(orderId);
  }

  /** Does an order rest? */
  isResting(orderId: OrderId): boolean {
    return this.#resting.has(orderId);
  }

  /** An order came to rest, or rests at another price. */
  rest(order: WorkingOrder, atMs: UnixMs, queueAtRestLots: number): void {
    const known = this.#resting.get(order.orderId);
    if (known !== undefined) {
      if (known.order.priceTicks === order.priceTicks && known.order.side === order.side) return;
      this.end(order.orderId, 'canceled', atMs);
    }
    const one = { order, queueAtRestLots, ordinal: this.#count++ };
    this.#resting.set(order.orderId, one);
    this.#turn(order, atMs, 1);
    this.#add(one, 'rested', atMs);
  }

  /** An order is gone; nothing when it did not rest. */
  end(orderId: OrderId, what: 'filled' | 'canceled' | 'expired', atMs: UnixMs): void {
    const one = this.#resting.get(orderId);
    if (one === undefined) return;
    this.#resting.delete(orderId);
    this.#turn(one.order, atMs, -1);
    this.#add(one, what, atMs);
    const forgotten = this.#endedIds.add(orderId);
    if (forgotten !== undefined) this.#ended.delete(forgotten);
    this.#ended.set(orderId, one);
  }

  /** Everything up to now. */
  finish(atMs: UnixMs): {
    readonly quotes: readonly RecordedQuote[];
    readonly quotesKeptOneOf: number;
    readonly quoting: readonly RunQuoting[];
  } {
    const quoting = Array.from(this.#desks.values(), (desk) => {
      count(desk, atMs);
      const { strategyId, symbol, bidMs, askMs, bothMs } = desk;
      return { strategyId, symbol, bidMs, askMs, bothMs };
    });
    return { quotes: this.#quotes, quotesKeptOneOf: this.#keptOneOf, quoting };
  }

  #turn({ strategyId, symbol, side }: WorkingOrder, atMs: number, by: 1 | -1): void {
    if (strategyId === undefined) return;
    const key = `${strategyId}\n${symbol}`;
    let desk = this.#desks.get(key);
    if (desk === undefined) {
      const counts = { buy: 0, sell: 0 };
      desk = { strategyId, symbol, counts, sinceMs: atMs, bidMs: 0, askMs: 0, bothMs: 0 };
      this.#desks.set(key, desk);
    }
    count(desk, atMs);
    desk.counts[side] += by;
  }

  #add({ order, ordinal }: RestingOrder, what: RecordedQuote['what'], atMs: UnixMs): void {
    if (ordinal % this.#keptOneOf !== 0) return;
    const { strategyId, orderId, symbol, side, priceTicks, sizeLots } = order;
    this.#quotes.push({ atMs, strategyId, orderId, symbol, side, priceTicks, sizeLots, what });
    this.#ordinals.push(ordinal);
    if (this.#quotes.length > this.#max) this.#thin();
  }

  #thin(): void {
    this.#keptOneOf *= 2;
    const isKept = this.#ordinals.map((ordinal) => ordinal % this.#keptOneOf === 0);
    this.#quotes = this.#quotes.filter((_quote, index) => isKept[index]);
    this.#ordinals = this.#ordinals.filter((_ordinal, index) => isKept[index]);
  }
}

function count(desk: Desk, atMs: number): void {
  const forMs = Math.max(0, atMs - desk.sinceMs);
  if (desk.counts.buy > 0) desk.bidMs += forMs;
  if (desk.counts.sell > 0) desk.askMs += forMs;
  if (desk.counts.buy > 0 && desk.counts.sell > 0) desk.bothMs += forMs;
  desk.sinceMs = atMs;
}

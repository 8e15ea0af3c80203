/**
 * @module
 * Own orders on the book, as a chart shows them, and how long each side was quoted. What a chart may leave out is thinned
 * so that memory stays bounded: beyond a limit one order of two is kept, then of four, and so on; times are of all orders.
 */
import type { UnixMs } from '../core/index.ts';
import type {
  MarketSymbol,
  OrderId,
  RecordedQuote,
  RunQuoting,
  StrategyId,
  WorkingOrder,
} from '../domain/index.ts';

/** How many changes of orders are kept at the most: about 40 MB. */
export const QUOTES_MAX = 400_000;

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

/** An order that rests. */
interface RestingOrder {
  readonly order: WorkingOrder;
  readonly queueAtRestLots: number;
  /** Its number among all that came to rest. */
  readonly ordinal: number;
  readonly desk: Desk | undefined;
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
  readonly #desks = new Map<StrategyId, Map<MarketSymbol, Desk>>();

  constructor(max = QUOTES_MAX) {
    this.#max = max;
  }

  /** What stood before an order when it came to rest, in lots; NaN: not known, or it does not rest. */
  queueAtRestLots(orderId: OrderId): number {
    return this.#resting.get(orderId)?.queueAtRestLots ?? Number.NaN;
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
    const desk = this.#deskOf(order, atMs);
    const one = { order, queueAtRestLots, ordinal: this.#count++, desk };
    this.#resting.set(order.orderId, one);
    turn(one, atMs, 1);
    this.#add(one, 'rested', atMs);
  }

  /** An order is gone; nothing when it did not rest. */
  end(orderId: OrderId, what: 'filled' | 'canceled' | 'expired', atMs: UnixMs): void {
    const one = this.#resting.get(orderId);
    if (one === undefined) return;
    this.#resting.delete(orderId);
    turn(one, atMs, -1);
    this.#add(one, what, atMs);
  }

  /** Everything up to now. */
  finish(atMs: UnixMs): {
    readonly quotes: readonly RecordedQuote[];
    readonly quotesKeptOneOf: number;
    readonly quoting: readonly RunQuoting[];
  } {
    const desks = [...this.#desks.values()].flatMap((bySymbol) => [...bySymbol.values()]);
    const quoting = desks.map((desk) => {
      count(desk, atMs);
      const { strategyId, symbol, bidMs, askMs, bothMs } = desk;
      return { strategyId, symbol, bidMs, askMs, bothMs };
    });
    return { quotes: this.#quotes, quotesKeptOneOf: this.#keptOneOf, quoting };
  }

  #deskOf({ strategyId, symbol }: WorkingOrder, atMs: number): Desk | undefined {
    if (strategyId === undefined) return undefined;
    let desks = this.#desks.get(strategyId);
    if (desks === undefined) {
      desks = new Map();
      this.#desks.set(strategyId, desks);
    }
    let desk = desks.get(symbol);
    if (desk === undefined) {
      const counts = { buy: 0, sell: 0 };
      desk = { strategyId, symbol, counts, sinceMs: atMs, bidMs: 0, askMs: 0, bothMs: 0 };
      desks.set(symbol, desk);
    }
    return desk;
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

/** One order more or less rests. */
function turn({ order, desk }: RestingOrder, atMs: number, by: 1 | -1): void {
  if (desk === undefined) return;
  count(desk, atMs);
  desk.counts[order.side] += by;
}

function count(desk: Desk, atMs: number): void {
  const forMs = Math.max(0, atMs - desk.sinceMs);
  if (desk.counts.buy > 0) desk.bidMs += forMs;
  if (desk.counts.sell > 0) desk.askMs += forMs;
  if (desk.counts.buy > 0 && desk.counts.sell > 0) desk.bothMs += forMs;
  desk.sinceMs = atMs;
}

/**
 * @module
 * Own orders on the book, as a chart shows them, and how long each side was quoted. What a chart may leave out is thinned
 * so that memory stays bounded: beyond a limit one order of two is kept, then of four, and so on; times are of all orders.
 * Of an order that waits outside the book it keeps the trigger, until the order ends without having fired.
 */
import { FewMap, type UnixMs } from '../../core/index.ts';
import {
  isOutsideBook,
  type MarketSymbol,
  type OrderId,
  type RecordedQuote,
  type RunQuoting,
  type RunTrigger,
  type StrategyId,
  type Trigger,
  type WorkingOrder,
} from '../../domain/index.ts';
import { QuoteColumns, type QuoteOwner, type RestedQuote } from './quote-columns.ts';

/** How many changes of orders are kept at most: about 20 MB. */
export const QUOTES_MAX = 400_000;

/** Sides of one strategy in one market. */
interface QuotedMarket extends QuoteOwner {
  readonly strategyId: StrategyId;
  readonly counts: { buy: number; sell: number };
  sinceMs: number;
  bidMs: number;
  askMs: number;
  bothMs: number;
}

/** An order that rests. One that has ended is used for the next: its numbers keep their slots. */
class RestingOrder implements RestedQuote {
  order: WorkingOrder;
  owner: QuoteOwner;
  quoted: QuotedMarket | undefined;
  ordinal = 0;
  code = Number.NaN;
  queueAtRestLots = Number.NaN;

  constructor(order: WorkingOrder, owner: QuoteOwner) {
    this.order = order;
    this.owner = owner;
    this.quoted = undefined;
  }
}

/** See the module. */
export class RunQuotes {
  readonly #max: number;
  readonly #queueAtRestOf: (orderId: OrderId) => number;
  readonly #quotes = new QuoteColumns();
  #keptOneOf = 1;
  #count = 0;
  readonly #resting = new FewMap<OrderId, RestingOrder>();
  readonly #ended: RestingOrder[] = [];
  readonly #quoted = new Map<StrategyId, Map<MarketSymbol, QuotedMarket>>();
  #lastQuoted: QuotedMarket | undefined;
  readonly #waiting = new Map<OrderId, Trigger>();
  readonly #fired: RunTrigger[] = [];

  /** `queueAtRestOf` gives the queue ahead of an order in lots, where that is known; NaN: it is not. */
  constructor(max = QUOTES_MAX, queueAtRestOf: (orderId: OrderId) => number = () => Number.NaN) {
    this.#max = max;
    this.#queueAtRestOf = queueAtRestOf;
  }

  /** The queue ahead of an order when it came to rest, in lots; NaN: not known, or it does not rest. */
  queueAtRestLots(orderId: OrderId): number {
    return this.#resting.get(orderId)?.queueAtRestLots ?? Number.NaN;
  }

  /** An order came to rest, or rests at another price, or waits outside the book. */
  rest(order: WorkingOrder, atMs: UnixMs): void {
    const { orderId, symbol, strategyId, trigger } = order;
    if (isOutsideBook(order)) {
      if (trigger !== undefined) this.#waiting.set(orderId, trigger);
      return;
    }
    this.fire(orderId);
    const known = this.#resting.get(orderId);
    if (known !== undefined) {
      if (known.order.priceTicks === order.priceTicks && known.order.side === order.side) return;
      this.end(orderId, 'canceled', atMs);
    }
    const quoted = strategyId === undefined ? undefined : this.#quotedOf(strategyId, symbol, atMs);
    const owner = quoted ?? { strategyId, symbol };
    const one = this.#ended.pop() ?? new RestingOrder(order, owner);
    one.order = order;
    one.owner = owner;
    one.quoted = quoted;
    one.ordinal = this.#count++;
    one.code = this.#quotes.codeOf(orderId);
    one.queueAtRestLots = known === undefined ? this.#queueAtRestOf(orderId) : Number.NaN;
    this.#resting.add(orderId, one);
    turn(one, atMs, 1);
    this.#add(one, 'rested', atMs);
  }

  /** An order is in the book or was filled: it waits no more; nothing when it waited for no trigger. */
  fire(orderId: OrderId): void {
    const trigger = this.#waiting.get(orderId);
    if (trigger === undefined) return;
    this.#waiting.delete(orderId);
    this.#fired.push({ orderId, triggerTicks: trigger.priceTicks, isAbove: trigger.isAbove });
  }

  /** An order is gone; nothing when it did not rest. */
  end(orderId: OrderId, event: 'filled' | 'canceled' | 'expired', atMs: UnixMs): void {
    // What is filled has fired, and its fill may come behind its end.
    if (event !== 'filled') this.#waiting.delete(orderId);
    const one = this.#resting.delete(orderId);
    if (one === undefined) return;
    turn(one, atMs, -1);
    this.#add(one, event, atMs);
    this.#ended[this.#ended.length] = one;
  }

  /** Everything up to now. The changes are made into objects when they are asked for. */
  finish(atMs: UnixMs): {
    readonly quotes: readonly RecordedQuote[];
    readonly quoteSampling: number;
    readonly quoting: readonly RunQuoting[];
    readonly triggers: readonly RunTrigger[];
  } {
    const quoted = [...this.#quoted.values()].flatMap((bySymbol) => [...bySymbol.values()]);
    const quoting = quoted.map((quoted) => {
      count(quoted, atMs);
      const { strategyId, symbol, bidMs, askMs, bothMs } = quoted;
      return { strategyId, symbol, bidMs, askMs, bothMs };
    });
    const columns = this.#quotes;
    let rows: readonly RecordedQuote[] | undefined;
    return {
      get quotes() {
        rows ??= columns.rows();
        return rows;
      },
      quoteSampling: this.#keptOneOf,
      quoting,
      triggers: this.#fired,
    };
  }

  #quotedOf(strategyId: StrategyId, symbol: MarketSymbol, atMs: number): QuotedMarket {
    // Mostly it is that of the last one.
    const last = this.#lastQuoted;
    if (last?.strategyId === strategyId && last.symbol === symbol) return last;
    let bySymbol = this.#quoted.get(strategyId);
    if (bySymbol === undefined) {
      bySymbol = new Map();
      this.#quoted.set(strategyId, bySymbol);
    }
    let quoted = bySymbol.get(symbol);
    if (quoted === undefined) {
      const counts = { buy: 0, sell: 0 };
      quoted = { strategyId, symbol, counts, sinceMs: atMs, bidMs: 0, askMs: 0, bothMs: 0 };
      bySymbol.set(symbol, quoted);
    }
    this.#lastQuoted = quoted;
    return quoted;
  }

  #add(one: RestingOrder, event: RecordedQuote['event'], atMs: UnixMs): void {
    if (one.ordinal % this.#keptOneOf !== 0) return;
    this.#quotes.add(one, event, atMs);
    if (this.#quotes.size <= this.#max) return;
    this.#keptOneOf *= 2;
    this.#quotes.thin(this.#keptOneOf);
  }
}

/** One order more or less rests. */
function turn({ order, quoted }: RestingOrder, atMs: number, by: 1 | -1): void {
  if (quoted === undefined) return;
  count(quoted, atMs);
  if (order.side === 'buy') quoted.counts.buy += by;
  else quoted.counts.sell += by;
}

function count(quoted: QuotedMarket, atMs: number): void {
  const forMs = Math.max(0, atMs - quoted.sinceMs);
  if (quoted.counts.buy > 0) quoted.bidMs += forMs;
  if (quoted.counts.sell > 0) quoted.askMs += forMs;
  if (quoted.counts.buy > 0 && quoted.counts.sell > 0) quoted.bothMs += forMs;
  quoted.sinceMs = atMs;
}

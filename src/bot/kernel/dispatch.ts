/**
 * @module
 * From facts and changes to handlers. State is folded before: a handler always finds the event in its views.
 */
import type { AccountChange, Book, Fact, MarketSymbol, StrategyId, Trade } from '../../domain/index.ts';
import type { HandlerName, OrderUpdate } from '../strategy/index.ts';
import type { MarketLens } from './market-view.ts';
import type { Seat } from './strategy-slot.ts';

interface Listener {
  readonly seat: Seat;
  readonly view: MarketLens;
}

const NOBODY: readonly Listener[] = [];

/** Calls handlers. */
export class Dispatcher {
  readonly #seats: ReadonlyMap<StrategyId, Seat>;
  readonly #listeners = new Map<MarketSymbol, Listener[]>();
  /** Who was told last, and of which market: the next fact is mostly of the same one. */
  #lastSymbol: MarketSymbol | undefined;
  #lastListeners: readonly Listener[] = NOBODY;
  /** The book told last, and who listens to its market. */
  #lastBook: Book | undefined;
  #bookListeners: readonly Listener[] = NOBODY;
  /** Whose order it was last: mostly the next one is theirs too. */
  #lastSeat: Seat | undefined;

  constructor(seats: ReadonlyMap<StrategyId, Seat>) {
    this.#seats = seats;
    for (const seat of seats.values()) {
      for (const [symbol, view] of seat.views) {
        const listeners = this.#listeners.get(symbol) ?? [];
        listeners.push({ seat, view });
        this.#listeners.set(symbol, listeners);
      }
    }
  }

  /** Calls a handler of every strategy in a market, with its view and `what`. */
  toMarket(symbol: MarketSymbol, name: HandlerName, what: unknown): void {
    const listeners = this.#listenersOf(symbol);
    for (let i = 0; i < listeners.length; i++) {
      const listener = listeners[i];
      listener?.seat.call(name, listener.view, what);
    }
  }

  /** Calls `onBook` of every strategy in a market: by far the most calls of all. */
  book(book: Book): void {
    if (book !== this.#lastBook) {
      this.#lastBook = book;
      this.#bookListeners = this.#listenersOf(book.symbol);
    }
    const listeners = this.#bookListeners;
    for (let i = 0; i < listeners.length; i++) {
      const listener = listeners[i];
      listener?.seat.callBook(listener.view, book);
    }
  }

  /** Calls `onTrade` of every strategy in a market. */
  trade(trade: Trade): void {
    const listeners = this.#listenersOf(trade.symbol);
    for (let i = 0; i < listeners.length; i++) {
      const listener = listeners[i];
      listener?.seat.callTrade(listener.view, trade);
    }
  }

  /** Calls a handler of every strategy in a market, without a view. */
  toTraders(symbol: MarketSymbol | undefined, name: HandlerName, what: unknown): void {
    if (symbol === undefined) for (const seat of this.#seats.values()) seat.call(name, what);
    else for (const { seat } of this.#listenersOf(symbol)) seat.call(name, what);
  }

  /** The seat of a strategy; none for what is nobody's. */
  seatOf(strategyId: StrategyId | undefined): Seat | undefined {
    if (strategyId === undefined) return undefined;
    if (this.#lastSeat?.id !== strategyId) this.#lastSeat = this.#seats.get(strategyId);
    return this.#lastSeat;
  }

  /** Calls handlers for what a fold changed. */
  change(change: AccountChange): void {
    switch (change.type) {
      case 'OrderChanged': {
        const seat = this.seatOf(change.strategyId);
        if (seat?.handlers.onOrder !== undefined) seat.call('onOrder', updateOf(change));
        break;
      }
      case 'FillApplied': {
        const seat = this.seatOf(change.strategyId);
        const view = seat?.views.get(change.fill.symbol);
        if (seat === undefined || view === undefined) break;
        seat.call('onFill', change.fill, view);
        if (seat.handlers.onPosition === undefined) break;
        const { symbol, inventoryLots, averageEntryTicks } = view;
        seat.call('onPosition', { symbol, inventoryLots, averageEntryTicks }, view);
        break;
      }
      case 'LedgerApplied':
        this.toTraders(change.entry.symbol ?? undefined, 'onLedger', change.entry);
        break;
      case 'AnomalySeen':
        break;
    }
  }

  /** Calls handlers for a fact that changes no order of ours. */
  fact(fact: Fact): void {
    switch (fact.type) {
      case 'BookUpdated':
        this.book(fact.book);
        break;
      case 'BboUpdated':
        this.toMarket(fact.bbo.symbol, 'onBbo', fact.bbo);
        break;
      case 'TradePrinted':
        this.trade(fact.trade);
        break;
      case 'PricesUpdated':
        this.toMarket(fact.prices.symbol, 'onPrices', fact.prices);
        break;
      case 'CandleUpdated':
        this.toMarket(fact.candle.symbol, 'onCandle', fact.candle);
        break;
      case 'FundingSettled':
        this.toMarket(fact.funding.symbol, 'onFunding', fact.funding);
        break;
      case 'AccountUpdated':
        this.toTraders(undefined, 'onAccount', fact.account);
        break;
      case 'TimerFired':
        this.#seats
          .get(fact.intentOwner as StrategyId)
          ?.call('onTimer', { name: fact.name, atMs: fact.atMs });
        break;
      case 'FeedReceived':
        for (const seat of this.#seats.values())
          seat.call('onFeed', fact.value, { name: fact.feed, atMs: fact.atMs });
        break;
      default:
        break;
    }
  }

  #listenersOf(symbol: MarketSymbol): readonly Listener[] {
    if (symbol === this.#lastSymbol) return this.#lastListeners;
    this.#lastSymbol = symbol;
    this.#lastListeners = this.#listeners.get(symbol) ?? NOBODY;
    return this.#lastListeners;
  }
}

function updateOf(change: Extract<AccountChange, { type: 'OrderChanged' }>): OrderUpdate {
  const { symbol, intentId, orderId, status, order, spec, reason } = change;
  return { symbol, intentId, orderId, status, order, spec, reason };
}

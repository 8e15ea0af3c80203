/**
 * @module
 * From facts and changes to handlers. State is updated before: a handler always finds the event in its views.
 */
import { frozenCopy } from '../../core/index.ts';
import type { AccountChange, Book, Fact, MarketSymbol, StrategyId, Trade } from '../../domain/index.ts';
import type { HandlerName, OrderUpdate } from '../strategy/index.ts';
import { frozenBook } from './frozen-market-view.ts';
import type { LiveMarketView } from './market-view.ts';
import type { StrategyHost } from './strategy-host.ts';

interface Listener {
  readonly host: StrategyHost;
  readonly view: LiveMarketView;
  /** It is shown copies of what the run overwrites. */
  readonly isFrozen: boolean;
}

const NOBODY: readonly Listener[] = [];

/** Calls handlers. */
export class Dispatcher {
  readonly #hosts: ReadonlyMap<StrategyId, StrategyHost>;
  readonly #listeners = new Map<MarketSymbol, Listener[]>();
  /** The host that was notified last, and of which market: the next fact is mostly of the same one. */
  #lastSymbol: MarketSymbol | undefined;
  #lastListeners: readonly Listener[] = NOBODY;
  /** The book reported last, and who listens to its market. */
  #lastBook: Book | undefined;
  #bookListeners: readonly Listener[] = NOBODY;
  /** Whose order it was last: mostly the next one is theirs too. */
  #lastHost: StrategyHost | undefined;

  constructor(hosts: ReadonlyMap<StrategyId, StrategyHost>) {
    this.#hosts = hosts;
    for (const host of hosts.values()) {
      for (const [symbol, view] of host.views) {
        const listeners = this.#listeners.get(symbol) ?? [];
        listeners.push({ host, view, isFrozen: host.setup.freezeViews === true });
        this.#listeners.set(symbol, listeners);
      }
    }
  }

  /** Calls a handler of every strategy in a market, with its view and `what`. */
  toMarket(symbol: MarketSymbol, name: HandlerName, what: unknown): void {
    const listeners = this.#listenersOf(symbol);
    for (let i = 0; i < listeners.length; i++) {
      const listener = listeners[i];
      if (listener !== undefined)
        listener.host.call(name, listener.view, listener.isFrozen ? frozenCopy(what) : what);
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
      if (listener !== undefined)
        listener.host.callBook(listener.view, listener.isFrozen ? frozenBook(book) : book);
    }
  }

  /** Calls `onTrade` of every strategy in a market. */
  trade(trade: Trade): void {
    const listeners = this.#listenersOf(trade.symbol);
    for (let i = 0; i < listeners.length; i++) {
      const listener = listeners[i];
      if (listener !== undefined)
        listener.host.callTrade(listener.view, listener.isFrozen ? frozenCopy(trade) : trade);
    }
  }

  /** Calls a handler of every strategy in a market, without a view. */
  toTraders(symbol: MarketSymbol | undefined, name: HandlerName, what: unknown): void {
    if (symbol === undefined) for (const host of this.#hosts.values()) host.call(name, what);
    else for (const { host } of this.#listenersOf(symbol)) host.call(name, what);
  }

  /** The host of a strategy; none for what belongs to no strategy. */
  hostOf(strategyId: StrategyId | undefined): StrategyHost | undefined {
    if (strategyId === undefined) return undefined;
    if (this.#lastHost?.id !== strategyId) this.#lastHost = this.#hosts.get(strategyId);
    return this.#lastHost;
  }

  /** Calls handlers for what a fact changed. */
  change(change: AccountChange): void {
    switch (change.type) {
      case 'OrderChanged': {
        const host = this.hostOf(change.strategyId);
        if (host?.handlers.onOrder !== undefined) host.call('onOrder', updateOf(change));
        break;
      }
      case 'FillApplied': {
        const host = this.hostOf(change.strategyId);
        const view = host?.views.get(change.fill.symbol);
        if (host === undefined || view === undefined) break;
        host.call('onFill', change.fill, view);
        showPosition(host, view, undefined);
        break;
      }
      case 'PositionSettled': {
        const host = this.hostOf(change.strategyId);
        const view = host?.views.get(change.symbol);
        if (host !== undefined && view !== undefined) showPosition(host, view, change.reason);
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
        this.#hosts
          .get(fact.intentOwner as StrategyId)
          ?.call('onTimer', { name: fact.name, atMs: fact.atMs });
        break;
      case 'FeedReceived':
        for (const host of this.#hosts.values())
          host.call('onFeed', fact.value, { name: fact.feed, atMs: fact.atMs });
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

function showPosition(host: StrategyHost, view: LiveMarketView, reason: string | undefined): void {
  if (host.handlers.onPosition === undefined) return;
  const { symbol, inventoryLots, averageEntryTicks } = view;
  host.call('onPosition', { symbol, inventoryLots, averageEntryTicks, reason }, view);
}

function updateOf(change: Extract<AccountChange, { type: 'OrderChanged' }>): OrderUpdate {
  const { symbol, intentId, orderId, status, order, spec, reason } = change;
  return { symbol, intentId, orderId, status, order, spec, reason };
}

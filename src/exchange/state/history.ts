/**
 * @module Everything that is kept of the past: per account, per market, and the raw events. Accounts that belong to no
 * wallet (background flow) are not remembered: no client can ask for them.
 */
import { absent, type UnixMs } from '../../core/index.ts';
import type { VenueOrder } from '../engine/index.ts';
import { AccountHistory } from './account-history.ts';
import { Candles } from './candles.ts';
import { EntryLog, type RowKey } from './entry-log.ts';
import {
  type ExchangeEvent,
  type FillEvent,
  type FundingEvent,
  isLedgerEvent,
  type LedgerEvent,
} from './event.ts';

/** Trades kept per market; a read gives at most 200 (exchange.md#assumptions). */
const TRADES_MAX = 1_000;
/** Funding settlements kept per market. */
const FUNDING_MAX = 10_000;

/** What is remembered of one market. */
export interface MarketHistory {
  /** Public trades. */
  readonly trades: EntryLog<FillEvent>;
  /** Funding settlements. */
  readonly funding: EntryLog<FundingEvent>;
  /** Candles of all intervals. */
  readonly candles: Candles;
}

/** An event of the public stream: all but entries of an account's ledger. */
export type PublicEvent = Exclude<ExchangeEvent, LedgerEvent>;

/** How much is kept. */
export interface HistoryLimits {
  /** Most entries kept in one history. */
  readonly historyMax: number;
  /** Most public events kept. */
  readonly eventsMax: number;
}

/** The past of the exchange within one epoch. */
export class History {
  readonly events: EntryLog<PublicEvent>;
  readonly #accounts = new Map<number, AccountHistory>();
  readonly #markets = new Map<number, MarketHistory>();
  readonly #limits: HistoryLimits;

  constructor(markets: readonly number[], limits: HistoryLimits) {
    this.#limits = limits;
    this.events = new EntryLog(limits.eventsMax);
    for (const market of markets)
      this.#markets.set(market, {
        trades: new EntryLog(TRADES_MAX),
        funding: new EntryLog(FUNDING_MAX),
        candles: new Candles(),
      });
  }

  /** Begins to remember an account. */
  track(account: number): AccountHistory {
    const history = new AccountHistory(this.#limits.historyMax);
    this.#accounts.set(account, history);
    return history;
  }

  /** The memory of an account that belongs to a wallet. */
  account(account: number): AccountHistory | undefined {
    return this.#accounts.get(account);
  }

  /** The memory of a market. */
  market(market: number): MarketHistory {
    return this.#markets.get(market) ?? absent(`the history of market ${market}`);
  }

  /** Remembers one event. */
  record(event: ExchangeEvent): void {
    if (isLedgerEvent(event)) {
      this.account(event.account)?.ledger.push(event);
      return;
    }
    this.events.push(event);
    switch (event.kind) {
      case 'Fill':
        this.#recordFill(event);
        break;
      case 'OrderAccepted':
      case 'OrderCanceled':
      case 'OrderExpired':
      case 'ConditionalCanceled':
      case 'TwapEnded':
        if (event.order.status !== 'open') this.account(event.order.account)?.end(event);
        break;
      case 'FundingSettled':
        this.market(event.market).funding.push(event);
        break;
      default:
        break;
    }
  }

  #recordFill(event: FillEvent): void {
    const { trades, candles } = this.market(event.market);
    trades.push(event);
    candles.add({ priceTicks: event.priceTicks, lots: event.lots, atMs: event.blockAtMs as UnixMs });
    const key = { seq: event.seq, sub: event.sub, idx: event.idx, event };
    this.account(event.taker.account)?.fills.push({ ...key, role: 'taker' });
    this.account(event.maker.account)?.fills.push({ ...key, role: 'maker' });
    this.#recordEnd(event, event.makerOrder);
    this.#recordEnd(event, event.takerOrder);
  }

  #recordEnd({ seq, sub, idx }: RowKey, order: VenueOrder): void {
    if (order.status !== 'open') this.account(order.account)?.end({ seq, sub, idx, order });
  }
}

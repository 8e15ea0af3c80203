/**
 * @module The seven channels that publish events: trades, candles, funding, orders, fills, ledger, events. Each event
 * becomes the frames of those channels that have a subscriber; a frame is written once for all of its listeners.
 */
import { CANDLE_INTERVALS, type Market } from '../../../domain/index.ts';
import type { VenueOrder } from '../../engine/index.ts';
import type {
  AccountHolder,
  ExchangeEvent,
  ExchangeState,
  FillEvent,
  LedgerEvent,
  PublicEvent,
} from '../../state/index.ts';
import { fillJson, ledgerJson, orderJson } from '../json/account-json.ts';
import { eventJson } from '../json/event-json.ts';
import { candleJson, fundingJson, tradeJson } from '../json/market-json.ts';
import { accountHead } from './block-topics.ts';

/** The listeners: an event is rendered only for channels with a subscriber. */
export interface Audience {
  /** Sends what `render` gives to the subscribers of `key`. */
  tell(key: string, render: () => string): void;
}

/** Makes frames out of events. */
export class EventFrames {
  readonly #source: { readonly state: ExchangeState };
  readonly #audience: Audience;

  constructor(source: { readonly state: ExchangeState }, audience: Audience) {
    this.#source = source;
    this.#audience = audience;
  }

  /** Publishes `event` on every channel but the raw one. */
  tell(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'OrderAccepted':
      case 'OrderCanceled':
      case 'OrderExpired':
      case 'ConditionalPlaced':
      case 'ConditionalCanceled':
      case 'TwapPlaced':
      case 'TwapSliced':
      case 'TwapEnded':
        this.#tellOrder(event.order);
        break;
      case 'Fill':
        this.#tellTrade(event);
        this.#tellFill(event);
        break;
      case 'LedgerAppended':
      case 'TokenAppended':
        this.#tellLedger(event);
        break;
      case 'FundingSettled': {
        const market = this.#market(event.market);
        this.#audience.tell(
          `funding|${event.market}`,
          () =>
            `{"channel":"funding","seq":${event.seq},"data":${JSON.stringify(fundingJson(market, event))}}`,
        );
        break;
      }
      default:
        break;
    }
  }

  /** The frame of the raw channel. */
  raw(event: PublicEvent): string {
    const json = eventJson(event, (id) => this.#market(id));
    return `{"channel":"events","epoch":${JSON.stringify(this.#state.epoch)},"seq":${event.seq},"data":${JSON.stringify(json)}}`;
  }

  /** All open orders of an account, as the snapshot frame. */
  ordersSnapshot(account: AccountHolder): string {
    const { venue } = this.#state;
    const open = [...venue.openOrders(account.id), ...venue.waitingOrders(account.id)];
    const orders = open.map((order) => this.#orderJson(order));
    return `${accountHead('orders', account, this.#state)},"isSnapshot":true,"seq":${this.#state.seq},"data":{"orders":${JSON.stringify(orders)}}}`;
  }

  get #state(): ExchangeState {
    return this.#source.state;
  }

  #tellTrade(event: FillEvent): void {
    const market = this.#market(event.market);
    this.#audience.tell(
      `trades|${event.market}`,
      () => `{"channel":"trades","seq":${event.seq},"data":${JSON.stringify(tradeJson(market, event))}}`,
    );
    for (const interval of CANDLE_INTERVALS) {
      this.#audience.tell(`candles|${event.market}|${interval}`, () => {
        const bar = this.#state.history.market(event.market).candles.current(interval);
        const json = bar === undefined ? null : candleJson(market, interval, bar);
        return `{"channel":"candles","seq":${event.seq},"data":${JSON.stringify(json)}}`;
      });
    }
  }

  /** The taker's order is reported by its acceptance, with the state it has after matching; the maker's here. */
  #tellFill(event: FillEvent): void {
    const market = this.#market(event.market);
    for (const role of ['taker', 'maker'] as const) {
      const account = this.#state.holder(event[role].account);
      if (account === undefined) continue;
      const row = { seq: event.seq, sub: event.sub, idx: event.idx, event, role };
      this.#audience.tell(
        `fills|${account.id}`,
        () =>
          `${accountHead('fills', account, this.#state)},"seq":${event.seq},"data":${JSON.stringify(fillJson(market, row))}}`,
      );
    }
    this.#tellOrder(event.makerOrder);
  }

  #tellOrder(order: VenueOrder): void {
    const account = this.#state.holder(order.account);
    if (account === undefined) return;
    this.#audience.tell(
      `orders|${account.id}`,
      () =>
        `${accountHead('orders', account, this.#state)},"isSnapshot":false,"seq":${order.seq},"data":${JSON.stringify(this.#orderJson(order))}}`,
    );
  }

  #tellLedger(event: LedgerEvent): void {
    const account = this.#state.holder(event.account);
    if (account === undefined) return;
    this.#audience.tell(
      `ledger|${account.id}`,
      () =>
        `${accountHead('ledger', account, this.#state)},"seq":${event.seq},"data":${JSON.stringify(ledgerJson(event, (id) => this.#market(id)))}}`,
    );
  }

  #orderJson(order: VenueOrder) {
    const label = this.#state.history.account(order.account)?.labelOf(order.orderSeq);
    return orderJson(this.#market(order.market), order, label);
  }

  #market(id: number): Market {
    return this.#state.venue.market(id);
  }
}

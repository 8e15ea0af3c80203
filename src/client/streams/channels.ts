/**
 * @module The twelve channels as typed subscriptions. Each resumes automatically after a disconnect, restarts with its
 * snapshot, and those with a history deliver every entry once, in order, whatever was lost in between.
 */
import { isRecord } from '../../core/index.ts';
import type { CandleInterval } from '../../domain/index.ts';
import {
  ACCOUNT,
  BBO,
  BOOK,
  CANDLE,
  EVENT,
  FILL,
  FUNDING,
  LEDGER_ENTRY,
  ORDER,
  ORDER_END,
  ORDERS,
  type PeopleSchema,
  POSITIONS,
  PRICES,
  type RawFrame,
  readForPeople,
  SUBACCOUNTS,
  type SubscriptionParams,
  TRADE,
} from '../../wire/protocol/index.ts';
import type { AccountSelector, SelectorQuery } from '../selection.ts';
import type { Session } from '../session.ts';
import type {
  AccountFill,
  AccountLedgerEntry,
  AccountSummary,
  Bbo,
  Candle,
  ExchangeLogEvent,
  FundingSettlement,
  MarketPrices,
  Order,
  OrderBook,
  Position,
  PublicTrade,
} from '../shapes.ts';
import { HistoryTopic, type ResumePosition } from './history-topic.ts';
import type { StreamHub, Subscription, TopicKind } from './hub.ts';
import { Audience, StateTopic, type StreamListener } from './topic.ts';

/** An update of prices: all markets in a snapshot, then those that changed in a block. */
export interface PricesUpdate {
  /** True if the update replaces all earlier state. */
  readonly isSnapshot: boolean;
  /** Prices that changed, or of all markets in a snapshot. */
  readonly prices: readonly MarketPrices[];
}

/** An update of the open orders. */
export interface OrdersUpdate {
  /** True if the update replaces all earlier state. */
  readonly isSnapshot: boolean;
  /** What the frame contains: every open order of a snapshot, else the one order that changed. */
  readonly changed: readonly Order[];
  /** All open orders now. */
  readonly open: readonly Order[];
}

/** An update of positions: all of them in a snapshot, then those that changed in a block. */
export interface PositionsUpdate {
  /** True if the update replaces all earlier state. */
  readonly isSnapshot: boolean;
  /** Positions that changed, or all in a snapshot. */
  readonly positions: readonly Position[];
}

/** Where a history begins. */
export interface ResumeFrom {
  /** Default `now`; `start`: with the oldest entry; or after the last one that was processed, in its ledger. */
  readonly from?: ResumePosition | undefined;
}

/** The channels. Listeners are functions for the updates, or handlers with `onState`, `onReset` and `onError`. */
export interface Streams {
  /**
   * Prices of all markets; changes come once a block.
   * @example
   * const seen = Promise.withResolvers();
   * const subscription = await client.streams.prices(({ prices }) => seen.resolve(prices));
   * assert((await seen.promise).length > 0);
   * subscription.close();
   */
  prices(listener: StreamListener<PricesUpdate>): Promise<Subscription>;
  /**
   * The book of a market, whole in each update, `[price, size]` best first. Depth 1 to 100, default 20.
   * @throws ClientUsageError for another depth
   * @example
   * const subscription = await client.streams.book({ symbol: 'BTC-USD', depth: 5 }, {
   *   onUpdate: ({ bids, asks }) => assert(bids.length <= 5 && asks.length <= 5),
   *   onState: (state, why) => assert(['live', 'stale'].includes(state), why),
   * });
   * await subscription.ready;
   * subscription.close();
   */
  book(
    params: { readonly symbol: string; readonly depth?: number | undefined },
    listener: StreamListener<OrderBook>,
  ): Promise<Subscription>;
  /**
   * Best bid and ask of a market.
   * @example
   * const subscription = await client.streams.bbo({ symbol: 'BTC-USD' }, ({ bid, ask }) => assert(bid !== undefined, ask));
   * await subscription.ready;
   * subscription.close();
   */
  bbo(params: { readonly symbol: string }, listener: StreamListener<Bbo>): Promise<Subscription>;
  /**
   * Each public trade of a market. Trades of a time without connection are not sent again: see `onState`.
   * @example const subscription = await client.streams.trades({ symbol: 'BTC-USD' }, ({ price, size }) =>
   * assert(price.times(size))); await subscription.ready; subscription.close();
   */
  trades(params: { readonly symbol: string }, listener: StreamListener<PublicTrade>): Promise<Subscription>;
  /**
   * The current bar of a market, after each fill: it replaces the one before. Intervals as of the candles.
   * @throws ClientUsageError for an unknown interval
   * @example const subscription = await client.streams.candles({ symbol: 'BTC-USD', interval: '1m' }, ({ close }) =>
   * assert(close)); await subscription.ready; subscription.close();
   */
  candles(
    params: { readonly symbol: string; readonly interval: CandleInterval },
    listener: StreamListener<Candle>,
  ): Promise<Subscription>;
  /**
   * Each funding settlement of a market; rates in parts per million.
   * @example
   * const subscription = await client.streams.funding({ symbol: 'BTC-USD' }, ({ ratePpm }) => assert(ratePpm !== null));
   * await subscription.ready;
   * subscription.close();
   */
  funding(
    params: { readonly symbol: string },
    listener: StreamListener<FundingSettlement>,
  ): Promise<Subscription>;
  /**
   * The open orders of an account: a snapshot replaces all, each event changes one.
   * @example
   * const subscription = await client.streams.orders({}, ({ open }) => assert(open.every(({ status }) => status === 'open')));
   * await subscription.ready;
   * subscription.close();
   */
  orders(params: AccountSelector, listener: StreamListener<OrdersUpdate>): Promise<Subscription>;
  /**
   * Each fill of an account, every one once and in order, also those of a time without connection. Keep `id` with the
   * epoch of `onReset` to resume after it in another process.
   * @example const subscription = await client.streams.fills({ from: 'start' }, ({ id, size }) =>
   * assert(size.greaterThan(0), id)); await subscription.ready; subscription.close();
   */
  fills(params: AccountSelector & ResumeFrom, listener: StreamListener<AccountFill>): Promise<Subscription>;
  /**
   * The positions of an account; changes come once a block. A size of 0 is a position that was closed.
   * @example
   * const subscription = await client.streams.positions({}, ({ positions }) => assert(Array.isArray(positions)));
   * await subscription.ready;
   * subscription.close();
   */
  positions(params: AccountSelector, listener: StreamListener<PositionsUpdate>): Promise<Subscription>;
  /**
   * The summary of an account; changes come once a block.
   * @example
   * const subscription = await client.streams.account({}, ({ equity }) => assert(equity.greaterThan(0)));
   * await subscription.ready;
   * subscription.close();
   */
  account(params: AccountSelector, listener: StreamListener<AccountSummary>): Promise<Subscription>;
  /**
   * Each ledger entry of an account, every one once and in order; see `fills`.
   * @example
   * const subscription = await client.streams.ledger({ from: 'start' }, ({ kind }) => assert(kind !== ''));
   * await subscription.ready;
   * subscription.close();
   */
  ledger(
    params: AccountSelector & ResumeFrom,
    listener: StreamListener<AccountLedgerEntry>,
  ): Promise<Subscription>;
  /**
   * Raw execution events, of one symbol or of the accounts of one wallet where they are named; see `fills`.
   * @example
   * const subscription = await client.streams.events({ symbol: 'BTC-USD' }, ({ kind }) => assert(kind !== ''));
   * await subscription.ready;
   * subscription.close();
   */
  events(
    params: { readonly symbol?: string | undefined; readonly address?: string | undefined } & ResumeFrom,
    listener: StreamListener<ExchangeLogEvent>,
  ): Promise<Subscription>;
}

/** The channels over a hub. */
export function streamsOf(session: Session, hub: StreamHub): Streams {
  const { log } = session.parts;
  const state = <Update>(
    params: SubscriptionParams,
    kind: { readonly hasSnapshot: boolean; read(frame: RawFrame): Update; forget?(): void },
  ): TopicKind<Update> => ({
    params,
    audience: () => new Audience<Update>(log),
    make: ({ renew }, audience) => new StateTopic({ ...kind, params, audience, log, renew }),
  });
  const plain = <Update>(shape: PeopleSchema<Update>, hasSnapshot: boolean) => ({
    hasSnapshot,
    read: (frame: RawFrame) => readForPeople(shape, frame['data'], 'data'),
  });
  const ofAccount = async (channel: SubscriptionParams['channel'], selector: AccountSelector) => ({
    channel,
    ...(await session.select({
      address: selector.address,
      subaccount: selector.subaccount,
      vault: selector.vault,
    })),
  });
  return {
    prices: async (listener) =>
      hub.subscribe(state({ channel: 'prices' }, { hasSnapshot: true, read: readPrices }), listener),
    book: async ({ symbol, depth }, listener) =>
      hub.subscribe(
        state({ channel: 'book', symbol, ...(depth === undefined ? {} : { depth }) }, plain(BOOK, true)),
        listener,
      ),
    bbo: async ({ symbol }, listener) =>
      hub.subscribe(state({ channel: 'bbo', symbol }, plain(BBO, true)), listener),
    trades: async ({ symbol }, listener) =>
      hub.subscribe(state({ channel: 'trades', symbol }, plain(TRADE, false)), listener),
    candles: async ({ symbol, interval }, listener) =>
      hub.subscribe(state({ channel: 'candles', symbol, interval }, plain(CANDLE, false)), listener),
    funding: async ({ symbol }, listener) =>
      hub.subscribe(state({ channel: 'funding', symbol }, plain(FUNDING, false)), listener),
    orders: async (selector, listener) =>
      hub.subscribe(state(await ofAccount('orders', selector), ordersReader()), listener),
    fills: async (selector, listener) =>
      hub.subscribe(
        history(session, await session.select(pick(selector)), {
          endpoint: 'fills',
          shape: FILL,
          resume: selector,
        }),
        listener,
      ),
    positions: async (selector, listener) =>
      hub.subscribe(
        state(await ofAccount('positions', selector), { hasSnapshot: true, read: readPositions }),
        listener,
      ),
    account: async (selector, listener) =>
      hub.subscribe(state(await ofAccount('account', selector), plain(ACCOUNT, true)), listener),
    ledger: async (selector, listener) =>
      hub.subscribe(
        history(session, await session.select(pick(selector)), {
          endpoint: 'ledger',
          shape: LEDGER_ENTRY,
          resume: selector,
        }),
        listener,
      ),
    events: async (selector, listener) => hub.subscribe(events(session, selector), listener),
  };
}

function readPrices(frame: RawFrame): PricesUpdate {
  const { prices } = readForPeople(PRICES, frame['data'], 'data');
  return { isSnapshot: frame['isSnapshot'] === true, prices };
}

function readPositions(frame: RawFrame): PositionsUpdate {
  const { positions } = readForPeople(POSITIONS, frame['data'], 'data');
  return { isSnapshot: frame['isSnapshot'] === true, positions };
}

/** Applies order frames to the open orders (openapi.yaml). */
function ordersReader() {
  const open = new Map<string, Order>();
  return {
    hasSnapshot: true,
    read: (frame: RawFrame): OrdersUpdate => {
      const isSnapshot = frame['isSnapshot'] === true;
      const changed = isSnapshot
        ? readForPeople(ORDERS, frame['data'], 'data').orders
        : changedOrders(frame['data'], open);
      if (isSnapshot) open.clear();
      for (const order of changed) {
        if (order.status === 'open') open.set(order.orderId, order);
        else open.delete(order.orderId);
      }
      return { isSnapshot, changed, open: [...open.values()] };
    },
    forget: () => open.clear(),
  };
}

/** One event. An end that says no more than its order's number is shown as that order was known; of another one nothing. */
function changedOrders(data: unknown, open: ReadonlyMap<string, Order>): readonly Order[] {
  const isEnd = isRecord(data) && data['status'] !== 'open' && data['symbol'] === undefined;
  if (!isEnd) return [readForPeople(ORDER, data, 'data')];
  const { orderId, status } = readForPeople(ORDER_END, data, 'data');
  const known = open.get(orderId);
  return known === undefined ? [] : [{ ...known, status }];
}

function pick({ address, subaccount, vault }: AccountSelector): AccountSelector {
  return { address, subaccount, vault };
}

function history<Entry extends { readonly id: string }>(
  session: Session,
  selector: SelectorQuery,
  {
    endpoint,
    shape,
    resume,
  }: {
    readonly endpoint: 'fills' | 'ledger';
    readonly shape: PeopleSchema<Entry>;
    readonly resume: ResumeFrom;
  },
): TopicKind<Entry> {
  const params = { channel: endpoint, ...selector } as const;
  const marker = { channel: 'account', ...selector } as const;
  const from = resume.from ?? 'now';
  return {
    params,
    marker,
    variant: JSON.stringify(from),
    audience: () => new Audience<Entry>(session.parts.log),
    make: (subscription, audience) =>
      new HistoryTopic<Entry>({
        params,
        session,
        audience,
        endpoint,
        query: { ...selector },
        shape,
        from,
        markers: { request: () => subscription.request(marker), release: () => subscription.release(marker) },
        reconnect: subscription.reconnect,
      }),
  };
}

const EVENTS_MARKER = { channel: 'prices' } as const;

function events(
  session: Session,
  {
    symbol,
    address: owner,
    from = 'now',
  }: { symbol?: string | undefined; address?: string | undefined } & ResumeFrom,
): TopicKind<ExchangeLogEvent> {
  const params: SubscriptionParams = {
    channel: 'events',
    ...(symbol === undefined ? {} : { symbol }),
    ...(owner === undefined ? {} : { address: owner }),
  };
  return {
    params,
    marker: EVENTS_MARKER,
    variant: JSON.stringify(from),
    audience: () => new Audience<ExchangeLogEvent>(session.parts.log),
    make: (subscription, audience) =>
      new HistoryTopic<ExchangeLogEvent>({
        params,
        session,
        audience,
        endpoint: 'events',
        query: {},
        shape: EVENT,
        from,
        pageFilter: async () => {
          const accounts = owner === undefined ? undefined : await accountsOf(session, owner);
          return ({ data }) => isAbout(data, symbol, accounts);
        },
        markers: {
          request: () => subscription.request(EVENTS_MARKER),
          release: () => subscription.release(EVENTS_MARKER),
        },
        reconnect: subscription.reconnect,
      }),
  };
}

/** Fields of events that name an account by its number (x-assumed: exchange.md#resources). */
const ACCOUNT_FIELDS = ['accountId', 'account', 'maker', 'taker', 'from', 'to', 'vault'] as const;

async function accountsOf(session: Session, address: string): Promise<ReadonlySet<unknown>> {
  const { subaccounts } = await session.read({ endpoint: 'subaccounts', query: { address } }, SUBACCOUNTS);
  return new Set<unknown>(subaccounts.map(({ accountId }) => accountId));
}

/** Pages of events hold every account's: the same filter as the channel's. */
function isAbout(
  data: Readonly<Record<string, unknown>>,
  symbol: string | undefined,
  accounts: ReadonlySet<unknown> | undefined,
): boolean {
  if (symbol !== undefined && data['symbol'] !== symbol) return false;
  return accounts === undefined || ACCOUNT_FIELDS.some((name) => isRecord(data) && accounts.has(data[name]));
}

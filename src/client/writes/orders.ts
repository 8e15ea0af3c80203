/**
 * @module
 * Writes of trading. Each resolves when its outcome is proven by the answer or by the receipt. Prices and sizes are decimal
 * text or Decimals, on the tick and the lot of the market; times are Unix milliseconds.
 */
import type {
  ClientOrderId,
  IntentId,
  LaneCommand,
  OrderId,
  OrderSpec,
  OrderRef as SigningOrderRef,
  StrategyId,
  TimeInForce,
} from '../../domain/index.ts';
import { type DecimalInput, knownMarket, lotsOf, ticksOf } from '../amounts.ts';
import { misused } from '../errors.ts';
import type { ClientEnvironment } from '../session.ts';
import type { WriteClient, WriteOptions } from '../write-client.ts';
import type { WriteResult } from '../write-result.ts';

/** One order. */
export interface OrderRequest {
  /** Symbol of the market. */
  readonly symbol: string;
  /** Buy or sell. */
  readonly side: 'buy' | 'sell';
  /** The limit, a multiple of the market's tickSize. */
  readonly price: DecimalInput;
  /** A multiple of the market's lotSize. */
  readonly size: DecimalInput;
  /** Default `gtc`; `postOnly` is refused rather than taking liquidity. */
  readonly timeInForce?: TimeInForce | undefined;
  /** Only ever makes the position smaller. Default false. */
  readonly reduceOnly?: boolean | undefined;
  /** A label of yours, at most 64 characters; not covered by an API wallet's signature. */
  readonly clientOrderId?: string | undefined;
}

/** Only an order may say until when it is valid. */
export interface ExpiringOrderRequest extends OrderRequest {
  /** Last instant of validity, Unix milliseconds; 0, the default: no end. */
  readonly expiresAt?: number | undefined;
}

/** The builder that routed an order, and its fee on the taker notional. */
export interface BuilderFee {
  /** The number of the builder's account, as GET /v1/account shows it. */
  readonly accountId: number;
  /** On top of the fees, in parts per million of what the order takes. */
  readonly feePpm: number;
}

/** An order by market and number. */
export interface OrderRef {
  /** Symbol of the market. */
  readonly symbol: string;
  /** Order number as text. */
  readonly orderId: string;
}

/** Writes of orders. */
export interface OrderWrites {
  /**
   * Places one order, or several in one write (at most 200, each checked separately: check every item).
   * @throws ApiError with the reason when one order, or all of them, were rejected; UnresolvedWriteError when the
   * outcome is not known yet; ClientUsageError for a price off the tick or a size off the lot.
   * @example const { items } = await client.orders.place({ symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.01'
   * }); assert(items[0].state === 'accepted' && items[0].resting);
   * @example const order = { symbol: 'BTC-USD', side: 'buy', size: '0.001', timeInForce: 'postOnly' }; const ladder =
   * ['20000', '20001', '20002'].map((price) => ({ ...order, price })); const { items } = await client.orders.place({
   * orders: ladder }); assert(items.length === 3);
   * @example const { accountId } = await client.account.summary(); const order = { symbol: 'BTC-USD', side: 'buy',
   * price: '20000', size: '0.01' }; await client.orders.place({ ...order, builder: { accountId, feePpm: 25 } });
   */
  place(
    params: (
      | (ExpiringOrderRequest & { readonly builder?: BuilderFee | undefined })
      | { readonly orders: readonly OrderRequest[] }
    ) &
      WriteOptions,
  ): Promise<WriteResult>;
  /**
   * Cancels one order, or several in one write; those that are not open are rejected separately (`UnknownOrder`).
   * @throws ApiError, UnresolvedWriteError
   * @example const placed = await client.orders.place({ symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.01'
   * }); const { items } = await client.orders.cancel({ symbol: 'BTC-USD', orderId: placed.items[0].orderId });
   * assert(items[0].canceledSize.equals('0.01'));
   */
  cancel(params: (OrderRef | { readonly orders: readonly OrderRef[] }) & WriteOptions): Promise<WriteResult>;
  /**
   * Cancels every open order of the account; `items` names them.
   * @throws ApiError, UnresolvedWriteError
   * @example
   * await client.orders.cancelAll();
   * assert((await client.account.orders()).length === 0);
   */
  cancelAll(params?: WriteOptions): Promise<WriteResult>;
  /**
   * Cancels and places in one write: first all cancels, then all placements, nothing in between; items fail separately.
   * When a new order is refused, such as a post-only one whose price would cross, the old one is gone with its place in the
   * queue. When the old one was filled meanwhile, the new one is placed all the same.
   * @throws ApiError, UnresolvedWriteError
   * @example
   * const order = { symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.01' };
   * const { items: [first] } = await client.orders.place(order);
   * const { items } = await client.orders.replace({
   *   cancels: [{ symbol: 'BTC-USD', orderId: first.orderId }],
   *   orders: [{ ...order, price: '20001' }],
   * });
   * assert(items.map(({ kind }) => kind).join() === 'cancel,place');
   */
  replace(
    params: {
      readonly cancels: readonly OrderRef[];
      readonly orders: readonly OrderRequest[];
    } & WriteOptions,
  ): Promise<WriteResult>;
  /**
   * The dead man's switch: all orders of the account are canceled at `triggerAt` (Unix milliseconds of the exchange's
   * clock); 0 clears it. Call it again to move it.
   * @throws ClientUsageError for a trigger that has passed; ApiError, UnresolvedWriteError
   * @example
   * const { serverTime } = await client.environment.time();
   * await client.orders.scheduleCancel({ triggerAt: serverTime + 60_000 });
   * await client.orders.scheduleCancel({ triggerAt: 0 });
   */
  scheduleCancel(params: { readonly triggerAt: number } & WriteOptions): Promise<WriteResult>;
}

/** The writes of orders over a writer. */
export function orderWrites(writer: WriteClient): OrderWrites {
  return {
    place: (params) =>
      writer.write(params, ({ environment }) => {
        if ('orders' in params) return { kind: 'place', orders: specsOf(environment, params.orders) };
        const { builder } = params;
        const orders = specsOf(environment, [params]);
        return builder === undefined ? { kind: 'place', orders } : { kind: 'place', orders, builder };
      }),
    cancel: (params) =>
      writer.write(params, ({ environment }) => ({
        kind: 'cancel',
        orders: refsOf(environment, 'orders' in params ? params.orders : [params]),
      })),
    cancelAll: (params = {}) => writer.write(params, () => ({ kind: 'cancelAll' })),
    replace: (params) =>
      writer.write(params, ({ environment }) => {
        const cancels = refsOf(environment, params.cancels);
        const orders = specsOf(environment, params.orders);
        const symbol = cancels[0]?.symbol ?? orders[0]?.symbol;
        if (symbol === undefined) throw empty('cancels or orders');
        return { kind: 'replace', symbol, cancels, orders };
      }),
    scheduleCancel: (params) =>
      writer.write(params, ({ nowMs }) => {
        const triggerAtMs = instantOf(params.triggerAt);
        if (triggerAtMs === 0 || triggerAtMs > nowMs) return { kind: 'scheduleCancel', triggerAtMs };
        throw misused({
          code: 'CLIENT_TIME_INVALID',
          message: `expected triggerAt after the exchange's time ${nowMs}, got ${triggerAtMs}`,
          remedy: "Add milliseconds to the exchange's own time, GET /v1/time; 0 clears.",
        });
      }),
  };
}

type ScheduleTrigger = Extract<LaneCommand, { kind: 'scheduleCancel' }>['triggerAtMs'];

/** An instant in Unix milliseconds, 0: none. */
export function instantOf(value: number): ScheduleTrigger {
  return value as ScheduleTrigger;
}

function specsOf(environment: ClientEnvironment, orders: readonly ExpiringOrderRequest[]): OrderSpec[] {
  return orders.map((order, at) => specOf(environment, order, `orders[${at}]`));
}

function specOf(environment: ClientEnvironment, order: ExpiringOrderRequest, place: string): OrderSpec {
  const market = knownMarket(environment, order.symbol);
  const { side, timeInForce = 'gtc', reduceOnly = false, clientOrderId = '', expiresAt = 0 } = order;
  return {
    intentId: place as IntentId,
    strategyId: 'client' as StrategyId,
    symbol: market.symbol,
    side,
    priceTicks: ticksOf(market, order.price, `${place}.price`),
    sizeLots: lotsOf(market, order.size, `${place}.size`),
    timeInForce,
    reduceOnly,
    clientOrderId: clientOrderId as ClientOrderId,
    expiresAtMs: instantOf(expiresAt),
  };
}

function refsOf(environment: ClientEnvironment, orders: readonly OrderRef[]): SigningOrderRef[] {
  return orders.map(({ symbol, orderId }) => ({
    symbol: knownMarket(environment, symbol).symbol,
    orderId: orderId as OrderId,
  }));
}

function empty(what: string) {
  return misused({
    code: 'CLIENT_ITEMS_MISSING',
    message: `expected at least one item in ${what}, got none`,
    remedy: 'Ask for something.',
  });
}

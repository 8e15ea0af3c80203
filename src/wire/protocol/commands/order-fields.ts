/**
 * @module
 * Orders and order numbers inside bodies, both ways: domain order to canonical order and JSON, JSON to canonical order.
 */
import {
  ANY_TEXT,
  closed,
  eachOf,
  FieldError,
  FLAG,
  fieldOf,
  type JsonObject,
  oneOf,
  ProtocolError,
  parseScaledNumber,
  TEXT,
  within,
} from '../../../core/index.ts';
import {
  type CanonicalOrder,
  type CanonicalOrderId,
  formatPrice,
  formatSize,
  type Market,
  type OrderRef,
  type OrderSpec,
  PRICE_TICKS_MAX,
  type Side,
  TIMES_IN_FORCE,
  type TimeInForce,
} from '../../../domain/index.ts';
import { canonicalOrderId } from '../codec/order-id.ts';
import { BATCH_ITEMS_MAX, CLIENT_ORDER_ID_LENGTH_MAX } from '../limits.ts';
import type { WriteContext } from '../write-context.ts';
import { BodyRefused } from './body-refused.ts';
import { listedMarket, namedMarket, SIDE } from './operation.ts';
import { plainOrderOf, type ReadOrder, type ReadTrigger } from './plain-order.ts';

/** One order in the body of a placement or a replacement. */
export interface WireOrderRequest {
  readonly symbol: string;
  readonly side: Side;
  /** Decimal text. */
  readonly price: string;
  /** Decimal text. */
  readonly size: string;
  readonly timeInForce: TimeInForce;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
  /** The label that the client gave; absent: none. */
  readonly clientOrderId?: string;
  /** Puts an order aside until the index price is at or above (or at or below) a price; only of a single order. */
  readonly trigger?: { readonly price: string; readonly above: boolean };
}

/** Orders as they are signed and as they are shown, index by index. */
export interface PlannedOrders {
  readonly canonical: CanonicalOrder[];
  readonly wire: WireOrderRequest[];
}

/** Both forms of `orders`. @throws ProtocolError when a market is unknown. */
export function planOrders(context: WriteContext, orders: readonly OrderSpec[]): PlannedOrders {
  const planned: PlannedOrders = { canonical: [], wire: [] };
  for (const spec of orders) {
    const market = listedMarket(context, spec.symbol);
    planned.canonical.push(canonicalOrderOf(market, spec));
    planned.wire.push(wireOrderOf(market, spec));
  }
  return planned;
}

/** What an order for the book and one that waits for a trigger have in common. */
type CommonSpec = Omit<OrderSpec, 'intentId' | 'strategyId' | 'clientOrderId'> & {
  readonly clientOrderId?: OrderSpec['clientOrderId'];
};

/** One order as it is signed. */
export function canonicalOrderOf(market: Market, spec: CommonSpec): CanonicalOrder {
  return {
    market: market.signingMarketId,
    side: spec.side,
    price: spec.priceTicks,
    lots: BigInt(spec.sizeLots),
    tif: spec.timeInForce,
    reduceOnly: spec.reduceOnly,
  };
}

/** One order as JSON. */
export function wireOrderOf(market: Market, spec: CommonSpec): WireOrderRequest {
  return {
    symbol: spec.symbol,
    side: spec.side,
    price: formatPrice(market, spec.priceTicks),
    size: formatSize(market, spec.sizeLots),
    timeInForce: spec.timeInForce,
    reduceOnly: spec.reduceOnly,
    ...(spec.clientOrderId ? { clientOrderId: spec.clientOrderId } : {}),
  };
}

/**
 * @throws ProtocolError when one of `orders` has an expiry: only a single placement carries one
 * (exchange.md#fields).
 */
export function refuseExpiry(orders: readonly OrderSpec[], operation: string): void {
  const order = orders.find((spec) => spec.expiresAtMs !== 0);
  if (order === undefined) return;
  throw new ProtocolError({
    code: 'PROTOCOL_EXPIRY_UNSUPPORTED',
    message: `expected no expiry on an order of a ${operation}, got ${order.expiresAtMs}`,
    remedy: 'Place the order on its own: batches and replacements cannot carry an expiry.',
  });
}

/** The numbers of orders as they are signed. @throws ProtocolError when one is no order number of its market. */
export function planOrderIds(context: WriteContext, refs: readonly OrderRef[]): CanonicalOrderId[] {
  return refs.map(({ symbol, orderId }) => {
    const canonical = canonicalOrderId(listedMarket(context, symbol).signingMarketId, orderId);
    if (canonical !== undefined) return canonical;
    throw new ProtocolError({
      code: 'PROTOCOL_ORDER_ID_INVALID',
      message: `expected an order number of ${symbol}, got ${JSON.stringify(orderId)}`,
      remedy: 'Order numbers come from the exchange and belong to one market.',
    });
  });
}

/** References to orders as JSON. */
export function wireOrderIds(refs: readonly OrderRef[]): OrderRef[] {
  return refs.map(({ symbol, orderId }) => ({ symbol, orderId }));
}

const ID_FIELDS = ['symbol', 'orderId'];

/** The order numbers of a body's list, whose items have the `known` fields. @throws FieldError */
export function readOrderIds(
  context: WriteContext,
  body: JsonObject,
  list: string,
  known: readonly string[] = ID_FIELDS,
): CanonicalOrderId[] {
  const read = (item: JsonObject) => {
    const part = closed(item, known);
    const market = namedMarket(context, part);
    const text = fieldOf(part, 'orderId', TEXT);
    const canonical = canonicalOrderId(market.signingMarketId, text);
    if (canonical === undefined) throw new FieldError('orderId', `a number of ${market.symbol}`, text);
    return canonical;
  };
  return eachOf(body, list, read, BATCH_ITEMS_MAX);
}

const TIME_IN_FORCE = oneOf(...TIMES_IN_FORCE);
const ORDER_FIELDS = [
  'symbol',
  'side',
  'price',
  'size',
  'timeInForce',
  'reduceOnly',
  'clientOrderId',
  'trigger',
];

/** The orders of a body with their labels and triggers, which are empty where no order has any. @throws FieldError */
export function readOrders(
  context: WriteContext,
  body: JsonObject,
): {
  readonly orders: CanonicalOrder[];
  readonly clientOrderIds: (string | undefined)[];
  readonly triggers: (ReadTrigger | undefined)[];
} {
  const one = (item: JsonObject) => plainOrderOf(context, item) ?? readAnyOrder(context, item);
  const read = eachOf(body, 'orders', one, BATCH_ITEMS_MAX);
  return {
    orders: read.map(({ order }) => order),
    clientOrderIds: read.some(isLabeled) ? read.map(({ clientOrderId }) => clientOrderId) : [],
    triggers: read.some(hasTrigger) ? read.map(({ trigger }) => trigger) : [],
  };
}

/** Several orders in one write carry no triggers: no canonical bytes have a place for them. @throws FieldError */
export function refuseTriggers(triggers: readonly (ReadTrigger | undefined)[]): void {
  const index = triggers.findIndex((trigger) => trigger !== undefined);
  if (index >= 0)
    throw new FieldError(`orders[${index}].trigger`, 'absent beside other orders or cancels', {});
}

function readTrigger(context: WriteContext, order: JsonObject): ReadTrigger {
  const market = namedMarket(context, order);
  return within('trigger', () => {
    const part = closed(order['trigger'], ['price', 'above']);
    return { price: readPrice(market, part), above: fieldOf(part, 'above', FLAG) };
  });
}

function isLabeled({ clientOrderId }: ReadOrder): boolean {
  return clientOrderId !== undefined;
}

function hasTrigger({ trigger }: ReadOrder): boolean {
  return trigger !== undefined;
}

/** Fields are checked in this order: label, trigger, then what every order has. */
function readAnyOrder(context: WriteContext, item: JsonObject): ReadOrder {
  const part = closed(item, ORDER_FIELDS);
  const clientOrderId = readClientOrderId(part);
  const trigger = part['trigger'] === undefined ? undefined : readTrigger(context, part);
  return { order: readOrder(context, part), clientOrderId, trigger };
}

function readOrder(context: WriteContext, part: JsonObject): CanonicalOrder {
  const market = namedMarket(context, part);
  return {
    market: market.signingMarketId,
    side: fieldOf(part, 'side', SIDE),
    price: readPrice(market, part),
    lots: readLots(market, part),
    tif: fieldOf(part, 'timeInForce', TIME_IN_FORCE),
    reduceOnly: fieldOf(part, 'reduceOnly', FLAG),
  };
}

/** A price of a body in ticks. @throws FieldError */
export function readPrice(market: Market, part: JsonObject, name = 'price'): number {
  const value = readScaled(part, name, market.priceDecimals);
  if (value > PRICE_TICKS_MAX)
    throw new FieldError(name, `a price of at most ${PRICE_TICKS_MAX} ticks`, value);
  return aligned(part, name, { value, step: market.tickStep });
}

/** The `size` of a body in lots. @throws FieldError */
export function readLots(market: Market, part: JsonObject): bigint {
  const value = readScaled(part, 'size', market.sizeDecimals);
  return BigInt(aligned(part, 'size', { value, step: market.lotStep }));
}

/** A decimal without a sign, as text; its value is checked separately. */
const NUMBER_TEXT = { ...ANY_TEXT, expected: 'decimal text' };

/** A positive decimal text at its scale, exact. */
function readScaled(part: JsonObject, name: string, decimals: number): number {
  const text = fieldOf(part, name, NUMBER_TEXT);
  const value = parseScaledNumber(text, decimals);
  if (value > 0) return value;
  const expected = `decimal text above 0 with at most ${decimals} decimals`;
  throw /^[0-9]+\.[0-9]+$/.test(text)
    ? new BodyRefused('InvalidPrecision', name, expected, text)
    : new FieldError(name, expected, text);
}

function aligned(
  part: JsonObject,
  name: string,
  { value, step }: { readonly value: number; readonly step: number },
): number {
  if (value % step === 0) return value;
  throw new BodyRefused('InvalidPrecision', name, "a multiple of the market's step", part[name]);
}

function readClientOrderId(part: JsonObject): string | undefined {
  if (part['clientOrderId'] === undefined) return undefined;
  const value = fieldOf(part, 'clientOrderId', TEXT);
  if (value.length > CLIENT_ORDER_ID_LENGTH_MAX) {
    throw new FieldError('clientOrderId', `text of at most ${CLIENT_ORDER_ID_LENGTH_MAX} characters`, value);
  }
  return value;
}

/**
 * @module
 * Orders and order numbers inside bodies, both ways: domain order to canonical order and JSON, JSON to canonical order.
 */
import { ProtocolError, parseScaledNumber } from '../../../core/index.ts';
import {
  type CanonicalOrder,
  type CanonicalOrderId,
  formatPrice,
  formatSize,
  type Market,
  type OrderRef,
  type OrderSpec,
  PRICE_TICKS_MAX,
  TIMES_IN_FORCE,
} from '../../../domain/index.ts';
import { canonicalOrderId } from '../codec/order-id.ts';
import { CLIENT_ORDER_ID_LENGTH_MAX } from '../limits.ts';
import type { WireCancelRequest, WireOrderRequest } from '../wire/writes.ts';
import type { WriteContext } from '../write-context.ts';
import { choiceOf, flagOf, type Part, partOf, refused, textOf } from './body-fields.ts';
import { marketOf, namedMarket } from './operation.ts';
import { plainOrderOf, type ReadOrder, type ReadTrigger } from './plain-order.ts';

/** Orders as they are signed and as they are shown, index by index. */
export interface PlannedOrders {
  readonly canonical: CanonicalOrder[];
  readonly wire: WireOrderRequest[];
}

/** Both forms of `orders`. @throws ProtocolError when a market is unknown. */
export function planOrders(context: WriteContext, orders: readonly OrderSpec[]): PlannedOrders {
  const planned: PlannedOrders = { canonical: [], wire: [] };
  for (const spec of orders) {
    const market = marketOf(context, spec.symbol);
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
    message: `expected no expiry on an order of a ${operation}, was ${order.expiresAtMs}`,
    remedy: 'Place the order alone: batches and replacements cannot carry an expiry.',
  });
}

/** The numbers of orders as they are signed. @throws ProtocolError when one is no order number of its market. */
export function planOrderIds(context: WriteContext, refs: readonly OrderRef[]): CanonicalOrderId[] {
  return refs.map(({ symbol, orderId }) => {
    const canonical = canonicalOrderId(marketOf(context, symbol).signingMarketId, orderId);
    if (canonical !== undefined) return canonical;
    throw new ProtocolError({
      code: 'PROTOCOL_ORDER_ID_INVALID',
      message: `expected an order number of ${symbol}, was ${JSON.stringify(orderId)}`,
      remedy: 'Order numbers come from the exchange and belong to one market.',
    });
  });
}

/** References to orders as JSON. */
export function wireOrderIds(refs: readonly OrderRef[]): WireCancelRequest[] {
  return refs.map(({ symbol, orderId }) => ({ symbol, orderId }));
}

/** The order numbers of a body; what kind of order one names is left to the caller. @throws BodyRefused */
export function readOrderIds(
  context: WriteContext,
  items: readonly unknown[],
  { place, mayNameKind = false }: { readonly place: string; readonly mayNameKind?: boolean },
): CanonicalOrderId[] {
  const fields = mayNameKind ? ['symbol', 'orderId', 'kind'] : ['symbol', 'orderId'];
  return items.map((item, index) => {
    const part = partOf(item, `${place}[${index}]`, fields);
    const market = namedMarket(context, textOf(part, 'symbol'), part.place);
    const text = textOf(part, 'orderId');
    const canonical = canonicalOrderId(market.signingMarketId, text);
    if (canonical === undefined) throw refused(`${part.place}.orderId as a number of ${market.symbol}`, text);
    return canonical;
  });
}

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

/** The orders of a body with their labels and triggers, which are empty where no order has any. @throws BodyRefused */
export function readOrders(
  context: WriteContext,
  items: readonly unknown[],
): {
  readonly orders: CanonicalOrder[];
  readonly clientOrderIds: (string | undefined)[];
  readonly triggers: (ReadTrigger | undefined)[];
} {
  const read = items.map((item, index) => plainOrderOf(context, item) ?? readAnyOrder(context, item, index));
  return {
    orders: read.map(({ order }) => order),
    clientOrderIds: read.some(isLabeled) ? read.map(({ clientOrderId }) => clientOrderId) : [],
    triggers: read.some(hasTrigger) ? read.map(({ trigger }) => trigger) : [],
  };
}

/** Several orders in one write carry no triggers: no canonical bytes have a place for them. @throws BodyRefused */
export function refuseTriggers(triggers: readonly (ReadTrigger | undefined)[]): void {
  const index = triggers.findIndex((trigger) => trigger !== undefined);
  if (index >= 0) throw refused(`no orders[${index}].trigger beside other orders or cancels`, {});
}

function readTrigger(context: WriteContext, order: Part): ReadTrigger {
  const market = namedMarket(context, textOf(order, 'symbol'), order.place);
  const part = partOf(order.fields['trigger'], `${order.place}.trigger`, ['price', 'above']);
  return { price: readPrice(market, part), above: flagOf(part, 'above') };
}

function isLabeled({ clientOrderId }: ReadOrder): boolean {
  return clientOrderId !== undefined;
}

function hasTrigger({ trigger }: ReadOrder): boolean {
  return trigger !== undefined;
}

/** Fields are judged in this order: label, trigger, then what every order has. */
function readAnyOrder(context: WriteContext, item: unknown, index: number): ReadOrder {
  const part = partOf(item, `orders[${index}]`, ORDER_FIELDS);
  const clientOrderId = readClientOrderId(part);
  const trigger = part.fields['trigger'] === undefined ? undefined : readTrigger(context, part);
  return { order: readOrder(context, part), clientOrderId, trigger };
}

function readOrder(context: WriteContext, part: Part): CanonicalOrder {
  const market = namedMarket(context, textOf(part, 'symbol'), part.place);
  return {
    market: market.signingMarketId,
    side: choiceOf(part, 'side', ['buy', 'sell']),
    price: readPrice(market, part),
    lots: readLots(market, part),
    tif: choiceOf(part, 'timeInForce', TIMES_IN_FORCE),
    reduceOnly: flagOf(part, 'reduceOnly'),
  };
}

/** A price of a body in ticks. @throws BodyRefused */
export function readPrice(market: Market, part: Part, name = 'price'): number {
  const value = readScaled(part, name, market.priceDecimals);
  if (value > PRICE_TICKS_MAX)
    throw refused(`${part.place}.${name} of at most ${PRICE_TICKS_MAX} ticks`, value);
  return aligned(part, name, { value, step: market.tickStep });
}

/** The `size` of a body in lots. @throws BodyRefused */
export function readLots(market: Market, part: Part): bigint {
  const value = readScaled(part, 'size', market.sizeDecimals);
  return BigInt(aligned(part, 'size', { value, step: market.lotStep }));
}

/** A positive decimal text at its scale, exact. */
function readScaled(part: Part, name: string, decimals: number): number {
  const text = part.fields[name];
  if (typeof text !== 'string') throw refused(`${part.place}.${name} as decimal text`, text);
  const value = parseScaledNumber(text, decimals);
  if (!(value > 0)) {
    const code = /^[0-9]+\.[0-9]+$/.test(text) ? 'InvalidPrecision' : 'InvalidRequest';
    throw refused(`${part.place}.${name} above 0 with at most ${decimals} decimals`, text, code);
  }
  return value;
}

function aligned(
  part: Part,
  name: string,
  { value, step }: { readonly value: number; readonly step: number },
): number {
  if (value % step === 0) return value;
  throw refused(
    `${part.place}.${name} as a multiple of the market's step`,
    part.fields[name],
    'InvalidPrecision',
  );
}

function readClientOrderId(part: Part): string | undefined {
  if (part.fields['clientOrderId'] === undefined) return undefined;
  const value = textOf(part, 'clientOrderId');
  if (value.length > CLIENT_ORDER_ID_LENGTH_MAX) {
    throw refused(`${part.place}.clientOrderId of at most ${CLIENT_ORDER_ID_LENGTH_MAX} characters`, value);
  }
  return value;
}

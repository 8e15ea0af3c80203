/**
 * @module
 * The short way through an order of a body: what nearly all orders look like, with no trigger and nothing wrong. It
 * names no field and makes no message; whatever it does not take goes the long way, which says what is wrong.
 * Written by hand, beside the one reader of `core/fields`, for the writes that `npm run bench -- exchange-action` counts.
 */
import { isRecord, parseScaledNumber } from '../../../core/index.ts';
import {
  type CanonicalOrder,
  type Market,
  type MarketSymbol,
  PRICE_TICKS_MAX,
  type Side,
  type TimeInForce,
} from '../../../domain/index.ts';
import { CLIENT_ORDER_ID_LENGTH_MAX } from '../limits.ts';
import type { WriteContext } from '../write-context.ts';

/** A trigger of a body. */
export interface ReadTrigger {
  /** Index price of the trigger, ticks. */
  readonly price: number;
  /** True: triggers at or above the price; false: at or below. */
  readonly above: boolean;
}

/** An order of a body. */
export interface ReadOrder {
  readonly order: CanonicalOrder;
  /** The label its owner gave it. */
  readonly clientOrderId: string | undefined;
  /** The trigger; `undefined`: a plain order. */
  readonly trigger: ReadTrigger | undefined;
}

/** Fields of an order without a label. */
const FIELDS = 6;

/** The order in `item`; `undefined` when it is another than a plain one, or none at all. */
export function plainOrderOf(context: WriteContext, item: unknown): ReadOrder | undefined {
  if (!isRecord(item)) return undefined;
  const { symbol, side, price, size, timeInForce, reduceOnly, clientOrderId } = item;
  if (typeof symbol !== 'string' || typeof reduceOnly !== 'boolean') return undefined;
  if (!isSide(side) || !isTimeInForce(timeInForce) || !isLabel(clientOrderId)) return undefined;
  // All of those are there: one field more is an unknown one, or a trigger.
  if (fieldsOf(item) !== (clientOrderId === undefined ? FIELDS : FIELDS + 1)) return undefined;
  const market = context.market(symbol as MarketSymbol);
  if (market === undefined) return undefined;
  const ticks = ticksOf(market, price);
  const lots = lotsOf(market, size);
  if (ticks === undefined || lots === undefined) return undefined;
  const order = { market: market.signingMarketId, side, price: ticks, lots, tif: timeInForce, reduceOnly };
  return { order, clientOrderId, trigger: undefined };
}

function fieldsOf(item: Readonly<Record<string, unknown>>): number {
  let count = 0;
  for (const _name in item) count++;
  return count;
}

function isSide(value: unknown): value is Side {
  return value === 'buy' || value === 'sell';
}

function isTimeInForce(value: unknown): value is TimeInForce {
  return value === 'gtc' || value === 'ioc' || value === 'postOnly' || value === 'fok';
}

function isLabel(value: unknown): value is string | undefined {
  if (value === undefined) return true;
  return typeof value === 'string' && value !== '' && value.length <= CLIENT_ORDER_ID_LENGTH_MAX;
}

function ticksOf({ priceDecimals, tickStep }: Market, text: unknown): number | undefined {
  const ticks = typeof text === 'string' ? parseScaledNumber(text, priceDecimals) : 0;
  return ticks > 0 && ticks <= PRICE_TICKS_MAX && ticks % tickStep === 0 ? ticks : undefined;
}

function lotsOf({ sizeDecimals, lotStep }: Market, text: unknown): bigint | undefined {
  const lots = typeof text === 'string' ? parseScaledNumber(text, sizeDecimals) : 0;
  return lots > 0 && lots % lotStep === 0 ? BigInt(lots) : undefined;
}

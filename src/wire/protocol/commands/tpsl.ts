/**
 * @module
 * POST /v1/positions/tpsl: a take-profit, a stop-loss or both, signed as PlaceTpslPair. Without a parent order the pair
 * follows the position (own choice: `positionTpsl` is signed as true exactly then).
 */
import { assert, closed, FieldError, fieldOf, type JsonObject, TEXT, within } from '../../../core/index.ts';
import {
  type CanonicalCommand,
  type CanonicalOrderId,
  formatPrice,
  formatSize,
  type Market,
  type OrderSpec,
  type PositionLeg,
  type TpslLeg,
  type TpslSpec,
} from '../../../domain/index.ts';
import { canonicalOrderId } from '../codec/order-id.ts';
import type { WriteContext } from '../write-context.ts';
import { INSTANT } from './body-refused.ts';
import { listedMarket, namedMarket, type PlannedWrite, type ReadBody, SIDE } from './operation.ts';
import { planOrderIds, readLots, readPrice } from './order-fields.ts';

type Pair = Extract<CanonicalCommand, { kind: 'PlaceTpslPair' }>;

const LEGS: readonly (PositionLeg | undefined)[] = ['takeProfit', 'stopLoss'];
const PATH = '/v1/positions/tpsl';
const FIELDS = ['symbol', 'closeSide', 'size', 'takeProfit', 'stopLoss', 'parentOrderId', 'nowMs'];

/**
 * The write of a pair.
 * @throws ProtocolError when the market or the parent's number is unknown.
 * @throws AssertionError without a leg, or with a parent and no size.
 */
export function planTpsl(spec: TpslSpec, context: WriteContext, nowMs: number): PlannedWrite {
  const { symbol, closeSide, sizeLots, takeProfit, stopLoss, parentOrderId } = spec;
  assert(takeProfit !== undefined || stopLoss !== undefined, 'a take-profit or a stop-loss');
  assert(parentOrderId === undefined || sizeLots !== undefined, 'a size for what has a parent');
  const market = listedMarket(context, symbol);
  const parents = parentOrderId === undefined ? [] : [{ symbol, orderId: parentOrderId }];
  const [parent] = planOrderIds(context, parents);
  const body = {
    symbol,
    closeSide,
    ...(sizeLots === undefined ? {} : { size: formatSize(market, sizeLots) }),
    ...(takeProfit === undefined ? {} : { takeProfit: wireLeg(market, takeProfit) }),
    ...(stopLoss === undefined ? {} : { stopLoss: wireLeg(market, stopLoss) }),
    ...(parentOrderId === undefined ? {} : { parentOrderId }),
    nowMs,
  };
  return {
    path: PATH,
    canonical: canonicalOf(context, market, {
      closeSide,
      lots: BigInt(sizeLots ?? 0),
      takeProfit: takeProfit && { trigger: takeProfit.triggerTicks, price: takeProfit.priceTicks },
      stopLoss: stopLoss && { trigger: stopLoss.triggerTicks, price: stopLoss.priceTicks },
      parent,
      nowMs,
    }),
    body,
  };
}

/** The write of one or both legs of a position. @throws AssertionError for any other orders beside them. */
export function planLegs(orders: readonly OrderSpec[], context: WriteContext, nowMs: number): PlannedWrite {
  const [first] = orders;
  assert(first !== undefined && orders.length <= LEGS.length, 'one or two legs');
  const { symbol, side: closeSide } = first;
  // As the answer names them: the take-profit first.
  const isPair = orders.every((order, at) => {
    const isNext = at === 0 || LEGS.indexOf(order.trigger?.leg) > LEGS.indexOf(orders[at - 1]?.trigger?.leg);
    return order.trigger?.leg !== undefined && order.symbol === symbol && order.side === closeSide && isNext;
  });
  assert(isPair, 'legs of one position, the take-profit first');
  const takeProfit = legOf(orders, 'takeProfit');
  const stopLoss = legOf(orders, 'stopLoss');
  return planTpsl(
    { symbol, closeSide, ...(takeProfit && { takeProfit }), ...(stopLoss && { stopLoss }) },
    context,
    nowMs,
  );
}

function legOf(orders: readonly OrderSpec[], leg: PositionLeg): TpslLeg | undefined {
  const order = orders.find(({ trigger }) => trigger?.leg === leg);
  if (order?.trigger === undefined) return undefined;
  return { triggerTicks: order.trigger.priceTicks, priceTicks: order.priceTicks };
}

/** The pair of a body. @throws FieldError */
export const readTpsl: ReadBody = (body, context) => {
  const part = closed(body, FIELDS);
  const { takeProfit, stopLoss, parentOrderId, size } = part;
  const market = namedMarket(context, part);
  if (takeProfit === undefined && stopLoss === undefined)
    throw new FieldError('takeProfit', 'a leg, where there is no stopLoss', undefined);
  const parent = parentOrderId === undefined ? undefined : readParent(market, part);
  const lots = size === undefined && parent === undefined ? 0n : readLots(market, part);
  return {
    canonical: canonicalOf(context, market, {
      closeSide: fieldOf(part, 'closeSide', SIDE),
      lots,
      takeProfit: takeProfit === undefined ? undefined : readLeg(market, part, 'takeProfit'),
      stopLoss: stopLoss === undefined ? undefined : readLeg(market, part, 'stopLoss'),
      parent,
      nowMs: fieldOf(part, 'nowMs', INSTANT),
    }),
    clientOrderIds: [],
  };
};

interface CanonicalLeg {
  readonly trigger: number;
  readonly price: number;
}

function canonicalOf(
  { signingAccountId: account }: WriteContext,
  { signingMarketId: market }: Market,
  told: {
    readonly closeSide: Pair['closeSide'];
    readonly lots: bigint;
    readonly takeProfit: CanonicalLeg | undefined;
    readonly stopLoss: CanonicalLeg | undefined;
    readonly parent: CanonicalOrderId | undefined;
    readonly nowMs: number;
  },
): Pair {
  const { closeSide, lots, takeProfit, stopLoss, parent, nowMs } = told;
  return {
    kind: 'PlaceTpslPair',
    account,
    market,
    closeSide,
    lots,
    tpTrigger: takeProfit?.trigger ?? 0,
    tpPrice: takeProfit?.price ?? 0,
    slTrigger: stopLoss?.trigger ?? 0,
    slPrice: stopLoss?.price ?? 0,
    positionTpsl: parent === undefined,
    parentOrderId: parent,
    nowMs,
  };
}

function wireLeg(market: Market, { triggerTicks, priceTicks }: TpslLeg) {
  return { triggerPrice: formatPrice(market, triggerTicks), price: formatPrice(market, priceTicks) };
}

function readLeg(market: Market, body: JsonObject, name: string): CanonicalLeg {
  return within(name, () => {
    const part = closed(body[name], ['triggerPrice', 'price']);
    return { trigger: readPrice(market, part, 'triggerPrice'), price: readPrice(market, part) };
  });
}

function readParent(market: Market, part: JsonObject): CanonicalOrderId {
  const text = fieldOf(part, 'parentOrderId', TEXT);
  const canonical = canonicalOrderId(market.signingMarketId, text);
  if (canonical === undefined) throw new FieldError('parentOrderId', `a number of ${market.symbol}`, text);
  return canonical;
}

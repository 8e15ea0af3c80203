/**
 * @module
 * POST /v1/orders. One order signs PlaceOrder, or PlaceConditional when it has a trigger; only these can carry an
 * expiry. One that is worked over time and legs of a position go to paths of their own (`twap.ts`, `tpsl.ts`). Any other count signs BatchPlace (exchange.md#assumptions; that triggers are placed here is an own choice).
 */
import { assert, closed, FieldError, fieldOf, type JsonObject, numberFrom } from '../../../core/index.ts';
import {
  type CanonicalCommand,
  type CanonicalOrder,
  formatPrice,
  isOutsideBook,
  type PlaceOrders,
  type TriggerSpec,
} from '../../../domain/index.ts';
import type { WriteContext } from '../write-context.ts';
import { INSTANT } from './body-refused.ts';
import { listedMarket, type PlannedWrite, type ReadBody } from './operation.ts';
import {
  canonicalOrderOf,
  planOrders,
  readOrders,
  refuseExpiry,
  refuseTriggers,
  type WireOrderRequest,
  wireOrderOf,
} from './order-fields.ts';
import { planLegs } from './tpsl.ts';
import { planTwap } from './twap.ts';

type Placement = Extract<CanonicalCommand, { kind: 'PlaceOrder' }>;

const PATH = '/v1/orders';
const NO_ROUTER = { router: 0, routerFeePpm: 0 } as const;
const ROUTER = numberFrom(1, 0xffff_ffff);
const ROUTER_FEE_PPM = numberFrom(0, 1_000_000);

/** The write of a placement. @throws ProtocolError when a market is unknown or an order of several has an expiry. */
export function planPlace(command: PlaceOrders, context: WriteContext, nowMs: number): PlannedWrite {
  const account = context.signingAccountId;
  const [spec] = command.orders;
  if (spec?.trigger?.leg !== undefined) return planLegs(command.orders, context, nowMs);
  if (spec?.trigger !== undefined && command.orders.length === 1) {
    const { priceTicks: triggerTicks, isAbove: triggerAbove } = spec.trigger;
    return planTrigger({ ...spec, triggerTicks, triggerAbove }, context, nowMs);
  }
  if (spec?.twap !== undefined && command.orders.length === 1)
    return planTwap({ ...spec, ...spec.twap }, context, nowMs);
  assert(!command.orders.some(isOutsideBook), 'an order outside the book in a write of its own');
  const { canonical, wire } = planOrders(context, command.orders);
  const [single] = canonical;
  if (canonical.length === 1 && single !== undefined && spec !== undefined) {
    const expiresAt = spec.expiresAtMs;
    const { builder } = command;
    const paid = builder && { router: builder.accountId, routerFeePpm: builder.feePpm };
    const told = expiresAt === 0 ? {} : { expiresAt };
    return {
      path: PATH,
      canonical: {
        kind: 'PlaceOrder',
        account,
        ...single,
        goodTilMs: expiresAt,
        nowMs,
        ...(paid ?? NO_ROUTER),
      },
      body: { orders: wire, nowMs, ...told, ...paid },
    };
  }
  assert(command.builder === undefined, 'a builder on a single order');
  refuseExpiry(command.orders, 'batch placement');
  return {
    path: PATH,
    canonical: { kind: 'BatchPlace', account, nowMs, orders: canonical },
    body: { orders: wire, nowMs },
  };
}

/** The write of an order that waits for the index price. @throws ProtocolError when the market is unknown. */
export function planTrigger(spec: TriggerSpec, context: WriteContext, nowMs: number): PlannedWrite {
  const market = listedMarket(context, spec.symbol);
  const { expiresAtMs: expiresAt, triggerTicks: triggerPrice, triggerAbove } = spec;
  const canonical = canonicalOrderOf(market, spec);
  const trigger = { price: formatPrice(market, triggerPrice), above: triggerAbove };
  const order = { ...wireOrderOf(market, spec), trigger } satisfies WireOrderRequest;
  return {
    path: PATH,
    canonical: {
      kind: 'PlaceConditional',
      account: context.signingAccountId,
      ...canonical,
      goodTilMs: expiresAt,
      triggerPrice,
      triggerAbove,
      nowMs,
    },
    body: expiresAt === 0 ? { orders: [order], nowMs } : { orders: [order], nowMs, expiresAt },
  };
}

/** The placement of a body. @throws FieldError */
export const readPlace: ReadBody = (body, context) => {
  const part = closed(body, ['orders', 'nowMs', 'expiresAt', 'router', 'routerFeePpm']);
  const nowMs = fieldOf(part, 'nowMs', INSTANT);
  const { orders, clientOrderIds, triggers } = readOrders(context, part);
  const expiresAt = part['expiresAt'] === undefined ? 0 : fieldOf(part, 'expiresAt', INSTANT);
  const account = context.signingAccountId;
  const router = readRouter(part);
  const single = orders[0];
  const trigger = triggers[0];
  if (orders.length !== 1 || single === undefined) {
    refuseTriggers(triggers);
    if (router !== NO_ROUTER) throw new FieldError('router', 'absent: a batch has none', router.router);
    if (expiresAt !== 0) throw new FieldError('expiresAt', 'absent: a batch has none', expiresAt);
    return { canonical: { kind: 'BatchPlace', account, nowMs, orders }, clientOrderIds };
  }
  if (trigger === undefined)
    return {
      canonical: placementOf(single, { account, goodTilMs: expiresAt, nowMs }, router),
      clientOrderIds,
    };
  if (router !== NO_ROUTER)
    throw new FieldError('router', 'absent: an order with a trigger has none', router.router);
  const { price: triggerPrice, above: triggerAbove } = trigger;
  const order = { account, ...single, goodTilMs: expiresAt, nowMs };
  return { canonical: { kind: 'PlaceConditional', ...order, triggerPrice, triggerAbove }, clientOrderIds };
};

/** Written out by hand: spreads cost more than reading the order did. */
function placementOf(
  { market, side, price, lots, tif, reduceOnly }: CanonicalOrder,
  { account, goodTilMs, nowMs }: Pick<Placement, 'account' | 'goodTilMs' | 'nowMs'>,
  { router, routerFeePpm }: Pick<Placement, 'router' | 'routerFeePpm'>,
): Placement {
  return {
    kind: 'PlaceOrder',
    account,
    market,
    side,
    price,
    lots,
    tif,
    reduceOnly,
    goodTilMs,
    nowMs,
    router,
    routerFeePpm,
  };
}

function readRouter(part: JsonObject): { readonly router: number; readonly routerFeePpm: number } {
  const { router, routerFeePpm } = part;
  if (router === undefined && routerFeePpm === undefined) return NO_ROUTER;
  return {
    router: fieldOf(part, 'router', ROUTER),
    routerFeePpm: fieldOf(part, 'routerFeePpm', ROUTER_FEE_PPM),
  };
}

/**
 * @module
 * POST /v1/orders. One order signs PlaceOrder, or PlaceConditional when it has a trigger; these alone can carry an
 * expiry. Any other count signs BatchPlace (exchange.md#assumptions; that triggers are placed here is an own choice).
 */
import { assert } from '../../../core/index.ts';
import {
  type CanonicalCommand,
  type CanonicalOrder,
  formatPrice,
  type PlaceOrders,
  type TriggerSpec,
} from '../../../domain/index.ts';
import { BATCH_ITEMS_MAX } from '../limits.ts';
import type { WireOrderRequest } from '../wire/writes.ts';
import type { WriteContext } from '../write-context.ts';
import { integerOf, listOf, msOf, type Part, partOf, refused } from './body-fields.ts';
import { marketOf, type PlannedWrite, type ReadBody } from './operation.ts';
import {
  canonicalOrderOf,
  planOrders,
  readOrders,
  refuseExpiry,
  refuseTriggers,
  wireOrderOf,
} from './order-fields.ts';

type Placement = Extract<CanonicalCommand, { kind: 'PlaceOrder' }>;

const PATH = '/v1/orders';
const NO_ROUTER = { router: 0, routerFeePpm: 0 } as const;
const ACCOUNT_MAX = 0xffff_ffff;
const FEE_PPM_MAX = 1_000_000;

/** The write of a placement. @throws ProtocolError when a market is unknown or an order of several has an expiry. */
export function planPlace(command: PlaceOrders, context: WriteContext, nowMs: number): PlannedWrite {
  const account = context.signingAccountId;
  const { canonical, wire } = planOrders(context, command.orders);
  const [single] = canonical;
  const [spec] = command.orders;
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
  assert(command.builder === undefined, 'a builder on one order alone');
  refuseExpiry(command.orders, 'batch placement');
  return {
    path: PATH,
    canonical: { kind: 'BatchPlace', account, nowMs, orders: canonical },
    body: { orders: wire, nowMs },
  };
}

/** The write of an order that waits for the index price. @throws ProtocolError when the market is unknown. */
export function planTrigger(spec: TriggerSpec, context: WriteContext, nowMs: number): PlannedWrite {
  const market = marketOf(context, spec.symbol);
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

/** The placement of a body. @throws BodyRefused */
export const readPlace: ReadBody = (body, context) => {
  const part = partOf(body, 'body', ['orders', 'nowMs', 'expiresAt', 'router', 'routerFeePpm']);
  const nowMs = msOf(part, 'nowMs');
  const { orders, clientOrderIds, triggers } = readOrders(context, listOf(part, 'orders', BATCH_ITEMS_MAX));
  const expiresAt = part.fields['expiresAt'] === undefined ? 0 : msOf(part, 'expiresAt');
  const account = context.signingAccountId;
  const router = readRouter(part);
  const single = orders[0];
  const trigger = triggers[0];
  if (orders.length !== 1 || single === undefined) {
    refuseTriggers(triggers);
    if (router !== NO_ROUTER) throw refused('no router on a batch placement', router.router);
    if (expiresAt !== 0) throw refused('no expiresAt on a batch placement', expiresAt);
    return { canonical: { kind: 'BatchPlace', account, nowMs, orders }, clientOrderIds };
  }
  if (trigger === undefined)
    return {
      canonical: placementOf(single, { account, goodTilMs: expiresAt, nowMs }, router),
      clientOrderIds,
    };
  if (router !== NO_ROUTER) throw refused('no router of an order with a trigger', router.router);
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

function readRouter(part: Part): { readonly router: number; readonly routerFeePpm: number } {
  const { router, routerFeePpm } = part.fields;
  if (router === undefined && routerFeePpm === undefined) return NO_ROUTER;
  return {
    router: integerOf(part, 'router', { min: 1, max: ACCOUNT_MAX }),
    routerFeePpm: integerOf(part, 'routerFeePpm', { min: 0, max: FEE_PPM_MAX }),
  };
}

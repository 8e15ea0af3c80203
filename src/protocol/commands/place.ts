/**
 * @module
 * POST /v1/orders. One order signs PlaceOrder, or PlaceConditional when it has a trigger; these alone can carry an expiry.
 * Any other count signs BatchPlace (wire-facts 8; that triggers are placed here is an own choice).
 */
import { formatPrice, type PlaceOrders, type TriggerSpec } from '../../domain/index.ts';
import { BATCH_ITEMS_MAX } from '../limits.ts';
import type { WireOrderRequest } from '../wire/writes.ts';
import type { WriteContext } from '../write-context.ts';
import { listOf, msOf, partOf, refused } from './body-fields.ts';
import { marketOf, type PlannedWrite, type ReadBody } from './operation.ts';
import {
  canonicalOrderOf,
  planOrders,
  readOrders,
  refuseExpiry,
  refuseTriggers,
  wireOrderOf,
} from './order-fields.ts';

const PATH = '/v1/orders';
const NO_ROUTER = { router: 0, routerFeePpm: 0 } as const;

/** The write of a placement. @throws ProtocolError when a market is unknown or an order of several has an expiry. */
export function planPlace(command: PlaceOrders, context: WriteContext, nowMs: number): PlannedWrite {
  const account = context.signingAccountId;
  const { canonical, wire } = planOrders(context, command.orders);
  const [single] = canonical;
  const [spec] = command.orders;
  if (canonical.length === 1 && single !== undefined && spec !== undefined) {
    const expiresAt = spec.expiresAtMs;
    return {
      path: PATH,
      canonical: { kind: 'PlaceOrder', account, ...single, goodTilMs: expiresAt, nowMs, ...NO_ROUTER },
      body: expiresAt === 0 ? { orders: wire, nowMs } : { orders: wire, nowMs, expiresAt },
    };
  }
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
  const part = partOf(body, 'body', ['orders', 'nowMs', 'expiresAt']);
  const nowMs = msOf(part, 'nowMs');
  const { orders, clientOrderIds, triggers } = readOrders(context, listOf(part, 'orders', BATCH_ITEMS_MAX));
  const expiresAt = part.fields['expiresAt'] === undefined ? 0 : msOf(part, 'expiresAt');
  const account = context.signingAccountId;
  const [single] = orders;
  if (orders.length === 1 && single !== undefined) {
    const [trigger] = triggers;
    const common = { account, ...single, goodTilMs: expiresAt, nowMs };
    if (trigger !== undefined) {
      const { price: triggerPrice, above: triggerAbove } = trigger;
      return {
        canonical: { kind: 'PlaceConditional', ...common, triggerPrice, triggerAbove },
        clientOrderIds,
      };
    }
    return {
      canonical: { kind: 'PlaceOrder', account, ...single, goodTilMs: expiresAt, nowMs, ...NO_ROUTER },
      clientOrderIds,
    };
  }
  refuseTriggers(triggers);
  if (expiresAt !== 0) throw refused('no expiresAt on a batch placement', expiresAt);
  return { canonical: { kind: 'BatchPlace', account, nowMs, orders }, clientOrderIds };
};

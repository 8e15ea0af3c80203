/**
 * @module
 * POST /v1/orders/replace: BatchReplace, one log entry in which all cancels run before all placements; items may fail
 * alone (exchange.md#market-rules).
 */
import type { ReplaceOrders } from '../../../domain/index.ts';
import { BATCH_ITEMS_MAX } from '../limits.ts';
import type { WriteContext } from '../write-context.ts';
import { listOf, msOf, partOf } from './body-fields.ts';
import type { PlannedWrite, ReadBody } from './operation.ts';
import {
  planOrderIds,
  planOrders,
  readOrderIds,
  readOrders,
  refuseExpiry,
  refuseTriggers,
  wireOrderIds,
} from './order-fields.ts';

/** The write of a replacement. @throws ProtocolError when a market or order number is unknown or an order has an expiry. */
export function planReplace(command: ReplaceOrders, context: WriteContext, nowMs: number): PlannedWrite {
  refuseExpiry(command.orders, 'replacement');
  const { canonical, wire } = planOrders(context, command.orders);
  return {
    path: '/v1/orders/replace',
    canonical: {
      kind: 'BatchReplace',
      account: context.signingAccountId,
      nowMs,
      cancels: planOrderIds(context, command.cancels),
      orders: canonical,
    },
    body: { cancels: wireOrderIds(command.cancels), orders: wire, nowMs },
  };
}

/** The replacement of a body. @throws BodyRefused */
export const readReplace: ReadBody = (body, context) => {
  const part = partOf(body, 'body', ['cancels', 'orders', 'nowMs']);
  const nowMs = msOf(part, 'nowMs');
  const cancels = readOrderIds(context, listOf(part, 'cancels', BATCH_ITEMS_MAX), { place: 'cancels' });
  const { orders, clientOrderIds, triggers } = readOrders(context, listOf(part, 'orders', BATCH_ITEMS_MAX));
  refuseTriggers(triggers);
  return {
    canonical: { kind: 'BatchReplace', account: context.signingAccountId, nowMs, cancels, orders },
    clientOrderIds,
  };
};

/**
 * @module
 * POST /v1/orders/replace: BatchReplace, one log entry in which all cancels run before all placements; items may fail
 * one by one (exchange.md#market-rules).
 */
import { closed, fieldOf } from '../../../core/index.ts';
import type { ReplaceOrders } from '../../../domain/index.ts';
import type { WriteContext } from '../write-context.ts';
import { INSTANT } from './body-refused.ts';
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

/** The replacement of a body. @throws FieldError */
export const readReplace: ReadBody = (body, context) => {
  const part = closed(body, ['cancels', 'orders', 'nowMs']);
  const nowMs = fieldOf(part, 'nowMs', INSTANT);
  const cancels = readOrderIds(context, part, 'cancels');
  const { orders, clientOrderIds, triggers } = readOrders(context, part);
  refuseTriggers(triggers);
  return {
    canonical: { kind: 'BatchReplace', account: context.signingAccountId, nowMs, cancels, orders },
    clientOrderIds,
  };
};

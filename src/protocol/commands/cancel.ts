/** @module POST /v1/orders/cancel. One order signs CancelOrder, any other count BatchCancel (wire-facts 8). */
import type { CancelOrders, CanonicalCommand, CanonicalOrderId } from '../../domain/index.ts';
import { BATCH_ITEMS_MAX } from '../limits.ts';
import type { WriteContext } from '../write-context.ts';
import { listOf, partOf } from './body-fields.ts';
import type { PlannedWrite, ReadBody } from './operation.ts';
import { planOrderIds, readOrderIds, wireOrderIds } from './order-fields.ts';

/** The write of a cancel. @throws ProtocolError when a market or an order number is unknown. */
export function planCancel(command: CancelOrders, context: WriteContext): PlannedWrite {
  return {
    path: '/v1/orders/cancel',
    canonical: cancelOf(context.signingAccountId, planOrderIds(context, command.orders)),
    body: { orders: wireOrderIds(command.orders) },
  };
}

/** The cancel of a body. @throws BodyRefused */
export const readCancel: ReadBody = (body, context) => {
  const part = partOf(body, 'body', ['orders']);
  const orderIds = readOrderIds(context, listOf(part, 'orders', BATCH_ITEMS_MAX), 'orders');
  return { canonical: cancelOf(context.signingAccountId, orderIds), clientOrderIds: [] };
};

function cancelOf(account: number, orderIds: readonly CanonicalOrderId[]): CanonicalCommand {
  const [orderId] = orderIds;
  return orderIds.length === 1 && orderId !== undefined
    ? { kind: 'CancelOrder', account, orderId }
    : { kind: 'BatchCancel', account, orderIds };
}

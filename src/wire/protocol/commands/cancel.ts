/**
 * @module
 * POST /v1/orders/cancel. One order signs CancelOrder, any other count BatchCancel (exchange.md#assumptions). Both take
 * orders that wait outside the book too; one that is named with its kind signs that kind's own cancel (own choices).
 */
import { closed, fieldOf, isRecord, type Kind, LIST, oneOf, within } from '../../../core/index.ts';
import type {
  AlgoOrderKind,
  CancelOrders,
  CanonicalCommand,
  CanonicalOrderId,
} from '../../../domain/index.ts';
import type { WriteContext } from '../write-context.ts';
import type { PlannedWrite, ReadBody } from './operation.ts';
import { planOrderIds, readOrderIds, wireOrderIds } from './order-fields.ts';

const PATH = '/v1/orders/cancel';
const WAITING_KIND: Kind<AlgoOrderKind> = oneOf('conditional', 'twap');
const KIND_FIELDS = ['symbol', 'orderId', 'kind'];
const KINDS = { conditional: 'CancelConditional', twap: 'CancelTwap' } as const;

/** The write of a cancel. @throws ProtocolError when a market or an order number is unknown. */
export function planCancel(command: CancelOrders, context: WriteContext): PlannedWrite {
  return {
    path: PATH,
    canonical: cancelOf(context.signingAccountId, planOrderIds(context, command.orders)),
    body: { orders: wireOrderIds(command.orders) },
  };
}

/** The cancel of a body. @throws FieldError */
export const readCancel: ReadBody = (body, context) => {
  const part = closed(body, ['orders']);
  const account = context.signingAccountId;
  // Only a single order may name its kind.
  const items = fieldOf(part, 'orders', LIST);
  const isSingle = items.length === 1;
  const orderIds = readOrderIds(context, part, 'orders', isSingle ? KIND_FIELDS : undefined);
  const kind = isSingle ? within('orders[0]', () => readKind(items[0])) : undefined;
  const [orderId] = orderIds;
  if (kind !== undefined && orderId !== undefined)
    return { canonical: { kind: KINDS[kind], account, orderId }, clientOrderIds: [] };
  return { canonical: cancelOf(account, orderIds), clientOrderIds: [] };
};

function readKind(item: unknown): AlgoOrderKind | undefined {
  if (!isRecord(item) || item['kind'] === undefined) return undefined;
  return fieldOf(item, 'kind', WAITING_KIND);
}

function cancelOf(account: number, orderIds: readonly CanonicalOrderId[]): CanonicalCommand {
  const [orderId] = orderIds;
  return orderIds.length === 1 && orderId !== undefined
    ? { kind: 'CancelOrder', account, orderId }
    : { kind: 'BatchCancel', account, orderIds };
}

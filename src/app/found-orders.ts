/**
 * @module
 * Orders that stand at the exchange before a run has placed any. Those of an earlier life of this bot are proven to be
 * ours by the receipts of the journal's writes, never by their label (decision C6), and are canceled; the others follow
 * the declared policy.
 */
import { assertNever, BotError } from '../core/index.ts';
import type { AccountSelection, OrderId } from '../domain/index.ts';
import { readOpenOrders, readReceipt } from '../gateway/index.ts';
import type { JournalRecord } from '../journal/index.ts';
import type { Environment } from './environment.ts';

/** What is to be done with orders that are not ours. */
export type FoundOrdersPolicy = 'halt' | 'adopt' | 'cancel';

/** What was found, and what it asks for. */
export interface FoundOrders {
  /** Proven to be placed by an earlier life of this bot. */
  readonly own: readonly OrderId[];
  readonly foreign: readonly OrderId[];
  /** Cancel everything before the first quote. */
  readonly mustCancel: boolean;
}

/** Writes of the journal that are asked for their receipts at the most, newest first. */
const RECEIPTS_MAX = 500;

/**
 * Looks for open orders and judges them. `records` reads what the journals know of earlier lives.
 * @throws BotError `PREFLIGHT_ORDERS_FOUND` under the policy `halt` when some are not ours.
 */
export async function judgeFoundOrders(options: {
  readonly environment: Environment;
  readonly selection: AccountSelection;
  readonly records: () => Iterable<JournalRecord>;
  readonly policy: FoundOrdersPolicy;
}): Promise<FoundOrders> {
  const { environment, selection, policy } = options;
  const { context, gateway } = environment;
  const found = (await readOpenOrders(gateway.reader, { selection, context }))?.value ?? [];
  const ids = new Set(found.map((order) => order.orderId));
  const labels = new Set(
    found.flatMap((order) => (order.clientOrderId === undefined ? [] : [order.clientOrderId as string])),
  );
  const own = labels.size === 0 ? new Set<OrderId>() : await provenOwn(options, { ids, labels });
  const foreign = [...ids].filter((id) => !own.has(id));
  if (foreign.length > 0 && policy === 'halt') throw halted(foreign.length, own.size, selection);
  return { own: [...own], foreign, mustCancel: own.size > 0 || (foreign.length > 0 && isCanceling(policy)) };
}

function isCanceling(policy: FoundOrdersPolicy): boolean {
  switch (policy) {
    case 'cancel':
      return true;
    case 'adopt':
    case 'halt':
      return false;
    default:
      return assertNever(policy);
  }
}

/** The order numbers that receipts of our own writes name. Labels only narrow down which receipts are asked. */
async function provenOwn(
  { environment, records }: Pick<Parameters<typeof judgeFoundOrders>[0], 'environment' | 'records'>,
  found: { readonly ids: ReadonlySet<OrderId>; readonly labels: ReadonlySet<string> },
): Promise<Set<OrderId>> {
  const own = new Set<OrderId>();
  const candidates = [...records()].filter((record) => placesAny(record, found.labels)).reverse();
  for (const record of candidates.slice(0, RECEIPTS_MAX)) {
    if (record.type !== 'write') continue;
    const receipt = await readReceipt(
      environment.gateway.reader,
      record.value.requestId,
      environment.context,
    );
    if (receipt === undefined || !('items' in receipt)) continue;
    for (const { orderId } of receipt.items)
      if (orderId !== undefined && found.ids.has(orderId)) own.add(orderId);
    if (own.size === found.ids.size) break;
  }
  return own;
}

function placesAny(record: JournalRecord, labels: ReadonlySet<string>): boolean {
  if (record.type !== 'write') return false;
  const { command } = record.value;
  return (
    (command.kind === 'place' || command.kind === 'replace') &&
    command.orders.some((order) => 'clientOrderId' in order && labels.has(order.clientOrderId))
  );
}

function halted(foreign: number, own: number, { address, subaccount }: AccountSelection): BotError {
  return new BotError({
    code: 'PREFLIGHT_ORDERS_FOUND',
    message: `expected no foreign orders on ${address}/${subaccount}, found ${foreign} (and ${own} of an earlier life of this bot)`,
    remedy: 'Cancel them, or declare account.foundOrders: cancel or adopt in the configuration.',
  });
}

/**
 * @module
 * Orders that rest at the exchange before a run has placed any. Those of a previous run of this bot are proven to be
 * ours by the receipts of the journal's writes, never by their label, and are canceled; the others follow the declared
 * policy.
 */
import { assertNever, BotError, type Clock, type Log } from '../../../core/index.ts';
import {
  type AccountSelection,
  accountName,
  isOutsideBook,
  isPositionLeg,
  type OrderId,
  type RequestId,
  type SafetyCommand,
  type WorkingOrder,
} from '../../../domain/index.ts';
import { readOpenOrders, readReceipt } from '../../../wire/gateway/index.ts';
import type { JournalRecord } from '../../journal/index.ts';
import type { Environment } from '../connect/environment.ts';
import { READY_MS_MAX } from './wait-for.ts';

/** What is to be done with orders that are not ours. */
export type FoundOrdersPolicy = 'halt' | 'adopt' | 'cancel';

/** What was found, and what it asks for. */
export interface OrphanOrders {
  /** Proven to be placed by a previous run of this bot. */
  readonly own: readonly OrderId[];
  readonly external: readonly OrderId[];
  /** Cancel everything before the first quote. */
  readonly mustCancel: boolean;
}

/** Writes of the journal that are asked for their receipts at most, newest first. */
const RECEIPTS_MAX = 500;
/** A receipt that is pending is asked for again after this time, and waited for up to this (obligation O60). */
const PENDING_POLL_MS = 250;
const PENDING_MS_MAX = 30_000;

/** What found orders are checked with. */
export interface FoundOrdersOptions {
  readonly environment: Environment;
  readonly selection: AccountSelection;
  readonly clock: Clock;
  /** All records of the journals, read when called. */
  readonly records: () => Iterable<JournalRecord>;
  readonly policy: FoundOrdersPolicy;
}

/**
 * Looks for open orders and decides whose they are. `records` reads what the journals know of previous runs.
 * @throws BotError `PREFLIGHT_ORPHAN_ORDERS` under the policy `halt` when some are not ours; `PREFLIGHT_RECEIPT_PENDING`.
 */
export async function resolveOrphanOrders(options: FoundOrdersOptions): Promise<OrphanOrders> {
  const { environment, selection, policy } = options;
  const { context, gateway } = environment;
  const list = await readOpenOrders(gateway.reader, { selection, context });
  const found = list?.value ?? [];
  const ids = new Set(found.map((order) => order.orderId));
  const labels = new Set(
    found.flatMap((order) => (order.clientOrderId === undefined ? [] : [order.clientOrderId as string])),
  );
  // Time-weighted orders and legs of a position carry no label.
  const hasUnlabeled = found.some((order) => order.twap !== undefined || isPositionLeg(order));
  const own =
    labels.size === 0 && !hasUnlabeled
      ? new Set<OrderId>()
      : await provenOwn(options, { ids, labels, hasUnlabeled, seq: list?.seq });
  const external = [...ids].filter((id) => !own.has(id));
  if (external.length > 0 && policy === 'halt') throw halted(external.length, own.size, selection);
  return {
    own: [...own],
    external,
    mustCancel: own.size > 0 || (external.length > 0 && isCanceling(policy)),
  };
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

/**
 * The order numbers that receipts of our own writes name. Labels only narrow down which receipts are asked. A receipt is
 * asked for at the seq of the list: a replica that lags it knows nothing of the newest writes (obligation O18).
 */
async function provenOwn(
  options: FoundOrdersOptions,
  found: {
    readonly ids: ReadonlySet<OrderId>;
    readonly labels: ReadonlySet<string>;
    readonly hasUnlabeled: boolean;
    readonly seq: bigint | undefined;
  },
): Promise<Set<OrderId>> {
  const own = new Set<OrderId>();
  const candidates = [...options.records()].filter((record) => placesAny(record, found)).reverse();
  for (const record of candidates.slice(0, RECEIPTS_MAX)) {
    if (record.type !== 'write') continue;
    const receipt = await settledReceipt(options, record.value.requestId, found.seq);
    for (const orderId of receipt?.orderIds ?? []) if (found.ids.has(orderId)) own.add(orderId);
    if (own.size === found.ids.size) break;
  }
  return own;
}

/** The receipt of a request once it is not pending any more; `undefined`: there is none up to `minSeq`. */
async function settledReceipt(
  { environment, clock }: FoundOrdersOptions,
  requestId: RequestId,
  minSeq: bigint | undefined,
): ReturnType<typeof readReceipt> {
  const { gateway } = environment;
  const untilMs = clock.monotonicMs() + PENDING_MS_MAX;
  for (;;) {
    const receipt = await readReceipt(gateway.reader, requestId, minSeq);
    if (receipt === undefined || receipt.status !== 'pending') return receipt;
    if (clock.monotonicMs() >= untilMs) throw stillPending(requestId);
    await new Promise<void>((resolve) => void clock.after(PENDING_POLL_MS, resolve));
  }
}

function placesAny(
  record: JournalRecord,
  { labels, hasUnlabeled }: { readonly labels: ReadonlySet<string>; readonly hasUnlabeled: boolean },
): boolean {
  if (record.type !== 'write') return false;
  const { command } = record.value;
  return (
    (command.kind === 'place' || command.kind === 'replace') &&
    command.orders.some(
      (order) =>
        (hasUnlabeled && ('twap' in order || ('trigger' in order && order.trigger?.leg !== undefined))) ||
        ('clientOrderId' in order && labels.has(order.clientOrderId)),
    )
  );
}

function stillPending(requestId: RequestId): BotError {
  return new BotError({
    code: 'PREFLIGHT_RECEIPT_PENDING',
    message: `expected the receipt of ${requestId} within ${PENDING_MS_MAX} ms: it shows whether resting orders are of this bot, and was pending`,
    remedy: 'Start again when the gateway reports the outcome of its writes; nothing was written.',
  });
}

function halted(external: number, own: number, selection: AccountSelection): BotError {
  return new BotError({
    code: 'PREFLIGHT_ORPHAN_ORDERS',
    message: `expected no orders of others on ${accountName(selection)}, got ${external} (and ${own} of a previous run of this bot)`,
    remedy: 'Cancel them, or declare account.orphanOrders: cancel or adopt in the configuration.',
  });
}

/** What {@link cancelFound} works with. */
export interface CancelFoundPorts {
  readonly log: Log;
  /** The orders that work now. */
  working(): readonly WorkingOrder[];
  send(command: SafetyCommand): void;
  until(holds: () => boolean): Promise<void>;
}

/** Cancels what was found before the first quote, unless it is to be left. */
export async function cancelFound(found: OrphanOrders, ports: CancelFoundPorts): Promise<void> {
  if (!found.mustCancel) return;
  ports.log.info('orders found at the start are canceled', {
    own: found.own.length,
    external: found.external.length,
  });
  ports.send({ kind: 'cancelAll' });
  // A gateway may spare orders that wait (ambiguity A13): those are named.
  const orders = ports.working().filter(isOutsideBook);
  if (orders.length > 0) ports.send({ kind: 'cancel', orders });
  await ports.until(() => ports.working().length === 0);
}

/** The refusal of a start whose found orders are not canceled in time. */
export function cancelIncomplete(): BotError {
  return new BotError({
    code: 'PREFLIGHT_CANCEL_INCOMPLETE',
    message: `expected the orders found at the start to be canceled within ${READY_MS_MAX} ms`,
    remedy: 'Run `ballast doctor` on the configuration; it names what is missing.',
  });
}

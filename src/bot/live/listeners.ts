/**
 * @module
 * Who takes the facts of a live run, and in what order. The order is a contract: docs/architecture.md prints this list,
 * and a test compares the two.
 */
import type { Clock } from '../../core/index.ts';
import {
  type Fact,
  isMarketReason,
  isUnknownOrder,
  type OrderId,
  type OrderRef,
} from '../../domain/index.ts';
import type { Executor } from '../execution/index.ts';
import { type Bot, type FactListener, listenerFor } from '../kernel/index.ts';
import type { StartGate } from './start/start-gate.ts';
import type { StartWrites } from './start/startup-writes.ts';
import { COUNTED_FACTS, countFact, type WriteCounts } from './watch/write-counts.ts';

/** Whom the facts of a live run go to. What is a function is made while facts come already. */
export interface LiveListeners {
  readonly clock: Clock;
  readonly counts: WriteCounts;
  readonly writes: StartWrites;
  readonly gate: StartGate;
  /** Records facts; `undefined`: the run is not recorded. */
  readonly recording: { take(fact: Fact): void } | undefined;
  /** The execution; `undefined` before it is built. */
  executor(): Pick<Executor, 'onEpoch' | 'onSynced' | 'noteCanceled'> | undefined;
  /** The kernel; `undefined` before it is built. */
  bot(): Pick<Bot, 'sink' | 'account'> | undefined;
  /** Keeps what strategies hold in a new ledger. */
  keepHoldings(): void;
  /** A market refused an order for what it is. */
  suspectMarkets(): void;
  /** The exchange does not know an order that a write was to cancel. */
  lookForOrder(orderId: OrderId): void;
  /** Ends the run where no waiting helps. */
  endOnLostLanes(fact: Extract<Fact, { type: 'LaneHalted' }>): void;
  /** Checks whether the journal still accepts records. */
  endOnJournalFailure(): void;
}

/** The listeners of a live run, first to last. */
export function liveListeners(run: LiveListeners): readonly FactListener[] {
  const { clock, counts, writes, gate, recording, executor } = run;
  return [
    listenerFor('write counts', COUNTED_FACTS, (fact) => countFact(counts, fact, clock)),
    listenerFor('start writes', ['WriteSent', 'WriteResolved', 'WriteVoided'], (fact) => {
      if (!gate.isOpen) writes.take(fact);
    }),
    listenerFor('halts', ['LaneHalted', 'SwitchHeld'], (fact) => {
      if (fact.type === 'LaneHalted') run.endOnLostLanes(fact);
      else run.endOnJournalFailure();
    }),
    listenerFor('epochs', ['EpochChanged'], ({ epoch, seq }) => executor()?.onEpoch(epoch, seq)),
    listenerFor('sync', ['AccountSynced'], ({ seq, epoch }) => executor()?.onSynced(seq, epoch)),
    listenerFor('cancels', ['OrderEnded'], ({ ref, status, seq }) => {
      if (status === 'canceled' && !isOfItself(run.bot()?.account, ref)) executor()?.noteCanceled(seq);
    }),
    listenerFor('markets', ['OrderRejected'], ({ reason }) => {
      if (isMarketReason(reason)) run.suspectMarkets();
    }),
    listenerFor('unknown orders', ['CancelRejected'], ({ ref, reason }) => {
      if (isUnknownOrder(reason)) run.lookForOrder(ref.orderId);
    }),
    { name: 'start gate, bot', facts: 'all', take: (fact) => gate.take(fact, run.bot()?.sink) },
    listenerFor('holdings', ['AccountSynced', 'FillRecorded'], () => run.keepHoldings()),
    { name: 'recording', facts: 'all', take: (fact) => recording?.take(fact) },
  ];
}

/**
 * True if the exchange cancels such an order without being asked, which is no sign that the switch has fired: a reduce-only one where
 * nothing is left to reduce, one that is worked over time after its last slice, and a slice, of a number that nobody knows, with
 * what it could not take.
 */
function isOfItself(account: Bot['account'] | undefined, { symbol, orderId }: OrderRef): boolean {
  if (account === undefined) return false;
  const order = account.workingOrder(orderId);
  if (order !== undefined) return order.reduceOnly || order.twap !== undefined;
  return (
    account.workingOrders(symbol).some(({ twap }) => twap !== undefined) ||
    [...account.reservations()].some(({ spec }) => spec.symbol === symbol && spec.twap !== undefined)
  );
}

/**
 * @module
 * Who takes the facts of a live run, and in what order. The order is a contract: docs/architecture.md prints this list,
 * and a test compares the two.
 */
import type { Clock } from '../../core/index.ts';
import { type Fact, isMarketReason, isUnknownOrder, type OrderId } from '../../domain/index.ts';
import type { Executor } from '../execution/index.ts';
import { type Bot, type FactListener, listenerFor } from '../kernel/index.ts';
import type { StartGate } from './start/start-gate.ts';
import type { StartWrites } from './start/startup-writes.ts';
import { isOneGone, UnaskedCancels } from './watch/unasked-cancels.ts';
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
  executor(): Pick<Executor, 'onEpoch' | 'onSynced' | 'noteCanceled' | 'noteGone'> | undefined;
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
  const unasked = new UnaskedCancels();
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
    listenerFor('cancels', ['OrderOpened', 'OrderEnded', 'OrdersReplaced'], (fact) => {
      const account = run.bot()?.account;
      if (fact.type === 'OrdersReplaced') {
        if (isOneGone(fact, account)) executor()?.noteGone(fact.seq);
        return;
      }
      const cancel = unasked.takes(fact, account);
      if (cancel !== undefined) executor()?.noteCanceled(fact.seq, cancel === 'certain');
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

/**
 * @module
 * The log of a run: everything that reached the kernel and everything it decided, in the order in which it happened. The
 * kernel reads time only from its clock and randomness only from its seed, so a run is its log: fed with the same inputs, the
 * same code must decide the same.
 *
 *   input (a fact, a timer, a call) ─► what was read on the way, decisions, facts that came back at once ─► next input
 *
 * An entry that has a time began a turn; one without belongs to the turn before it.
 */
import type { UnixMs } from '../../core/index.ts';
import type { Book, Fact, LaneId, StrategyId } from '../../domain/index.ts';
import type { StopProof } from '../kernel/index.ts';
import type { RiskRequest } from '../risk/index.ts';

/** When a turn began: by the machine's clock, and in milliseconds that never run backwards. */
export interface Instant {
  readonly nowMs: UnixMs;
  /** Monotonic time, ms. */
  readonly monotonicMs: number;
}

/** What can be asked of a bot from outside, and is an input of its run. */
export type CallName =
  | 'start'
  | 'stop'
  | 'end'
  | 'setTrading'
  | 'stopStrategy'
  | 'halt'
  | 'flatten'
  | 'cancelAll'
  | 'setParameters'
  | 'recallOwners';

/** The kinds of decisions; see `DecisionTap`. */
export type DecisionKind = 'intent' | 'denied' | 'approved' | 'safety' | 'message';

/** What happened. */
export type LogEvent =
  | { readonly kind: 'fact'; readonly fact: Fact }
  /** A book was shown, or only seen to have changed without being shown: its store writes over it. */
  | { readonly kind: 'book'; readonly book: Book; readonly isShown: boolean }
  /** The timer with this number, counted as they were set, was due. */
  | { readonly kind: 'timer'; readonly number: number }
  | { readonly kind: 'call'; readonly name: CallName; readonly args: readonly unknown[] }
  /** The proof came that no order is open. */
  | { readonly kind: 'proved'; readonly proof: StopProof }
  /** Risk was asked by others than the kernel: its budget of writes is shared. */
  | { readonly kind: 'review'; readonly requests: readonly RiskRequest[]; readonly serverNowMs: UnixMs }
  /** A lane was found to be ready or busy, other than before. */
  | { readonly kind: 'ready'; readonly lane: LaneId; readonly isReady: boolean }
  /** The exchange's clock was found to be this far ahead, other than before. */
  | { readonly kind: 'server'; readonly aheadMs: number }
  /** What a strategy had saved in a previous run. */
  | { readonly kind: 'load'; readonly strategyId: StrategyId; readonly json: string | undefined }
  /** Whether states of strategies could be stored, other than before. */
  | { readonly kind: 'stored'; readonly isStored: boolean }
  | { readonly kind: 'decision'; readonly what: DecisionKind; readonly text: string }
  /** This many events could not be kept: the log says nothing about what follows. */
  | { readonly kind: 'gap'; readonly events: number };

/** One line of a log. */
export interface LogEntry {
  /** Absent: within the turn that the entry before it is part of. */
  readonly at: Instant | undefined;
  readonly event: LogEvent;
}

/** A copy of what `book` shows now. */
export function copyBook(book: Book): Book {
  const { symbol, receivedAtMs, isFresh, bidCount, askCount } = book;
  return {
    ...{ symbol, receivedAtMs, isFresh, bidCount, askCount },
    bidTicks: book.bidTicks.slice(0, bidCount),
    bidLots: book.bidLots.slice(0, bidCount),
    askTicks: book.askTicks.slice(0, askCount),
    askLots: book.askLots.slice(0, askCount),
  };
}

/**
 * @module
 * Frames and history entries of one account as facts, each exactly once, with the memory that takes: applied ids, open
 * and ended orders, the audit of positions. Shows a fact first and stores the effect after it. When frames may be
 * applied is the decision of the resync.
 */
import type { Clock } from '../../../core/index.ts';
import {
  type AdoptedPosition,
  closesPosition,
  type FactSink,
  type Fill,
  type LedgerEntry,
  type PositionMove,
  type Seq,
  seqOfCursor,
} from '../../../domain/index.ts';
import type { AccountFrame } from '../../protocol/index.ts';
import { AppliedIds } from '../cursors.ts';
import type { EffectJournal } from '../ports.ts';
import { AccountAudit } from './account-audit.ts';
import { EffectWriter } from './effect-writer.ts';
import { OrderFacts } from './order-facts.ts';

/** A frame that shows state; the others are history. */
export type StateFrame = Extract<AccountFrame, { channel: 'orders' | 'positions' | 'account' }>;
/** A frame that is one entry of a history. */
export type HistoryFrame = Extract<AccountFrame, { channel: 'fills' | 'ledger' }>;

/** Turns what is known of one account into facts. */
export class AccountFacts {
  readonly audit = new AccountAudit();
  readonly writer: EffectWriter;
  readonly fills = new AppliedIds();
  readonly ledger = new AppliedIds();
  readonly #orders: OrderFacts;
  readonly #effects: EffectJournal;
  readonly #sink: FactSink;
  readonly #clock: Clock;

  constructor(options: {
    readonly effects: EffectJournal;
    readonly sink: FactSink;
    readonly clock: Clock;
    readonly onJournalFailure: (thrown: unknown) => void;
  }) {
    this.#effects = options.effects;
    this.#sink = options.sink;
    this.#clock = options.clock;
    this.writer = new EffectWriter(options.effects, options.onJournalFailure);
    this.#orders = new OrderFacts(options.sink);
  }

  /** Shows what was stored before the restart. Returns the epoch it belongs to. */
  restore(): string | undefined {
    const cursors = this.#effects.cursors();
    if (cursors === undefined) return undefined;
    const { fills, ledger, moves, adopted } = this.#effects.effects();
    const inOrder = [
      ...fills.map((fill) => ({ seq: seqOfCursor(fill.id), show: () => this.#showFill(fill) })),
      ...adopted.map((position) => ({ seq: position.seq, show: () => this.#showAdopted(position) })),
      ...moves.map((move) => ({ seq: move.seq, show: () => this.#showMove(move) })),
      ...unmoved(ledger, moves).map((entry) => ({
        seq: seqOfCursor(entry.id),
        show: () => this.#replay(entry),
      })),
    ].sort((a, b) => (a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0));
    for (const { show } of inOrder) show();
    for (const entry of ledger) this.#sink({ type: 'LedgerRecorded', entry });
    this.fills.resumeAt(cursors.fills);
    this.ledger.resumeAt(cursors.ledger);
    this.writer.resumeEpoch(cursors.epoch);
    return cursors.epoch;
  }

  /** Another ledger: everything is void, here and in the journal. `changedAt`: a position of it, unless it is the first. */
  async beginEpoch(epoch: string, changedAt: Seq | undefined): Promise<void> {
    this.fills.resumeAt(undefined);
    this.ledger.resumeAt(undefined);
    this.audit.clear();
    this.#orders.clear();
    if (changedAt !== undefined) this.#sink({ type: 'EpochChanged', epoch, seq: changedAt });
    await this.writer.beginEpoch(epoch);
  }

  /** The connection went: what is known of orders waits. Positions are the audit's. */
  interrupt(): void {
    this.#orders.interrupt();
  }

  applyFills(fills: readonly Fill[]): void {
    for (const fill of fills) {
      if (!this.fills.take(fill.id)) continue;
      this.#showFill(fill);
      this.writer.addFill(fill);
    }
  }

  applyLedger(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      if (!this.ledger.take(entry.id)) continue;
      this.audit.addEntry(entry);
      this.#sink({ type: 'LedgerRecorded', entry });
      this.writer.addLedgerEntry(entry);
    }
  }

  applyHistory(frame: HistoryFrame): void {
    if (frame.channel === 'fills') this.applyFills([frame.fill]);
    else this.applyLedger([frame.entry]);
  }

  /** A state frame at `seq`. */
  applyState(frame: StateFrame, seq: Seq): void {
    switch (frame.channel) {
      case 'orders':
        if (frame.isSnapshot) this.#orders.replace(frame.orders, seq);
        else for (const order of frame.orders) this.#orders.apply(order, frame.seq);
        return;
      case 'positions': {
        const { positions, isSnapshot } = frame;
        if (isSnapshot) this.#sink({ type: 'PositionsReplaced', positions, seq });
        else for (const position of positions) this.#sink({ type: 'PositionUpdated', position, seq });
        this.audit.publish(positions, { seq, isSnapshot, nowMs: this.#clock.monotonicMs() });
        return;
      }
      case 'account':
        this.#sink({ type: 'AccountUpdated', account: frame.account, seq });
    }
  }

  /** The exchange has moved a position without a fill. */
  show(moves: readonly PositionMove[]): void {
    for (const move of moves) {
      this.#sink({ type: 'PositionMoved', move });
      this.writer.addMove(move);
    }
  }

  #showAdopted(adopted: AdoptedPosition): void {
    this.audit.addAdopted(adopted);
    this.#sink({ type: 'PositionAdopted', adopted });
  }

  #showMove(move: PositionMove): void {
    this.audit.addMove(move);
    this.#sink({ type: 'PositionMoved', move });
  }

  #replay(entry: LedgerEntry): void {
    this.audit.addEntry(entry);
    for (const move of this.audit.closed(this.#clock.monotonicMs()))
      this.#sink({ type: 'PositionMoved', move });
  }

  #showFill(fill: Fill): void {
    this.audit.addFill(fill, this.#clock.monotonicMs());
    this.#sink({ type: 'FillRecorded', fill });
  }
}

/** Closings that the run before heard of, but ended before it knew how far they went. */
function unmoved(ledger: readonly LedgerEntry[], moves: readonly PositionMove[]): readonly LedgerEntry[] {
  return ledger.filter(
    (entry) =>
      closesPosition(entry) &&
      !moves.some(({ symbol, seq }) => symbol === entry.symbol && seq >= seqOfCursor(entry.id)),
  );
}

/**
 * @module
 * Frames and history entries of one account as facts, each exactly once, with the memory that takes: applied ids, open
 * and ended orders, the audit of positions. Shows a fact first and stores the effect after it. When frames may be
 * applied is the decision of the resync.
 */
import type { Clock } from '../../../core/index.ts';
import {
  type AccountSummary,
  type AdoptedPosition,
  type Cursor,
  type FactSink,
  type Fill,
  type LedgerEntry,
  type Lots,
  lots,
  type MarketSymbol,
  movesPosition,
  type Position,
  type PositionMove,
  quantums,
  type Seq,
  seqOfCursor,
  signedLots,
} from '../../../domain/index.ts';
import type { AccountFrame } from '../../protocol/index.ts';
import { AppliedIds } from '../cursors.ts';
import type { EffectJournal } from '../ports.ts';
import { AccountAudit } from './account-audit.ts';
import { CashAudit } from './cash-audit.ts';
import { EffectWriter, type UnfoundedEntries } from './effect-writer.ts';
import { OrderFacts } from './order-facts.ts';
import { TradeMatch } from './trade-match.ts';
import { type HistoryName, Unstreamed } from './unstreamed.ts';

/** A frame that shows state; the others are history. */
export type StateFrame = Extract<AccountFrame, { channel: 'orders' | 'positions' | 'account' }>;
/** A frame that is one entry of a history. */
export type HistoryFrame = Extract<AccountFrame, { channel: 'fills' | 'ledger' }>;

/** What was applied since an audit began: at an earlier position of the log it had not happened yet. */
export interface AccountNote {
  readonly changes: { readonly symbol: MarketSymbol; readonly seq: Seq; readonly lots: number }[];
  readonly amounts: { readonly seq: Seq; readonly amount: bigint }[];
  /** Positions were moved without a fill: sizes cannot be compared this time. */
  isMoved: boolean;
  /** The audit has booked an entry that the stream had not brought. */
  hasBooked: boolean;
}

/** What brings an entry: the stream, the walk that joins it with the history, or an audit. */
export type EntrySource = 'stream' | 'join' | 'audit';

/** Later than each position of a log. */
const END_OF_LOG = (1n << 64n) as Seq;

/** Turns what is known of one account into facts. */
export class AccountFacts {
  readonly audit = new AccountAudit();
  readonly cash = new CashAudit();
  readonly unstreamed = new Unstreamed();
  readonly trades = new TradeMatch();
  readonly writer: EffectWriter;
  readonly fills = new AppliedIds();
  readonly ledger = new AppliedIds();
  readonly orders: OrderFacts;
  #note: AccountNote | undefined;
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
    this.orders = new OrderFacts(options.sink);
  }

  /** Shows what was stored before the restart. Returns the epoch it belongs to. */
  restore(): string | undefined {
    const cursors = this.#effects.cursors();
    if (cursors === undefined) return undefined;
    const { fills, ledger, moves, adopted } = this.#effects.effects();
    const { proven = {} } = cursors;
    const inOrder = [
      ...fills.map((fill) => ({ seq: seqOfCursor(fill.id), show: () => this.#showFill(fill) })),
      ...adopted.map((position) => ({ seq: position.seq, show: () => this.#showAdopted(position) })),
      ...inOne(moves).map((move) => ({ seq: move.seq, show: () => this.#showMove(move) })),
      ...unmoved(ledger, [...moves, ...adopted]).map((entry) => ({
        seq: seqOfCursor(entry.id),
        show: () => this.#replay(entry, proven.fills),
      })),
      // What a strategy bears of an entry is by what it held then.
      ...ledger.map((entry) => ({
        seq: seqOfCursor(entry.id),
        show: () => this.#sink({ type: 'LedgerRecorded', entry }),
      })),
    ].sort((a, b) => (a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0));
    for (const { show } of inOrder) show();
    for (const entry of ledger) {
      this.cash.add(entry.amount);
      this.audit.noteMoving(entry);
      this.trades.addEntry(entry);
    }
    this.fills.resume({ ids: fills.map(idOf), newest: cursors.fills, proven: proven.fills });
    this.ledger.resume({ ids: ledger.map(idOf), newest: cursors.ledger, proven: proven.ledger });
    this.writer.resumeEpoch(cursors.epoch);
    return cursors.epoch;
  }

  /** Another ledger: everything is void, here and in the journal. `changedAt`: a position of it, unless it is the first. */
  async beginEpoch(epoch: string, changedAt: Seq | undefined): Promise<void> {
    this.fills.resumeAt(undefined);
    this.ledger.resumeAt(undefined);
    this.audit.clear();
    this.cash.clear();
    this.trades.clear();
    this.orders.clear();
    if (changedAt !== undefined) this.#sink({ type: 'EpochChanged', epoch, seq: changedAt });
    await this.writer.beginEpoch(epoch);
  }

  /** The connection went: what is known of orders waits. Positions are the audit's. */
  interrupt(): void {
    this.orders.interrupt();
  }

  /** History may be missing from now on. */
  interruptHistory(): void {
    this.cash.interrupt();
    this.unstreamed.interrupt();
  }

  applyFills(fills: readonly Fill[], source: EntrySource): void {
    for (const fill of fills) {
      const { symbol, id, side, sizeLots } = fill;
      if (source === 'stream') this.unstreamed.brought('fills', id);
      if (!this.fills.take(id)) continue;
      if (source === 'audit') this.#noteBooked('fills', id);
      this.#showFill(fill);
      this.writer.addFill(fill);
      this.#note?.changes.push({
        symbol,
        seq: seqOfCursor(id),
        lots: signedLots(side, sizeLots),
      });
    }
  }

  applyLedger(entries: readonly LedgerEntry[], source: EntrySource): void {
    for (const entry of entries) {
      const { id, amount } = entry;
      if (source === 'stream') this.unstreamed.brought('ledger', id);
      if (!this.ledger.take(id)) continue;
      if (source === 'audit') this.#noteBooked('ledger', id);
      this.audit.addEntry(entry);
      this.cash.add(amount);
      this.trades.addEntry(entry);
      this.#sink({ type: 'LedgerRecorded', entry });
      this.writer.addLedgerEntry(entry);
      this.#note?.amounts.push({ seq: seqOfCursor(id), amount });
    }
  }

  /** From now on what is applied is noted, for an audit at positions of the log that are not before what was applied. */
  beginNote(): AccountNote {
    this.#note = { changes: [], amounts: [], isMoved: this.audit.isMoving, hasBooked: false };
    return this.#note;
  }

  /** The audit is over. */
  endNote(): void {
    this.#note = undefined;
  }

  /** The position of a market at `seq`, by fills and moves. */
  lotsAt(symbol: MarketSymbol, seq: Seq, { changes }: AccountNote): number {
    const later = changes.filter((change) => change.symbol === symbol && change.seq > seq);
    return later.reduce((sum, { lots }) => sum - lots, this.audit.lotsAt(symbol, END_OF_LOG));
  }

  /** The sum of the ledger at `seq`. */
  cashAt(seq: Seq, { amounts }: AccountNote): bigint {
    return amounts.reduce((sum, one) => (one.seq > seq ? sum - one.amount : sum), this.cash.sum);
  }

  /** The newest position of what was applied, or `seq` where that is later. */
  newestSeq(seq: Seq | undefined): Seq | undefined {
    const applied = [this.fills.newest, this.ledger.newest];
    const seqs = applied.flatMap((id) => (id === undefined ? [] : [seqOfCursor(id)]));
    return seqs.reduce((max, one) => (max === undefined || one > max ? one : max), seq);
  }

  /** Only what the journal holds counts as applied: the histories may bring anything else again, however old it is. */
  async reopen(): Promise<void> {
    await this.writer.flush();
    const { fills, ledger } = this.#effects.effects();
    this.fills.reopen(fills.map(({ id }) => id));
    this.ledger.reopen(ledger.map(({ id }) => id));
  }

  /** What the journal holds. */
  booked(): Pick<ReturnType<EffectJournal['effects']>, 'fills' | 'ledger'> {
    return this.#effects.effects();
  }

  /** Takes back what the exchange does not have: in the journal, from which the next run begins. Resolves when durable. */
  async withdraw(unfounded: UnfoundedEntries): Promise<void> {
    this.writer.addWithdrawn(unfounded);
    await this.writer.flush();
  }

  /** All that was applied up to `seq` is what the exchange has. */
  prove(seq: Seq): void {
    this.fills.prove(seq);
    this.ledger.prove(seq);
    this.trades.prove(seq);
    this.writer.noteProven({ fills: this.fills.proven, ledger: this.ledger.proven });
  }

  applyHistory(frame: HistoryFrame): void {
    if (frame.channel === 'fills') this.applyFills([frame.fill], 'stream');
    else this.applyLedger([frame.entry], 'stream');
  }

  /** The history was read up to `seq`, and agrees with what is shown: an order that is gone by then is filled by what is booked. */
  noteBooked(seq: Seq): void {
    this.#sink({ type: 'HistoryBooked', seq });
  }

  /** A state frame at `seq`. True if it shows that something was not heard. */
  applyState(frame: StateFrame, seq: Seq): boolean {
    switch (frame.channel) {
      case 'orders':
        if (frame.isSnapshot) return this.orders.replace(frame.orders, seq);
        for (const order of frame.orders) this.orders.apply(order, frame.seq);
        return false;
      case 'positions': {
        const { positions, isSnapshot } = frame;
        if (isSnapshot) {
          this.publishPositions(positions, seq);
          return false;
        }
        for (const position of positions) this.#sink({ type: 'PositionUpdated', position, seq });
        this.audit.publish(positions, { seq, isSnapshot, nowMs: this.#clock.monotonicMs() });
        return false;
      }
      case 'account':
        this.publishAccount(frame.account, seq);
        return false;
    }
  }

  /** All positions at `seq`. */
  publishPositions(positions: readonly Position[], seq: Seq): void {
    this.#sink({ type: 'PositionsReplaced', positions, seq });
    this.audit.publish(positions, { seq, isSnapshot: true, nowMs: this.#clock.monotonicMs() });
  }

  /** Balances and margins at `seq`. */
  publishAccount(account: AccountSummary, seq: Seq): void {
    this.cash.publish(account.collateral, this.#clock.monotonicMs());
    this.#sink({ type: 'AccountUpdated', account, seq });
  }

  /** The exchange has moved a position without a fill. */
  show(moves: readonly PositionMove[]): void {
    for (const move of moves) {
      if (this.#note !== undefined) {
        this.#note.isMoved = true;
        this.#note.changes.push({ symbol: move.symbol, seq: move.seq, lots: move.changeLots });
      }
      this.#sink({ type: 'PositionMoved', move });
      this.writer.addMove(move);
    }
  }

  /** An audit was the first to bring an entry. */
  #noteBooked(history: HistoryName, id: Cursor): void {
    this.unstreamed.add(history, id);
    if (this.#note !== undefined) this.#note.hasBooked = true;
  }

  #showAdopted(adopted: AdoptedPosition): void {
    this.audit.addAdopted(adopted);
    this.#sink({ type: 'PositionAdopted', adopted });
  }

  #showMove(move: PositionMove): void {
    this.audit.addMove(move);
    this.#sink({ type: 'PositionMoved', move });
  }

  /** A fill may be missing beyond `proven`: how far a later entry went is known once the exchange was asked. */
  #replay(entry: LedgerEntry, proven: Cursor | undefined): void {
    this.audit.addEntry(entry);
    if (proven === undefined || seqOfCursor(entry.id) > seqOfCursor(proven)) return;
    for (const move of this.audit.closed(this.#clock.monotonicMs()))
      this.#sink({ type: 'PositionMoved', move });
  }

  #showFill(fill: Fill): void {
    this.audit.addFill(fill, this.#clock.monotonicMs());
    this.trades.addFill(fill);
    this.#sink({ type: 'FillRecorded', fill });
  }
}

/** A market's end with what was found of it later: the fills before it are all there by now. */
function inOne(moves: readonly PositionMove[]): readonly PositionMove[] {
  const ends = new Map<string, PositionMove>();
  for (const move of moves) {
    const key = move.isMarketEnd === true ? `${move.symbol} ${move.seq}` : `${ends.size}`;
    const known = ends.get(key);
    const sumOf = (name: 'changeLots' | 'ofLots'): Lots => lots(move[name] + (known?.[name] ?? 0));
    const cash = quantums(move.cash + (known?.cash ?? 0n));
    ends.set(key, { ...move, changeLots: sumOf('changeLots'), ofLots: sumOf('ofLots'), cash });
  }
  return [...ends.values()];
}

function idOf({ id }: { readonly id: Cursor }): Cursor {
  return id;
}

/** Entries that move a position, of which the run before heard, but ended before it knew how far they went. */
function unmoved(
  ledger: readonly LedgerEntry[],
  known: readonly Pick<PositionMove, 'symbol' | 'seq'>[],
): readonly LedgerEntry[] {
  return ledger.filter(
    (entry) =>
      movesPosition(entry) &&
      !known.some(({ symbol, seq }) => symbol === entry.symbol && seq >= seqOfCursor(entry.id)),
  );
}

/**
 * @module
 * Writes fills and ledger entries down together with the cursors they move to: one record at a time, all that waits in
 * the next one (obligation O97). Entries are shown at once and stored later; after a crash the history is read again
 * from the stored cursor, so nothing is lost and nothing counts twice.
 */
import type {
  AdoptedPosition,
  Cursor,
  Fill,
  LedgerEntry,
  PositionMove,
  ProvenCursors,
} from '../../../domain/index.ts';
import type { EffectJournal } from '../ports.ts';

/** What waits for the next record. */
interface Waiting {
  readonly fills: Fill[];
  readonly ledger: LedgerEntry[];
  readonly moves: PositionMove[];
  readonly adopted: AdoptedPosition[];
  readonly withdrawn: WithdrawnIds[];
}

/** An entry that was booked and is not of the history, and what the history has in its place, if anything. */
export interface Unfounded<Entry> {
  readonly booked: Entry;
  readonly instead: Entry | undefined;
}

/** All of one account. */
export interface UnfoundedEntries {
  readonly fills: readonly Unfounded<Fill>[];
  readonly ledger: readonly Unfounded<LedgerEntry>[];
}

/** Hears of such entries, and why in words. */
export type OnUnfounded = (why: string, entries: UnfoundedEntries) => void;

interface WithdrawnIds {
  readonly fills: readonly Cursor[];
  readonly ledger: readonly Cursor[];
}

/** Stores effects in order. */
export class EffectWriter {
  readonly #effects: EffectJournal;
  readonly #onFailure: (thrown: unknown) => void;
  #epoch: string | undefined;
  #waiting = nothing();
  /** What goes with the next record. */
  #proven: ProvenCursors | undefined;
  #running: Promise<void> | undefined;
  #hasFailed = false;

  constructor(effects: EffectJournal, onFailure: (thrown: unknown) => void) {
    this.#effects = effects;
    this.#onFailure = onFailure;
  }

  /** True once a record was refused. Then nothing is written any more. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Forgets what belongs to another epoch, durably. What waits is of that epoch and is dropped. */
  async beginEpoch(epoch: string): Promise<void> {
    this.#waiting = nothing();
    this.#proven = undefined;
    await this.#running;
    this.#epoch = epoch;
    try {
      await this.#effects.resetEpoch(epoch);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Goes on in the epoch of the stored cursors. */
  resumeEpoch(epoch: string): void {
    this.#epoch = epoch;
  }

  addFill(fill: Fill): void {
    this.#waiting.fills.push(fill);
    this.#run();
  }

  addLedgerEntry(entry: LedgerEntry): void {
    this.#waiting.ledger.push(entry);
    this.#run();
  }

  /** What an entry has moved is shown by the position after it, and by nothing that can be asked for again. */
  addMove(move: PositionMove): void {
    this.#waiting.moves.push(move);
    this.#run();
  }

  /** What was taken over at a first sync has no entry either. */
  addAdopted(adopted: AdoptedPosition): void {
    this.#waiting.adopted.push(adopted);
    this.#run();
  }

  /** Up to here nothing is missing: stored with the next entries, since a restart before them has nothing more to compare. */
  noteProven(proven: ProvenCursors): void {
    this.#proven = proven;
  }

  /** What is taken back, and stored in its place. */
  addWithdrawn({ fills, ledger }: UnfoundedEntries): void {
    const waiting = this.#waiting;
    waiting.withdrawn.push({
      fills: fills.map(({ booked }) => booked.id),
      ledger: ledger.map(({ booked }) => booked.id),
    });
    for (const { instead } of fills) if (instead !== undefined) waiting.fills.push(instead);
    for (const { instead } of ledger) if (instead !== undefined) waiting.ledger.push(instead);
    this.#run();
  }

  /** Resolves when all that was added before is durable, or writing has failed. */
  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #run(): void {
    if (this.#running !== undefined || this.#hasFailed) return;
    this.#running = this.#drain().finally(() => {
      this.#running = undefined;
    });
  }

  async #drain(): Promise<void> {
    // One turn later, so that a page or a burst of frames becomes one record.
    await Promise.resolve();
    while (this.#epoch !== undefined && isAnything(this.#waiting)) {
      const { fills, ledger, moves, adopted, withdrawn } = this.#waiting;
      const proven = this.#proven;
      this.#waiting = nothing();
      this.#proven = undefined;
      const record = {
        ...{ epoch: this.#epoch, fills, ledger },
        ...(moves.length > 0 ? { moves } : {}),
        ...(adopted.length > 0 ? { adopted } : {}),
        ...(withdrawn.length > 0 ? { withdrawn: joined(withdrawn) } : {}),
        ...(proven === undefined ? {} : { proven }),
      };
      try {
        await this.#effects.recordEffects(record);
      } catch (thrown) {
        return this.#fail(thrown);
      }
    }
  }

  #fail(thrown: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onFailure(thrown);
  }
}

function nothing(): Waiting {
  return { fills: [], ledger: [], moves: [], adopted: [], withdrawn: [] };
}

function joined(withdrawn: readonly WithdrawnIds[]): WithdrawnIds {
  return {
    fills: withdrawn.flatMap(({ fills }) => fills),
    ledger: withdrawn.flatMap(({ ledger }) => ledger),
  };
}

function isAnything({ fills, ledger, moves, adopted, withdrawn }: Waiting): boolean {
  return fills.length + ledger.length + moves.length + adopted.length + withdrawn.length > 0;
}

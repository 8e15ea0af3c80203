/**
 * @module
 * The disk under the journal and the saved state of strategies: it outlives the processes. A record counts when its
 * commit was acknowledged; of the others a crash may leave a part, and a power loss leaves nothing. What lies on it is
 * checked at each opening as the real file is: by the journal's own header and hash chain.
 *
 *   life ─ record ─▶ journal ─ commit ─▶ rows, hashes ─ damage, another machine's file ─▶ open ─▶ next life, or a refusal
 */

import {
  createInMemoryJournal,
  type InMemoryJournal,
  type Journal,
  type JournalRecord,
} from '../../src/bot/journal/index.ts';
import { decodeRecord, encodeRecord, type JournalRow } from '../../src/bot/journal/records.ts';
import { inMemoryStrategyStore, type StrategyStore } from '../../src/bot/kernel/index.ts';
import type { AuditEvent, Random } from '../../src/core/index.ts';
import { BotError } from '../../src/core/index.ts';
import { type Damage, damaged, hashesOf, type Intruder, refusalOf } from './disk-damage.ts';
import type { LifeClock } from './life-clock.ts';
import type { Disk, Sight } from './types.ts';

const FREE_BYTES_DEFAULT = 1e12;
/** As the configuration's `journal.minFreeDiskMb` has it by default. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** A reason after which nobody knows what is on the disk: the next life finds the rows of the failed commit (F56). */
export const FSYNC_FAILED = 'EIO: fsync failed';

type RowSight = Extract<Sight, { readonly kind: 'recorded' | 'durable' }>;

/** Told of each row when it is handed over and when it is durable, of each audit event, and of what the opening found. */
export interface JournalListener {
  onRow(kind: RowSight['kind'], row: JournalRow): void;
  onAudit(event: AuditEvent): void;
  /** The journal that is opened lacks so many of its last rows, and what is left is believed. */
  onTailTorn(rows: number): void;
}

/** A disk with its ends for the lives of the bot. */
export interface SimulationDisk extends Disk {
  /** As {@link Disk.failFrom}; `onFailed` is told of the first commit that fails. */
  failFrom(n: number, why: string, onFailed?: () => void): void;
  readonly strategyStore: StrategyStore;
  /** The journal of a new life. @throws BotError when it cannot be believed, or is another's, or cannot be written. */
  open(clock: LifeClock, listener: JournalListener): Journal;
  /** Records of the lives so far. */
  records(): readonly JournalRecord[];
  /** The process is over; `draw` decides what a crash leaves of what was not acknowledged. */
  lose(kind: 'crash' | 'powerLoss', draw: Random): void;
  /** What becomes of the bytes while no process runs (F57). Gives how many records are gone; all, when it is corrupt. */
  damage(kind: Damage, draw: Random): number;
  /** The next opening finds another file, or another process on it; the one after that finds the right one (F58). */
  intrude(intruder: Intruder): void;
}

/** An empty disk. */
export function createDisk(commitMs: number): SimulationDisk {
  return new MemoryDisk(commitMs);
}

/** A commit that will fail. */
interface Failure {
  readonly why: string;
  commitsLeft: number;
  readonly onFailed: (() => void) | undefined;
}

class MemoryDisk implements SimulationDisk {
  readonly strategyStore = inMemoryStrategyStore();
  readonly #commitMsDefault: number;
  #commitMs: number;
  #freeBytes = FREE_BYTES_DEFAULT;
  #rows: readonly JournalRow[] = [];
  /** Of a damaged file: what stands beside each row. */
  #hashes: readonly string[] | undefined;
  /** Rows that the next opening will miss at the end. */
  #tornRows = 0;
  #intruder: Intruder | undefined;
  #journal: InMemoryJournal | undefined;
  #failure: Failure | undefined;
  /** Rows of a commit that failed, and are on the disk all the same. */
  #doubtful: readonly JournalRow[] = [];

  constructor(commitMs: number) {
    this.#commitMsDefault = commitMs;
    this.#commitMs = commitMs;
  }

  get rowCount(): number {
    return this.#stored().length;
  }

  open(clock: LifeClock, listener: JournalListener): Journal {
    this.#rows = this.#stored();
    this.#journal = undefined;
    this.#doubtful = [];
    this.#refuse();
    const disk = this;
    const commit = {
      clock,
      get delayMs() {
        return disk.#commitMs;
      },
      onCommit: (): string | undefined => this.#failureOfCommit(),
    };
    const journal = this.#believed(() => {
      const hashes = this.#hashes === undefined ? {} : { hashes: this.#hashes };
      return createInMemoryJournal({ rows: this.#rows, ...hashes, commit });
    });
    this.#journal = journal;
    if (this.#tornRows > 0 && this.#rows.length > 0) listener.onTailTorn(this.#tornRows);
    this.#tornRows = 0;
    return observed(journal, {
      listener,
      isDead: () => clock.isDead,
      freeBytes: () => this.#freeBytes,
    });
  }

  records(): readonly JournalRecord[] {
    return this.#isBelievable() ? this.#stored().map(decodeRecord) : [];
  }

  lose(kind: 'crash' | 'powerLoss', draw: Random): void {
    if (this.#journal === undefined) return;
    const { pending } = this.#journal.status();
    this.#rows = this.#journal.crash(kind === 'powerLoss' ? 0 : draw.integer(0, pending));
    if (kind === 'powerLoss') this.#doubtful = [];
    this.#journal = undefined;
  }

  damage(kind: Damage, draw: Random): number {
    const before = this.#stored();
    this.#journal = undefined;
    const { rows, hashes } = damaged(before, kind, draw);
    this.#doubtful = [];
    this.#hashes = hashes;
    this.#rows = rows;
    this.#tornRows = kind === 'torn tail' ? before.length - rows.length : 0;
    return this.#isBelievable() ? before.length - rows.length : before.length;
  }

  intrude(intruder: Intruder): void {
    this.#intruder = intruder;
  }

  setCommitMs(delayMs: number): void {
    this.#commitMs = delayMs;
  }

  failFrom(n: number, why: string, onFailed?: () => void): void {
    this.#failure = { why, commitsLeft: n, onFailed };
  }

  setFreeBytes(bytes: number): void {
    this.#freeBytes = bytes;
  }

  heal(): void {
    this.#failure = undefined;
    this.#intruder = undefined;
    this.#commitMs = this.#commitMsDefault;
    this.#freeBytes = FREE_BYTES_DEFAULT;
  }

  #stored(): readonly JournalRow[] {
    const rows = this.#journal?.rows() ?? this.#rows;
    return this.#doubtful.length === 0 ? rows : [...rows, ...this.#doubtful];
  }

  /** What is refused as corrupt is put aside by the caller that reads the refusal. */
  #believed(open: () => InMemoryJournal): InMemoryJournal {
    try {
      return open();
    } catch (error) {
      this.#rows = [];
      throw error;
    } finally {
      this.#hashes = undefined;
    }
  }

  /** Would the next opening believe what lies here? */
  #isBelievable(): boolean {
    const hashes = this.#hashes;
    if (hashes === undefined) return true;
    return hashesOf(this.#rows).every((hash, at) => hash === hashes[at]);
  }

  /** As the real store does at its opening. */
  #refuse(): void {
    const intruder = this.#intruder;
    this.#intruder = undefined;
    if (intruder !== undefined) throw refusalOf(intruder);
    if (this.#failure !== undefined && this.#failure.commitsLeft <= 0) {
      throw new BotError({
        code: 'JOURNAL_UNWRITABLE',
        message: `expected a journal that can be written, got "${this.#failure.why}"`,
        remedy: 'Check the folder, its rights and the disk.',
      });
    }
  }

  #failureOfCommit(): string | undefined {
    if (this.#failure === undefined) return undefined;
    const { why, onFailed } = this.#failure;
    const left = --this.#failure.commitsLeft;
    if (left > 0) return undefined;
    if (left === 0) onFailed?.();
    if (why === FSYNC_FAILED) this.#doubtful = this.#journal?.unacknowledged() ?? [];
    return why;
  }
}

/** The journal as a life holds it: what passes is told. */
function observed(
  journal: InMemoryJournal,
  parts: {
    readonly listener: JournalListener;
    readonly isDead: () => boolean;
    readonly freeBytes: () => number;
  },
): Journal {
  const append = async (record: JournalRecord, recorded: () => Promise<void>): Promise<void> => {
    if (parts.isDead()) return recorded();
    const row = encodeRecord(record);
    parts.listener.onRow('recorded', row);
    await recorded();
    parts.listener.onRow('durable', row);
  };
  return {
    path: journal.path,
    audit: { record: (event) => parts.listener.onAudit(event) },
    expectWrite: () => journal.expectWrite(),
    recordWrite: (value) => append({ type: 'write', value }, () => journal.recordWrite(value)),
    recordOutcome: (value) => append({ type: 'outcome', value }, () => journal.recordOutcome(value)),
    recordTrigger: (triggerAtMs) =>
      append({ type: 'trigger', value: { triggerAtMs } }, () => journal.recordTrigger(triggerAtMs)),
    recordEffects: (value) => append({ type: 'effects', value }, () => journal.recordEffects(value)),
    resetEpoch: (epoch, holdings) =>
      append({ type: 'epoch', value: holdings === undefined ? { epoch } : { epoch, holdings } }, () =>
        journal.resetEpoch(epoch, holdings),
      ),
    openWrites: () => journal.openWrites(),
    highestNonce: (scope) => journal.highestNonce(scope),
    consumedNonce: (scope, epoch) => journal.consumedNonce(scope, epoch),
    lastTriggerAtMs: () => journal.lastTriggerAtMs(),
    cursors: () => journal.cursors(),
    effects: () => journal.effects(),
    placedOrders: () => journal.placedOrders(),
    carried: () => journal.carried(),
    accepted: () => journal.accepted(),
    status: () => {
      const freeBytes = parts.freeBytes();
      return { ...journal.status(), freeBytes, isBelowReserve: freeBytes < RESERVE_BYTES };
    },
    close: () => journal.close(),
  };
}

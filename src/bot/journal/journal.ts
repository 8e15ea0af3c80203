/**
 * @module
 * The journal as a bot holds it: asks are promises that resolve when the record is on the disk, answers come from a
 * mirror in memory that follows what is durable. After the first failure everything is refused: a bot without a
 * journal sends nothing (invariant I8).
 *
 *   recordWrite ──▶ doorbell ──▶ worker: one transaction for all that waits ──▶ doorbell ──▶ mirror, promise
 */
import { Worker } from 'node:worker_threads';
import {
  type Audit,
  type AuditEvent,
  BotError,
  ownModule,
  SystemClock,
  type UnixMs,
} from '../../core/index.ts';
import type { CarriedHoldings, Lots, MarketSymbol, Nonce } from '../../domain/index.ts';
import type { JournalBinding } from './header.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts';
import { MirroredJournal } from './mirrored-journal.ts';
import type { OrderOwner } from './order-owners.ts';
import {
  encodeRecord,
  type JournalCursors,
  type JournalEffects,
  type JournalHistory,
  type JournalOutcome,
  type JournalRecord,
  type JournalWrite,
} from './records.ts';
import { RowRing, rowRingMemory } from './row-ring.ts';
import { type ScopeLock, takeFileLock } from './scope-lock.ts';
import { JournalState } from './state.ts';
import { auditRow } from './store.ts';
import { doorbellMemory, ThreadWakeup } from './thread-wakeup.ts';

/** How a journal is opened. */
export interface JournalSettings extends JournalBinding {
  /** The file's path. */
  readonly path: string;
  /** The version of ballast, for the header of a new file. */
  readonly version: string;
  /** Free space below which {@link JournalStatus.isBelowReserve} is true. Default 256 MiB. */
  readonly reserveBytes?: number;
  /** Size to which the write-ahead log is laid out at opening. Default 16 MiB; 0: it grows as it is used. */
  readonly walBytes?: number;
  /**
   * Rows after which the next opening puts the file aside (`name.1.journal.sqlite`) and continues in a new one that begins
   * with the state. Default 250,000: opening stays a matter of seconds.
   */
  readonly rowsMax?: number;
}

/** The state of the journal itself, for the health vector (dead-mans-switch.md, H5). */
export interface JournalStatus {
  /** Why nothing can be written any more; `undefined` while all is well. */
  readonly failure: BotError | undefined;
  /** Free space of the disk, bytes. */
  readonly freeBytes: number;
  /** True while less than the configured reserve is free. */
  readonly isBelowReserve: boolean;
  /** Records that are not durable yet. */
  readonly pending: number;
  /** Audit events that were dropped because too many waited. */
  readonly auditDropped: number;
}

/** Durable memory of one process: satisfies `WriteJournal` of execution and `EffectJournal` of stream. */
export interface Journal {
  /** The file's path. */
  readonly path: string;
  /** A write is about to be recorded, perhaps: who sleeps is woken. */
  expectWrite(): void;
  /** Makes a write durable; resolves when it is on disk. */
  recordWrite(record: JournalWrite): Promise<void>;
  /** Makes the outcome of a write durable; resolves when it is on disk. */
  recordOutcome(record: JournalOutcome): Promise<void>;
  /** Makes the switch's trigger time durable; resolves when it is on disk. */
  recordTrigger(triggerAtMs: UnixMs): Promise<void>;
  /** Makes fills, ledger entries and cursors durable; resolves when they are on disk. */
  recordEffects(effects: JournalEffects): Promise<void>;
  /** Starts the history again with the ledger of this epoch. `holdings`: what was held in the one before. */
  resetEpoch(epoch: string, holdings?: CarriedHoldings['holdings']): Promise<void>;
  /** Writes whose end is not proven, oldest first. */
  openWrites(): readonly JournalWrite[];
  /** The highest nonce that was signed in a scope; `undefined`: none. */
  highestNonce(scope: string): Nonce | undefined;
  /** The highest nonce that is proven to be consumed in a scope and epoch; `undefined`: none. */
  consumedNonce(scope: string, epoch: string): Nonce | undefined;
  /** The last confirmed trigger of the dead man's switch, Unix ms; `undefined`: none. */
  lastTriggerAtMs(): UnixMs | undefined;
  /** How far the history is stored; `undefined`: nothing is. */
  cursors(): JournalCursors | undefined;
  /** The stored fills and ledger entries. */
  effects(): JournalHistory;
  /** Accepted orders of this journal with who asked for them: all that have fills, and the last ones without. */
  placedOrders(): readonly OrderOwner[];
  /** What was held in the ledger before this one; `undefined`: there was none. */
  carried(): CarriedHoldings | undefined;
  /** Lots that belong to no strategy and were accepted, by market. */
  accepted(): ReadonlyMap<MarketSymbol, Lots>;
  /** Where audit events go: kept in the same file, never waited for. */
  readonly audit: Audit;
  /** State of the file and its disk. */
  status(): JournalStatus;
  /** Writes what waits and closes the file. */
  close(): Promise<void>;
}

const RESERVE_BYTES = 256 * 1024 * 1024;
const WAL_BYTES = 16 * 1024 * 1024;
const ROWS_MAX = 250_000;
/**
 * Audit events wait for a moment in which nothing is made durable, but not forever: making text of them and waking the
 * thread costs the order that is under way. Without a quiet moment they go after a write, not before it.
 */
const AUDIT_QUIET_MS = 10;
const AUDIT_WAIT_MS_MAX = 250;
const AUDIT_RETRY_MS = 1;
/** Audit events that become text and rows at once: a thousand would hold the event loop, and the thread, for milliseconds. */
const AUDIT_SLICE = 64;
/** Audit events that wait at most; more are dropped and counted. */
const AUDIT_BATCH_MAX = 10_000;

/**
 * Opens a journal and checks every row of it.
 * @throws BotError `JOURNAL_LOCKED`, `JOURNAL_CORRUPT`, `JOURNAL_UNWRITABLE`, `JOURNAL_MISMATCH`,
 * `JOURNAL_SCHEMA_UNKNOWN`, `JOURNAL_FAILED`.
 */
export async function openJournal(settings: JournalSettings): Promise<Journal> {
  const lock = takeFileLock(`${settings.path}.lock`, {
    code: 'JOURNAL_LOCKED',
    what: `the journal ${settings.path}`,
    holder: settings.instance,
  });
  try {
    return await SqliteJournal.open(settings, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface Pending {
  readonly record: JournalRecord;
  readonly isLazy: boolean;
  readonly resolve: () => void;
  readonly reject: (error: BotError) => void;
}

class SqliteJournal extends MirroredJournal implements Journal {
  readonly path: string;
  readonly audit: Audit = { record: (event) => this.#recordAudit(event) };
  readonly #worker: Worker;
  readonly #doorbell: ThreadWakeup;
  readonly #rows: RowRing;
  /** A row did not fit into {@link #rows}: while it is under way all go as messages. */
  #isPosting = false;
  readonly #lock: ScopeLock;
  readonly #reserveBytes: number;
  readonly #clock = new SystemClock();
  readonly #pending: Pending[] = [];
  #failure: BotError | undefined;
  #freeBytes = Number.POSITIVE_INFINITY;
  /** Facts do not change, so they become text when the bot has had its turn. */
  readonly #audit: AuditEvent[] = [];
  #auditSinceMs = 0;
  #appendedAtMs = Number.NEGATIVE_INFINITY;
  #auditDropped = 0;
  #isAuditDue = false;
  #onOpened: ((error: BotError | undefined) => void) | undefined;
  #onClosed: (() => void) | undefined;

  static async open(settings: JournalSettings, lock: ScopeLock): Promise<SqliteJournal> {
    const journal = new SqliteJournal(settings, lock);
    await new Promise<void>((resolve, reject) => {
      journal.#onOpened = (error) => (error === undefined ? resolve() : reject(error));
    });
    journal.#worker.unref();
    return journal;
  }

  constructor(settings: JournalSettings, lock: ScopeLock) {
    super();
    const doorbell = doorbellMemory();
    const rows = rowRingMemory();
    this.path = settings.path;
    this.#lock = lock;
    this.#reserveBytes = settings.reserveBytes ?? RESERVE_BYTES;
    this.#rows = new RowRing(rows);
    this.#doorbell = new ThreadWakeup(doorbell, this.#clock, (count) => this.#settle(count));
    const workerData: WorkerSettings = {
      path: settings.path,
      environment: settings.environment,
      account: settings.account,
      instance: settings.instance,
      version: settings.version,
      walBytes: settings.walBytes ?? WAL_BYTES,
      rowsMax: settings.rowsMax ?? ROWS_MAX,
      doorbell,
      rows,
    };
    this.#worker = new Worker(ownModule('bot/journal/commit-thread'), { workerData, execArgv: [] });
    this.#worker.on('message', (message: FromWorker) => this.#hear(message));
    this.#worker.on('error', (error) => this.#fail(error.message));
    this.#worker.on('exit', () => this.#fail('its worker has ended'));
  }

  status(): JournalStatus {
    return {
      failure: this.#failure,
      freeBytes: this.#freeBytes,
      isBelowReserve: this.#freeBytes < this.#reserveBytes,
      pending: this.#pending.length,
      auditDropped: this.#auditDropped,
    };
  }

  async close(): Promise<void> {
    if (this.#failure === undefined) {
      this.#worker.ref();
      this.#flushAudit(AUDIT_BATCH_MAX);
      const closed = new Promise<void>((resolve) => {
        this.#onClosed = resolve;
      });
      this.#post({ kind: 'close' });
      await closed;
    }
    this.#fail('it was closed');
    await this.#worker.terminate();
    this.#lock.release();
  }

  override expectWrite(): void {
    this.#doorbell.expect();
  }

  protected override append(record: JournalRecord, isLazy: boolean): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const row = encodeRecord(record);
    this.#appendedAtMs = this.#clock.monotonicMs();
    return new Promise<void>((resolve, reject) => {
      this.#isPosting ||= !this.#rows.write(row, isLazy);
      if (this.#isPosting) this.#worker.postMessage({ kind: 'append', row, isLazy } satisfies ToWorker);
      this.#doorbell.hand(isLazy);
      if (this.#pending.push({ record, isLazy, resolve, reject }) === 1) this.#worker.ref();
    });
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
    this.#doorbell.ring();
  }

  #hear(message: FromWorker): void {
    // Whatever it says: what is durable became so before.
    this.#doorbell.report();
    switch (message.kind) {
      case 'durable':
        return;
      case 'opened':
        this.state = JournalState.from(message.image);
        this.#freeBytes = message.freeBytes;
        this.#onOpened?.(undefined);
        this.#onOpened = undefined;
        return;
      case 'refused':
        this.#onOpened?.(new BotError(message));
        this.#onOpened = undefined;
        return;
      case 'space':
        this.#freeBytes = message.freeBytes;
        return;
      case 'failed':
        this.#fail(message.why);
        return;
      case 'closed':
        this.#onClosed?.();
        return;
    }
  }

  #settle(count: number): void {
    for (const { record, resolve } of this.#pending.splice(0, count)) {
      this.state.apply(record);
      resolve();
    }
    if (this.#pending.length > 0) return;
    this.#isPosting = false;
    if (this.#onClosed === undefined) this.#worker.unref();
  }

  /** The end: what waits is rejected, and so is all that comes after. Only the first reason is kept. */
  #fail(why: string): void {
    if (this.#failure !== undefined) return;
    this.#doorbell.report();
    this.#failure = new BotError({
      code: 'JOURNAL_FAILED',
      message: `expected the journal ${this.path} to take a record, got ${why}`,
      remedy:
        'Nothing is sent any more. Check the disk, then start again: the start-up check resolves what is open.',
      effect: 'unknown',
    });
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure);
    this.#onOpened?.(this.#failure);
    this.#onClosed?.();
  }

  #recordAudit(event: AuditEvent): void {
    if (this.#failure !== undefined || this.#audit.length >= AUDIT_BATCH_MAX) {
      this.#auditDropped++;
      return;
    }
    this.#audit.push(event);
    if (this.#isAuditDue) return;
    this.#isAuditDue = true;
    this.#auditSinceMs = this.#clock.monotonicMs();
    this.#clock.after(AUDIT_QUIET_MS, () => this.#flushAuditWhenQuiet());
  }

  #flushAuditWhenQuiet(): void {
    if (this.#failure !== undefined) return;
    const nowMs = this.#clock.monotonicMs();
    const isBusy = this.#pending.length > 0 || nowMs - this.#appendedAtMs < AUDIT_QUIET_MS;
    const waitedMs = nowMs - this.#auditSinceMs;
    if (waitedMs < 2 * AUDIT_WAIT_MS_MAX && this.#pending.some(({ isLazy }) => !isLazy)) {
      this.#clock.after(AUDIT_RETRY_MS, () => this.#flushAuditWhenQuiet());
      return;
    }
    if (!isBusy || waitedMs >= AUDIT_WAIT_MS_MAX)
      this.#flushAudit(this.#audit.length > AUDIT_BATCH_MAX / 2 ? AUDIT_BATCH_MAX : AUDIT_SLICE);
    this.#isAuditDue = this.#audit.length > 0;
    if (!this.#isAuditDue) return;
    if (isBusy) this.#clock.after(AUDIT_QUIET_MS, () => this.#flushAuditWhenQuiet());
    else this.#clock.soon(() => this.#flushAuditWhenQuiet());
  }

  #flushAudit(countMax: number): void {
    if (this.#audit.length === 0) return;
    this.#post({ kind: 'audit', rows: this.#audit.splice(0, countMax).map(auditRow) });
  }
}

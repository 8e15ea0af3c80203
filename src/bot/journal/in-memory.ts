/**
 * @module
 * A journal in memory with the durability semantics of the real one: a record counts when its promise has resolved;
 * what was not acknowledged may or may not have reached the disk when the process dies. For simulation and tests; it
 * uses the same rows, the same hash chain and the same state.
 */
import { type Audit, type AuditEvent, assert, BotError, type Clock } from '../../core/index.ts';
import { checkedHash, genesisHash, nextHash } from './hash-chain.ts';
import type { Journal, JournalStatus } from './journal.ts';
import { MirroredJournal } from './mirrored-journal.ts';
import { decodeRecord, encodeRecord, type JournalRecord, type JournalRow } from './records.ts';
import type { JournalState } from './state.ts';

/** How a journal in memory behaves. */
export interface InMemorySettings {
  /** Rows of a previous run: what {@link InMemoryJournal.crash} left. */
  readonly rows?: readonly JournalRow[];
  /** The hash that was stored beside each row; with them the rows are checked as those of a file are. */
  readonly hashes?: readonly string[];
  /** Without it a record is durable at once. */
  readonly commit?: CommitSettings;
}

/** How commits go. */
export interface CommitSettings {
  readonly clock: Clock;
  /** Time one takes, on `clock`. */
  readonly delayMs: number;
  /** Asked when one is due: why it fails; `undefined`: it does not. */
  readonly onCommit?: () => string | undefined;
}

/** A {@link Journal} whose disk is a list. */
export interface InMemoryJournal extends Journal {
  /** What is durable, oldest first. */
  rows(): readonly JournalRow[];
  /** The head of the hash chain over {@link rows}. */
  head(): string;
  /** All audit events. */
  auditEvents(): readonly AuditEvent[];
  /** Every later record is refused, those that wait included: a failed commit. */
  fail(why: string): void;
  /** Rows that were handed over and are not durable, oldest first. */
  unacknowledged(): readonly JournalRow[];
  /** The process dies: nothing more resolves. Gives the rows on the disk: all durable ones and the first `unacknowledged` of those that wait. */
  crash(unacknowledged?: number): readonly JournalRow[];
}

/** A new journal in memory, or one that continues from the rows of a previous run. @throws BotError `JOURNAL_CORRUPT`. */
export function createInMemoryJournal(settings: InMemorySettings = {}): InMemoryJournal {
  return new MemoryJournal(settings);
}

/** A journal in memory that knows what `state` does, to look at what would come of it. */
export function journalOfState(state: JournalState): InMemoryJournal {
  return new MemoryJournal({ rows: [encodeRecord({ type: 'carry', value: state.image() })] });
}

function checkRows({ rows = [], hashes }: InMemorySettings, path: string): void {
  if (hashes === undefined) return;
  let head = genesisHash(path);
  for (const [at, row] of rows.entries())
    head = checkedHash(head, { id: at + 1, row, hash: hashes[at] ?? '' }, path);
}

interface Waiting {
  readonly record: JournalRecord;
  readonly row: JournalRow;
  readonly resolve: () => void;
  readonly reject: (error: BotError) => void;
}

class MemoryJournal extends MirroredJournal implements InMemoryJournal {
  readonly path = ':memory:';
  readonly audit: Audit = { record: (event) => this.#keepAudit(event) };
  readonly #rows: JournalRow[] = [];
  readonly #audit: AuditEvent[] = [];
  readonly #commit: InMemorySettings['commit'];
  #waiting: Waiting[] = [];
  #isCommitting = false;
  #isDead = false;
  #failure: BotError | undefined;

  constructor(settings: InMemorySettings) {
    super();
    this.#commit = settings.commit;
    checkRows(settings, this.path);
    for (const row of settings.rows ?? []) {
      this.#rows.push(row);
      this.state.apply(decodeRecord(row));
    }
  }

  status(): JournalStatus {
    return {
      failure: this.#failure,
      freeBytes: Number.POSITIVE_INFINITY,
      isBelowReserve: false,
      pending: this.#waiting.length,
      auditDropped: 0,
    };
  }

  async close(): Promise<void> {
    this.#settle(this.#waiting.length);
    this.fail('it was closed');
  }

  rows(): readonly JournalRow[] {
    return this.#rows;
  }

  head(): string {
    return this.#rows.reduce(nextHash, genesisHash(this.path));
  }

  auditEvents(): readonly AuditEvent[] {
    return this.#audit;
  }

  fail(why: string): void {
    this.#failure ??= new BotError({
      code: 'JOURNAL_FAILED',
      message: `expected the journal in memory to take a record, got ${why}`,
      remedy: 'Start again: the start-up check resolves what is open.',
      effect: 'unknown',
    });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }

  unacknowledged(): readonly JournalRow[] {
    return this.#waiting.map(({ row }) => row);
  }

  crash(unacknowledged = 0): readonly JournalRow[] {
    assert(
      unacknowledged <= this.#waiting.length,
      `at most ${this.#waiting.length} records that wait, got ${unacknowledged}`,
    );
    this.#isDead = true;
    const lost = this.#waiting.splice(0);
    return [...this.#rows, ...lost.slice(0, unacknowledged).map(({ row }) => row)];
  }

  protected override append(record: JournalRecord): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const row = encodeRecord(record);
    if (this.#commit === undefined && !this.#isDead) {
      this.#keep(record, row);
      return Promise.resolve();
    }
    return new Promise<void>((resolve, reject) => {
      this.#waiting.push({ record, row, resolve, reject });
      this.#startCommit();
    });
  }

  /** Group commit: a lone record starts at once, what comes meanwhile is the next transaction. */
  #startCommit(): void {
    if (this.#isCommitting || this.#isDead || this.#commit === undefined) return;
    this.#isCommitting = true;
    const count = this.#waiting.length;
    this.#commit.clock.after(this.#commit.delayMs, () => {
      this.#isCommitting = false;
      if (this.#isDead) return;
      const why = this.#commit?.onCommit?.();
      if (why !== undefined) this.fail(why);
      this.#settle(count);
      if (this.#waiting.length > 0) this.#startCommit();
    });
  }

  #settle(count: number): void {
    for (const { record, row, resolve } of this.#waiting.splice(0, count)) {
      this.#keep(record, row);
      resolve();
    }
  }

  #keep(record: JournalRecord, row: JournalRow): void {
    this.#rows.push(row);
    this.state.apply(record);
  }

  #keepAudit(event: AuditEvent): void {
    if (!this.#isDead) this.#audit.push(event);
  }
}

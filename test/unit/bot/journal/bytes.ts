/**
 * @module
 * A journal as bytes: the two files as a machine leaves them that stops in the middle, what became of their bytes, and
 * the judgment of what opening them gives (invariant I20): the same state, a shorter journal that the start-up check
 * names, or a refusal by name. Anything else is a violation.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startingPoint } from '../../../../src/bot/execution/startup-check.ts';
import { JournalState, readJournal } from '../../../../src/bot/journal/index.ts';
import { encodeRecord, type JournalRecord } from '../../../../src/bot/journal/records.ts';
import { type AuditRow, JournalStore } from '../../../../src/bot/journal/store.ts';
import { BotError, must, type UnixMs } from '../../../../src/core/index.ts';
import type { IntentId, Nonce, StrategyId } from '../../../../src/domain/index.ts';
import { aFill, anEntry, anOutcome, aWrite, BINDING, SCOPE } from './support.ts';

/** The two files of a journal. */
export interface JournalBytes {
  readonly main: Buffer;
  readonly wal: Buffer;
}

/** How the files lie when the machine stops. */
export const LAYOUTS = ['all in the log', 'half moved', 'log begun again', 'closed'] as const;

/** See {@link LAYOUTS}. */
export type Layout = (typeof LAYOUTS)[number];

/** What opening gave. */
export type Finding =
  | 'same'
  /** Records are missing, and all writes are there: receipts and history give the rest again. */
  | 'shorter, all writes known'
  /** Writes are missing: the start-up check says so. */
  | 'shorter, named'
  | 'refused by name'
  /** What must never be. */
  | `violation: ${string}`;

const NAMED: ReadonlySet<string> = new Set([
  'JOURNAL_CORRUPT',
  'JOURNAL_SCHEMA_UNKNOWN',
  'JOURNAL_MISMATCH',
  'JOURNAL_UNWRITABLE',
]);

/** A session of `rounds` writes with what follows each: outcome, effects, trigger. */
export function aSession(rounds: number): readonly JournalRecord[] {
  const records: JournalRecord[] = [];
  for (let n = 0; n < rounds; n++) {
    records.push({ type: 'write', value: aWrite(n) });
    const placed = {
      orderId: aFill(n).orderId,
      strategyId: 'maker' as StrategyId,
      intentId: `i${n}` as IntentId,
    };
    // Each fifth is still open at the end, each seventh was refused.
    const refused = { outcome: 'refused', nonceConsumed: false } as const;
    if (n % 5 !== 4)
      records.push({ type: 'outcome', value: anOutcome(n, n % 7 === 6 ? refused : { placed: [placed] }) });
    if (n % 3 === 0)
      records.push({
        type: 'effects',
        value: { epoch: 'epoch-1', fills: [aFill(n)], ledger: [anEntry(n)] },
      });
    if (n % 4 === 0)
      records.push({ type: 'trigger', value: { triggerAtMs: (1_790_000_000_000 + n) as UnixMs } });
  }
  return records;
}

/** Makes journals out of bytes and judges them. One folder, one journal at a time. */
export class ByteJudge {
  readonly #folder: string;
  readonly #records: readonly JournalRecord[];
  /** How many records have the image of a state: the most of them. */
  readonly #prefixes = new Map<string, number>();
  readonly #nextNonce: bigint;
  #made = 0;

  constructor(folder: string, records: readonly JournalRecord[]) {
    this.#folder = folder;
    this.#records = records;
    const state = new JournalState();
    this.#prefixes.set(imageText(state), 0);
    records.forEach((record, at) => {
      state.apply(record);
      this.#prefixes.set(imageText(state), at + 1);
    });
    this.#nextNonce = must(state.highestNonce(SCOPE), 'a write') + 1n;
  }

  /** The bytes of the whole session in `layout`. */
  bytes(layout: Layout): JournalBytes {
    const path = join(this.#folder, `made-${this.#made++}.sqlite`);
    const store = openStore(path);
    const tail = layout === 'log begun again' ? 3 : Math.floor(this.#records.length / 2);
    this.#records.forEach((record, at) => {
      store.append([encodeRecord(record)]);
      if (at % 5 === 0) store.appendAudit([anAudit(at)]);
      const isMoved = layout === 'half moved' || layout === 'log begun again';
      if (isMoved && at === this.#records.length - tail) store.checkpoint();
    });
    if (layout === 'closed') store.close();
    const bytes = readBytes(path);
    if (layout !== 'closed') store.close();
    remove(path);
    return bytes;
  }

  /**
   * Opens `bytes` as a bot does at its start, and as a reader does, and says what that gave. `durable`: records that were
   * acknowledged and that nothing has damaged; without them, or refused, it is a violation.
   */
  judge(bytes: JournalBytes, durable = 0): Finding {
    const path = join(this.#folder, `judged-${this.#made++}.sqlite`);
    try {
      writeBytes(path, bytes);
      const read = this.#found(() => readAll(path), 0);
      if (read.startsWith('violation')) return read;
      return this.#found(() => {
        const store = openStore(path);
        store.close();
        return store.state;
      }, durable);
    } finally {
      remove(path);
    }
  }

  #found(open: () => JournalState, durable: number): Finding {
    let state: JournalState;
    try {
      state = open();
    } catch (error) {
      const isNamed = error instanceof BotError && NAMED.has(error.code);
      if (isNamed && durable === 0) return 'refused by name';
      return `violation: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`;
    }
    const count = this.#prefixes.get(imageText(state));
    if (count === undefined) return 'violation: another state, and nothing says so';
    if (count < durable) return `violation: ${durable} records were acknowledged, ${count} are there`;
    if (count === this.#records.length) return 'same';
    const lost = this.#records.slice(count).some((record) => record.type === 'write');
    if (!lost) return 'shorter, all writes known';
    const { journal } = startingPoint({
      next: this.#nextNonce as Nonce,
      written: state.highestNonce(SCOPE),
      spent: state.consumedNonce(SCOPE, 'epoch-1'),
    });
    return journal === 'current'
      ? 'violation: writes are missing and the start-up check does not say so'
      : 'shorter, named';
  }
}

/** One step on the disk that a power loss can tear: which blocks of it have arrived is up to the disk. */
export interface DiskStep {
  readonly name: 'commit' | 'checkpoint' | 'first commit of a log begun again';
  readonly before: JournalBytes;
  readonly after: JournalBytes;
  /** Records that were acknowledged before it. */
  readonly durable: number;
}

/** The steps of a session that differ in what they do to the disk. */
export function diskSteps(folder: string, records: readonly JournalRecord[]): readonly DiskStep[] {
  const path = join(folder, 'steps.sqlite');
  const store = openStore(path);
  const steps: DiskStep[] = [];
  const half = Math.floor(records.length / 2);
  const step = (name: DiskStep['name'], durable: number, work: () => void): void => {
    const before = readBytes(path);
    work();
    steps.push({ name, before, after: readBytes(path), durable });
  };
  records.forEach((record, at) => {
    const append = () => store.append([encodeRecord(record)]);
    if (at === half) {
      step('checkpoint', at, () => store.checkpoint());
      step('first commit of a log begun again', at, append);
    } else if (at === half - 1 || at === records.length - 1) step('commit', at, append);
    else append();
  });
  store.close();
  remove(path);
  return steps;
}

/** What the disk holds when only some blocks of a step have reached it. */
export function torn({ before, after }: DiskStep, hasReached: (block: number) => boolean): JournalBytes {
  return {
    main: mixed(before.main, after.main, hasReached),
    wal: mixed(before.wal, after.wal, hasReached),
  };
}

/** `bytes` with one file changed. */
export function changed(
  bytes: JournalBytes,
  file: keyof JournalBytes,
  edit: (content: Buffer) => Buffer,
): JournalBytes {
  return { ...bytes, [file]: edit(Buffer.from(bytes[file])) };
}

/** `content` with one bit turned over. */
export function flipped(content: Buffer, bit: number): Buffer {
  content[bit >> 3] = (content[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return content;
}

/** A file of which only some blocks of `after` have reached the disk over `before`. */
export function mixed(before: Buffer, after: Buffer, hasReached: (block: number) => boolean): Buffer {
  const result = Buffer.alloc(Math.max(before.length, after.length));
  before.copy(result);
  let length = before.length;
  for (let at = 0, block = 0; at < after.length; at += BLOCK_BYTES, block++) {
    if (!hasReached(block)) continue;
    after.copy(result, at, at, at + BLOCK_BYTES);
    length = Math.max(length, Math.min(at + BLOCK_BYTES, after.length));
  }
  return result.subarray(0, length);
}

/** The unit in which disks keep or lose what was not synced. */
const BLOCK_BYTES = 512;

/** A store without a laid-out log. */
export function openStore(path: string): JournalStore {
  return new JournalStore({ path, version: '1', walBytes: 0, rowsMax: 1e6, ...BINDING });
}

/** The files of a journal as they lie now. */
export function readBytes(path: string): JournalBytes {
  const wal = `${path}-wal`;
  return { main: readFileSync(path), wal: existsSync(wal) ? readFileSync(wal) : Buffer.alloc(0) };
}

function writeBytes(path: string, { main, wal }: JournalBytes): void {
  writeFileSync(path, main);
  if (wal.length > 0) writeFileSync(`${path}-wal`, wal);
}

function remove(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

function readAll(path: string): JournalState {
  const reader = readJournal(path);
  try {
    const state = reader.state();
    for (const _record of reader.records());
    reader.audit({});
    return state;
  } finally {
    reader.close();
  }
}

/** An audit event. */
export function anAudit(n: number): AuditRow {
  return {
    ...{ atMs: 1_790_000_000_000 + n, type: 'IntentSubmitted', correlationId: `c${n}`, causationId: null },
    ...{ orderId: String(n), fillId: null, body: JSON.stringify({ n, text: 'of an intent' }) },
  };
}

function imageText(state: JournalState): string {
  return JSON.stringify(state.image(), (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/**
 * @module
 * The SQLite file of a journal, synchronous: used by the worker that writes it and by readers. WAL with
 * `synchronous=FULL`: when a transaction returns, it is on the disk. Every file operation that fails throws; nothing is
 * tried twice (after a failed fsync it is not known what is on the disk).
 */
import { chmodSync, closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type AuditEvent, formatJson, makeFolder, messageOf, PRIVATE_FOLDER } from '../../core/index.ts';
import { guarded } from './damage.ts';
import { checkedHash, genesisHash, nextHash } from './hash-chain.ts';
import {
  checkBinding,
  corrupt,
  headerText,
  JOURNAL_SCHEMA,
  type JournalBinding,
  type JournalHeader,
  parseHeader,
} from './header.ts';
import { lastArchive, nextArchive } from './place.ts';
import { decodeRecord, encodeRecord, type JournalRow } from './records.ts';
import { JournalState } from './state.ts';

/** An audit event as a row. */
export interface AuditRow {
  /** Local time, Unix ms. */
  readonly atMs: number;
  readonly type: string;
  /** As in `AuditEvent`; null: none. */
  readonly correlationId: string | null;
  /** As in `AuditEvent`; null: none. */
  readonly causationId: string | null;
  /** The order it is about, for the index of `explain`; null: none. */
  readonly orderId: string | null;
  /** The fill it is about; null: none. */
  readonly fillId: string | null;
  /** The event as JSON. */
  readonly body: string;
}

/** An audit event as a row; `orderId` and `fillId` of its fields become columns with an index. */
export function auditRow(event: AuditEvent): AuditRow {
  const { orderId, fillId } = event.fields;
  return {
    atMs: event.atMs,
    type: event.type,
    correlationId: event.correlationId ?? null,
    causationId: event.causationId ?? null,
    orderId: typeof orderId === 'string' ? orderId : null,
    fillId: typeof fillId === 'string' ? fillId : null,
    body: formatJson(event.fields),
  };
}

const TABLES = `
  CREATE TABLE header (text TEXT NOT NULL);
  CREATE TABLE records (id INTEGER PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL);
  CREATE TABLE audit (id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, type TEXT NOT NULL, correlation_id TEXT, causation_id TEXT, order_id TEXT, fill_id TEXT, body TEXT NOT NULL);
  CREATE INDEX audit_time ON audit (at_ms);
  CREATE INDEX audit_correlation ON audit (correlation_id) WHERE correlation_id IS NOT NULL;
  CREATE INDEX audit_order ON audit (order_id) WHERE order_id IS NOT NULL;
  CREATE INDEX audit_fill ON audit (fill_id) WHERE fill_id IS NOT NULL;
`;

/** How long an operation waits for another process that has the file locked for a moment. */
const BUSY_MS = 2000;
const INSERT_RECORD = 'INSERT INTO records VALUES (?, ?, ?, ?, ?)';

/** How a store is opened for writing. */
export interface StoreSettings extends JournalBinding {
  /** The file's path. */
  readonly path: string;
  /** Written into the header of a new file. */
  readonly version: string;
  /** The write-ahead log is laid out on the disk to this size at opening: overwriting is faster than growing. */
  readonly walBytes: number;
  /** Rows after which the next opening begins a new file, which carries the state over. */
  readonly rowsMax: number;
}

/** The writing side. One per file. */
export class JournalStore {
  readonly state: JournalState;
  readonly #durable: DatabaseSync;
  readonly #lazy: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #insertAudit: StatementSync;
  #head: string;
  #rows: number;

  /** Opens or makes the file. @throws ConfigError, BotError: a mismatched, corrupt or unwritable journal, by name. */
  constructor(settings: StoreSettings) {
    const { path } = settings;
    makeFolder(dirname(path), PRIVATE_FOLDER);
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    const opened = guarded(path, () => openForWriting(settings));
    this.#durable = opened.durable;
    this.#lazy = opened.lazy;
    this.#insert = opened.insert;
    this.#begin = opened.durable.prepare('BEGIN');
    this.#commit = opened.durable.prepare('COMMIT');
    this.#insertAudit = opened.insertAudit;
    this.state = opened.content.state;
    this.#head = opened.content.head;
    this.#rows = opened.content.rows;
  }

  /** Makes `rows` durable in one transaction. @throws whatever SQLite throws: the journal has failed then. */
  append(rows: readonly JournalRow[]): void {
    const isGroup = rows.length > 1;
    if (isGroup) this.#begin.run();
    for (const row of rows) {
      const head = nextHash(this.#head, row);
      this.#insert.run(++this.#rows, row.type, row.scope, row.body, head);
      this.#head = head;
    }
    if (isGroup) this.#commit.run();
  }

  /** Keeps audit events without waiting for the disk: the next durable commit carries them along. */
  appendAudit(rows: readonly AuditRow[]): void {
    this.#lazy.exec('BEGIN');
    for (const row of rows) {
      this.#insertAudit.run(
        row.atMs,
        row.type,
        row.correlationId,
        row.causationId,
        row.orderId,
        row.fillId,
        row.body,
      );
    }
    this.#lazy.exec('COMMIT');
  }

  /** Moves the write-ahead log into the database, as far as readers allow, so that its space is used again. */
  checkpoint(): void {
    this.#durable.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /** Closes the file. */
  close(): void {
    this.#lazy.close();
    this.#durable.close();
  }
}

/** What {@link verify} found. */
export interface JournalContent {
  readonly state: JournalState;
  /** Last hash of the chain. */
  readonly head: string;
  /** Number of rows. */
  readonly rows: number;
}

/** Reads and checks every row. @throws BotError `JOURNAL_CORRUPT` naming the first row that does not fit. */
export function verify(database: DatabaseSync, header: JournalHeader, path: string): JournalContent {
  const state = new JournalState();
  let head = genesisHash(headerText(header));
  let rows = 0;
  for (const { id, hash, row } of rowsOf(database, path)) {
    rows++;
    if (id !== rows) throw corrupt(path, `row ${rows} is missing`);
    head = checkedHash(head, { id, row, hash }, path);
    try {
      state.apply(decodeRecord(row));
    } catch (cause) {
      throw corrupt(path, `row ${id} cannot be read (${messageOf(cause)})`, cause);
    }
  }
  return { state, head, rows };
}

/** A row as it is stored in the file. */
export interface StoredRow {
  /** Number of the row, from 1. */
  readonly id: number;
  /** SHA-256 of the row and the hash before it, hex. */
  readonly hash: string;
  readonly row: JournalRow;
}

/** All rows, oldest first. @throws BotError `JOURNAL_CORRUPT` when the file cannot be read. */
export function* rowsOf(database: DatabaseSync, path: string): Generator<StoredRow> {
  const rows = guarded(path, () =>
    database.prepare('SELECT id, type, scope, body, hash FROM records ORDER BY id').iterate(),
  );
  for (;;) {
    const next = guarded(path, () => rows.next());
    if (next.done === true) return;
    const { id, type, scope, body, hash } = next.value as Record<string, unknown>;
    yield {
      id: Number(id),
      hash: String(hash),
      row: { type: String(type) as JournalRow['type'], scope: String(scope), body: String(body) },
    };
  }
}

/** The header of a file; `undefined` when it has no tables yet. @throws BotError `JOURNAL_CORRUPT`. */
export function headerOf(database: DatabaseSync, path: string): JournalHeader | undefined {
  return guarded(path, () => {
    const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'header'").get();
    if (table === undefined) return undefined;
    const row = database.prepare('SELECT text FROM header').get();
    return parseHeader(String(row?.['text']), path);
  });
}

interface Opened {
  readonly durable: DatabaseSync;
  readonly lazy: DatabaseSync;
  readonly insert: StatementSync;
  readonly insertAudit: StatementSync;
  readonly content: JournalContent;
}

function openForWriting(settings: StoreSettings): Opened {
  const { path } = settings;
  const durable = openDatabase(path);
  durable.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;');
  const header = headerOf(durable, path) ?? makeTables(durable, settings);
  checkBinding(header, settings, path);
  const content = verify(durable, header, path);
  if (content.rows > settings.rowsMax && isMovedWhole(durable)) {
    durable.close();
    renameSync(path, nextArchive(path));
    closeSync(openSync(path, 'a', 0o600));
    return openForWriting(settings);
  }
  layOutWal(durable, settings.walBytes);
  const lazy = openDatabase(path);
  lazy.exec('PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0;');
  return {
    durable,
    lazy,
    content,
    insert: durable.prepare(INSERT_RECORD),
    insertAudit: lazy.prepare(
      'INSERT INTO audit (at_ms, type, correlation_id, causation_id, order_id, fill_id, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
  };
}

/**
 * True if every row is in the database file itself. Not while a reader is open: the log would remain under the name of the new
 * file, and SQLite would remove it there.
 */
function isMovedWhole(database: DatabaseSync): boolean {
  database.exec('PRAGMA busy_timeout=0');
  const { busy } = { ...database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() };
  database.exec(`PRAGMA busy_timeout=${BUSY_MS}`);
  return busy === 0;
}

function openDatabase(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: BUSY_MS });
}

/** Makes the tables of a new file; a full one before it hands its state over in the same transaction. */
function makeTables(database: DatabaseSync, settings: StoreSettings): JournalHeader {
  const before = lastArchive(settings.path);
  const carried = before === undefined ? undefined : readArchive(before);
  const header: JournalHeader = {
    environment: settings.environment,
    account: settings.account,
    instance: settings.instance,
    schema: JOURNAL_SCHEMA,
    version: settings.version,
    previous: carried?.head,
  };
  const text = headerText(header);
  database.exec('BEGIN');
  database.exec(TABLES);
  database.prepare('INSERT INTO header VALUES (?)').run(text);
  if (carried !== undefined) {
    const row = encodeRecord({ type: 'carry', value: carried.state.image() });
    const hash = nextHash(genesisHash(text), row);
    database.prepare(INSERT_RECORD).run(1, row.type, row.scope, row.body, hash);
  }
  database.exec('COMMIT');
  return header;
}

function readArchive(path: string): JournalContent {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 2000 });
  try {
    const header = headerOf(database, path);
    if (header === undefined) throw corrupt(path, 'it has no header');
    return verify(database, header, path);
  } finally {
    database.close();
  }
}

/** Grows the write-ahead log once and starts it over. */
function layOutWal(database: DatabaseSync, bytes: number): void {
  if (bytes === 0) return;
  database.exec('BEGIN; CREATE TABLE padding (bytes BLOB)');
  const insert = database.prepare('INSERT INTO padding VALUES (zeroblob(1048576))');
  for (let laid = 0; laid < bytes; laid += 1_048_576) insert.run();
  database.exec('DROP TABLE padding; COMMIT; PRAGMA wal_checkpoint(RESTART)');
}

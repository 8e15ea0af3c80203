/**
 * @module
 * Finds rows of a journal without reading all of it. Audit events have SQLite's own indexes. Records have none, for each
 * would cost a write time; but they stand in the order of time, so a write is sought by halving, and its row is checked with
 * its hash. There is no index beside the journal that could be stale or damaged.
 */
import type { DatabaseSync } from 'node:sqlite';
import { checkedHash, genesisHash } from './hash-chain.ts';
import { headerText } from './header.ts';
import { decodeRecord, type JournalOutcome, type JournalRow, type JournalWrite } from './records.ts';
import { headerOf } from './store.ts';

/** The kinds of ids that audit events are found by. */
export type AuditIdKind = 'order' | 'fill' | 'correlation';

/** A write of the journal. */
export interface FoundWrite {
  /** Number of its row. */
  readonly row: number;
  readonly write: JournalWrite;
  /** `undefined`: it has none yet. */
  readonly outcome: JournalOutcome | undefined;
}

/** The database of a journal and its path. */
interface Opened {
  readonly database: DatabaseSync;
  readonly path: string;
}

const COLUMNS: Readonly<Record<AuditIdKind, string>> = {
  order: 'order_id',
  fill: 'fill_id',
  correlation: 'correlation_id',
};
const NEIGHBORS = 8;

/** Ids that stand beside `id` in order. */
export function neighborsOf(database: DatabaseSync, kind: AuditIdKind, id: string): readonly string[] {
  const column = COLUMNS[kind];
  const ask = (condition: string): readonly string[] =>
    database
      .prepare(`SELECT DISTINCT ${column} AS id FROM audit WHERE ${column} ${condition} LIMIT ${NEIGHBORS}`)
      .all(id)
      .map((row) => String(row['id']));
  return [...ask(`>= ? ORDER BY ${column}`), ...ask(`< ? ORDER BY ${column} DESC`)];
}

/** All correlation ids that begin with `start`: from one to the next by the index, however many rows each has. */
export function correlationsOf(database: DatabaseSync, start: string): readonly string[] {
  const next = database.prepare(
    'SELECT correlation_id AS id FROM audit WHERE correlation_id > ? ORDER BY correlation_id LIMIT 1',
  );
  const found: string[] = [];
  for (let id = start; ; ) {
    const row = next.get(id);
    if (row === undefined || !String(row['id']).startsWith(start)) return found;
    id = String(row['id']);
    found.push(id);
  }
}

/** First and last instant of the audit events; `undefined`: there are none. */
export function auditSpan(
  database: DatabaseSync,
): { readonly fromMs: number; readonly toMs: number } | undefined {
  const one = (order: string) =>
    database.prepare(`SELECT at_ms FROM audit ORDER BY at_ms ${order} LIMIT 1`).get();
  const [first, last] = [one('ASC'), one('DESC')];
  if (first === undefined || last === undefined) return undefined;
  return { fromMs: Number(first['at_ms']), toMs: Number(last['at_ms']) };
}

/** Writes carry the time of the exchange, audit events that of the machine; an outcome may come later than its write. */
const AROUND_MS = 60_000;

/** The write of this request, sought around `atMs`, then everywhere. @throws BotError `JOURNAL_CORRUPT`. */
export function findWrite(opened: Opened, requestId: string, atMs: number): FoundWrite | undefined {
  const last = lastRow(opened.database);
  const from = rowAt(opened.database, atMs - AROUND_MS, last);
  const to = rowAt(opened.database, atMs + AROUND_MS, last);
  const near = writeBetween(opened, requestId, from, to);
  return near?.outcome === undefined ? (writeBetween(opened, requestId, 1, last) ?? near) : near;
}

function writeBetween(opened: Opened, requestId: string, from: number, to: number): FoundWrite | undefined {
  const rows = opened.database
    .prepare(
      "SELECT id, type, scope, body, hash FROM records WHERE id BETWEEN ? AND ? AND type IN ('write', 'outcome') AND instr(body, ?) > 0 ORDER BY id",
    )
    .all(from, to, requestId);
  let found: FoundWrite | undefined;
  for (const row of rows) {
    const record = decodeRecord(rowOf(row));
    if (record.type === 'write' && record.value.requestId === requestId) {
      check(opened, row);
      found = { row: Number(row['id']), write: record.value, outcome: undefined };
    }
    // Refused bytes may be named again with their later end: the last one counts.
    if (record.type === 'outcome' && record.value.requestId === requestId && found !== undefined) {
      check(opened, row);
      found = { ...found, outcome: record.value };
    }
  }
  return found;
}

/** The row itself and its hash after that of the row before it. */
function check({ database, path }: Opened, row: Record<string, unknown>): void {
  const id = Number(row['id']);
  const before = database.prepare('SELECT hash FROM records WHERE id = ?').get(id - 1);
  const header = before === undefined ? headerOf(database, path) : undefined;
  const head = header === undefined ? String(before?.['hash']) : genesisHash(headerText(header));
  checkedHash(head, { id, row: rowOf(row), hash: String(row['hash']) }, path);
}

function rowOf(row: Record<string, unknown>): JournalRow {
  return {
    type: String(row['type']) as JournalRow['type'],
    scope: String(row['scope']),
    body: String(row['body']),
  };
}

function lastRow(database: DatabaseSync): number {
  return Number(database.prepare('SELECT max(id) AS id FROM records').get()?.['id'] ?? 0);
}

/** The row before the first write that is later than `atMs`, by halving. */
function rowAt(database: DatabaseSync, atMs: number, last: number): number {
  const next = database.prepare(
    "SELECT id, body FROM records WHERE id >= ? AND type = 'write' ORDER BY id LIMIT 1",
  );
  let [low, high] = [1, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = next.get(middle);
    const time = row === undefined ? undefined : /"nowMs":([0-9.]+)/.exec(String(row['body']))?.[1];
    if (row === undefined || time === undefined || Number(time) >= atMs) high = middle;
    else low = Math.max(middle + 1, Number(row['id']));
  }
  return low;
}

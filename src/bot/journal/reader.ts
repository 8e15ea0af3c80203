/**
 * @module
 * Reads a journal that may be in use: `explain`, `report`, `status` and the start-up check. It never writes, checks the
 * hash chain while it reads, and sees what was durable when it was opened.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { AuditEvent } from '../../core/index.ts';
import { BotError, isRecord } from '../../core/index.ts';
import { guarded } from './damage.ts';
import { corrupt, type JournalHeader } from './header.ts';
import {
  type AuditIdKind,
  auditSpan,
  correlationsOf,
  type FoundWrite,
  findWrite,
  neighborsOf,
} from './reader-searches.ts';
import { decodeRecord, type JournalRecord } from './records.ts';
import type { JournalState } from './state.ts';
import { headerOf, rowsOf, verify } from './store.ts';

/** Which audit events are asked for; what is left out does not restrict. */
export interface AuditQuery {
  /** Only events of this order. */
  readonly orderId?: string;
  /** Only events of this fill. */
  readonly fillId?: string;
  /** Only events of this correlation id. */
  readonly correlationId?: string;
  /** Only events of this type. */
  readonly type?: string;
  /** First and last instant, Unix ms, both included. */
  readonly fromMs?: number;
  /** Only events before or at this time, Unix ms. */
  readonly toMs?: number;
  /** Only events whose fields, as JSON, have this text. */
  readonly holds?: string;
  /** At most this many, the earliest first. Default 10,000. */
  readonly limit?: number;
}

/** An open journal, for reading. */
export interface JournalReader {
  readonly header: JournalHeader;
  /** Reads and checks all records and applies them. @throws BotError `JOURNAL_CORRUPT`. */
  state(): JournalState;
  /** All records, oldest first, unchecked. */
  records(): Generator<JournalRecord>;
  /** Audit events that match the query. */
  audit(query: AuditQuery): readonly AuditEvent[];
  /** Audit events of a correlation id that ended at `atMs` or later, the earliest first. */
  auditFrom(correlationId: string, atMs: number, limit: number): readonly AuditEvent[];
  /** The last audit event of a correlation id. */
  auditLast(correlationId: string): AuditEvent | undefined;
  /** All correlation ids that begin with `start`, in order. */
  correlations(start: string): readonly string[];
  /** Ids of a kind that stand beside `id` in order; for what is misspelt. */
  neighbors(kind: AuditIdKind, id: string): readonly string[];
  /** The write of this request with its outcome, each checked with its hash; sought around `atMs` first. @throws BotError `JOURNAL_CORRUPT`. */
  write(requestId: string, atMs: number): FoundWrite | undefined;
  /** First and last instant of the audit events, Unix ms; `undefined`: there are none. */
  span(): { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Closes the file. */
  close(): void;
}

/** Opens the journal `path` for reading. @throws BotError `JOURNAL_MISSING`, `JOURNAL_CORRUPT`. */
export function readJournal(path: string): JournalReader {
  if (!existsSync(path)) {
    throw new BotError({
      code: 'JOURNAL_MISSING',
      message: `expected a journal in ${path}, got no file`,
      remedy: 'Check the folder; a journal is made by the first run.',
    });
  }
  const database = guarded(path, () => new DatabaseSync(path, { readOnly: true, timeout: 2000 }));
  try {
    const header = headerOf(database, path);
    if (header === undefined) throw corrupt(path, 'it has no header');
    return {
      header,
      state: () => verify(database, header, path).state,
      *records() {
        for (const { row } of rowsOf(database, path)) yield guarded(path, () => decodeRecord(row));
      },
      audit: (query) => guarded(path, () => readAudit(database, query)),
      auditFrom: (correlationId, atMs, limit) =>
        guarded(path, () => readAuditFrom(database, correlationId, atMs, limit)),
      auditLast: (correlationId) => guarded(path, () => readAuditLast(database, correlationId)),
      correlations: (start) => guarded(path, () => correlationsOf(database, start)),
      neighbors: (kind, id) => guarded(path, () => neighborsOf(database, kind, id)),
      write: (requestId, atMs) => guarded(path, () => findWrite({ database, path }, requestId, atMs)),
      span: () => guarded(path, () => auditSpan(database)),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const AUDIT_LIMIT = 10_000;

const CONDITIONS = [
  ['orderId', 'order_id = ?'],
  ['fillId', 'fill_id = ?'],
  ['correlationId', 'correlation_id = ?'],
  ['type', 'type = ?'],
  ['fromMs', 'at_ms >= ?'],
  ['toMs', 'at_ms <= ?'],
  ['holds', 'instr(body, ?) > 0'],
] as const satisfies readonly (readonly [keyof AuditQuery, string])[];

function readAudit(database: DatabaseSync, query: AuditQuery): AuditEvent[] {
  const conditions: string[] = ['1'];
  const values: (string | number)[] = [];
  for (const [field, condition] of CONDITIONS) {
    const value = query[field];
    if (value === undefined) continue;
    conditions.push(condition);
    values.push(value);
  }
  const rows = database
    .prepare(`SELECT * FROM audit WHERE ${conditions.join(' AND ')} ORDER BY at_ms, id LIMIT ?`)
    .all(...values, query.limit ?? AUDIT_LIMIT);
  return rows.map(auditEvent);
}

/** Rows are written in the order of time: the place of an instant bounds the rows of a correlation id. */
function readAuditFrom(
  database: DatabaseSync,
  correlationId: string,
  atMs: number,
  limit: number,
): AuditEvent[] {
  const first = database
    .prepare('SELECT id FROM audit WHERE at_ms >= ? ORDER BY at_ms, id LIMIT 1')
    .get(atMs);
  if (first === undefined) return [];
  const rows = database
    .prepare('SELECT * FROM audit WHERE correlation_id = ? AND id >= ? AND at_ms >= ? ORDER BY id LIMIT ?')
    .all(correlationId, Math.max(0, Number(first['id']) - AUDIT_DISORDER), atMs, limit);
  return rows.map(auditEvent);
}

function readAuditLast(database: DatabaseSync, correlationId: string): AuditEvent | undefined {
  const row = database
    .prepare('SELECT * FROM audit WHERE correlation_id = ? ORDER BY id DESC LIMIT 1')
    .get(correlationId);
  return row === undefined ? undefined : auditEvent(row);
}

/** By how many rows audit events may stand out of the order of time. */
const AUDIT_DISORDER = 1_000;

function auditEvent(row: Record<string, unknown>): AuditEvent {
  const fields: unknown = JSON.parse(String(row['body']));
  return {
    type: String(row['type']),
    atMs: Number(row['at_ms']),
    fields: isRecord(fields) ? fields : {},
    ...(row['correlation_id'] === null ? {} : { correlationId: String(row['correlation_id']) }),
    ...(row['causation_id'] === null ? {} : { causationId: String(row['causation_id']) }),
  };
}

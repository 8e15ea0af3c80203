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

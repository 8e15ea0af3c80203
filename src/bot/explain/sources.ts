/**
 * @module
 * Where explanations come from: the rows of a journal, in all its files, and the log of the run. No row is kept in memory
 * beyond one question, and nothing is written.
 */
import { type AuditEvent, BotError, isRecord, nearestName } from '../../core/index.ts';
import {
  type AuditQuery,
  type FoundWrite,
  type JournalReader,
  journalFiles,
  readJournal,
} from '../journal/index.ts';
import { type FoundTurn, findTurn, type SoughtTurn } from './find-turn.ts';

/** Which run is asked, and where its files are. */
export interface ExplainedRun {
  readonly runId: string;
  /** Path of the journal; `undefined`: the run keeps none. */
  readonly journal: string | undefined;
  /** Folder of the run, with its log. */
  readonly folder: string;
}

/** The kinds of ids that are sought. */
export type IdKind = Parameters<JournalReader['neighbors']>[0];

/** Open files of a run. */
export class Sources {
  readonly run: ExplainedRun;
  readonly #readers: readonly JournalReader[];

  /** @throws BotError `EXPLAIN_NO_JOURNAL`, `JOURNAL_CORRUPT`. */
  constructor(run: ExplainedRun) {
    this.run = run;
    const files = run.journal === undefined ? [] : journalFiles(run.journal);
    if (files.length === 0) throw noJournal(run);
    const readers: JournalReader[] = [];
    try {
      for (const file of files) readers.push(readJournal(file));
    } catch (thrown) {
      for (const reader of readers) reader.close();
      throw thrown;
    }
    this.#readers = readers;
  }

  /** Events that match the query, oldest first. */
  audit(query: AuditQuery): readonly AuditEvent[] {
    return this.#readers.flatMap((reader) => reader.audit(query));
  }

  /** The first events of a correlation id at `atMs` or later. */
  auditFrom(correlationId: string, atMs: number, limit: number): readonly AuditEvent[] {
    return this.#readers.flatMap((reader) => reader.auditFrom(correlationId, atMs, limit)).slice(0, limit);
  }

  /** The last event of a correlation id. */
  auditLast(correlationId: string): AuditEvent | undefined {
    return this.#readers.flatMap((reader) => reader.auditLast(correlationId) ?? []).at(-1);
  }

  /** All correlation ids that begin with `start`. */
  correlations(start: string): readonly string[] {
    return [...new Set(this.#readers.flatMap((reader) => reader.correlations(start)))];
  }

  write(requestId: string, atMs: number): FoundWrite | undefined {
    // The newest file has the newest end of a write that was carried over.
    return this.#readers
      .toReversed()
      .map((reader) => reader.write(requestId, atMs))
      .find(Boolean);
  }

  turn(atMs: number, sought: SoughtTurn): FoundTurn | undefined {
    return findTurn(this.run.folder, atMs, sought);
  }

  /** From the first to the last event that is kept. */
  span(): { readonly fromMs: number; readonly toMs: number } | undefined {
    const spans = this.#readers.flatMap((reader) => reader.span() ?? []);
    const [first, last] = [spans[0], spans.at(-1)];
    return first === undefined || last === undefined ? undefined : { fromMs: first.fromMs, toMs: last.toMs };
  }

  /** The error of an id that nothing is kept of. */
  unknown(kind: IdKind, what: string, id: string): BotError {
    const near = this.#readers.flatMap((reader) => reader.neighbors(kind, id));
    const nearest = nearestName(near, id) ?? near[0];
    const hint = nearest === undefined ? '' : `; the nearest is ${nearest}`;
    return new BotError({
      code: 'EXPLAIN_UNKNOWN',
      message: `expected the id of ${what} of run ${this.run.runId}, got ${JSON.stringify(id.slice(0, 80))}${hint}`,
      remedy: '`ballast orders`, `ballast fills` and the report list ids; name the run that the id is of.',
    });
  }

  close(): void {
    for (const reader of this.#readers) reader.close();
  }
}

/** The text of a field; empty: it has none. */
export function textOf(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The records of a list in a field. */
export function recordsOf(
  fields: Readonly<Record<string, unknown>>,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const value = fields[name];
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}

function noJournal({ runId, journal }: ExplainedRun): BotError {
  const found = journal === undefined ? 'a run that keeps none' : `no file at ${journal}`;
  return new BotError({
    code: 'EXPLAIN_NO_JOURNAL',
    message: `expected run ${runId} to have a journal, got ${found}`,
    remedy:
      'Runs with a wallet keep one (`--mode live` and `--mode sim`). Of a paper run and a backtest `ballast report` has orders, fills and the reasons by hour, and `ballast replay` of a paper run its decisions.',
  });
}

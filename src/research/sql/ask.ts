/**
 * @module
 * A question in SQL over what runs and tapes left. Files of the user are only read: one statement, which selects or explains.
 * What DuckDB cannot read itself (journals, tapes, reports) is written to a folder of its own for as long as the question
 * lasts, and only if the question names it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BotError, messageOf } from '../../core/index.ts';
import { type Duck, withDuck } from './duckdb.ts';
import type { SqlSources } from './sources.ts';
import { VIEWS } from './views.ts';

/** The answer to a question. */
export interface SqlAnswer {
  readonly columns: readonly string[];
  /** Types of the columns, as DuckDB names them. */
  readonly types: readonly string[];
  /** Numbers where they are exact; decimals, wide integers and times as text; `null`: no value. */
  readonly rows: readonly (readonly unknown[])[];
}

const NAMES = VIEWS.map(({ name }) => name).join(', ');

/** DuckDB's numbers of the statements that change nothing: to select, and to explain. */
const SELECTS = 1;
const EXPLAINS = 4;

/**
 * Asks.
 * @throws BotError `SQL_DUCKDB_MISSING`, `SQL_INVALID`, `SQL_NOT_A_QUESTION`, and what reading a run or a tape throws.
 */
export async function askSql(sql: string, sources: SqlSources): Promise<SqlAnswer> {
  return await withDuck(async (duck) => {
    const folder = mkdtempSync(join(tmpdir(), 'ballast-sql-'));
    try {
      await makeViews(duck, sql, sources, folder);
      return await answer(duck, sql);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** The views that the question may be about: a word that is only a name of a column makes one too many, never one too few. */
async function makeViews(duck: Duck, sql: string, sources: SqlSources, folder: string): Promise<void> {
  const isListed = /\b(?:show|information_schema|duckdb_\w+)\b/i.test(sql);
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  for (const { name, rowsOf } of VIEWS) {
    if (isListed || words.has(name)) await duck.run(`CREATE VIEW ${name} AS ${rowsOf(sources, folder)}`);
  }
}

async function answer(duck: Duck, sql: string): Promise<SqlAnswer> {
  try {
    const statements = await duck.extractStatements(sql);
    const statement = statements.count === 1 ? await statements.prepare(0) : undefined;
    if (statement === undefined || !changesNothing(statement.statementType, sql)) throw noQuestion();
    const result = await statement.run();
    const types = result.columnTypes().map(String);
    const rows = await result.getRowsJson();
    return {
      columns: result.columnNames(),
      types,
      rows: rows.map((row) => row.map((value, at) => plain(value, types[at] ?? ''))),
    };
  } catch (cause) {
    if (cause instanceof BotError) throw cause;
    throw new BotError({
      code: 'SQL_INVALID',
      message: `expected SQL that DuckDB can answer, got: ${messageOf(cause).replace(/\s+/g, ' ')}`,
      remedy: `The views are ${NAMES}; \`DESCRIBE fills\` names the columns of one.`,
      cause,
    });
  }
}

/** To explain with the word `analyze` carries out what is explained, which may write. */
function changesNothing(statementType: number, sql: string): boolean {
  return statementType === SELECTS || (statementType === EXPLAINS && !/\banalyze\b/i.test(sql));
}

function noQuestion(): BotError {
  return new BotError({
    code: 'SQL_NOT_A_QUESTION',
    message: 'expected one statement that selects, got another one, several or none',
    remedy:
      'Ask with one SELECT: this command writes nothing. `--csv` and `--json` write the answer for other tools.',
  });
}

/** Decimals without zeros behind, and integers as numbers where a number holds them. */
function plain(value: unknown, type: string): unknown {
  if (typeof value !== 'string') return value;
  if (type.startsWith('DECIMAL')) return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
  if (/^U?(?:BIG|HUGE)INT$/.test(type)) return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return value;
}

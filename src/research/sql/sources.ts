/**
 * @module
 * What a question is asked of: folders of runs, their journals once each, tapes. And the files that DuckDB reads where it
 * cannot read ours.
 */
import { appendFileSync, closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { explainedRun } from '../../bot/explain/index.ts';
import { journalFiles, readJournal } from '../../bot/journal/index.ts';
import { BotError, formatJson, whyUnreadable } from '../../core/index.ts';
import type { RunRecord } from '../../domain/index.ts';
import { jsonOfRun, loadRun } from '../../report/index.ts';
import { exportTape } from '../../tape/tools/index.ts';

/** What a question is asked of. */
export interface SqlSources {
  /** Folders of runs. */
  readonly runs: readonly string[];
  /** Folders of tapes. */
  readonly tapes: readonly string[];
}

const RECORD = 'record.json';
const FACTS = 'run.json';

/** True if a run has written to this folder. */
export function isRun(folder: string): boolean {
  return existsSync(join(folder, RECORD)) || existsSync(join(folder, FACTS));
}

/** `folder` if it is that of a run, and those of runs in it. @throws BotError `SQL_RUN_MISSING`. */
export function runsBelow(folder: string): readonly string[] {
  const found = [folder, ...foldersIn(folder)].filter(isRun);
  if (found.length > 0) return found;
  throw noRun(folder, `neither it nor a folder in it holds ${RECORD} or ${FACTS}`);
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.map(({ name }) => join(folder, name));
  } catch (cause) {
    throw noRun(folder, whyUnreadable(folder, cause));
  }
}

function noRun(folder: string, why: string): BotError {
  return new BotError({
    code: 'SQL_RUN_MISSING',
    message: `expected the folder of a run, or of runs, in ${folder}, but ${why}`,
    remedy:
      'Name the folder that `--out` gave a run, or leave `--run` out: `ballast runs` lists what is asked then.',
  });
}

/** A run with a record. */
export interface RecordedRun {
  readonly folder: string;
  readonly record: RunRecord;
}

/** The runs that left a record; their hashes are checked. @throws BotError as `loadRun`. */
export function recordedRuns({ runs }: SqlSources): readonly RecordedRun[] {
  return runs
    .filter((folder) => existsSync(join(folder, RECORD)))
    .map((folder) => ({ folder, record: loadRun(folder) }));
}

/** Reports of runs, a line each. @returns the file. */
export function reportLines(sources: SqlSources, folder: string): string {
  return linesOf(
    join(folder, 'runs.jsonl'),
    (function* () {
      for (const { folder: place, record } of recordedRuns(sources)) {
        const report = jsonOfRun(record);
        const { run, pnl, returns, roundTrips, orders } = report;
        yield {
          ...{
            run: run.runId,
            folder: place,
            mode: run.mode,
            strategies: run.strategies,
            markets: run.markets,
          },
          ...{ began: run.from, ended: run.to, seed: run.seed, config_hash: run.configHash },
          ...{ code_hash: run.codeHash, equity_start: pnl.equityStart, equity_end: pnl.equityEnd },
          ...{ pnl: pnl.total, realized: pnl.realized, unrealized: pnl.unrealized, fees: pnl.fees },
          ...{ funding: pnl.funding, turnover: pnl.turnover, total_return: returns.total },
          ...{ sharpe: returns.sharpe, sortino: returns.sortino, max_drawdown: returns.maxDrawdown },
          ...{ win_rate: roundTrips.rows[0]?.winRate, profit_factor: roundTrips.rows[0]?.profitFactor },
          ...{ orders: orders.ordersPlaced, fills: orders.makerFills + orders.takerFills, report },
        };
      }
    })(),
  );
}

/** Events of the journals, a line each. @returns the file. */
export function journalLines(sources: SqlSources, folder: string): string {
  return linesOf(
    join(folder, 'journal.jsonl'),
    (function* () {
      for (const { file } of journalsOf(sources)) {
        const reader = readJournal(file);
        try {
          for (const event of reader.audit({ limit: Number.MAX_SAFE_INTEGER })) {
            const { orderId, fillId } = event.fields;
            yield {
              ...{ journal: basename(file), at_ms: event.atMs, type: event.type },
              ...{ correlation_id: event.correlationId, causation_id: event.causationId },
              ...{ order_id: orderId, fill_id: fillId, body: event.fields },
            };
          }
        } finally {
          reader.close();
        }
      }
    })(),
  );
}

/** Ledger entries of the journals, a line each; what the exchange does not have is left out. @returns the file. */
export function ledgerLines(sources: SqlSources, folder: string): string {
  return linesOf(
    join(folder, 'ledger.jsonl'),
    (function* () {
      for (const { file, decimals } of journalsOf(sources)) {
        const reader = readJournal(file);
        try {
          const effects = [...reader.records()].flatMap((one) => (one.type === 'effects' ? [one.value] : []));
          const withdrawn = new Set(
            effects.flatMap(({ epoch, withdrawn: gone }) => gone?.ledger.map((id) => `${epoch} ${id}`) ?? []),
          );
          for (const { epoch, ledger } of effects)
            for (const { id, kind, amount, symbol, orderId, atMs } of ledger)
              if (!withdrawn.has(`${epoch} ${id}`))
                yield {
                  ...{ journal: basename(file), epoch, id, kind, quantums: amount, decimals },
                  ...{ symbol, order_id: orderId, at_ms: atMs },
                };
        } finally {
          reader.close();
        }
      }
    })(),
  );
}

/** The rows of a tape as Parquet. @returns the file. @throws BotError as `exportTape`. */
export function tapeParquet(tape: string, folder: string, at: number): string {
  const out = join(folder, `tape-${at}.parquet`);
  if (!existsSync(out)) exportTape({ tape, format: 'parquet', out });
  return out;
}

/** The files of journals, each once, oldest first; with the decimals of the collateral where a record of a run names them. */
function journalsOf({ runs }: SqlSources): readonly { readonly file: string; readonly decimals?: number }[] {
  const found = new Map<string, number | undefined>();
  for (const folder of runs) {
    const { journal } = explainedRun(basename(folder), folder);
    if (journal === undefined) continue;
    const decimals = existsSync(join(folder, RECORD)) ? loadRun(folder).collateralDecimals : undefined;
    for (const file of journalFiles(journal)) found.set(file, found.get(file) ?? decimals);
  }
  return [...found].map(([file, decimals]) => ({ file, ...(decimals === undefined ? {} : { decimals }) }));
}

/** Lines that are gathered before they are written. */
const CHUNK_CHARS = 1_048_576;

function linesOf(file: string, rows: Iterable<object>): string {
  if (existsSync(file)) return file;
  closeSync(openSync(file, 'wx', 0o600));
  let text = '';
  for (const row of rows) {
    text += `${formatJson(row)}\n`;
    if (text.length < CHUNK_CHARS) continue;
    appendFileSync(file, text);
    text = '';
  }
  appendFileSync(file, text);
  return file;
}

/** @module `ballast sql`: a question in SQL over runs, fills, orders, journals and tapes, by the user's DuckDB. */
import type { Argv } from 'yargs';
import { csvText } from '../core/index.ts';
import type { SqlAnswer } from '../research/sql/index.ts';
import { columns } from './terminal/columns.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { type Given, jsonOption, listOption, position } from './terminal/options.ts';
import { writeDocument, writeLine, writeNote } from './terminal/output.ts';
import { ownRuns } from './terminal/run-actions.ts';

const OPTIONS = {
  run: listOption('Folder of a run or of runs (default: the listed runs)'),
  tape: listOption('Folder of a tape (repeatable)'),
  csv: { type: 'boolean', conflicts: 'json', describe: 'Print comma-separated values with a header' },
  json: jsonOption,
} as const;

/** Adds `sql` to the command line. */
export function sqlCommand(cli: Argv): Argv {
  return cli.command(
    'sql <select>',
    'Ask runs, fills, orders and tapes in SQL (needs DuckDB)',
    (one) => one.positional('select', position('Question, such as "SELECT * FROM runs"')).options(OPTIONS),
    (args) => run(() => sql(args.select, args)),
  );
}

async function sql(select: string, args: Given<typeof OPTIONS>): Promise<number> {
  const { askSql, isRun, runsBelow } = await import('../research/sql/index.ts');
  const runs = args.run?.flatMap(runsBelow) ?? (await listedFolders()).filter(isRun);
  const answer = await askSql(select, { runs, tapes: args.tape ?? [] });
  if (args.json) writeDocument({ schema: 1, ...answer });
  else if (args.csv) writeLine([answer.columns, ...answer.rows].map(csvLine).join('\n'));
  else show(answer);
  return EXIT.ok;
}

async function listedFolders(): Promise<readonly string[]> {
  const { listedRuns } = await import('../bot/operator/index.ts');
  return listedRuns(await ownRuns()).map(({ folder }) => folder);
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

const csvLine = (row: readonly unknown[]): string => row.map((value) => csvText(textOf(value))).join(',');

/** Columns of a terminal. */
const WIDTH = 80;
/** Rows that people are shown. */
const SHOWN_MAX = 500;

/** A table; rows that are wider than a terminal stand one below the other, a column a line. */
function show({ columns: head, rows }: SqlAnswer): void {
  const shown = rows.slice(0, SHOWN_MAX).map((row) => row.map((cell) => textOf(cell).replaceAll('\n', ' ')));
  const widths = head.map((name, at) => Math.max(name.length, ...shown.map((row) => row[at]?.length ?? 0)));
  const isNarrow = widths.reduce((sum, width) => sum + width + 2, -2) <= WIDTH;
  if (isNarrow) writeLine(columns([head, ...shown]));
  else for (const row of shown) writeLine(`${columns(head.map((name, at) => [name, row[at] ?? '']))}\n`);
  const left = rows.length - shown.length;
  if (rows.length === 0) writeNote('no rows');
  if (left > 0) writeNote(`${left} more rows: --csv and --json print all`);
}

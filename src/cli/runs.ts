/** @module `ballast runs`: the runs of this user on this machine, newest first, each with its state. */
import type { Argv } from 'yargs';
import { columns } from './terminal/columns.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { flagOption, jsonOption } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';
import { ownRuns } from './terminal/run-actions.ts';

const OPTIONS = {
  all: flagOption('Also runs that ended before the newest 20'),
  json: jsonOption,
} as const;

/** Without `--all`, at most so many. */
const SHOWN_MAX = 20;

/** Adds `runs` to the command line. */
export function runsCommand(cli: Argv): Argv {
  return cli.command(
    'runs',
    'List runs, newest first, with their states',
    (one) => one.options(OPTIONS),
    (args) => run(() => runs(args.all === true, args.json === true)),
  );
}

async function runs(isAll: boolean, isJson: boolean): Promise<number> {
  const { listedRuns, stateOf } = await import('../bot/operator/index.ts');
  const listed = listedRuns(await ownRuns());
  const shown = isAll ? listed : listed.slice(0, SHOWN_MAX);
  const states = await Promise.all(shown.map(stateOf));
  const rows = shown.map((one, at) => ({ ...one, state: states[at] ?? 'died' }));
  if (isJson) writeDocument({ schema: 1, runs: rows });
  else
    writeLine(
      columns([
        ['RUN', 'NAME', 'STATE', 'MODE', 'STARTED', 'CONFIGURATION, END'],
        ...rows.map(({ runId, name, state, mode, startedAtMs, ended, config }) => [
          ...[runId, name, state, mode, new Date(startedAtMs).toISOString()],
          ended === undefined ? config : `${config}, ${ended.reason}${ended.isProven ? '' : ' (not proven)'}`,
        ]),
      ]),
    );
  return EXIT.ok;
}

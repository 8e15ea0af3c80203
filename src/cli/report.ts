/** @module `ballast report`: a run that is over as text, document or page, and two runs compared. */
import type { Argv } from 'yargs';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { flagOption, type Given, htmlOption, jsonOption, logsOption, position } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

const RUN = position('Folder of a run');

const SHOW = { html: htmlOption, logs: logsOption, json: jsonOption } as const;

const DIFF = {
  'exit-code': flagOption('Exit with 1 if a number or a fill differs'),
  json: jsonOption,
} as const;

/** Adds `report` to the command line. */
export function reportCommand(cli: Argv): Argv {
  return cli.command('report', 'Show the report of a run, or compare two runs', (group) =>
    group
      .command(
        '$0 <run>',
        'Show the report of a run',
        (one) => one.positional('run', RUN).options(SHOW),
        (args) => run(() => report(args.run, args)),
      )
      .command(
        'diff <a> <b>',
        'Compare run b with run a: inputs, numbers, first other fill',
        (one) => one.positional('a', RUN).positional('b', RUN).options(DIFF),
        (args) => run(() => reportDiff(args.a, args.b, args)),
      ),
  );
}

/** Shows the report of one run. A residual that is not 0 is a failure: something in the run is not accounted for. */
async function report(folder: string, { html, logs, json }: Given<typeof SHOW>): Promise<number> {
  const { describeRun, jsonOfRun, loadRun, logText } = await import('../report/index.ts');
  const { writeReportFiles } = await import('./terminal/report-files.ts');
  const record = loadRun(folder);
  writeReportFiles(record, { html });
  if (json) writeDocument(jsonOfRun(record));
  else {
    writeLine(describeRun(record));
    if (logs) writeLine(logText(record));
    if (html !== undefined) writeLine(`${'page'.padEnd(14)}${html}`);
  }
  return record.residual === 0n ? EXIT.ok : EXIT.failure;
}

/** Compares two runs. */
async function reportDiff(a: string, b: string, args: Given<typeof DIFF>): Promise<number> {
  const { describeDiff, diffRuns, loadRun } = await import('../report/index.ts');
  const diff = diffRuns(loadRun(a), loadRun(b));
  if (args.json) writeDocument(diff);
  else writeLine(describeDiff(diff));
  return args['exit-code'] && !diff.isSame ? EXIT.failure : EXIT.ok;
}

/** @module `ballast report`: a run that is over as text, document or page, and two runs compared. */
import { writeFileSync } from 'node:fs';
import type { Argv } from 'yargs';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import {
  flagOption,
  type Given,
  htmlOption,
  jsonOption,
  logsOption,
  positions,
  runPosition,
} from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';
import { folderOfRun } from './terminal/run-actions.ts';
import { writing } from './terminal/writing.ts';

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
        '$0 <run..>',
        'Show the report of a run, or several runs side by side',
        (one) =>
          one.positional('run', positions('Folders of runs, or their names, ids or latest')).options(SHOW),
        (args) =>
          run(() => (args.run.length > 1 ? reports(args.run, args) : report(args.run[0] ?? '', args))),
      )
      .command(
        'diff <a> <b>',
        'Compare run b with run a: inputs, numbers, first other fill',
        (one) => one.positional('a', runPosition).positional('b', runPosition).options(DIFF),
        (args) => run(() => reportDiff(args.a, args.b, args)),
      ),
  );
}

/** Shows the report of one run. A residual that is not 0 is a failure: something in the run is not accounted for. */
async function report(asked: string, { html, logs, json }: Given<typeof SHOW>): Promise<number> {
  const { describeRun, jsonOfRun, loadRun, logText } = await import('../report/index.ts');
  const { writeReportFiles } = await import('./terminal/report-files.ts');
  const record = loadRun(await folderOfRun(asked));
  writeReportFiles(record, { html });
  if (json) writeDocument(jsonOfRun(record));
  else {
    writeLine(describeRun(record));
    if (logs) writeLine(logText(record));
    if (html !== undefined) writeLine(`${'page'.padEnd(14)}${html}`);
  }
  return record.residual === 0n ? EXIT.ok : EXIT.failure;
}

/** Shows several runs side by side. */
async function reports(asked: readonly string[], { html, json }: Given<typeof SHOW>): Promise<number> {
  const { describeRuns, htmlOfRuns, jsonOfRuns, loadRun } = await import('../report/index.ts');
  const records = (await Promise.all(asked.map(folderOfRun))).map((folder) => loadRun(folder));
  if (html !== undefined) writing(html, () => writeFileSync(html, htmlOfRuns(records)));
  const document = jsonOfRuns(records);
  if (json) writeDocument(document);
  else {
    writeLine(describeRuns(document));
    if (html !== undefined) writeLine(`${'page'.padEnd(14)}${html}`);
  }
  return records.every(({ residual }) => residual === 0n) ? EXIT.ok : EXIT.failure;
}

/** Compares two runs. */
async function reportDiff(a: string, b: string, args: Given<typeof DIFF>): Promise<number> {
  const { describeDiff, diffRuns, loadRun } = await import('../report/index.ts');
  const diff = diffRuns(loadRun(await folderOfRun(a)), loadRun(await folderOfRun(b)));
  if (args.json) writeDocument(diff);
  else writeLine(describeDiff(diff));
  return args['exit-code'] && !diff.isSame ? EXIT.failure : EXIT.ok;
}

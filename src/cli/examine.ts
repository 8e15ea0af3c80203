/**
 * @module
 * `ballast examine <module>`: a strategy through scenarios that its author did not think of, on virtual time. Nothing is
 * connected to, and nothing is written.
 */
import type { Argv } from 'yargs';
import { SystemClock } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { flagOption, type Given, jsonOption, listOption, position } from './terminal/options.ts';
import { errorTerminal, writeDocument, writeLine } from './terminal/output.ts';
import { progressBar } from './terminal/progress-bar.ts';

const OPTIONS = {
  only: listOption('Play only these scenarios or groups (repeatable)'),
  set: listOption('Set a parameter: name=value (repeatable)'),
  market: listOption('Trade in this market (repeatable; default: BTC-USD)'),
  list: flagOption('List the scenarios and play none'),
  json: jsonOption,
} as const;

/** Adds `examine` to the command line. */
export function examineCommand(cli: Argv): Argv {
  return cli.command(
    'examine <module>',
    'Put a strategy through scenarios, and name what broke it',
    (one) =>
      one
        .positional('module', position('Strategy file, bundled strategy, or configuration'))
        .options(OPTIONS),
    (args) => run(() => examineModule(args.module, args)),
  );
}

/** Plays the scenarios; 0 when all passed. */
async function examineModule(
  module: string,
  { only, set, market, list, json }: Given<typeof OPTIONS>,
): Promise<number> {
  const { chosen, describeExam, examDocument, examine, loadSubjects, passedOf } = await import(
    '../research/examine/index.ts'
  );
  const scenarios = chosen(only);
  if (list) {
    if (json)
      writeDocument({
        schema: 1,
        scenarios: scenarios.map(({ name, group, summary }) => ({ name, group, summary })),
      });
    else writeLine(scenarios.map(({ name, summary }) => `  ${name.padEnd(24)}${summary}`).join('\n'));
    return EXIT.ok;
  }
  const subjects = await loadSubjects(module, { set, markets: market });
  const bar = progressBar('scenarios', new SystemClock(), errorTerminal());
  let done = 0;
  const exams = subjects.map(({ subject, file, sha256, loading }) => ({
    ...{ subject, file, sha256 },
    results: examine(subject, {
      ...{ only, loading },
      onResult: () => bar.show(++done, scenarios.length * subjects.length),
    }),
  }));
  bar.end();
  if (json) writeDocument({ schema: 1, strategies: exams.map(examDocument) });
  else writeLine(exams.map(describeExam).join('\n\n'));
  return exams.every((exam) => passedOf(exam) === exam.results.length) ? EXIT.ok : EXIT.strategy;
}

/**
 * @module
 * `ballast replay`: says whether a run can be made again from its log, and if not, the first decision that differs.
 */
import type { Argv } from 'yargs';
import type { ReplayReport } from '../bot/replay/index.ts';
import type { WhatIfReplay } from '../research/backtest/index.ts';
import { configured, run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import {
  calibrationOption,
  flagOption,
  type Given,
  jsonOption,
  runCodeOption,
  runPosition,
  setOption,
  textOption,
} from './terminal/options.ts';
import { showCode, writeDocument, writeLine } from './terminal/output.ts';
import { folderOfRun } from './terminal/run-actions.ts';

const OPTIONS = {
  config: textOption('Use this configuration instead of the one of the run'),
  set: setOption,
  'what-if': flagOption('Continue after a difference: fills by the fill model'),
  calibration: calibrationOption,
  'run-code': runCodeOption,
  json: jsonOption,
} as const;

/** Adds `replay` to the command line. */
export function replayCommand(cli: Argv): Argv {
  return cli.command(
    'replay <run>',
    'Run a recorded run again and compare every decision',
    (one) =>
      one
        .positional('run', runPosition)
        .options(OPTIONS)
        .check((args) => {
          if (args.calibration !== undefined && !args['what-if'])
            throw new Error('--calibration: expected --what-if beside it, got none');
          return true;
        }),
    (args) => run(() => replay(args.run, args)),
  );
}

/** Replays; exit code 1 when a decision differs, unless that is what was asked for. */
async function replay(asked: string, args: Given<typeof OPTIONS>): Promise<number> {
  const { config, set = [], calibration } = args;
  const code = { runsCode: args['run-code'], onCode: showCode };
  const parts = {
    folder: await folderOfRun(asked),
    set,
    ...code,
    ...(config === undefined ? {} : { config: await configured(config) }),
  };
  const { replayRun } = await import('../bot/replay/index.ts');
  const { jsonOfRun } = await import('../report/index.ts');
  const replayed = await replayRun(parts);
  const other = args['what-if']
    ? await (await import('../research/backtest/index.ts')).replayWhatIf({ ...parts, calibration })
    : undefined;
  if (args.json) {
    const records = other && {
      actual: jsonOfRun(other.actual),
      simulated: jsonOfRun(other.simulated),
    };
    writeDocument({ ...replayed, ...(records === undefined ? {} : { whatIf: records }) });
  } else {
    writeLine(describeReplay(replayed));
    if (other !== undefined) writeLine(await describeOther(other));
  }
  const isSame = replayed.divergence === undefined && replayed.missing === 0;
  return isSame || other !== undefined ? EXIT.ok : EXIT.failure;
}

async function describeOther({ actual, simulated }: WhatIfReplay): Promise<string> {
  const { describeDiff, diffRuns, jsonOfRun } = await import('../report/index.ts');
  const { band } = jsonOfRun(simulated).pnl;
  const lines = ['', 'a: the actual run; b: the simulated one', describeDiff(diffRuns(actual, simulated))];
  if (band !== null) lines.push(`band: ${band.low} to ${band.high} around the PnL of b: ${band.basis}`);
  return lines.join('\n');
}

const instantOf = (ms: number): string => new Date(ms).toISOString();

function describeReplay(report: ReplayReport): string {
  const { runId, mode, changes, turns, decisions, divergence, missing, unjudged } = report;
  const { isComplete, truncatedLines } = report;
  const lines = [`run        ${runId}, ${mode}, ${turns} turns`];
  for (const change of changes) lines.push(`changed    ${change}`);
  if (divergence === undefined) lines.push(`decisions  ${decisions}, all equal`);
  else {
    const { after, atMs, recorded, decided, inputs } = divergence;
    lines.push(
      `decisions  ${after} equal, then at ${new Date(atMs).toISOString()} the first that differs`,
      `the run    ${recorded.what} ${recorded.text}`,
      `re-run     ${decided.what} ${decided.text}`,
      'before it  (the last led to it)',
      ...inputs.map((line) => `  ${line}`),
    );
  }
  if (unjudged !== undefined)
    lines.push(
      `gap        ${missing} events were not recorded: from ${instantOf(unjudged.fromMs)} to ${instantOf(unjudged.toMs)} nothing can be compared`,
    );
  if (!isComplete)
    lines.push(
      `truncated  the run did not end in order: ${truncatedLines} lines after the last seal of its log are left out`,
    );
  return lines.join('\n');
}

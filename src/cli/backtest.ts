/** @module `ballast backtest`: the result as text or as a document; the same backtest gives the same document. */
import type { Argv } from 'yargs';
import { SystemClock } from '../core/index.ts';
import type { BacktestRun, ConfiguredBacktest } from '../research/backtest/index.ts';
import { configured, run } from './terminal/command-process.ts';
import {
  calibrationOption,
  configPosition,
  freezeViewsOption,
  type Given,
  htmlOption,
  instant,
  jsonOption,
  logsOption,
  outOption,
  seedOption,
  setOption,
  studyTapeOption,
  textOption,
  verboseOption,
  whole,
  workersOption,
} from './terminal/options.ts';
import { errorTerminal, writeDocument, writeLine, writeNote } from './terminal/output.ts';
import { progressBar } from './terminal/progress-bar.ts';

const OPTIONS = {
  tape: studyTapeOption,
  from: { ...textOption('Start at this time, such as 2026-01-06T08:00:00Z'), coerce: instant('from') },
  to: { ...textOption('End at this time, in the form of --from'), coerce: instant('to') },
  seed: { ...seedOption, describe: 'Set the random seed instead of that of the configuration' },
  calibration: calibrationOption,
  robustness: {
    ...textOption('Run this many disturbed backtests a kind; adds bands'),
    coerce: whole('robustness', 1_000, 10),
  },
  workers: { ...workersOption, implies: 'robustness' },
  html: htmlOption,
  out: outOption,
  logs: logsOption,
  set: setOption,
  'freeze-views': freezeViewsOption,
  json: jsonOption,
  verbose: verboseOption,
} as const;

/** Adds `backtest` to the command line. */
export function backtestCommand(cli: Argv): Argv {
  return cli.command(
    'backtest <config>',
    'Run the strategies of a configuration over a tape',
    (one) => one.positional('config', configPosition).options(OPTIONS),
    (args) => run(() => backtest(args.config, args)),
  );
}

/** The record with its study of robustness, where one was asked for. */
async function studied(
  actual: BacktestRun,
  given: Omit<ConfiguredBacktest, 'seed' | 'log'>,
  { robustness: runs, workers }: Given<typeof OPTIONS>,
): Promise<BacktestRun['record']> {
  if (runs === undefined) return actual.record;
  const { robustnessOf } = await import('../research/sweep/index.ts');
  const bar = progressBar('backtests', new SystemClock(), errorTerminal());
  const onProgress = (done: number, total: number) => bar.show(done, total);
  const robustness = await robustnessOf({ ...given, actual, runs, workers, onProgress });
  bar.end();
  return { ...actual.record, robustness };
}

async function backtest(file: string, args: Given<typeof OPTIONS>): Promise<number> {
  const source = await configured(file, args);
  const tape = (await import('../config/index.ts')).tapeOf(source.config, args.tape);
  const { createLog } = await import('../core/telemetry/index.ts');
  const { runConfiguredBacktest } = await import('../research/backtest/index.ts');
  const { describeRun, jsonOfRun, logText } = await import('../report/index.ts');
  const { writeReportFiles } = await import('./terminal/report-files.ts');
  const { exitCodeOfRun } = await import('./terminal/run-exit-code.ts');
  const clock = new SystemClock();
  const terminal = errorTerminal();
  const bar = progressBar('rows', clock, terminal);
  // What a strategy or a control logs in ten hours would bury the result: only errors are shown unasked.
  const level = args.verbose ? 'debug' : 'error';
  let tapeNowMs: (() => number) | undefined;
  const now = () => tapeNowMs?.();
  const log = createLog({ level, now, file: undefined, isPretty: terminal.isTerminal });
  const beganAtMs = clock.monotonicMs();
  const given = { source, tape, fromMs: args.from, toMs: args.to, calibration: args.calibration };
  // What it cannot be made of is said before the first run.
  if (args.robustness !== undefined)
    await (await import('../research/sweep/index.ts')).prepareRobustness(given);
  const actual = await runConfiguredBacktest({
    ...given,
    ...{ seed: args.seed, log },
    onClock: (nowMs) => {
      tapeNowMs = nowMs;
    },
    onProgress: (done, total) => bar.show(done, total),
  });
  bar.end();
  const { rows, decisionHash } = actual;
  const tookMs = clock.monotonicMs() - beganAtMs;
  if (terminal.isTerminal || args.verbose) writeNote(`${rows} rows in ${(tookMs / 1_000).toFixed(1)} s`);
  const record = await studied(actual, given, args);
  writeReportFiles(record, args);
  if (args.json) writeDocument({ ...jsonOfRun(record), rows, decisionHash });
  else {
    writeLine(describeRun(record));
    if (args.logs) writeLine(logText(record));
    writeLine(`${'decisions'.padEnd(14)}${decisionHash}`);
    if (args.html !== undefined) writeLine(`${'page'.padEnd(14)}${args.html}`);
  }
  return exitCodeOfRun(record);
}

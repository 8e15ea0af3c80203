/** @module `ballast sweep`: results on disk as they come, then a table, a CSV file and a heat map. */
import type { Argv } from 'yargs';
import { SystemClock } from '../core/index.ts';
import { configured, run } from './terminal/command-process.ts';
import {
  calibrationOption,
  configPosition,
  type Given,
  htmlOption,
  jsonOption,
  seedOption,
  studyTapeOption,
  textOption,
  urlOption,
  workersOption,
} from './terminal/options.ts';
import { errorTerminal } from './terminal/output.ts';
import { progressBar } from './terminal/progress-bar.ts';

const OPTIONS = {
  tape: studyTapeOption,
  out: {
    ...textOption('Save results here; an interrupted sweep resumes from them'),
    default: '.ballast/sweep',
  },
  workers: workersOption,
  redis: {
    ...urlOption('redis', 'Run on ballast workers at this Redis (redis://host:port)', 'redis'),
    conflicts: ['workers'],
  },
  seed: { ...seedOption, describe: 'Set the random seed of every backtest' },
  calibration: calibrationOption,
  html: { ...htmlOption, describe: 'Write the sweep as one page to this file (self-contained)' },
  json: jsonOption,
} as const;

/** Adds `sweep` to the command line. */
export function sweepCommand(cli: Argv): Argv {
  return cli.command(
    'sweep <config>',
    'Search the parameters of the section sweep over a tape',
    (one) => one.positional('config', configPosition).options(OPTIONS),
    (args) => run(() => sweep(args.config, args)),
  );
}

async function sweep(file: string, args: Given<typeof OPTIONS>): Promise<number> {
  const source = await configured(file);
  const tape = (await import('../config/index.ts')).tapeOf(source.config, args.tape);
  const { queueRunner, sweepConfiguration } = await import('../research/sweep/index.ts');
  const { showSweep } = await import('./terminal/sweep-files.ts');
  const { out, workers, redis, seed, calibration } = args;
  const bar = progressBar('backtests', new SystemClock(), errorTerminal());
  const document = await sweepConfiguration({
    ...{ source, tape, out, workers, seed, calibration },
    ...(redis === undefined ? {} : { runnerOf: (setup) => queueRunner(redis, setup) }),
    onProgress: (done, total) => bar.show(done, total),
  });
  bar.end();
  return showSweep(document, { out, isJson: args.json === true, html: args.html });
}

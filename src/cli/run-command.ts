/** @module The options of `ballast run` and of `ballast paper`, which is `run --mode paper`. */
import type { Argv } from 'yargs';
import { checked, run } from './command-process.ts';
import {
  calibrationOption,
  configPosition,
  flagOption,
  forOption,
  jsonOption,
  seedOption,
  speedOption,
  textOption,
  verboseOption,
} from './options.ts';
import { pageOption } from './report-options.ts';

const COMMON = {
  for: forOption,
  json: jsonOption,
  seed: seedOption,
  verbose: verboseOption,
  html: pageOption,
} as const;

const TAPE = {
  tape: textOption(
    'Tape to trade on paper over; left out: the streams of environment.baseUrl, or of an exchange of its own',
  ),
  speed: speedOption('1'),
  calibration: calibrationOption,
} as const;

/** Adds `run` to the command line. */
export function runCommand(cli: Argv): Argv {
  return cli.command(
    'run <config>',
    'Run the strategies of a configuration',
    (one) =>
      one
        .positional('config', configPosition)
        .options({
          mode: {
            choices: ['sim', 'paper', 'live'] as const,
            default: 'sim' as const,
            describe:
              'sim starts its own exchange; paper matches orders here against a market; live uses environment.baseUrl',
          },
          production: flagOption('Needed when the environment is marked production'),
          ...COMMON,
          ...TAPE,
        })
        .check(({ mode, tape, speed, calibration }) => refuseUnused({ mode, tape, speed, calibration })),
    (args) =>
      run(async () => {
        const options = {
          config: await checked(args.config),
          forMs: args.for,
          isJson: args.json,
          seed: args.seed,
          isVerbose: args.verbose,
          html: args.html,
        };
        const { mode } = args;
        if (mode === 'paper')
          return (await import('./commands/paper.ts')).paper({
            ...options,
            tape: args.tape,
            speed: args.speed,
            calibration: args.calibration,
          });
        return (await import('./commands/run.ts')).runConfig({
          ...options,
          mode,
          isProduction: args.production,
        });
      }),
  );
}

/** Adds `paper` to the command line. */
export function paperCommand(cli: Argv): Argv {
  return cli.command(
    'paper <config>',
    'Trade on paper: a recorded or live market, orders matched here, nothing signed',
    (one) =>
      one
        .positional('config', configPosition)
        .options({ ...COMMON, ...TAPE })
        .check(({ tape, speed, calibration }) => refuseUnused({ mode: 'paper', tape, speed, calibration })),
    (args) =>
      run(async () => {
        const config = await checked(args.config);
        return (await import('./commands/paper.ts')).paper({
          config,
          forMs: args.for,
          isJson: args.json,
          seed: args.seed,
          isVerbose: args.verbose,
          html: args.html,
          tape: args.tape,
          speed: args.speed,
          calibration: args.calibration,
        });
      }),
  );
}

/** Refuses an option that the mode would not look at: who gives a tape must not believe that it was traded over. */
function refuseUnused(given: {
  readonly mode: 'sim' | 'paper' | 'live';
  readonly tape: string | undefined;
  readonly speed: number | 'max';
  readonly calibration: string | undefined;
}): true {
  const { mode, tape, speed, calibration } = given;
  if (calibration !== undefined && mode !== 'paper')
    throw new Error(`--calibration: expected --mode paper beside it, found --mode ${mode}`);
  if (tape !== undefined && mode !== 'paper')
    throw new Error(
      `--tape: expected --mode paper beside it, found --mode ${mode}. A recording drives the embedded exchange with: ballast demo --config <config> --tape <folder>`,
    );
  if (tape === undefined && speed !== 1)
    throw new Error(`--speed: expected --tape beside it, found none. Without a tape time passes by itself`);
  return true;
}

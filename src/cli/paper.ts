/**
 * @module
 * `ballast paper`, which is `ballast run --mode paper`: the strategies of a configuration on a recorded or live market,
 * with orders that exist only here.
 */
import type { Argv } from 'yargs';
import type { PaperRun } from '../research/paper/index.ts';
import { configured, run } from './terminal/command-process.ts';
import {
  calibrationOption,
  configPosition,
  durationOption,
  freezeViewsOption,
  type Given,
  htmlOption,
  jsonOption,
  seedOption,
  setOption,
  speedOption,
  textOption,
  verboseOption,
} from './terminal/options.ts';
import type { Session } from './terminal/session.ts';

/** The options of `ballast paper`, which `ballast run` takes too. */
export const PAPER_OPTIONS = {
  duration: durationOption,
  json: jsonOption,
  seed: seedOption,
  verbose: verboseOption,
  html: htmlOption,
  tape: textOption('Trade on paper over this tape, not over a live market'),
  speed: speedOption('1'),
  calibration: calibrationOption,
  set: setOption,
  'freeze-views': freezeViewsOption,
} as const;

type PaperArgs = Given<typeof PAPER_OPTIONS>;

/** Adds `paper` to the command line. */
export function paperCommand(cli: Argv): Argv {
  return cli.command(
    'paper <config>',
    'Trade on paper over a tape or a live market; signs nothing',
    (one) => one.positional('config', configPosition).options(PAPER_OPTIONS).check(refuseUnused),
    (args) => run(() => paper(args.config, args)),
  );
}

/** Runs until the tape or the duration is over, or it is stopped. */
export async function paper(file: string, args: PaperArgs): Promise<number> {
  const source = await configured(file, args);
  const { finish, openSession } = await import('./terminal/session.ts');
  const { keepRecord, runFolderOf } = await import('../bot/live/index.ts');
  const session = openSession(source, args);
  const { report, record, runId } = await runPaper(session, args);
  session.onRecord(record);
  const folder = runFolderOf(source, source.config.record.folder, runId);
  if (folder !== undefined) keepRecord(folder, record, session.log);
  return finish(session, report, args.json);
}

async function runPaper(session: Session, args: PaperArgs): Promise<PaperRun> {
  const { paperOnGateway, paperOnTape } = await import('../research/paper/index.ts');
  const { tape, speed, calibration } = args;
  const { environment, record } = session.source.config;
  const seed = args.seed ?? environment.seed;
  const { readEnvironment } = await import('../core/environment/index.ts');
  const lockFolder = readEnvironment().stateHome;
  const parts = { ...session, seed, calibration, recordFolder: record.folder, lockFolder };
  if (tape !== undefined) return paperOnTape({ ...parts, tape, speed });
  const { baseUrl } = environment;
  if (baseUrl !== undefined) return paperOnGateway({ ...parts, baseUrl, market: 'live' });
  // An exchange for its streams only: no order reaches it. A wrong strategy is reported before it starts.
  const { prepareStrategies } = await import('../bot/setup/index.ts');
  const { onOwnExchange } = await import('./compose/index.ts');
  await prepareStrategies(session.source);
  return onOwnExchange(parts, (exchange) =>
    paperOnGateway({ ...parts, baseUrl: exchange.baseUrl, market: 'synthetic' }),
  );
}

/** Refuses an option that the mode would not look at: a tape that is given must be the one that is traded over. */
export function refuseUnused(given: {
  /** Absent: paper. */
  readonly mode?: 'sim' | 'paper' | 'live';
  readonly tape: string | undefined;
  readonly speed: number | 'max';
  readonly calibration: string | undefined;
}): true {
  const { mode = 'paper', tape, speed, calibration } = given;
  if (calibration !== undefined && mode !== 'paper')
    throw new Error(`--calibration: expected --mode paper beside it, got --mode ${mode}`);
  if (tape !== undefined && mode !== 'paper')
    throw new Error(
      `--tape: expected --mode paper beside it, got --mode ${mode}. A recording drives the embedded exchange with: ballast demo --config <config> --tape <folder>`,
    );
  if (tape === undefined && speed !== 1)
    throw new Error(`--speed: expected --tape beside it, got none. Without a tape the market is live`);
  return true;
}

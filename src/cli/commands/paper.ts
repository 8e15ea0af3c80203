/**
 * @module
 * `ballast paper`: the strategies of a configuration on a recorded or live market, with orders that exist only here.
 */
import { paperOnTape } from '../../app/index.ts';
import { ConfigError } from '../../core/index.ts';
import { finish, openSession } from './run.ts';

/** What `paper` takes. */
export interface PaperCommandOptions {
  readonly config: string;
  readonly forMs: number | undefined;
  readonly isJson: boolean;
  readonly seed: number | undefined;
  readonly isVerbose: boolean;
  readonly tape: string | undefined;
  readonly speed: number | 'max';
}

/** Runs until the tape, the time or somebody's patience is over. */
export async function paper(options: PaperCommandOptions): Promise<number> {
  const session = openSession(options);
  const { config } = session.source;
  const { tape, speed, seed } = options;
  if (tape === undefined) throw noTape();
  const { report } = await paperOnTape({
    ...session,
    seed: seed ?? config.environment.seed,
    tape,
    speed,
    recordFolder: config.record.folder,
  });
  return finish(session, report, options.isJson);
}

function noTape(): ConfigError {
  return new ConfigError({
    code: 'CONFIG_PAPER_TAPE',
    message: 'expected a tape to trade on paper over, found none',
    remedy: 'Say --tape with the folder of a tape.',
  });
}

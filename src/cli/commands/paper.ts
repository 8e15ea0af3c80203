/**
 * @module
 * `ballast paper`: the strategies of a configuration on a recorded or live market, with orders that exist only here.
 */
import { keepRecord, runFolderOf } from '../../bot/live/index.ts';
import type { PaperRun } from '../../research/paper/index.ts';
import { paperOnGateway, paperOnSim, paperOnTape } from '../compose/index.ts';
import { finish, openSession, type Session } from './run.ts';

/** What `paper` takes. */
export interface PaperCommandOptions {
  readonly config: string;
  readonly forMs: number | undefined;
  readonly isJson: boolean;
  readonly seed: number | undefined;
  readonly isVerbose: boolean;
  readonly tape: string | undefined;
  readonly speed: number | 'max';
  readonly html: string | undefined;
  /** A file of `ballast calibrate`. */
  readonly calibration: string | undefined;
}

/** Runs until the tape, the time or somebody's patience is over. */
export async function paper(options: PaperCommandOptions): Promise<number> {
  const session = openSession(options);
  const { report, record, runId } = await runPaper(session, options);
  session.onRecord(record);
  const folder = runFolderOf(session.source, session.source.config.record.folder, runId);
  if (folder !== undefined) keepRecord(folder, record, session.log);
  return finish(session, report, options.isJson);
}

function runPaper(session: Session, options: PaperCommandOptions): Promise<PaperRun> {
  const { tape, speed, seed: asked, calibration } = options;
  const { environment, record } = session.source.config;
  const seed = asked ?? environment.seed;
  const parts = { ...session, seed, calibration, recordFolder: record.folder };
  if (tape !== undefined) return paperOnTape({ ...parts, tape, speed });
  const { baseUrl } = environment;
  if (baseUrl === undefined) return paperOnSim(parts);
  return paperOnGateway({ ...parts, baseUrl, market: 'live' });
}

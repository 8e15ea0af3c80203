/** @module `ballast record`: the markets of a configuration as a tape. */
import type { RecordReport } from '../../bot/live/index.ts';
import { recordGateway, recordSim } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { openSession } from './run.ts';

/** What `record` takes. */
export interface RecordCommandOptions {
  readonly config: string;
  readonly out: string;
  /** Absent: live where the configuration names a gateway. */
  readonly mode: 'live' | 'sim' | undefined;
  readonly forMs: number | undefined;
  readonly isJson: boolean;
  readonly seed: number | undefined;
  readonly isVerbose: boolean;
}

/** Records until the time or somebody's patience is over. Ends with 1 when a record could not be kept. */
export async function record(options: RecordCommandOptions): Promise<number> {
  const session = openSession(options);
  const { environment } = session.source.config;
  const mode = options.mode ?? (environment.baseUrl === undefined ? 'sim' : 'live');
  const { out } = options;
  const report =
    mode === 'sim'
      ? await recordSim({ ...session, out, seed: options.seed ?? environment.seed })
      : await recordGateway({ ...session, out });
  if (options.isJson) writeDocument({ schema: 1, ...report });
  else writeLine(describe(report));
  if (report.leftOut > 0) return EXIT.failure;
  const reason = session.stop.reason;
  if (reason?.by === 'signal') return reason.signal === 'SIGINT' ? EXIT.sigint : EXIT.sigterm;
  return reason?.by === 'halt' ? EXIT.failure : EXIT.ok;
}

function describe({ out, markets, rows, recorded, leftOut, stoppedBy }: RecordReport): string {
  return `${out}: ${markets.join(', ')}: ${rows} rows, ${recorded} frames and answers, ${leftOut} left out; stopped by ${stoppedBy}`;
}

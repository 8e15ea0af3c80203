/** @module `ballast record`: the markets of a configuration as a tape. */
import type { Argv } from 'yargs';
import type { RecordReport } from '../bot/live/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT, exitCodeOfStop } from './terminal/exit-codes.ts';
import {
  configPosition,
  durationOption,
  type Given,
  jsonOption,
  neededOption,
  seedOption,
  verboseOption,
} from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

const OPTIONS = {
  out: neededOption('Write the tape to this folder, which must not hold one'),
  mode: {
    choices: ['live', 'sim'] as const,
    describe: 'Record environment.baseUrl (live), or an own exchange (sim)',
  },
  duration: durationOption,
  json: jsonOption,
  seed: seedOption,
  verbose: verboseOption,
} as const;

/** Adds `record` to the command line. */
export function recordCommand(cli: Argv): Argv {
  return cli.command(
    'record <config>',
    'Record the markets of a configuration as a tape; no orders',
    (one) => one.positional('config', configPosition).options(OPTIONS),
    (args) => run(() => record(args.config, args)),
  );
}

/** Records until the duration is over or it is stopped. Ends with 1 when a record could not be kept. */
async function record(file: string, args: Given<typeof OPTIONS>): Promise<number> {
  const { loadConfig } = await import('../config/index.ts');
  const source = loadConfig(file, { isRecording: true });
  const { openSession } = await import('./terminal/session.ts');
  const { recordGateway, recordMarket } = await import('../bot/live/index.ts');
  const session = openSession(source, args);
  const { environment } = source.config;
  // Without --mode: live where the configuration names a gateway.
  const mode = args.mode ?? (environment.baseUrl === undefined ? 'sim' : 'live');
  const options = { ...session, out: args.out };
  let report: RecordReport;
  if (mode === 'live') {
    const { readEnvironment } = await import('../core/environment/index.ts');
    report = await recordGateway({ ...options, lockFolder: readEnvironment().stateHome });
  } else {
    const { onOwnExchange } = await import('./compose/index.ts');
    const seed = args.seed ?? environment.seed;
    report = await onOwnExchange({ ...session, seed }, ({ baseUrl }) =>
      recordMarket({ ...options, baseUrl }),
    );
  }
  if (args.json) writeDocument({ schema: 1, ...report });
  else writeLine(describe(report));
  if (report.leftOut > 0) return EXIT.failure;
  const { reason } = session.stop;
  if (reason === undefined) return EXIT.ok;
  return reason.by === 'halt' ? EXIT.failure : exitCodeOfStop(reason);
}

function describe({ out, markets, rows, recorded, leftOut, stopReason }: RecordReport): string {
  return `${out}: ${markets.join(', ')}: ${rows} rows, ${recorded} frames and answers, ${leftOut} left out; stopped by ${stopReason}`;
}

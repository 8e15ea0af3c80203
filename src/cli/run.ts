/** @module `ballast run`: a configuration, run to its proven end. */
import type { Argv } from 'yargs';
import type { RunReport } from '../bot/live/index.ts';
import { ConfigError } from '../core/index.ts';
import { PAPER_OPTIONS, paper, refuseUnused } from './paper.ts';
import { configured, run } from './terminal/command-process.ts';
import { configPosition, type Given, SAID_OPTIONS, saidBy } from './terminal/options.ts';
import type { Session } from './terminal/session.ts';

const OPTIONS = {
  mode: {
    choices: ['sim', 'paper', 'live'] as const,
    default: 'sim' as const,
    describe: 'Trade on an own exchange, on paper, or live (the baseUrl)',
  },
  ...SAID_OPTIONS,
  ...PAPER_OPTIONS,
} as const;

/** Adds `run` to the command line. */
export function runCommand(cli: Argv): Argv {
  return cli.command(
    'run <config>',
    'Run the strategies of a configuration',
    (one) => one.positional('config', configPosition).options(OPTIONS).check(refuseUnused),
    (args) => run(() => (args.mode === 'paper' ? paper(args.config, args) : runConfig(args.config, args))),
  );
}

/** Runs a configuration in mode sim or live. */
async function runConfig(file: string, args: Given<typeof OPTIONS>): Promise<number> {
  const source = await configured(file, args);
  const { finish, finishFailed, openSession, runSessionOnSim } = await import('./terminal/session.ts');
  const session = openSession(source, args);
  const { seed } = args;
  try {
    const report =
      args.mode === 'live'
        ? await onGateway(session, args)
        : await runSessionOnSim(session, { mode: 'sim', seed, tape: undefined, symbol: undefined });
    return finish(session, report, args.json);
  } catch (thrown) {
    // A run that was refused has no document; one whose end could not be proven has.
    if (args.json && session.stop.reason !== undefined) finishFailed(thrown, args.mode);
    throw thrown;
  }
}

async function onGateway(session: Session, args: Given<typeof OPTIONS>): Promise<RunReport> {
  const { instanceOf, loadWallets, routeOf, runBot, selectionOf, watchDebugger } = await import(
    '../bot/live/index.ts'
  );
  const { readEnvironment } = await import('../core/environment/index.ts');
  const { requireLive } = await import('../config/index.ts');
  const { createGuardian } = await import('../bot/guardian/index.ts');
  requireLive(session.source);
  const { config } = session.source;
  const { baseUrl, name } = config.environment;
  const selection = selectionOf(config);
  if (baseUrl === undefined || selection === undefined) throw notLive(name);
  const watch = watchDebugger(session.clock, config.deadMansSwitch.heartbeat, session.stop);
  const { launcherFd, stateHome } = readEnvironment();
  const guard = createGuardian({
    ...{ baseUrl, launcherFd, clock: session.clock, runLog: session.log, log: config.log },
    headerPrefix: config.environment.headerPrefix,
    route: routeOf(config.environment),
    instance: instanceOf(config),
    journalFolder: config.journal.folder,
    journalReserveBytes: config.journal.minFreeDiskMb * 1024 * 1024,
    lockFolder: stateHome,
    switch: { periodMs: config.deadMansSwitch.heartbeat, timeoutMs: config.deadMansSwitch.timeout },
  });
  const report = await runBot({
    ...session,
    guard: config.deadMansSwitch.guardian ? guard : undefined,
    mode: 'live',
    market: 'live',
    baseUrl,
    seed: args.seed,
    said: saidBy(args),
    acceptsDifference: args['accept-difference'],
    journalFolder: config.journal.folder,
    recordFolder: config.record.folder,
    lockFolder: stateHome,
    signers: async (_environment, crypto) => ({
      selection,
      wallets: await loadWallets(config, crypto, session),
      approvedAtSeq: new Map(),
    }),
  });
  watch.cancel();
  return report;
}

function notLive(name: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_LIVE_INCOMPLETE',
    message: `expected a gateway and an account in the configuration for --mode live, got environment ${name}`,
    remedy: 'Set environment.name, environment.baseUrl and account.address, or run it with --mode sim.',
  });
}

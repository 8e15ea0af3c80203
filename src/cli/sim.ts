/**
 * @module `ballast sim`: only the embedded exchange, for any client. Its first line says where it is and which accounts
 * are funded; it runs until it receives a stop signal.
 */
import type { Argv } from 'yargs';
import { BotError, durationFrom, listOf, SystemClock } from '../core/index.ts';
import type { ServedExchange } from '../exchange/host/index.ts';
import { run } from './terminal/command-process.ts';
import { exitCodeOfStop } from './terminal/exit-codes.ts';
import {
  durationOption,
  flagOption,
  type Given,
  listOption,
  seedOption,
  symbolOption,
  tapeOption,
  textOption,
  whole,
} from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

const OPTIONS = {
  port: {
    ...textOption('Listen on this port of 127.0.0.1; 0 takes a free one'),
    default: '8787',
    coerce: whole('port', 65_535),
  },
  seed: { ...seedOption, describe: 'Set the random seed (default: 7, or that of the scenario)' },
  scenario: {
    ...textOption('Run this scenario (a YAML file)'),
    conflicts: ['tape', 'symbol', 'market-name'],
  },
  json: flagOption('Print the first line as JSON'),
  tape: tapeOption,
  symbol: symbolOption,
  'market-name': { ...textOption('Name the recorded market at the exchange'), implies: 'tape' },
  accounts: {
    ...textOption('Make this many funded accounts'),
    default: '3',
    coerce: whole('accounts', 100),
  },
  quirk: listOption('Decide an open point of the interface: A4=full (repeatable)'),
  participants: {
    type: 'boolean',
    default: true,
    describe: 'Run participants; --no-participants leaves the market empty',
  },
  clock: {
    choices: ['system', 'manual'] as const,
    default: 'system' as const,
    describe: 'Follow the system, or stand still until /control/advance',
  },
  replicas: {
    ...textOption('Answer from replicas with these lags, such as 0ms,200ms,2s'),
    coerce: lags,
  },
  'snapshot-in': {
    ...textOption('Resume from the snapshot in this file'),
    conflicts: ['scenario', 'tape', 'symbol', 'market-name', 'seed', 'quirk', 'replicas'],
  },
  'snapshot-out': {
    ...textOption('Write a snapshot to this file at the end, or when asked'),
    conflicts: ['tape'],
  },
  control: {
    type: 'boolean',
    default: true,
    describe: 'Serve /control, which tests use; --no-control omits it',
  },
  duration: durationOption,
  'with-parent': {
    type: 'boolean',
    default: false,
    hidden: true,
    describe: 'Stop when standard input closes',
  },
} as const;

/** Adds `sim` to the command line. */
export function simCommand(cli: Argv): Argv {
  return cli.command(
    'sim',
    'Start only the embedded exchange and print its accounts',
    (one) => one.options(OPTIONS),
    (args) => run(() => sim(args)),
  );
}

/** Replicas on the command line: the lag of each, in ms. */
function lags(text: string): readonly number[] {
  const { expected, read } = listOf(durationFrom('0ms', '1h'), 16);
  const values = read(text.split(','));
  if (values === undefined) throw new Error(`--replicas: expected ${expected}, got "${text}"`);
  return values;
}

/** Runs the exchange until a signal, the end of its duration, or the end of its parent. */
async function sim(args: Given<typeof OPTIONS>): Promise<number> {
  const { createLog } = await import('../core/telemetry/index.ts');
  const { listenForStop } = await import('../bot/live/index.ts');
  const { serveExchange } = await import('../exchange/host/index.ts');
  const isWithParent = args['with-parent'];
  const clock = new SystemClock();
  const stop = listenForStop(clock, { forMs: args.duration, isDeafToSignals: isWithParent });
  if (isWithParent) {
    process.stdin.on('end', () => stop.request({ by: 'halt', why: 'the parent process ended' }));
    process.stdin.resume();
  }
  const log = createLog({ level: 'warn', isPretty: process.stderr.isTTY });
  const served = await serveExchange({
    ...{ port: args.port, seed: args.seed, scenario: args.scenario, tape: args.tape, symbol: args.symbol },
    marketName: args['market-name'],
    accounts: args.accounts,
    quirks: args.quirk ?? [],
    isQuiet: !args.participants,
    clockMode: args.clock,
    hasControl: args.control,
    snapshotIn: args['snapshot-in'],
    snapshotOut: args['snapshot-out'],
    settings: args.replicas === undefined ? {} : { replicas: args.replicas },
    // A child of a bot may live for days, and is not asked for snapshots.
    isRecorded: !isWithParent,
    clock,
    log,
  }).catch((cause: unknown) => {
    throw isPortTaken(cause) ? portTaken(args.port, cause) : cause;
  });
  show(served, args);
  const reason = await stop.requested;
  await served.stop();
  const recording = served.recording();
  if (recording !== undefined && args.json) writeDocument({ recording });
  return exitCodeOfStop(reason);
}

/** Where the exchange is and which accounts are funded: one line of JSON, or lines for people. */
function show({ server, seed, about, accounts }: ServedExchange, args: Given<typeof OPTIONS>): void {
  const { baseUrl, wsUrl } = server;
  const control = args.control ? { controlUrl: controlUrlOf(baseUrl) } : {};
  if (args.json) {
    writeDocument({ schema: 1, baseUrl, wsUrl, ...control, seed, accounts: accounts.map(accountJson) });
    return;
  }
  writeLine(`exchange   ${baseUrl}\nstream     ${wsUrl}`);
  if (args.control) writeLine(`control    ${controlUrlOf(baseUrl)}`);
  for (const line of about) writeLine(`market     ${line}`);
  for (const { name, address, privateKey } of accounts)
    writeLine(`account    ${address}  key ${privateKey}  ${name}`);
  writeLine('These keys are ephemeral keys of this exchange. Stop with Ctrl-C.');
}

/** Keys of API wallets only where there are some. */
function accountJson({ name, address, privateKey, apiWallets }: ServedExchange['accounts'][number]): object {
  return { name, address, privateKey, ...(apiWallets.length === 0 ? {} : { apiWallets }) };
}

/** The control is at the root of the origin, whatever precedes `/v1`. */
function controlUrlOf(baseUrl: string): string {
  return new URL('/control', baseUrl).href;
}

function isPortTaken(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

function portTaken(port: number, cause: unknown): BotError {
  return new BotError({
    code: 'CONFIG_PORT_IN_USE',
    message: `expected port ${port} of 127.0.0.1 to be free, got a port in use`,
    remedy: 'Take another with --port, or --port 0 for a free one.',
    cause,
  });
}

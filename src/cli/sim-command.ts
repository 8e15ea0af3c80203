/** @module The options of `ballast sim`. */
import type { Argv } from 'yargs';
import { parseDurationMs } from '../config/index.ts';
import { forOption, run, seedOption, tapeOption, whole } from './options.ts';

/** Replicas on the command line: how far each is behind. */
function lags(text: string): readonly number[] {
  const parts = text.split(',');
  if (parts.length > 16 || parts.some((part) => !/^[0-9]{1,9}(?:ms|s|m|h)$/.test(part)))
    throw new Error(`--replicas: expected at most 16 durations like 0ms,200ms,2s, found "${text}"`);
  return parts.map(parseDurationMs);
}

const OPTIONS = {
  port: {
    type: 'string',
    requiresArg: true,
    default: '8787',
    coerce: whole('port', 65_535),
    describe: 'Port on 127.0.0.1; 0 takes a free one',
  },
  seed: {
    ...seedOption,
    describe: 'Seed of keys and participants; default 7, or that of the scenario',
  },
  scenario: {
    type: 'string',
    requiresArg: true,
    conflicts: ['tape', 'symbol', 'as'],
    describe: 'YAML file with markets, accounts, participants and what happens when',
  },
  json: { type: 'boolean', default: false, describe: 'Print the first line as JSON' },
  tape: tapeOption,
  symbol: {
    type: 'string',
    requiresArg: true,
    describe: 'Market of the recording, when it has several',
  },
  as: { type: 'string', requiresArg: true, describe: 'Name of the recorded market at the exchange' },
  accounts: {
    type: 'string',
    requiresArg: true,
    default: '3',
    coerce: whole('accounts', 100),
    describe: 'Funded accounts to make',
  },
  quirk: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'What the interface leaves open, such as A4=full; may be given several times',
  },
  quiet: { type: 'boolean', default: false, describe: 'No background participants: an empty market' },
  clock: {
    choices: ['system', 'manual'] as const,
    default: 'system' as const,
    describe: 'manual: time stands still until POST /control/advance moves it',
  },
  replicas: {
    type: 'string',
    requiresArg: true,
    coerce: lags,
    describe: 'Replicas that answer behind the address, each so far behind, such as 0ms,200ms,2s',
  },
  'snapshot-in': {
    type: 'string',
    requiresArg: true,
    conflicts: ['scenario', 'tape', 'symbol', 'as', 'seed', 'quirk', 'replicas'],
    describe: 'Go on from a snapshot, with all that it holds, at the time it was taken',
  },
  'snapshot-out': {
    type: 'string',
    requiresArg: true,
    conflicts: ['tape'],
    describe: 'Write a snapshot to this file at the end, and when POST /control/save asks for it',
  },
  control: {
    type: 'boolean',
    default: true,
    describe: 'Serve /control, which tests use; --no-control leaves it out',
  },
  for: forOption,
  'with-parent': {
    type: 'boolean',
    default: false,
    hidden: true,
    describe: 'End when standard input closes',
  },
} as const;

/** Adds `sim` to the command line. */
export function simCommand(cli: Argv): Argv {
  return cli.command(
    'sim',
    'Start only the embedded exchange and print its addresses and funded accounts',
    (one) => one.options(OPTIONS),
    (args) =>
      run(async () =>
        (await import('./commands/sim.ts')).sim({
          port: args.port,
          seed: args.seed,
          scenario: args.scenario,
          isJson: args.json,
          tape: args.tape,
          symbol: args.symbol,
          marketName: args.as,
          accounts: args.accounts,
          quirks: args.quirk ?? [],
          isQuiet: args.quiet,
          clockMode: args.clock,
          hasControl: args.control,
          snapshotIn: args['snapshot-in'],
          snapshotOut: args['snapshot-out'],
          replicas: args.replicas ?? [],
          forMs: args.for,
          isWithParent: args['with-parent'],
        }),
      ),
  );
}

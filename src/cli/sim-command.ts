/** @module The options of `ballast sim`. */
import type { Argv } from 'yargs';
import { parseDurationMs } from '../core/index.ts';
import { run } from './command-process.ts';
import {
  flagOption,
  forOption,
  listOption,
  seedOption,
  symbolOption,
  tapeOption,
  textOption,
  whole,
} from './options.ts';

/** Replicas on the command line: how far each is behind. */
function lags(text: string): readonly number[] {
  const parts = text.split(',');
  if (parts.length > 16 || parts.some((part) => !/^[0-9]{1,9}(?:ms|s|m|h)$/.test(part)))
    throw new Error(`--replicas: expected at most 16 durations like 0ms,200ms,2s, found "${text}"`);
  return parts.map(parseDurationMs);
}

const OPTIONS = {
  port: {
    ...textOption('Port on 127.0.0.1; 0 takes a free one'),
    default: '8787',
    coerce: whole('port', 65_535),
  },
  seed: {
    ...seedOption,
    describe: 'Seed of keys and participants; default 7, or that of the scenario',
  },
  scenario: {
    ...textOption('YAML file with markets, accounts, participants and what happens when'),
    conflicts: ['tape', 'symbol', 'as'],
  },
  json: flagOption('Print the first line as JSON'),
  tape: tapeOption,
  symbol: symbolOption,
  as: { ...textOption('Name of the recorded market at the exchange'), implies: 'tape' },
  accounts: { ...textOption('Funded accounts to make'), default: '3', coerce: whole('accounts', 100) },
  quirk: listOption('What the interface leaves open, such as A4=full; may be given several times'),
  quiet: flagOption('No background participants: an empty market'),
  clock: {
    choices: ['system', 'manual'] as const,
    default: 'system' as const,
    describe: 'manual: time stands still until POST /control/advance moves it',
  },
  replicas: {
    ...textOption('Replicas that answer behind the address, each so far behind, such as 0ms,200ms,2s'),
    coerce: lags,
  },
  'snapshot-in': {
    ...textOption('Go on from a snapshot, with all that it holds, at the time it was taken'),
    conflicts: ['scenario', 'tape', 'symbol', 'as', 'seed', 'quirk', 'replicas'],
  },
  'snapshot-out': {
    ...textOption('Write a snapshot to this file at the end, and when POST /control/save asks for it'),
    conflicts: ['tape'],
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

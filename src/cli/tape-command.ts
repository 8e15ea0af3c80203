/** @module The options of `ballast tape`. */
import type { Argv } from 'yargs';
import { run } from './command-process.ts';
import {
  flagOption,
  jsonOption,
  listOption,
  neededOption,
  position,
  positions,
  textOption,
} from './options.ts';

const tape = position('Folder of a tape');
const out = neededOption('Folder of the new tape; must not be there');
/** What the commands do, loaded when one of them runs. */
const tools = () => import('./commands/tape.ts');

const US_PER_MS = 1_000;

/** A point in time as ISO text, or Unix microseconds. */
function time(name: string): (text: string) => number {
  return (text) => {
    const us = /^[0-9]{1,16}$/.test(text) ? Number(text) : Date.parse(text) * US_PER_MS;
    if (!Number.isSafeInteger(us))
      throw new Error(`--${name}: expected a time like 2026-01-06T00:00:00Z or Unix us, found "${text}"`);
    return us;
  };
}

const SPAN = {
  from: {
    ...textOption('First time of the exchange (2026-01-06T00:00:00Z, or Unix us)'),
    coerce: time('from'),
  },
  to: { ...textOption('First time that is not part of it any more'), coerce: time('to') },
} as const;

const EXPORTS = {
  csv: { type: 'boolean', conflicts: ['jsonl', 'parquet'], describe: 'Comma-separated, with a head' },
  jsonl: { type: 'boolean', conflicts: ['csv', 'parquet'], describe: 'One JSON object a line' },
  parquet: {
    type: 'boolean',
    conflicts: ['csv', 'jsonl'],
    describe: 'Parquet with zstd; needs the package @duckdb/node-api',
  },
} as const;

/** Adds `tape` to the command line. */
export function tapeCommand(cli: Argv): Argv {
  return cli.command('tape', 'Look at tapes, check them, and make files and other tapes of them', (group) =>
    [info, verify, exportRows, slice, merge]
      .reduce((commands, add) => add(commands), group as Argv)
      .demandCommand(1, 'tape: expected a command, found none'),
  );
}

function info(group: Argv): Argv {
  return group.command(
    'info <tape>',
    'Print what is on a tape: span, markets, counts, files, hash',
    (one) => one.positional('tape', tape).options({ json: jsonOption }),
    (args) => run(async () => (await tools()).tapeInfo({ tape: args.tape, isJson: args.json })),
  );
}

function verify(group: Argv): Argv {
  return group.command(
    'verify <tape>',
    'Check every byte against the chain of hashes; names file and place of what is wrong',
    (one) =>
      one.positional('tape', tape).options({
        repair: flagOption('Cut off the torn end that a killed recorder left, and seal the tape'),
        json: jsonOption,
      }),
    (args) =>
      run(async () =>
        (await tools()).tapeVerify({
          tape: args.tape,
          isRepair: args.repair,
          isJson: args.json,
        }),
      ),
  );
}

function exportRows(group: Argv): Argv {
  return group.command(
    'export <tape>',
    'Write the rows of a tape for other tools; without a format as CSV',
    (one) =>
      one.positional('tape', tape).options({
        ...EXPORTS,
        out: neededOption('File to write; must not be there'),
        ...SPAN,
        json: jsonOption,
      }),
    (args) =>
      run(async () =>
        (await tools()).tapeExport({
          tape: args.tape,
          format: args.jsonl === true ? 'jsonl' : args.parquet === true ? 'parquet' : 'csv',
          out: args.out,
          fromUs: args.from,
          toUs: args.to,
          isJson: args.json,
        }),
      ),
  );
}

function slice(group: Argv): Argv {
  return group.command(
    'slice <tape>',
    'Make a tape of a span of time or of some markets; it begins with the book as it stood',
    (one) =>
      one.positional('tape', tape).options({
        out,
        ...SPAN,
        symbol: listOption('Market to keep; may be given several times'),
        json: jsonOption,
      }),
    (args) =>
      run(async () =>
        (await tools()).tapeSlice({
          tape: args.tape,
          out: args.out,
          fromUs: args.from,
          toUs: args.to,
          symbols: args.symbol,
          isJson: args.json,
        }),
      ),
  );
}

function merge(group: Argv): Argv {
  return group.command(
    'merge <tapes..>',
    'Make one tape of several, in order of time, with their markets united',
    (one) => one.positional('tapes', positions('Folders of tapes')).options({ out, json: jsonOption }),
    (args) =>
      run(async () =>
        (await tools()).tapeMerge({
          tapes: args.tapes,
          out: args.out,
          isJson: args.json,
        }),
      ),
  );
}

/** @module The options of `ballast import`. */
import type { Argv } from 'yargs';
import { parseDurationMs } from '../config/index.ts';
import { jsonOption, run, whole } from './options.ts';

const DECIMALS_MAX = 12;

/** How long a silence may be on the command line. */
function silence(text: string): number {
  if (!/^[0-9]{1,9}(?:ms|s|m|h)$/.test(text))
    throw new Error(`--silence: expected a duration like 5s or 2m, found "${text}"`);
  return parseDurationMs(text);
}

const OPTIONS = {
  out: {
    type: 'string',
    requiresArg: true,
    demandOption: true,
    describe: 'Folder of the tape; must not be there, or be empty',
  },
  symbol: {
    type: 'string',
    requiresArg: true,
    describe: 'Market to import; its name where the files name none',
  },
  'price-decimals': {
    type: 'string',
    requiresArg: true,
    coerce: whole('price-decimals', DECIMALS_MAX),
    describe: 'Decimals of prices; by default the fewest that hold all of them',
  },
  'size-decimals': {
    type: 'string',
    requiresArg: true,
    coerce: whole('size-decimals', DECIMALS_MAX),
    describe: 'Decimals of sizes; by default the fewest that hold all of them',
  },
  locked: {
    choices: ['separate', 'keep'] as const,
    default: 'separate' as const,
    describe: 'Recorded books whose best bid reaches the best ask: separate by a tick, or keep',
  },
  silence: {
    type: 'string',
    requiresArg: true,
    coerce: silence,
    describe: 'A book silent for longer leaves a hole; by default as the format needs',
  },
  mapping: {
    type: 'string',
    requiresArg: true,
    describe: 'YAML file that says which columns hold what, for csv',
  },
  json: jsonOption,
} as const;

/** Adds `import` to the command line. */
export function importCommand(cli: Argv): Argv {
  return cli.command(
    'import <format> <paths..>',
    'Make a tape of a foreign recording; what is dropped or repaired is counted',
    (one) =>
      one
        .positional('format', {
          type: 'string',
          demandOption: true,
          describe:
            'binance-um, binance-candles, standx, hyperliquid, gemini, tardis-csv, lobster, csv, feed',
        })
        .positional('paths', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Recorded files, or folders that hold them',
        })
        .options(OPTIONS),
    (args) =>
      run(async () =>
        (await import('./commands/import.ts')).importTape({
          format: args.format,
          paths: args.paths,
          out: args.out,
          symbol: args.symbol,
          priceDecimals: args['price-decimals'],
          sizeDecimals: args['size-decimals'],
          locked: args.locked,
          silenceMs: args.silence,
          mapping: args.mapping,
          isJson: args.json,
        }),
      ),
  );
}

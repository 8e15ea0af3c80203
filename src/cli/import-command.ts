/** @module The options of `ballast import`. */
import type { Argv } from 'yargs';
import { run } from './command-process.ts';
import { duration, jsonOption, neededOption, position, positions, textOption, whole } from './options.ts';

const DECIMALS_MAX = 12;

const OPTIONS = {
  out: neededOption('Folder of the tape; must not be there, or be empty'),
  symbol: textOption('Market to import; its name where the files name none'),
  'price-decimals': {
    ...textOption('Decimals of prices; by default the fewest that hold all of them'),
    coerce: whole('price-decimals', DECIMALS_MAX),
  },
  'size-decimals': {
    ...textOption('Decimals of sizes; by default the fewest that hold all of them'),
    coerce: whole('size-decimals', DECIMALS_MAX),
  },
  locked: {
    choices: ['separate', 'keep'] as const,
    default: 'separate' as const,
    describe: 'Recorded books whose best bid reaches the best ask: separate by a tick, or keep',
  },
  silence: {
    ...textOption('A book silent for longer leaves a hole; by default as the format needs'),
    coerce: duration('silence'),
  },
  mapping: textOption('YAML file that says which columns hold what, for csv'),
  json: jsonOption,
} as const;

/** Adds `import` to the command line. */
export function importCommand(cli: Argv): Argv {
  return cli.command(
    'import <format> <paths..>',
    'Make a tape of a foreign recording; what is dropped or repaired is counted',
    (one) =>
      one
        .positional(
          'format',
          position(
            'binance-um, binance-candles, standx, hyperliquid, gemini, tardis-csv, lobster, csv, feed',
          ),
        )
        .positional('paths', positions('Recorded files, or folders that hold them'))
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

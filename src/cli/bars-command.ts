/** @module The options of `ballast bars`. */
import type { Argv } from 'yargs';
import { run } from './command-process.ts';
import { configPosition, duration, flagOption, instant, jsonOption, textOption, whole } from './options.ts';
import { htmlOption, outOption } from './report-options.ts';

const DECIMALS_MAX = 12;
/** Where `ballast sweep` puts its results too. */
const SWEEP_FOLDER = '.ballast/sweep';

const OPTIONS = {
  tape: textOption('Folder of a tape: its candles, or bars made of its trades'),
  csv: textOption('CSV file of bars (.gz too) with the columns time, open, high, low, close, volume'),
  funding: {
    ...textOption('With --csv: CSV file of settlements with the columns time, funding_rate'),
    implies: 'csv',
  },
  'price-decimals': {
    ...textOption('With --csv: decimals of a price; default as many as the file shows'),
    implies: 'csv',
    coerce: whole('price-decimals', DECIMALS_MAX),
  },
  'size-decimals': {
    ...textOption('With --csv: decimals of a size; default as many as the volumes show'),
    implies: 'csv',
    coerce: whole('size-decimals', DECIMALS_MAX),
  },
  bar: {
    ...textOption('Length of the bars, such as 1h; default that of the file, or of the shortest candles'),
    coerce: duration('bar'),
  },
  strategy: textOption('Name of the strategy, when there are several'),
  market: textOption('Its market, when it has several'),
  slippage: {
    ...textOption('Ticks by which a fill at a market price is worse'),
    default: '0',
    coerce: whole('slippage', 1_000_000),
  },
  gaps: flagOption('Allow bars to be missing: a position is held over it'),
  from: {
    ...textOption('Begin with the bar of this time, such as 2026-01-06T08:00:00Z'),
    coerce: instant('from'),
  },
  to: { ...textOption('End at this time, as --from'), coerce: instant('to') },
  sweep: flagOption('Try the section sweep instead: table, CSV and heat map, in the folder --out'),
  html: htmlOption,
  out: outOption,
  json: jsonOption,
} as const;

/** Adds `bars` to the command line. */
export function barsCommand(cli: Argv): Argv {
  return cli.command(
    'bars <config>',
    'Run the rule of a strategy over bars: decided at a close, filled at the next open',
    (one) =>
      one
        .positional('config', configPosition)
        .options(OPTIONS)
        .conflicts('tape', 'csv')
        .check(({ sweep, html }) => {
          if (sweep && html !== undefined) throw new Error('--html: expected a run, found --sweep');
          return true;
        }),
    (args) =>
      run(async () => {
        // Held against its schema before the rooms that trade are loaded, which takes longer than all else.
        const source = (await import('../config/index.ts')).loadConfig(args.config);
        const { bars, barsSweep } = await import('./commands/bars.ts');
        const options = {
          ...{ source, tape: args.tape, csv: args.csv, funding: args.funding },
          ...{ priceDecimals: args['price-decimals'], sizeDecimals: args['size-decimals'] },
          ...{ barMs: args.bar, strategy: args.strategy, market: args.market },
          ...{ slippageTicks: args.slippage, isGapAllowed: args.gaps, fromMs: args.from, toMs: args.to },
          isJson: args.json,
        };
        if (args.sweep) return barsSweep({ ...options, out: args.out ?? SWEEP_FOLDER });
        return bars({ ...options, html: args.html, out: args.out });
      }),
  );
}

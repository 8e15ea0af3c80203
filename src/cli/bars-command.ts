/** @module The options of `ballast bars`. */
import type { Argv } from 'yargs';
import { loadConfig } from '../config/index.ts';
import { durationOf, instant, jsonOption, run, whole } from './options.ts';
import { htmlOption, outOption } from './report-files.ts';

const DECIMALS_MAX = 12;

const OPTIONS = {
  tape: {
    type: 'string',
    requiresArg: true,
    describe: 'Folder of a tape: its candles, or bars made of its trades',
  },
  csv: {
    type: 'string',
    requiresArg: true,
    describe: 'CSV file of bars (.gz too) with the columns time, open, high, low, close, volume',
  },
  funding: {
    type: 'string',
    requiresArg: true,
    implies: 'csv',
    describe: 'With --csv: CSV file of settlements with the columns time, funding_rate',
  },
  'price-decimals': {
    type: 'string',
    requiresArg: true,
    implies: 'csv',
    coerce: whole('price-decimals', DECIMALS_MAX),
    describe: 'With --csv: decimals of a price; default as many as the file shows',
  },
  'size-decimals': {
    type: 'string',
    requiresArg: true,
    implies: 'csv',
    coerce: whole('size-decimals', DECIMALS_MAX),
    describe: 'With --csv: decimals of a size; default as many as the volumes show',
  },
  bar: {
    type: 'string',
    requiresArg: true,
    coerce: durationOf('bar'),
    describe: 'Length of the bars, such as 1h; default that of the file, or of the shortest candles',
  },
  strategy: { type: 'string', requiresArg: true, describe: 'Name of the strategy, when there are several' },
  market: { type: 'string', requiresArg: true, describe: 'Its market, when it has several' },
  slippage: {
    type: 'string',
    requiresArg: true,
    default: '0',
    coerce: whole('slippage', 1_000_000),
    describe: 'Ticks by which a fill at a market price is worse',
  },
  gaps: { type: 'boolean', default: false, describe: 'Allow bars to be missing: a position is held over it' },
  from: {
    type: 'string',
    requiresArg: true,
    coerce: instant('from'),
    describe: 'Begin with the bar of this time, such as 2026-01-06T08:00:00Z',
  },
  to: { type: 'string', requiresArg: true, coerce: instant('to'), describe: 'End at this time, as --from' },
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
        .positional('config', { type: 'string', demandOption: true, describe: 'YAML file' })
        .options(OPTIONS)
        .conflicts('tape', 'csv'),
    (args) =>
      run(async () => {
        // Held against its schema before the rooms that trade are loaded, which takes longer than all else.
        const source = loadConfig(args.config);
        return (await import('./commands/bars.ts')).bars({
          ...{ source, tape: args.tape, csv: args.csv, funding: args.funding },
          ...{ priceDecimals: args['price-decimals'], sizeDecimals: args['size-decimals'] },
          ...{ barMs: args.bar, strategy: args.strategy, market: args.market },
          ...{ slippageTicks: args.slippage, isGapAllowed: args.gaps, fromMs: args.from, toMs: args.to },
          ...{ html: args.html, out: args.out, isJson: args.json },
        });
      }),
  );
}

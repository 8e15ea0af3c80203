/** @module `ballast import`: a third-party recording becomes a tape; shows what was dropped or repaired on the way. */
import type { Argv } from 'yargs';
import { isoOfUs } from '../core/index.ts';
import type { RecordingFormat } from '../tape/format/index.ts';
import type { ImportResult } from '../tape/importers/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import {
  duration,
  flagOption,
  type Given,
  jsonOption,
  neededOption,
  position,
  positions,
  textOption,
  whole,
} from './terminal/options.ts';
import { blockOf, writeDocument, writeLine } from './terminal/output.ts';
import { describeTapeMarket } from './terminal/tape-market-text.ts';

const DECIMALS_MAX = 12;

/** Here and not asked of the importers, so that help comes without loading them. */
const FORMATS: Readonly<Record<RecordingFormat, true>> = {
  'binance-um': true,
  'binance-spot': true,
  'binance-candles': true,
  standx: true,
  hyperliquid: true,
  gemini: true,
  'tardis-csv': true,
  lobster: true,
  csv: true,
  feed: true,
};

const OPTIONS = {
  out: neededOption('Write the tape to this folder, which must be new or empty'),
  symbol: textOption('Import this market; its name where the files name none'),
  'price-decimals': {
    ...textOption('Set the decimals of prices (default: as few as fit)'),
    coerce: whole('price-decimals', DECIMALS_MAX),
  },
  'size-decimals': {
    ...textOption('Set the decimals of sizes (default: as few as fit)'),
    coerce: whole('size-decimals', DECIMALS_MAX),
  },
  'crossed-books': {
    choices: ['separate', 'keep'] as const,
    default: 'separate' as const,
    describe: 'Separate locked and crossed books by a tick, or keep them',
  },
  'gap-after': {
    ...textOption('Mark a gap where the book is silent for this long'),
    coerce: duration('gap-after'),
  },
  mapping: textOption('Read the columns of a csv from this YAML file'),
  sort: flagOption('Sort the rows on disk, however far they are out of order'),
  'accept-repairs': flagOption('Import although over 1 % of the records are dropped or moved'),
  json: jsonOption,
} as const;

/** Adds `import` to the command line. */
export function importCommand(cli: Argv): Argv {
  return cli.command(
    'import <format> <paths..>',
    'Import a third-party recording as a tape; counts repairs',
    (one) =>
      one
        .positional('format', {
          ...position('Format of the recording'),
          choices: Object.keys(FORMATS) as readonly RecordingFormat[],
        })
        .positional('paths', positions('Recorded files, or folders that hold them'))
        .options(OPTIONS),
    (args) => run(() => importRecording(args.format, args.paths, args)),
  );
}

async function importRecording(
  format: RecordingFormat,
  paths: readonly string[],
  args: Given<typeof OPTIONS>,
): Promise<number> {
  const { loadImportMapping } = await import('../config/index.ts');
  const { describeQuality } = await import('../tape/format/index.ts');
  const { describeImportCounts, importTape } = await import('../tape/importers/index.ts');
  const { symbol, mapping } = args;
  const [priceDecimals, sizeDecimals] = [args['price-decimals'], args['size-decimals']];
  const result = await importTape({
    ...{ format, paths, out: args.out, locked: args['crossed-books'] },
    ...{ sort: args.sort === true, acceptRepairs: args['accept-repairs'] === true },
    ...(symbol === undefined ? {} : { symbol }),
    ...(priceDecimals === undefined ? {} : { priceDecimals }),
    ...(sizeDecimals === undefined ? {} : { sizeDecimals }),
    ...(args['gap-after'] === undefined ? {} : { silenceMs: args['gap-after'] }),
    ...(mapping === undefined ? {} : { mapping: loadImportMapping(mapping) }),
  });
  if (args.json) writeDocument({ schema: 1, ...result });
  else
    for (const line of describe(result, describeImportCounts(result.counts), describeQuality(result.quality)))
      writeLine(line);
  return EXIT.ok;
}

function describe(
  result: ImportResult,
  repairs: readonly string[],
  quality: readonly string[],
): readonly string[] {
  const { out, hash, rows, fromUs, toUs, markets, kinds, files, ignored } = result;
  return [
    `${out}: ${rows} rows of ${files.length} files, ${isoOfUs(fromUs)} to ${isoOfUs(toUs)}`,
    `hash ${hash}`,
    ...markets.map((market) => {
      const rowsByKind = Object.entries(kinds[market.symbol] ?? {}).map(
        ([kind, count]) => `${count} ${kind}`,
      );
      return `${describeTapeMarket(market)}: ${rowsByKind.join(', ')}`;
    }),
    ...Object.entries(kinds)
      .filter(([name]) => name.startsWith('feed:'))
      .map(([name, { feed = 0 }]) => `${name}: ${feed} values`),
    ...(ignored.length === 0 ? [] : [`not of this format: ${ignored.join(', ')}`]),
    ...(repairs.length === 0 ? ['nothing dropped, nothing repaired'] : repairs),
    ...blockOf('data quality', quality),
  ];
}

/**
 * @module
 * Recordings of Binance spot as frames of a tape: raw WebSocket streams as binance-um has them, or the files of trades
 * and aggregate trades that Binance publishes, with times in ms or us. What this does not do: candles, which are read as
 * format csv.
 */
import { ConfigError } from '../../../core/index.ts';
import { RECORDING_NAMES } from '../../format/index.ts';
import type { CsvFileMapping, CsvMapping } from '../csv-mapping.ts';
import { readFirstRow } from '../csv-table.ts';
import { openMapped } from '../csv-tape.ts';
import { filesByMarket, findFiles, type NamedFile } from '../find-files.ts';
import type { ImportCounts } from '../import-counts.ts';
import type { ImportRequest, OpenedImport } from '../importer.ts';
import { malformed, quoted } from '../location.ts';
import { readBinanceSpot, scanBinanceSpot } from './binance-spot.ts';
import { type BinanceSeries, importSeries } from './binance-um-tape.ts';

const [, TRADES, AGGREGATES] = RECORDING_NAMES['binance-spot'];
const EXPECTED_NAME =
  '<symbol>_<yyyymmdd>.gz with streams, <SYMBOL>-trades-<day>.csv or <SYMBOL>-aggTrades-<day>.csv';

const FILE = {
  rows: 'trades',
  separator: ',',
  hasHeader: false,
  sides: { buy: ['false'], sell: ['true'] },
} as const satisfies Partial<CsvFileMapping>;

/** Columns: id, price, size, quote size or first id, ...; the buyer is the maker if the taker sold. */
const MAPPING: CsvMapping = {
  files: [
    {
      ...{ ...FILE, name: '*-trades-*', pattern: TRADES, cells: 7, time: { column: '5', unit: 'auto' } },
      columns: { id: '1', price: '2', size: '3', side: '6' },
    },
    {
      ...{ ...FILE, name: '*-aggTrades-*', pattern: AGGREGATES, cells: 8 },
      time: { column: '6', unit: 'auto' },
      columns: { id: '1', price: '2', size: '3', side: '7' },
    },
  ],
};

/** Looks at the files; reads them once for their decimals. */
export async function openBinanceSpotImport(
  request: ImportRequest,
  counts: ImportCounts,
): Promise<OpenedImport> {
  const patterns = RECORDING_NAMES['binance-spot'];
  const { files, ignored } = await findFiles({
    paths: request.paths,
    patterns,
    expected: EXPECTED_NAME,
    counts,
  });
  const kinds = new Set(files.map(({ pattern }) => pattern));
  if (kinds.size > 1) throw sameTrades(files);
  if (!kinds.has(0)) {
    for (const file of files) await checkColumns(file);
    const paths = files.map(({ path }) => path);
    return { ...(await openMapped({ ...request, paths }, MAPPING, counts)), ignored };
  }
  const series: BinanceSeries[] = [];
  for (const [symbol, own] of filesByMarket(files, request.symbol)) {
    const paths = own.map(({ path }) => path);
    const { scale, hasBook, hasBest, hasTime } = await scanBinanceSpot(paths);
    const found = scale.scale(request);
    const bbo = hasBest ? 'bbo' : 'none';
    series.push({
      ...{ symbol: symbol.toUpperCase(), paths, scale: found, printed: found },
      ...{ depth: hasBook ? 'levels' : bbo, read: () => readBinanceSpot(paths) },
      ...(hasTime ? {} : { hasOneTime: true }),
    });
  }
  return { ...importSeries(series, request, counts), ignored };
}

/** @throws ProtocolError when the first row has not the columns of spot. */
async function checkColumns({ path, pattern }: NamedFile): Promise<void> {
  const { place, cells } = await readFirstRow(path, ',', false);
  const expected = MAPPING.files[pattern - 1]?.cells;
  if (cells.length !== expected)
    throw malformed(
      place,
      `${expected} columns, as files of Binance spot have`,
      `${cells.length}: ${quoted(cells.join(','))}`,
      'Files of Binance USD-M have other columns: import them as format csv, with a mapping.',
    );
}

function sameTrades(files: readonly NamedFile[]): ConfigError {
  return new ConfigError({
    code: 'TAPE_FILES_MIXED',
    message: `expected streams, trades or aggregate trades, got more than one of them: ${files.map(({ path }) => path).join(', ')}`,
    remedy: 'Import one of them: they say the same trades, which would be on the tape twice.',
  });
}

/**
 * @module
 * Any CSV as frames of a tape, by a mapping. Rows of levels with the same times are one frame. What it does not do:
 * inferring columns, or repairing books that come as single changes.
 */
import { basename, dirname, resolve } from 'node:path';
import { ConfigError, must } from '../../core/index.ts';
import type { TapeMarket } from '../format/index.ts';
import {
  type CsvColumns,
  type CsvFileMapping,
  type CsvMapping,
  checkRoles,
  findColumns,
  namePattern,
} from './csv-mapping.ts';
import { type CsvGroup, CsvMarket } from './csv-market.ts';
import { type CsvRow, readCsv } from './csv-table.ts';
import { findFiles, type NamedFile } from './find-files.ts';
import type { ImportCounts } from './import-counts.ts';
import type { ImportRequest, OpenedImport } from './importer.ts';
import { mergeStreams } from './merge-streams.ts';
import { ScaleScan } from './scale-scan.ts';
import { timeToUs } from './times.ts';

const SILENCE_MS = 5_000;
/** Rows of one frame. */
const GROUP_ROWS_MAX = 1_000_000;

/** Opens the recording that the request's mapping describes. */
export async function openCsvImport(request: ImportRequest, counts: ImportCounts): Promise<OpenedImport> {
  if (request.mapping !== undefined) return openMapped(request, request.mapping, counts);
  throw new ConfigError({
    code: 'TAPE_MAPPING_INVALID',
    message: 'expected --mapping with a YAML file for format csv, got none',
    remedy: 'Write down which columns hold what: docs/guides/import-recordings.md has an example.',
  });
}

/** Opens files by a mapping; reads them once for their markets and decimals. */
export async function openMapped(
  request: ImportRequest,
  mapping: CsvMapping,
  counts: ImportCounts,
): Promise<OpenedImport> {
  for (const file of mapping.files) checkRoles(file);
  const patterns = mapping.files.map(({ name }) => namePattern(name));
  const expected = mapping.files.map(({ name }) => name).join(' or ');
  const { files, ignored } = await findFiles({ paths: request.paths, patterns, expected, counts });
  const sources: Source[] = [];
  for (const file of files)
    sources.push(await openSource(file, must(mapping.files[file.pattern], 'its mapping')));
  const only = request.symbol ?? mapping.symbol ?? folderName(files);
  const hasSymbols = sources.some(({ columns }) => columns.symbol !== undefined);
  const wanted = hasSymbols ? request.symbol : undefined;
  const markets = await marketsOf(sources, { ...mapping, ...told(request) }, only, wanted);
  const readers = new Map(
    markets.map((market, place) => [
      market.symbol,
      new CsvMarket(market, place, { locked: request.locked, counts }),
    ]),
  );
  return {
    markets,
    files: files.map(({ path }) => path),
    ignored,
    silenceMs: request.silenceMs ?? mapping.silenceMs ?? silenceOf(mapping.files),
    async run(order) {
      const streams = sources.map((source) => groupsOf(source, only));
      for await (const group of mergeStreams(streams, ({ receivedUs }) => receivedUs))
        readers.get(group.symbol)?.take(group, order);
      for (const reader of readers.values()) reader.end();
    },
    statistics: () =>
      Object.fromEntries([...readers].map(([symbol, reader]) => [symbol, reader.statistics()])),
  };
}

function told({ priceDecimals, sizeDecimals }: ImportRequest) {
  return {
    ...(priceDecimals === undefined ? {} : { priceDecimals }),
    ...(sizeDecimals === undefined ? {} : { sizeDecimals }),
  };
}

/** Bars come by the minute: their silence is no gap. */
function silenceOf(files: readonly CsvFileMapping[]): number {
  return files.every(({ rows }) => rows === 'candles') ? Number.POSITIVE_INFINITY : SILENCE_MS;
}

function folderName(files: readonly NamedFile[]): string {
  return basename(dirname(resolve(files[0]?.path ?? '.'))).toUpperCase();
}

interface Source {
  readonly path: string;
  readonly mapping: CsvFileMapping;
  readonly columns: CsvColumns;
}

async function openSource({ path }: NamedFile, mapping: CsvFileMapping): Promise<Source> {
  return { path, mapping, columns: await findColumns(path, mapping) };
}

function read({ path, mapping, columns }: Source): AsyncGenerator<CsvRow> {
  return readCsv(path, { separator: mapping.separator, header: columns.header });
}

const PRICE_ROLES = ['price', 'bidPrice', 'askPrice', 'open', 'high', 'low', 'close'];
const SIZE_ROLES = ['size', 'bidSize', 'askSize', 'volume'];

/** The markets of all files in order of their names, with the fewest decimals that hold their rows. */
async function marketsOf(
  sources: readonly Source[],
  scale: Pick<CsvMapping, 'priceDecimals' | 'sizeDecimals'>,
  only: string,
  wanted: string | undefined,
): Promise<readonly TapeMarket[]> {
  const scans = new Map<
    string,
    { readonly scan: ScaleScan; readonly rows: Set<string>; hasReceived: boolean }
  >();
  for (const source of sources) {
    const { columns, mapping } = source;
    const cellsOf = (roles: readonly string[]) => roles.flatMap((role) => columns.roles[role] ?? []);
    const scaled = { prices: cellsOf(PRICE_ROLES), sizes: cellsOf(SIZE_ROLES) };
    for await (const { cells } of read(source)) {
      const symbol = columns.symbol === undefined ? only : (cells[columns.symbol] ?? '');
      const market = scans.get(symbol) ?? { scan: new ScaleScan(), rows: new Set(), hasReceived: false };
      scans.set(symbol, market);
      market.scan.addRow(cells, scaled);
      market.rows.add(mapping.rows);
      market.hasReceived ||= columns.received !== undefined;
    }
  }
  const symbols = [...scans.keys()].filter((symbol) => wanted === undefined || symbol === wanted).sort();
  if (symbols.length === 0) throw noMarket(wanted, [...scans.keys()]);
  return symbols.map((symbol) => {
    const { scan, rows, hasReceived } = must(scans.get(symbol), 'the scan of a symbol');
    const bbo = rows.has('quotes') ? 'bbo' : 'none';
    const depth = rows.has('levels') || rows.has('books') ? 'levels' : bbo;
    const market = { symbol, ...scan.scale(scale), tickStep: 1, lotStep: 1, depth } as const;
    return hasReceived ? market : { ...market, hasOneTime: true };
  });
}

function noMarket(wanted: string | undefined, found: readonly string[]): ConfigError {
  return new ConfigError({
    code: 'TAPE_SYMBOL_UNKNOWN',
    message: `expected rows of ${wanted ?? 'a market'}, got ${found.length === 0 ? 'no row at all' : found.join(', ')}`,
    remedy: 'Name a market that the files hold, or leave --symbol out to import all.',
  });
}

/** The rows of a file; those of `levels` with the same market and times as one. */
async function* groupsOf(source: Source, only: string): AsyncGenerator<CsvGroup> {
  const { columns, mapping } = source;
  let group: (CsvGroup & { readonly rows: CsvRow[] }) | undefined;
  for await (const row of read(source)) {
    const { place, cells } = row;
    const atUs = timeToUs(place, cells[columns.time] ?? '', mapping.time.unit);
    // A bar is named after its beginning and known at its end.
    const exchangeUs = mapping.rows === 'candles' ? atUs + (mapping.intervalMs ?? 0) * 1_000 : atUs;
    const receivedUs =
      columns.received === undefined || mapping.received === undefined
        ? exchangeUs
        : timeToUs(place, cells[columns.received] ?? '', mapping.received.unit);
    const symbol = columns.symbol === undefined ? only : (cells[columns.symbol] ?? '');
    const isSame =
      group !== undefined &&
      mapping.rows === 'levels' &&
      group.symbol === symbol &&
      group.exchangeUs === exchangeUs &&
      group.receivedUs === receivedUs &&
      group.rows.length < GROUP_ROWS_MAX;
    if (isSame) group?.rows.push(row);
    else {
      if (group !== undefined) yield group;
      group = { symbol, exchangeUs, receivedUs, mapping, columns, rows: [row] };
    }
  }
  if (group !== undefined) yield group;
}

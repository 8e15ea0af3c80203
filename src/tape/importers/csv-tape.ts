/**
 * @module
 * Any CSV as frames of a tape, by a mapping. Rows of levels of one market with the same times are one frame. What it does not do:
 * inferring columns, or repairing books that come as single changes.
 */
import { basename, dirname, resolve } from 'node:path';
import { ConfigError, must } from '../../core/index.ts';
import type { TapeMarket } from '../format/index.ts';
import type { CsvRecord, CsvSource } from './csv-cells.ts';
import { type CsvFileMapping, type CsvMapping, checkRoles, findColumns, namePattern } from './csv-mapping.ts';
import { CsvMarket } from './csv-market.ts';
import { type CsvRow, readCsv } from './csv-table.ts';
import { findFiles, type NamedFile } from './find-files.ts';
import type { ImportCounts } from './import-counts.ts';
import type { ImportRequest, OpenedImport } from './importer.ts';
import { mergeStreams } from './merge-streams.ts';
import { recordedUs } from './recorded-time.ts';
import { ScaleScan } from './scale-scan.ts';

const SILENCE_MS = 5_000;

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
  const patterns = mapping.files.map(({ name, pattern }) => pattern ?? namePattern(name));
  const expected = mapping.files.map(({ name }) => name).join(' or ');
  const { files, ignored } = await findFiles({ paths: request.paths, patterns, expected, counts });
  const sources: CsvSource[] = [];
  for (const file of files)
    sources.push(await openSource(file, must(mapping.files[file.pattern], 'its mapping')));
  const only = request.symbol ?? mapping.symbol ?? folderName(files);
  const hasSymbols = sources.some(
    ({ columns, symbol }) => columns.symbol !== undefined || symbol !== undefined,
  );
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
    async run(order, records) {
      const streams = sources.map((source, place) => recordsOf(source, place, only));
      const merged = mergeStreams(streams, ({ receivedUs, exchangeUs }) => receivedUs ?? exchangeUs);
      let atUs = 0;
      const sourceOf = (record: CsvRecord) => must(sources[record.source], 'the source of a record');
      const take = (record: CsvRecord) => {
        // What comes at one time is a frame, whatever rows of other markets are between its own.
        if (record.exchangeUs !== atUs) for (const reader of readers.values()) reader.flush(order);
        atUs = record.exchangeUs;
        readers.get(record.symbol)?.take(record, sourceOf(record), order);
      };
      await records.read(
        merged,
        take,
        (record) => readers.get(record.symbol)?.takesLate(record, sourceOf(record)) === true,
      );
      for (const reader of readers.values()) reader.end(order);
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

async function openSource({ path, parts }: NamedFile, mapping: CsvFileMapping): Promise<CsvSource> {
  return { path, symbol: parts['symbol'], mapping, columns: await findColumns(path, mapping) };
}

function read({ path, mapping, columns }: CsvSource): AsyncGenerator<CsvRow> {
  return readCsv(path, { separator: mapping.separator, header: columns.header, columns: columns.count });
}

const PRICE_ROLES = ['price', 'bidPrice', 'askPrice', 'open', 'high', 'low', 'close'];
const SIZE_ROLES = ['size', 'bidSize', 'askSize', 'volume'];

/** The markets of all files in order of their names, with the fewest decimals that hold their rows. */
async function marketsOf(
  sources: readonly CsvSource[],
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
      const symbol = columns.symbol === undefined ? (source.symbol ?? only) : (cells[columns.symbol] ?? '');
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

/** The rows of the file of `source`, whose place among the sources is `place`. */
async function* recordsOf(source: CsvSource, place: number, only: string): AsyncGenerator<CsvRecord> {
  const { columns, mapping } = source;
  const time = { name: mapping.time.column, unit: mapping.time.unit };
  // A bar is named after its beginning and known at its end.
  const lengthUs = mapping.rows === 'candles' ? (mapping.intervalMs ?? 0) * 1_000 : 0;
  for await (const { place: at, cells } of read(source)) {
    const exchangeUs = recordedUs(at, cells[columns.time] ?? '', time) + lengthUs;
    const { received } = mapping;
    const receivedUs =
      columns.received === undefined || received === undefined
        ? undefined
        : recordedUs(at, cells[columns.received] ?? '', { name: received.column, unit: received.unit });
    const symbol = columns.symbol === undefined ? (source.symbol ?? only) : (cells[columns.symbol] ?? '');
    yield { source: place, symbol, place: at, exchangeUs, receivedUs, cells };
  }
}

/**
 * @module
 * Files of bars, mark bars and funding as frames of a tape (Binance USD-M and Hyperliquid exports). A bar becomes known
 * when it ends, so that is its time on the tape. Marks are written at both ends of their bar; a settlement takes the mark
 * of its moment. What this does not do: making bars of trades.
 */
import { ConfigError, isoOfUs, must, parseScaled } from '../../core/index.ts';
import { PRICE_TICKS_MAX } from '../../domain/index.ts';
import { EVENT, RECORDING_NAMES, type TapeMarket } from '../format/index.ts';
import { areCandlePrices, CandleChecks } from './candle-checks.ts';
import { CandleTally, STATISTIC_DECIMALS } from './candle-statistics.ts';
import { type CsvRow, type CsvShape, csvShapeOf, readCsv } from './csv-table.ts';
import { filesByMarket, findFiles, type NamedFile } from './find-files.ts';
import { type FrameRow, RANK } from './frame.ts';
import type { FrameOrder } from './frame-order.ts';
import type { ImportCounts } from './import-counts.ts';
import type { ImportRequest, OpenedImport } from './importer.ts';
import {
  malformed,
  type Place,
  priceAt,
  quoted,
  type RecordedScale,
  rateAt,
  roundedPriceAt,
  sizeAt,
} from './location.ts';
import { mergeStreams } from './merge-streams.ts';
import { plainDecimal, printedDecimalsOf } from './plain-decimal.ts';
import type { Recorded } from './recorded.ts';
import { recordedUs } from './recorded-time.ts';
import { ScaleScan } from './scale-scan.ts';

const CANDLE_NAMES = RECORDING_NAMES['binance-candles'];
/** What names of such files look like. */
export const CANDLE_NAME_EXPECTED =
  '<market>_<interval>.csv.gz, <market>_mark_<interval>.csv.gz or <market>_funding_<interval>.csv.gz';

type What = 'bars' | 'mark' | 'funding';

const SHAPES: Readonly<Record<What, CsvShape>> = {
  bars: csvShapeOf('ts_ms,open,high,low,close,volume'),
  mark: csvShapeOf('ts_ms,open,high,low,close'),
  funding: csvShapeOf('ts_ms,funding_rate'),
};
/** Streams that meet at one moment are read in this order: a settlement looks for the mark before it. */
const ORDER: readonly What[] = ['mark', 'funding', 'bars'];
const PRICES = [1, 2, 3, 4];
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const RATE_DECIMALS = 9;
/** How old a mark may be for a settlement that was recorded some ms late. */
const MARK_AGE_US_MAX = 60_000_000;
const SORT_SETTLEMENTS = 'Sort the settlements by time (--sort does), each once.';

/** Looks for the files of the format. */
export async function openCandleImport(request: ImportRequest, counts: ImportCounts): Promise<OpenedImport> {
  const { files, ignored } = await findFiles({
    paths: request.paths,
    patterns: CANDLE_NAMES,
    expected: CANDLE_NAME_EXPECTED,
    counts,
  });
  return { ...(await openCandleFiles(files, request, counts)), ignored };
}

/** Opens files that were found already; reads them once for their decimals. */
export async function openCandleFiles(
  files: readonly NamedFile[],
  request: ImportRequest,
  counts: ImportCounts,
): Promise<OpenedImport> {
  const byMarket = [...filesByMarket(files, request.symbol)];
  const markets: TapeMarket[] = [];
  const common = { tickStep: 1, lotStep: 1, depth: 'none', hasOneTime: true } as const;
  for (const [symbol, own] of byMarket) markets.push({ symbol, ...(await scaleOf(own, request)), ...common });
  const checks: CandleChecks[] = [];
  const readers = byMarket.flatMap(([, own], place) => {
    const last: LastMark = { atUs: 0, ticks: 0, settledUs: 0 };
    const market = must(markets[place], 'a market of the files');
    const series = new Map<string, CandleChecks>();
    return inOrder(own).map((file) => {
      const [what, lengthMs] = [whatOf(file), lengthOf(file)];
      const key = `${what} ${lengthMs}`;
      const check =
        series.get(key) ?? new CandleChecks({ lengthMs, market: place, hasHoles: what === 'bars' });
      if (!series.has(key) && what !== 'funding') checks.push(check);
      series.set(key, check);
      return new CandleFile(file, { market, place, last, counts, check });
    });
  });
  return {
    markets,
    files: byMarket.flatMap(([, own]) => own.map(({ path }) => path)),
    ignored: [],
    silenceMs: Number.POSITIVE_INFINITY,
    async run(order, records) {
      const streams = readers.map((reader, place) => reader.rows(place));
      await records.read(
        mergeStreams(streams, ({ exchangeUs }) => exchangeUs),
        (item) => must(readers[item.reader], 'the reader of a file').take(item, order),
        // The checks of candles refuse what comes late.
        () => true,
      );
      for (const check of checks) check.end();
    },
    statistics: () => Object.fromEntries(readers.map((reader) => [reader.name, reader.tally.statistics()])),
  };
}

function whatOf({ parts }: NamedFile): What {
  return parts['what'] === 'mark' || parts['what'] === 'funding' ? parts['what'] : 'bars';
}

function lengthOf({ parts }: NamedFile): number {
  const interval = parts['interval'] ?? '';
  return Number(interval.slice(0, -1)) * must(UNIT_MS[interval.slice(-1)], 'a unit of time');
}

function inOrder(files: readonly NamedFile[]): readonly NamedFile[] {
  return ORDER.flatMap((what) => files.filter((file) => whatOf(file) === what));
}

/** Of bars only: marks are averages and have more decimals than any price that can be traded at. */
async function scaleOf(files: readonly NamedFile[], told: ImportRequest): Promise<RecordedScale> {
  const scan = new ScaleScan();
  const bars = files.filter((file) => whatOf(file) === 'bars');
  for (const { path } of bars) await scan.add(readCsv(path, SHAPES.bars), { prices: PRICES, sizes: [5] });
  if (bars.length > 0) return scan.scale(told);
  const marks = files.filter((file) => whatOf(file) === 'mark');
  let decimals = 0;
  let highest = 1;
  for (const { path } of marks) {
    for await (const { cells } of readCsv(path, SHAPES.mark)) {
      const high = plainDecimal(cells[2] ?? '');
      decimals = Math.max(decimals, ...PRICES.map((at) => printedDecimalsOf(cells[at] ?? '')));
      highest = Math.max(highest, Number.parseInt(high, 10) + 1);
    }
  }
  while (decimals > 0 && highest * 10 ** decimals > PRICE_TICKS_MAX) decimals--;
  return { priceDecimals: told.priceDecimals ?? decimals, sizeDecimals: told.sizeDecimals ?? 0 };
}

/** The latest mark and settlement of a market, shared by its files. */
interface LastMark {
  atUs: number;
  ticks: number;
  settledUs: number;
}

interface CandleFileOptions {
  readonly market: TapeMarket;
  readonly place: number;
  readonly last: LastMark;
  readonly counts: ImportCounts;
  /** Of all files with candles of this market and length. */
  readonly check: CandleChecks;
}

/** A row at the moment it becomes known; the mark of a bar's open is known before the rest of it. */
interface Item extends Recorded {
  /** Index of its reader. */
  readonly reader: number;
  readonly row: CsvRow;
  readonly atUs: number;
  readonly part: 'row' | 'open' | 'close';
}

/** Newer files of Binance have microseconds in the same column. */
const TIME = { name: 'ts_ms', unit: 'auto' } as const;

/** Turns the rows of one file into frames. */
class CandleFile {
  readonly name: string;
  readonly tally = new CandleTally();
  readonly #file: NamedFile;
  readonly #what: What;
  readonly #lengthMs: number;
  readonly #options: CandleFileOptions;

  constructor(file: NamedFile, options: CandleFileOptions) {
    this.#file = file;
    this.name = file.path.slice(file.path.lastIndexOf('/') + 1);
    this.#what = whatOf(file);
    this.#options = options;
    this.#lengthMs = lengthOf(file);
  }

  async *rows(reader: number): AsyncGenerator<Item> {
    const lengthUs = this.#what === 'funding' ? 0 : this.#lengthMs * 1_000;
    for await (const row of readCsv(this.#file.path, SHAPES[this.#what])) {
      const { place } = row;
      const atUs = recordedUs(place, row.cells[0] ?? '', TIME);
      const item = { reader, place, row, atUs };
      if (this.#what === 'mark') yield { ...item, exchangeUs: atUs, part: 'open' };
      yield { ...item, exchangeUs: atUs + lengthUs, part: this.#what === 'mark' ? 'close' : 'row' };
    }
  }

  take({ row, atUs, part }: Item, order: FrameOrder): void {
    if (part !== 'close') this.tally.addRow(atUs / 1_000);
    if (this.#what === 'funding') this.#settlement(row, atUs, order);
    else if (part === 'close') this.#mark(row, { atUs: atUs + this.#lengthMs * 1_000, cell: 4 }, order);
    else {
      this.#countPrices(row);
      const atMs = this.#options.check.take(row.place, atUs, order);
      if (this.#what === 'bars') this.#bar(row, atMs, order);
      else {
        this.#options.last.ticks = this.#mark(row, { atUs, cell: 1 }, order);
        this.#options.last.atUs = atUs;
      }
    }
  }

  #countPrices({ place, cells }: CsvRow): void {
    const open = exactly(place, cells[1] ?? '', 'open');
    const high = exactly(place, cells[2] ?? '', 'high');
    const low = exactly(place, cells[3] ?? '', 'low');
    const close = exactly(place, cells[4] ?? '', 'close');
    const isBad = !areCandlePrices(open, high, low, close);
    this.tally.addBar({ low, high }, isBad);
    if (isBad) this.#options.counts.add('badBars');
  }

  #bar({ place, cells }: CsvRow, atMs: number, order: FrameOrder): void {
    const { priceDecimals, sizeDecimals } = this.#options.market;
    const priceOf = (at: number, name: string) =>
      priceAt(place, plainDecimal(cells[at] ?? ''), priceDecimals, name);
    const volume = sizeAt(place, plainDecimal(cells[5] ?? ''), sizeDecimals, 'volume');
    this.tally.addVolume(exactly(place, cells[5] ?? '', 'volume'));
    this.#add(order, (atMs + this.#lengthMs) * 1_000, [
      [EVENT.candleOpen, priceOf(1, 'open'), 0, this.#lengthMs],
      [EVENT.candleHigh, priceOf(2, 'high'), 0, atMs],
      [EVENT.candleLow, priceOf(3, 'low'), 0, 0],
      [EVENT.candleClose, priceOf(4, 'close'), volume, 0],
    ]);
  }

  #mark(
    { place, cells }: CsvRow,
    { atUs, cell }: { readonly atUs: number; readonly cell: number },
    order: FrameOrder,
  ): number {
    const { market, counts } = this.#options;
    const text = plainDecimal(cells[cell] ?? '');
    if (printedDecimalsOf(text) > market.priceDecimals) counts.add('pricesRounded');
    const ticks = roundedPriceAt(place, text, market.priceDecimals, cell === 1 ? 'open' : 'close');
    this.#add(order, atUs, [[EVENT.mark, ticks, 0, 0]]);
    return ticks;
  }

  #settlement({ place, cells }: CsvRow, atUs: number, order: FrameOrder): void {
    const { counts, last } = this.#options;
    if (atUs <= last.settledUs)
      throw malformed(place, 'a settlement after the one before', isoOfUs(atUs), SORT_SETTLEMENTS);
    last.settledUs = atUs;
    const text = plainDecimal(cells[1] ?? '');
    this.tally.addRate(exactly(place, text, 'funding_rate'));
    if (printedDecimalsOf(text) > RATE_DECIMALS) counts.add('ratesRounded');
    const isPriced = last.ticks > 0 && atUs - last.atUs <= MARK_AGE_US_MAX;
    if (!isPriced) counts.add('settlementsUnpriced');
    const rate = rateAt(place, text, 'funding_rate');
    this.#add(order, atUs, [[EVENT.fundingSettled, isPriced ? last.ticks : 0, rate, 0]]);
  }

  #add(order: FrameOrder, exchangeUs: number, rows: readonly FrameRow[]): void {
    const rank = this.#what === 'bars' ? RANK.levels : RANK.price;
    order.add({ exchangeUs, receivedUs: exchangeUs, rank, market: this.#options.place, rows });
  }
}

/** The decimal `text` with {@link STATISTIC_DECIMALS} decimals. @throws ProtocolError naming the location. */
function exactly(place: Place, text: string, column: string): bigint {
  const value = parseScaled(plainDecimal(text), STATISTIC_DECIMALS);
  if (value !== undefined) return value;
  const remedy = `Write the column with at most ${STATISTIC_DECIMALS} decimals.`;
  throw malformed(
    { ...place, column },
    `a decimal with at most ${STATISTIC_DECIMALS} decimals`,
    quoted(text),
    remedy,
  );
}

/** Files of two kinds in one import. */
export function mixedFiles(found: string): ConfigError {
  return new ConfigError({
    code: 'TAPE_FILES_MIXED',
    message: `expected files of books and trades, or of bars and funding, got both: ${found}`,
    remedy: 'Import them into separate tapes; `ballast tape merge` joins them.',
  });
}

/**
 * @module
 * Files of bars, mark bars and funding as frames of a tape (Binance USD-M and Hyperliquid exports). A bar becomes known
 * when it ends, so that is its time on the tape. Marks are written at both ends of their bar; a settlement takes the mark
 * of its moment. What this does not do: making bars of trades.
 */
import { ConfigError, must, parseScaled } from '../../core/index.ts';
import { PRICE_TICKS_MAX } from '../../domain/index.ts';
import { EVENT, RECORDING_NAMES, type TapeMarket } from '../format/index.ts';
import { CandleTally, FIGURE_DECIMALS } from './candle-figures.ts';
import { type CsvRow, type CsvShape, csvShapeOf, readCsv } from './csv-table.ts';
import { filesByMarket, findFiles, type NamedFile } from './find-files.ts';
import { type FrameOrder, type FrameRow, RANK } from './frame-order.ts';
import type { ImportCounts } from './import-counts.ts';
import type { ImportRequest, OpenedImport } from './importer.ts';
import { integerAt, malformed, type Place, priceAt, quoted, type RecordedScale, sizeAt } from './location.ts';
import { mergeStreams } from './merge-streams.ts';
import { plainDecimal } from './plain-decimal.ts';
import { printedDecimalsOf, ScaleScan } from './scale-scan.ts';

const [CANDLE_NAME] = RECORDING_NAMES['binance-candles'];
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
const MARK_AGE_MS_MAX = 60_000;

/** Looks for the files of the format. */
export async function openCandleImport(request: ImportRequest, counts: ImportCounts): Promise<OpenedImport> {
  const { files, ignored } = await findFiles(request.paths, CANDLE_NAME, CANDLE_NAME_EXPECTED);
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
  const readers = byMarket.flatMap(([, own], place) => {
    const last: LastMark = { atMs: 0, ticks: 0 };
    const market = must(markets[place], 'a market of the files');
    return inOrder(own).map((file) => new CandleFile(file, { market, place, last, counts }));
  });
  return {
    markets,
    files: byMarket.flatMap(([, own]) => own.map(({ path }) => path)),
    ignored: [],
    silenceMs: Number.POSITIVE_INFINITY,
    async run(order) {
      const streams = readers.map((reader) => reader.rows());
      for await (const item of mergeStreams(streams, ({ knownAtMs }) => knownAtMs))
        item.reader.take(item, order);
    },
    figures: () => Object.fromEntries(readers.map((reader) => [reader.name, reader.tally.figures()])),
  };
}

function whatOf({ parts }: NamedFile): What {
  return parts['what'] === 'mark' || parts['what'] === 'funding' ? parts['what'] : 'bars';
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

/** The latest mark of a market, shared by its files. */
interface LastMark {
  atMs: number;
  ticks: number;
}

interface CandleFileOptions {
  readonly market: TapeMarket;
  readonly place: number;
  readonly last: LastMark;
  readonly counts: ImportCounts;
}

/** A row at the moment it becomes known; the mark of a bar's open is known before the rest of it. */
interface Item {
  readonly reader: CandleFile;
  readonly row: CsvRow;
  readonly atMs: number;
  readonly knownAtMs: number;
  readonly part: 'row' | 'open' | 'close';
}

/** Turns the rows of one file into frames. */
class CandleFile {
  readonly name: string;
  readonly tally = new CandleTally();
  readonly #file: NamedFile;
  readonly #what: What;
  readonly #lengthMs: number;
  readonly #options: CandleFileOptions;
  #endMs = 0;

  constructor(file: NamedFile, options: CandleFileOptions) {
    const interval = file.parts['interval'] ?? '';
    this.#file = file;
    this.name = file.path.slice(file.path.lastIndexOf('/') + 1);
    this.#what = whatOf(file);
    this.#options = options;
    this.#lengthMs = Number(interval.slice(0, -1)) * must(UNIT_MS[interval.slice(-1)], 'a unit of time');
  }

  async *rows(): AsyncGenerator<Item> {
    const lengthMs = this.#what === 'funding' ? 0 : this.#lengthMs;
    for await (const row of readCsv(this.#file.path, SHAPES[this.#what])) {
      const atMs = integerAt(row.place, row.cells[0] ?? '', 'ts_ms');
      const item = { reader: this, row, atMs };
      if (this.#what === 'mark') yield { ...item, knownAtMs: atMs, part: 'open' };
      yield { ...item, knownAtMs: atMs + lengthMs, part: this.#what === 'mark' ? 'close' : 'row' };
    }
  }

  take({ row, atMs, part }: Item, order: FrameOrder): void {
    if (part !== 'close') this.tally.addRow(atMs);
    if (this.#what === 'funding') this.#settlement(row, atMs, order);
    else if (part === 'close') this.#mark(row, { atMs: atMs + this.#lengthMs, cell: 4 }, order);
    else if (this.#isBar(row, atMs, order)) this.#bar(row, atMs, order);
    else {
      this.#options.last.ticks = this.#mark(row, { atMs, cell: 1 }, order);
      this.#options.last.atMs = atMs;
    }
  }

  /** Counts the prices of a row. True if it is a bar that was traded. */
  #isBar({ place, cells }: CsvRow, atMs: number, order: FrameOrder): boolean {
    const open = exactly(place, cells[1] ?? '');
    const high = exactly(place, cells[2] ?? '');
    const low = exactly(place, cells[3] ?? '');
    const close = exactly(place, cells[4] ?? '');
    const isBad = low > high || open < low || open > high || close < low || close > high;
    this.tally.addBar({ low, high }, isBad);
    if (isBad) this.#options.counts.add('badBars');
    this.#checkOrder(place, atMs, order);
    return this.#what === 'bars';
  }

  #bar({ place, cells }: CsvRow, atMs: number, order: FrameOrder): void {
    const { priceDecimals, sizeDecimals } = this.#options.market;
    const priceOf = (at: number) => priceAt(place, plainDecimal(cells[at] ?? ''), priceDecimals);
    const volume = sizeAt(place, plainDecimal(cells[5] ?? ''), sizeDecimals);
    this.tally.addVolume(exactly(place, cells[5] ?? ''));
    this.#add(order, (atMs + this.#lengthMs) * 1_000, [
      [EVENT.candleOpen, priceOf(1), 0, this.#lengthMs],
      [EVENT.candleHigh, priceOf(2), 0, atMs],
      [EVENT.candleLow, priceOf(3), 0, 0],
      [EVENT.candleClose, priceOf(4), volume, 0],
    ]);
  }

  /** A bar that should have ended by now and did not come leaves a gap. */
  #checkOrder(place: Place, atMs: number, order: FrameOrder): void {
    const endMs = this.#endMs;
    if (atMs < endMs)
      throw malformed(
        place,
        `bars of ${this.#lengthMs} ms, one after the other, from ${endMs} on`,
        `${atMs}`,
      );
    this.#endMs = atMs + this.#lengthMs;
    if (endMs === 0 || atMs === endMs || this.#what === 'mark') return;
    const { counts, place: market } = this.#options;
    counts.add('holes');
    counts.add('gapsMs', atMs - endMs);
    const sinceUs = (endMs + this.#lengthMs) * 1_000;
    order.addHole(market, sinceUs, sinceUs, this.#endMs * 1_000);
  }

  #mark(
    { place, cells }: CsvRow,
    { atMs, cell }: { readonly atMs: number; readonly cell: number },
    order: FrameOrder,
  ): number {
    const ticks = this.#roundedTicks(place, cells[cell] ?? '');
    this.#add(order, atMs * 1_000, [[EVENT.mark, ticks, 0, 0]]);
    return ticks;
  }

  #roundedTicks(place: Place, text: string): number {
    const { market, counts } = this.#options;
    const unit = 10n ** BigInt(FIGURE_DECIMALS - market.priceDecimals);
    const value = exactly(place, text);
    if (value % unit !== 0n) counts.add('pricesRounded');
    const ticks = Number((2n * value + unit) / (2n * unit));
    if (ticks > 0 && ticks <= PRICE_TICKS_MAX) return ticks;
    throw malformed(place, `a price above zero that fits ${market.priceDecimals} decimals`, quoted(text));
  }

  #settlement({ place, cells }: CsvRow, atMs: number, order: FrameOrder): void {
    const { counts, last } = this.#options;
    const rate = exactly(place, cells[1] ?? '');
    this.tally.addRate(rate);
    const unit = 10n ** BigInt(FIGURE_DECIMALS - RATE_DECIMALS);
    if (rate % unit !== 0n) counts.add('ratesRounded');
    const isPriced = last.ticks > 0 && atMs - last.atMs <= MARK_AGE_MS_MAX;
    if (!isPriced) counts.add('settlementsUnpriced');
    const row: FrameRow = [EVENT.fundingSettled, isPriced ? last.ticks : 0, Number(rounded(rate, unit)), 0];
    this.#add(order, atMs * 1_000, [row]);
  }

  #add(order: FrameOrder, exchangeUs: number, rows: readonly FrameRow[]): void {
    const rank = this.#what === 'bars' ? RANK.levels : RANK.price;
    order.add({ exchangeUs, receivedUs: exchangeUs, rank, market: this.#options.place, rows });
  }
}

/** The decimal `text` with {@link FIGURE_DECIMALS} decimals. @throws ProtocolError naming the location. */
function exactly(place: Place, text: string): bigint {
  const value = parseScaled(plainDecimal(text), FIGURE_DECIMALS);
  if (value !== undefined) return value;
  throw malformed(place, `a decimal with at most ${FIGURE_DECIMALS} digits behind the point`, quoted(text));
}

/** `value` / `unit` to the nearest integer, halves away from zero. */
function rounded(value: bigint, unit: bigint): bigint {
  const half = value < 0n ? -unit : unit;
  return (2n * value + half) / (2n * unit);
}

/** Files of two kinds in one import. */
export function mixedFiles(found: string): ConfigError {
  return new ConfigError({
    code: 'TAPE_FILES_MIXED',
    message: `expected files of books and trades, or of bars and funding, got both: ${found}`,
    remedy: 'Import them into separate tapes; `ballast tape merge` joins them.',
  });
}

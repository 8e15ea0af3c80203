/**
 * @module
 * Imports a recorded set that lies beside the project and holds it against the figures that others computed from the same
 * files: the import's own figures as a whole, and from the tape's rows every figure that is about what a tape holds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { formatScaled } from '../../src/core/index.ts';
import {
  EVENT,
  type EventRow,
  openTape,
  type RecordingFormat,
  type Tape,
} from '../../src/tape/format/index.ts';
import { type ImportResult, importTape } from '../../src/tape/importers/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';
import { readSharedJson, sharedPath } from './shared.ts';
import { bestOf, MarketFigures, marketFigures } from './tape-figures.ts';

type Expected = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A recorded set, its format, and what of its figures is read back from the tape. */
export interface RecordedSet {
  readonly folder: string;
  readonly format: RecordingFormat;
  readonly fromTape: (tape: Tape, expected: Expected) => Readonly<Record<string, unknown>>;
}

/** All recorded sets. */
export const RECORDED_SETS: readonly RecordedSet[] = [
  { folder: 'binance-um-20240808', format: 'binance-um', fromTape: binanceFromTape },
  { folder: 'binance-um-btcusdt-20230404', format: 'binance-um', fromTape: binanceFromTape },
  { folder: 'standx-btcusd-20260106', format: 'standx', fromTape: standxFromTape },
  { folder: 'hyperliquid-20250904', format: 'hyperliquid', fromTape: hyperliquidFromTape },
  { folder: 'gemini-ethusd-20210701', format: 'gemini', fromTape: geminiFromTape },
  { folder: 'candles-binance-um-2025', format: 'binance-candles', fromTape: candlesFromTape },
  { folder: 'candles-hyperliquid-2025', format: 'hyperliquid', fromTape: candlesFromTape },
];

/** What an import of a set showed. */
export interface ImportCheck {
  readonly folder: string;
  readonly result: ImportResult;
  /** Figures of the import that differ from the expected ones, with both values. */
  readonly differences: readonly string[];
  /** How many figures were read back from the tape. */
  readonly fromTape: number;
}

/** Imports a set into a folder of its own that is gone afterwards; `look` sees the tape. Books are kept as recorded. */
export async function checkImport(
  { folder, format, fromTape }: RecordedSet,
  look: (tape: Tape) => void = () => undefined,
): Promise<ImportCheck> {
  const expected = readSharedJson<Expected>('data', folder, 'expected.json');
  const out = mkdtempSync(join(tmpdir(), 'import-check-'));
  try {
    const paths = [sharedPath('data', folder)];
    const result = await importTape({ format, paths, out, locked: 'keep' });
    const tape = openTape(out);
    look(tape);
    const tapeFigures = fromTape(tape, expected);
    const wanted = flat(expected);
    const differences = [
      ...differencesOf(wanted, flat(result.statistics), 'import'),
      ...differencesOf(
        Object.fromEntries(Object.keys(tapeFigures).map((name) => [name, wanted[name]])),
        tapeFigures,
        'tape',
      ),
    ];
    return { folder, result, differences, fromTape: Object.keys(tapeFigures).length };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Figures by dotted name; lists stay whole. */
function flat(value: unknown, prefix = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { [prefix]: value };
  const entries = Object.entries(value).map(([name, part]) =>
    flat(part, prefix === '' ? name : `${prefix}/${name}`),
  );
  return Object.assign({}, ...entries);
}

function differencesOf(
  expected: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
  source: string,
): readonly string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .filter((name) => !isDeepStrictEqual(expected[name], found[name]))
    .map(
      (name) => `${source} ${name}: ${JSON.stringify(found[name])}, not ${JSON.stringify(expected[name])}`,
    );
}

/** Binance prints prices and sizes with last zeros that a tick does not need. */
function binanceFromTape(tape: Tape): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [place, figures] of marketFigures(tape).entries()) {
    const { symbol = '', priceDecimals = 0, sizeDecimals = 0 } = tape.markets[place] ?? {};
    const printed = 2;
    const more = 10n ** BigInt(printed - priceDecimals);
    const level = ([price, size]: readonly [number, number]) => [
      formatScaled(BigInt(price) * more, printed),
      formatScaled(size, sizeDecimals),
    ];
    const notional = figures.notional * more;
    const vwap = (2n * notional * 10n ** 6n + figures.volume * 100n) / (2n * figures.volume * 100n);
    Object.assign(found, {
      [`${symbol}/finalLevels/bids`]: figures.book.bidCount,
      [`${symbol}/finalLevels/asks`]: figures.book.askCount,
      [`${symbol}/finalBestBid`]: level(bestOf(figures, 'buy')),
      [`${symbol}/finalBestAsk`]: level(bestOf(figures, 'sell')),
      [`${symbol}/tradeVolume`]: formatScaled(figures.volume, sizeDecimals),
      [`${symbol}/tradeNotionalPriceTimesQty`]: formatScaled(notional, printed + sizeDecimals),
      [`${symbol}/vwap`]: formatScaled(vwap, 6),
      [`${symbol}/takerBuys`]: figures.buys,
      [`${symbol}/takerSells`]: figures.trades - figures.buys,
      [`${symbol}/tradeKinds/MARKET`]: figures.trades,
      [`${symbol}/crossedStates`]: figures.locked + figures.crossed,
      [`${symbol}/messages/bookTicker`]: figures.quotes,
      ...(figures.marks > 0 ? { [`${symbol}/messages/markPrice`]: figures.marks } : {}),
    });
  }
  return found;
}

const HOUR_US = 3_600_000_000;

function standxFromTape(tape: Tape): Readonly<Record<string, unknown>> {
  const hours = new Map<number, MarketFigures>();
  let current: MarketFigures | undefined;
  for (const row of rowsOf(tape.batches())) {
    const hour = Math.floor(row.exchangeUs / HOUR_US);
    current = hours.get(hour) ?? new MarketFigures(current?.book);
    hours.set(hour, current);
    if (row.kind !== EVENT.hole) current.add(row);
    if (row.flags === 1) bests.set(current, [current.book.bidTicks ?? 0, current.book.askTicks ?? 0]);
  }
  const found: Record<string, unknown> = {};
  for (const [hour, figures] of hours) {
    const name = new Date((hour * HOUR_US) / 1_000).toISOString().slice(0, 13).replace('T', '_');
    Object.assign(found, {
      [`${name}/distinctBookTimes`]: figures.bookTimes,
      [`${name}/lockedStates`]: figures.locked,
      [`${name}/crossedStates`]: figures.crossed,
      [`${name}/maxGapMs`]: figures.maxGapMs,
      [`${name}/firstExchMs`]: figures.firstBookMs,
      [`${name}/lastExchMs`]: figures.lastBookMs,
      [`${name}/firstBest`]: figures.firstBest?.map(plain),
      [`${name}/lastBest`]: bests.get(figures)?.map(plain),
      [`${name}/trades`]: figures.trades,
      [`${name}/tradeVolume`]: formatScaled(figures.volume, 4),
      [`${name}/tradeNotional`]: formatScaled(figures.notional, 6),
    });
  }
  return found;
}

/** Best prices at the latest frame of an hour. */
const bests = new WeakMap<MarketFigures, readonly [number, number]>();

/** As the recorder printed prices: without last zeros. */
function plain(price: number): string {
  return formatScaled(price, 2).replace(/\.?0+$/, '');
}

function hyperliquidFromTape(tape: Tape): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [place, figures] of marketFigures(tape).entries()) {
    const symbol = tape.markets[place]?.symbol ?? '';
    Object.assign(found, {
      [`${symbol}/bookRows`]: figures.bookFrames,
      [`${symbol}/firstExchMs`]: figures.firstBookMs,
      [`${symbol}/lastExchMs`]: figures.lastBookMs,
      [`${symbol}/maxGapMs`]: figures.maxGapMs,
      [`${symbol}/crossedOrLocked`]: figures.crossed + figures.locked,
      // Each trade stands once, however often it was told.
      [`${symbol}/distinctTradeIds`]: figures.trades,
      [`${symbol}/bboRows`]: figures.quotes * 2,
    });
  }
  return found;
}

function geminiFromTape(tape: Tape): Readonly<Record<string, unknown>> {
  const [figures] = marketFigures(tape);
  if (figures === undefined) return {};
  const { priceDecimals = 0, sizeDecimals = 0 } = tape.markets[0] ?? {};
  const seconds = [...rowsOf(tape.batches())].filter(({ kind }) => kind === EVENT.bestBid).map(secondOf);
  const [firstSec = 0] = seconds;
  const lastSec = seconds.at(-1) ?? 0;
  return {
    depthRows: figures.quotes,
    firstSec,
    lastSec,
    secondsWithoutRow: lastSec - firstSec + 1 - new Set(seconds).size,
    trades: figures.trades,
    tradeVolume: formatScaled(figures.volume, sizeDecimals),
    tradeNotional: formatScaled(figures.notional, priceDecimals + sizeDecimals),
    buyerIsMaker: figures.trades - figures.buys,
  };
}

function secondOf({ exchangeUs }: EventRow): number {
  return exchangeUs / 1_000_000;
}

interface Bars {
  rows: number;
  firstMs: number;
  lastMs: number;
  low: number;
  high: number;
  volume: bigint;
}

/** Bars by market and length; settlements by market. */
function candlesFromTape(tape: Tape, expected: Expected): Readonly<Record<string, unknown>> {
  const bars = new Map<string, Bars>();
  const settlements = new Map<string, EventRow[]>();
  let name = '';
  for (const row of rowsOf(tape.batches())) {
    const symbol = tape.markets[row.market]?.symbol ?? '';
    if (row.kind === EVENT.candleOpen) name = `${symbol}_${intervalOf(row.id)}.csv.gz`;
    const bar = bars.get(name);
    if (row.kind === EVENT.candleHigh && bar === undefined)
      bars.set(name, {
        rows: 1,
        firstMs: row.id,
        lastMs: row.id,
        low: Infinity,
        high: row.price,
        volume: 0n,
      });
    if (row.kind === EVENT.candleHigh && bar !== undefined) {
      bar.rows++;
      bar.lastMs = row.id;
      bar.high = Math.max(bar.high, row.price);
    }
    if (row.kind === EVENT.candleLow && bar !== undefined) bar.low = Math.min(bar.low, row.price);
    if (row.kind === EVENT.candleClose && bar !== undefined) bar.volume += BigInt(row.size);
    if (row.kind === EVENT.fundingSettled) {
      const rows = settlements.get(symbol);
      if (rows === undefined) settlements.set(symbol, [row]);
      else rows.push(row);
    }
  }
  const found: Record<string, unknown> = {};
  for (const [file, bar] of bars) {
    const market = tape.markets.find(({ symbol }) => file.startsWith(`${symbol}_`));
    const text = (value: number | bigint, decimals = 0) =>
      decimals === 0 ? String(value) : formatScaled(value, decimals).replace(/\.?0+$/, '');
    Object.assign(found, {
      [`${file}/rows`]: bar.rows,
      [`${file}/firstMs`]: bar.firstMs,
      [`${file}/lastMs`]: bar.lastMs,
      [`${file}/minLow`]: text(bar.low, market?.priceDecimals),
      [`${file}/maxHigh`]: text(bar.high, market?.priceDecimals),
      [`${file}/sumVolume`]: text(bar.volume, market?.sizeDecimals),
    });
  }
  for (const [symbol, rows] of settlements) {
    const file = Object.keys(expected).find((one) => one.startsWith(`${symbol}_funding_`)) ?? '';
    found[`${file}/rows`] = rows.length;
    found[`${file}/firstMs`] = (rows[0]?.exchangeUs ?? 0) / 1_000;
    found[`${file}/lastMs`] = (rows.at(-1)?.exchangeUs ?? 0) / 1_000;
  }
  return found;
}

function intervalOf(lengthMs: number): string {
  return lengthMs % 3_600_000 === 0 ? `${lengthMs / 3_600_000}h` : `${lengthMs / 60_000}m`;
}

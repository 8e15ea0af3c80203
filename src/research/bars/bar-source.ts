/**
 * @module
 * The bars of one market for a run: candles or trades of a tape, or files of bars and settlements; as long as they are asked
 * for, within the time that is asked for, checked.
 */

import type { Config, ConfigSource } from '../../config/index.ts';
import { BotError, must } from '../../core/index.ts';
import { openTape, type TapeMarket } from '../../tape/format/index.ts';
import { collateralDecimalsOf, localMarketsOf } from '../backtest/index.ts';
import {
  type BarFile,
  type BarFileOptions,
  type NamedData,
  readBarFile,
  readFundingFile,
} from './bar-file.ts';
import { checkBars } from './check.ts';
import type { BarColumns, SettlementColumns } from './columns.ts';
import { barsOfTape } from './from-tape.ts';
import { longerBars } from './gather.ts';

/** What a backtest over bars is made of. One of `tape` and `csv` is named. */
export interface ConfiguredBars extends Partial<BarFileOptions> {
  /** The configuration and its file. */
  readonly source: ConfigSource;
  /** Folder of a tape. */
  readonly tape?: string | undefined;
  /** A CSV file of bars. */
  readonly csv?: string | undefined;
  /** A CSV file of funding rates; `undefined`: no funding is paid. */
  readonly funding?: string | undefined;
  /** Length of the bars, ms; absent: as they are. */
  readonly barMs?: number | undefined;
  /** How long after a multiple of `barMs` the bars begin, ms; absent: 0. */
  readonly barOffsetMs?: number | undefined;
  /** Name of the strategy; absent: the only one. */
  readonly strategy?: string | undefined;
  /** Symbol of the market; `undefined`: the only one. */
  readonly market?: string | undefined;
  /** Slippage of each fill in ticks; `undefined`: 0. */
  readonly slippageTicks?: number | undefined;
  /** Bars that begin at this time or later, Unix ms; absent: from the first. */
  readonly fromMs?: number | undefined;
  /** Bars that end by this time, Unix ms; absent: to the last. */
  readonly toMs?: number | undefined;
}

/** Bars of one market with where they came from. */
export interface LoadedBars {
  /** The bars, oldest first. */
  readonly bars: BarColumns;
  /** Funding settlements; `undefined`: no funding is paid. */
  readonly settlements: SettlementColumns | undefined;
  /** What the bars were made of. */
  readonly madeOf: 'candles' | 'trades' | 'file';
  /** The market with its decimals. */
  readonly market: TapeMarket;
  /** The tape or the files that were read. */
  readonly data: readonly NamedData[];
  /** The configuration with this market only. */
  readonly config: Config;
}

const US_PER_MS = 1_000;

/** Loads the bars of a market. @throws BotError `BARS_...`; ProtocolError `TAPE_...`. */
export async function loadBars(options: ConfiguredBars, symbol: string): Promise<LoadedBars> {
  const { isGapAllowed = false, barMs, barOffsetMs = 0 } = options;
  if (barOffsetMs > 0 && barOffsetMs >= (barMs ?? 0)) throw invalidOffset(barOffsetMs, barMs);
  const loaded = options.csv === undefined ? ofTape(options, symbol) : await ofFile(options, symbol);
  const bars = barsWithin(longer(loaded.bars, options), options);
  checkBars(bars, { placeOf: (at) => `${loaded.data[0]?.name ?? ''}, bar ${at}`, isGapAllowed });
  return { ...loaded, bars };
}

function ofTape(options: ConfiguredBars, symbol: string): LoadedBars {
  const { source, tape: folder, barMs, barOffsetMs: offsetMs } = options;
  const config = withMarket(source.config, symbol);
  if (folder === undefined)
    throw new BotError({
      code: 'BARS_SOURCE_MISSING',
      message: 'expected bars, got neither --tape nor --csv, nor the key tape in the configuration',
      remedy:
        'Name the folder of a tape with --tape <folder> or with `tape: <folder>` in the configuration, or a CSV file of bars with --csv.',
    });
  const tape = openTape(folder);
  const name = nameOnTape(config, symbol);
  const place = tape.markets.findIndex((market) => market.symbol === name);
  // Says which markets there are, where it is none of them.
  if (place < 0) localMarketsOf(config, tape, collateralDecimalsOf(tape.markets));
  const found = barsOfTape(tape, {
    ...{ market: place, barMs, offsetMs },
    fundingIntervalMs: config.paper.fundingInterval,
  });
  if (found === undefined)
    throw new BotError({
      code: 'BARS_LENGTH_MISSING',
      message: `expected candles of ${name} on tape ${tape.name}, got none`,
      remedy: 'Name a length with --interval 1m: bars of it are then made of the trades.',
    });
  const { bars, settlements, from } = found;
  const market = must(tape.markets[place], 'a market of the tape');
  return { bars, settlements, madeOf: from, market, config, data: [{ name: tape.name, hash: tape.hash }] };
}

async function ofFile(options: ConfiguredBars, symbol: string): Promise<LoadedBars> {
  const { source, csv = '', funding, isGapAllowed = false } = options;
  const config = withMarket(source.config, symbol);
  const file: BarFile = await readBarFile(csv, { ...options, isGapAllowed });
  const paid = funding === undefined ? undefined : await readFundingFile(funding);
  const { bars, priceDecimals, sizeDecimals } = file;
  return {
    ...{ bars, settlements: paid?.settlements, madeOf: 'file', config },
    market: {
      ...{ symbol: nameOnTape(config, symbol), priceDecimals, sizeDecimals },
      ...{ tickStep: 1, lotStep: 1, depth: 'none' },
    },
    data: paid === undefined ? [file] : [file, paid],
  };
}

function withMarket(config: Config, symbol: string): Config {
  return { ...config, markets: config.markets.filter((market) => market.symbol === symbol) };
}

function nameOnTape({ paper }: Config, symbol: string): string {
  return paper.markets.find((market) => market.symbol === symbol)?.tapeSymbol ?? symbol;
}

/** Bars of `barMs` out of shorter ones. */
function longer(
  bars: BarColumns,
  { barMs, barOffsetMs, tape }: Pick<ConfiguredBars, 'barMs' | 'barOffsetMs' | 'tape'>,
): BarColumns {
  const barUs = barMs === undefined ? bars.barUs : barMs * US_PER_MS;
  // Those of a tape have the length already.
  if (barUs === bars.barUs && (barOffsetMs === undefined || tape !== undefined)) return bars;
  if (barUs % bars.barUs !== 0)
    throw new BotError({
      code: 'BARS_LENGTH_INVALID',
      message: `expected --interval as a multiple of the ${bars.barUs / US_PER_MS} ms that the bars last, got ${barMs} ms`,
      remedy: 'Name a multiple, or leave --interval out.',
    });
  return longerBars(bars, barUs, barOffsetMs === undefined ? undefined : barOffsetMs * US_PER_MS);
}

function invalidOffset(barOffsetMs: number, barMs: number | undefined): BotError {
  return new BotError({
    code: 'BARS_OFFSET_INVALID',
    message: `expected --bar-offset shorter than --interval, got ${barOffsetMs} ms and ${barMs === undefined ? 'no --interval' : `${barMs} ms`}`,
    remedy: 'Name with --interval the length of the longer bars, and with --bar-offset a shorter time.',
  });
}

/** The bars that begin from `fromMs` on and end by `toMs`, Unix ms. */
export function barsWithin(
  bars: BarColumns,
  { fromMs, toMs }: Pick<ConfiguredBars, 'fromMs' | 'toMs'>,
): BarColumns {
  if (fromMs === undefined && toMs === undefined) return bars;
  const fromUs = (fromMs ?? 0) * US_PER_MS;
  const toUs = (toMs ?? Number.POSITIVE_INFINITY) * US_PER_MS;
  const from = bars.openUs.findIndex((us) => us >= fromUs);
  const to = bars.openUs.findLastIndex((us) => us + bars.barUs <= toUs) + 1;
  const cut = (column: Float64Array) => (from < 0 ? column.subarray(0, 0) : column.subarray(from, to));
  return {
    rows: from < 0 ? 0 : Math.max(0, to - from),
    barUs: bars.barUs,
    ...{ openUs: cut(bars.openUs), open: cut(bars.open), high: cut(bars.high), low: cut(bars.low) },
    ...{ close: cut(bars.close), volume: cut(bars.volume) },
  };
}

/**
 * @module
 * A backtest over bars from a configuration: one strategy in one market, its rule, bars of a tape or of a file, fees, cash,
 * margin and limits as the configuration has them. A function of these; nothing is read from the network.
 */
import { createHash } from 'node:crypto';
import {
  type BarColumns,
  BarGatherer,
  type BarRun,
  type BarTerms,
  barsOfTape,
  checkBars,
  FILL_REASONS,
  recordOfBars,
  runBars,
  type SettlementColumns,
} from '../backtest/index.ts';
import type { Config, ConfigSource } from '../config/index.ts';
import { BotError, ConfigError, type Decimal, must } from '../core/index.ts';
import { type Market, parsePrice, parseSize, type RunRecord, type StrategyId } from '../domain/index.ts';
import type { BarMarket } from '../strategy/index.ts';
import { openTape, type TapeMarket } from '../tape/index.ts';
import { type BarFile, type NamedData, readBarFile, readFundingFile } from './bar-file.ts';
import { collateralDecimalsOf, localMarketsOf, localTermsOf } from './local-market.ts';
import { limitsOf } from './risk-limits.ts';
import { hashesOf } from './run-hashes.ts';
import { type PreparedStrategy, prepareStrategies } from './strategies.ts';

/** What a backtest over bars is made of. One of `tape` and `csv` is named. */
export interface ConfiguredBars {
  readonly source: ConfigSource;
  /** Folder of a tape. */
  readonly tape?: string | undefined;
  /** A file of bars, and one of settlements. */
  readonly csv?: string | undefined;
  readonly funding?: string | undefined;
  readonly priceDecimals?: number | undefined;
  readonly sizeDecimals?: number | undefined;
  /** Length of the bars, ms; absent: as they are. */
  readonly barMs?: number | undefined;
  /** Name of the strategy, and its market; absent: the only one. */
  readonly strategy?: string | undefined;
  readonly market?: string | undefined;
  readonly slippageTicks?: number | undefined;
  readonly isGapAllowed?: boolean | undefined;
  /** Bars that begin between these times, Unix ms. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** What it gives. */
export interface BarsResult {
  readonly run: BarRun;
  readonly bars: BarColumns;
  /** Why a fill happened, by its number in the columns of trades. */
  readonly reasons: typeof FILL_REASONS;
  /** What the bars were made of. */
  readonly madeOf: 'candles' | 'trades' | 'file';
  readonly market: Market;
  readonly record: RunRecord;
}

/** Bars with where they came from. */
interface Loaded {
  readonly bars: BarColumns;
  readonly settlements: SettlementColumns | undefined;
  readonly madeOf: BarsResult['madeOf'];
  readonly market: TapeMarket;
  readonly data: readonly NamedData[];
  /** The configuration with this market alone. */
  readonly config: Config;
}

const US_PER_MS = 1_000;

/**
 * Runs the rule of a strategy over bars.
 * @throws ConfigError `STRATEGY_...`, `CONFIG_INVALID`; BotError `BARS_...` for the bars; ProtocolError `TAPE_...`.
 */
export async function runConfiguredBars(options: ConfiguredBars): Promise<BarsResult> {
  const { source, slippageTicks = 0, isGapAllowed = false } = options;
  const strategies = await prepareStrategies(source);
  const strategy = chosen(strategies, options.strategy);
  const symbol = chosenMarket(strategy, options.market);
  const loaded = options.csv === undefined ? ofTape(options, symbol) : ofFile(options, symbol);
  const { market: traded, config, data } = loaded;
  const bars = within(longer(loaded.bars, options.barMs), options);
  checkBars(bars, { placeOf: (at) => `${data[0]?.name ?? ''}, bar ${at}`, isGapAllowed });
  const collateralDecimals = collateralDecimalsOf([traded]);
  const [market] = localMarketsOf(config, { name: traded.symbol, markets: [traded] }, collateralDecimals);
  const known = must(market, 'a market');
  const { fees, collateral } = localTermsOf(config, collateralDecimals);
  const { positionNotionalMax } = limitsOf(config, collateralDecimals);
  const terms: BarTerms = { collateral, takerPpm: fees.takerPpm, slippageTicks, positionNotionalMax };
  const rule = ruleOf(strategy, barMarketOf(known, bars.barUs / US_PER_MS));
  const run = runBars({ market: known, bars, settlements: loaded.settlements, rule, terms });
  const hashes = hashesOf(source, [strategy]);
  const spoken = [hashes.configHash, hashes.codeHash, ...data.map(({ hash }) => hash), strategy.name, symbol];
  const shape = [bars.barUs, bars.openUs[0], bars.rows, slippageTicks];
  const record = recordOfBars(run, {
    ...hashes,
    // A function of what goes in, so that the same run has the same name.
    runId: `bars-${sha256([...spoken, ...shape].join(' ')).slice(0, 12)}`,
    tapes: data.map(({ name, hash }) => ({ name, hash })),
    seed: source.config.environment.seed,
    ...{ collateralDecimals, market: known, bars, terms, strategyId: strategy.name as StrategyId },
  });
  return { run, bars, reasons: FILL_REASONS, madeOf: loaded.madeOf, market: known, record };
}

function ofTape(options: ConfiguredBars, symbol: string): Loaded {
  const { source, tape: folder, barMs } = options;
  const config = withMarket(source.config, symbol);
  if (folder === undefined)
    throw new BotError({
      code: 'BARS_SOURCE_MISSING',
      message: 'expected --tape or --csv, found neither',
      remedy: 'Name the folder of a tape, or a CSV file of bars.',
    });
  const tape = openTape(folder);
  const name = nameOnTape(config, symbol);
  const place = tape.markets.findIndex((market) => market.symbol === name);
  // Says which markets there are, where it is none of them.
  if (place < 0) localMarketsOf(config, tape, collateralDecimalsOf(tape.markets));
  const found = barsOfTape(tape, { market: place, barMs, fundingHours: config.paper.fundingHours });
  if (found === undefined)
    throw new BotError({
      code: 'BARS_LENGTH_MISSING',
      message: `expected candles of ${name} on tape ${tape.name}, found none`,
      remedy: 'Name a length with --bar 1m: bars of it are then made of the trades.',
    });
  const { bars, settlements, from } = found;
  const market = must(tape.markets[place], 'a market of the tape');
  return { bars, settlements, madeOf: from, market, config, data: [{ name: tape.name, hash: tape.hash }] };
}

function ofFile(options: ConfiguredBars, symbol: string): Loaded {
  const { source, csv = '', funding, isGapAllowed = false } = options;
  const config = withMarket(source.config, symbol);
  const file: BarFile = readBarFile(csv, { ...options, isGapAllowed });
  const paid = funding === undefined ? undefined : readFundingFile(funding);
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
  return paper.markets.find((market) => market.symbol === symbol)?.tape ?? symbol;
}

/** Bars of `barMs` out of shorter ones. */
function longer(bars: BarColumns, barMs: number | undefined): BarColumns {
  const barUs = barMs === undefined ? bars.barUs : barMs * US_PER_MS;
  if (barUs === bars.barUs) return bars;
  if (barUs % bars.barUs !== 0)
    throw new BotError({
      code: 'BARS_LENGTH_INVALID',
      message: `expected --bar as a multiple of the ${bars.barUs / US_PER_MS} ms that the bars last, found ${barMs} ms`,
      remedy: 'Name a multiple, or leave --bar out.',
    });
  const gathered = new BarGatherer({ barUs, partUs: bars.barUs });
  for (let at = 0; at < bars.rows; at++)
    gathered.add({
      openUs: bars.openUs[at] ?? 0,
      open: bars.open[at] ?? 0,
      high: bars.high[at] ?? 0,
      low: bars.low[at] ?? 0,
      close: bars.close[at] ?? 0,
      volume: bars.volume[at] ?? 0,
    });
  return gathered.done(Number.POSITIVE_INFINITY);
}

/** The bars that begin from `fromMs` on and end by `toMs`. */
function within(bars: BarColumns, { fromMs, toMs }: Pick<ConfiguredBars, 'fromMs' | 'toMs'>): BarColumns {
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

function chosen(strategies: readonly PreparedStrategy[], name: string | undefined): PreparedStrategy {
  const named = strategies.filter((one) => name === undefined || one.name === name);
  const [first] = named;
  if (first !== undefined && named.length === 1) return first;
  throw new BotError({
    code: 'BARS_STRATEGY_UNCLEAR',
    message: `expected --strategy as one of ${strategies.map((one) => one.name).join(', ')}, found ${name ?? 'none'}`,
    remedy: 'A run over bars is of one strategy: name it.',
  });
}

function chosenMarket({ name, symbols }: PreparedStrategy, symbol: string | undefined): string {
  const named = symbols.filter((one) => symbol === undefined || one === symbol);
  const [first] = named;
  if (first !== undefined && named.length === 1) return first;
  throw new BotError({
    code: 'BARS_MARKET_UNCLEAR',
    message: `expected --market as one of ${symbols.join(', ')}, the markets of ${name}, found ${symbol ?? 'none'}`,
    remedy: 'A run over bars is of one market: name it.',
  });
}

function ruleOf({ name, file, definition, parameters }: PreparedStrategy, market: BarMarket) {
  if (definition.bars !== undefined) return definition.bars(market, parameters);
  throw new ConfigError({
    code: 'STRATEGY_BARS_MISSING',
    message: `expected strategy ${name} (${file}) to have a rule over bars, found none`,
    remedy:
      'Give defineStrategy a `bars`: docs/guides/bars.md. What quotes a book is tried with `ballast backtest`.',
  });
}

function barMarketOf(market: Market, barMs: number): BarMarket {
  const fitting = <T>(value: T | undefined, what: string, was: Decimal | string): T => {
    if (value !== undefined) return value;
    throw new ConfigError({
      code: 'STRATEGY_VALUE_OFF_STEP',
      message: `expected ${what} of ${market.symbol} with its decimals, was ${textOf(was)}`,
      remedy: 'Give it with fewer decimals; of a CSV file --price-decimals and --size-decimals name them.',
    });
  };
  return {
    market,
    barMs,
    sizeOf: (size) => fitting(parseSize(market, textOf(size)), 'a size', size),
    priceOf: (price) => fitting(parsePrice(market, textOf(price)), 'a price', price),
  };
}

function textOf(value: Decimal | string): string {
  return typeof value === 'string' ? value : value.toFixed();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * @module
 * From the section `paper` of a configuration and a tape to the markets, fees and latencies of a local venue. A market
 * that the tape does not hold is an error, never another market.
 */
import type { Config, LatencyText } from '../../config/index.ts';
import { assert, BotError, ConfigError, Decimal, readRegularFile, whyUnreadable } from '../../core/index.ts';
import {
  lots,
  type Market,
  type MarketSymbol,
  ppm,
  type Quantums,
  quantums,
  ticks,
} from '../../domain/index.ts';
import type { TapeMarket } from '../../tape/format/index.ts';
import type { FillModelSettings, Latency, LocalVenueOptions, OrderLatency } from '../venue/index.ts';

/** Decimals of USDC; a market whose price and size have more of them together makes money finer. */
const COLLATERAL_DECIMALS_MIN = 6;
const PPM = 1_000_000;
/** The largest file of latencies that is read. */
const LATENCY_BYTES_MAX = 256_000_000;

/** Decimals of money in which one tick times one lot of every market is an integer. */
export function collateralDecimalsOf(markets: readonly TapeMarket[]): number {
  return Math.max(
    COLLATERAL_DECIMALS_MIN,
    ...markets.map(({ priceDecimals, sizeDecimals }) => priceDecimals + sizeDecimals),
  );
}

/**
 * The markets of a tape by their index in its rows, with the rules of the configuration.
 * @throws BotError `TAPE_MARKET_MISSING` when a market of the configuration is not on the tape.
 */
export function localMarketsOf(
  config: Config,
  tape: { readonly name: string; readonly markets: readonly TapeMarket[] },
  collateralDecimals: number,
): readonly Market[] {
  const bySymbol = new Map(tape.markets.map(({ symbol }, place) => [symbol, place] as const));
  const wanted = new Map<number, Config['markets'][number]>();
  for (const market of config.markets) {
    const rules = config.paper.markets.find(({ symbol }) => symbol === market.symbol);
    const name = rules?.tapeSymbol ?? market.symbol;
    const place = bySymbol.get(name);
    if (place === undefined) throw missing(market.symbol, name, tape);
    wanted.set(place, market);
  }
  return tape.markets.map((market, place) =>
    marketOf({ config, market, place, wanted: wanted.get(place), collateralDecimals }),
  );
}

/** What a local venue takes the exchange to be like. */
export interface LocalModels {
  /** Fill model of resting orders. */
  readonly fillModel: FillModelSettings;
  /** Latency of orders and responses. */
  readonly latency: OrderLatency;
  readonly venue: ReturnType<typeof localTermsOf>;
}

/** Fill model, latency of orders and terms of the configuration. @throws ConfigError `CONFIG_LATENCY_FILE_INVALID`. */
export function localModelsOf(config: Config, collateralDecimals: number): LocalModels {
  const { entryLatency, responseLatency } = config.paper;
  return {
    fillModel: fillModelSettingsOf(config),
    latency: { entry: orderLatencyOf(entryLatency), response: orderLatencyOf(responseLatency) },
    venue: localTermsOf(config, collateralDecimals),
  };
}

/** Fees, cash and funding of the local venue. */
export function localTermsOf(
  config: Config,
  collateralDecimals: number,
): Pick<LocalVenueOptions, 'fees' | 'feeTiers' | 'collateral' | 'fundingIntervalMs'> {
  const { paper, risk } = config;
  return {
    collateral: moneyOf(paper.collateral ?? risk.capital, collateralDecimals),
    fees: { makerPpm: ppm(paper.makerFeeBps), takerPpm: ppm(paper.takerFeeBps) },
    ...(paper.feeTiers.length === 0
      ? {}
      : {
          feeTiers: paper.feeTiers.map(({ minVolume30d, makerFeeBps, takerFeeBps }) => ({
            volumeMin: moneyOf(minVolume30d, collateralDecimals),
            makerPpm: ppm(makerFeeBps),
            takerPpm: ppm(takerFeeBps),
          })),
        }),
    fundingIntervalMs: paper.fundingInterval,
  };
}

/** The fill model of the configuration. */
export function fillModelSettingsOf({ paper }: Config): FillModelSettings {
  const { fillModel: name, queueExponent } = paper;
  return name === 'queue-power' ? { name, exponent: queueExponent.toNumber() } : { name };
}

/**
 * A latency as the venue takes it; a file is read. @throws ConfigError `CONFIG_LATENCY_FILE_INVALID` for a file that holds none.
 */
export function latencyOf(text: Exclude<LatencyText, { kind: 'in-data' }>): Latency {
  return text.kind === 'constant' ? { kind: 'constant', us: text.us } : readLatencyFile(text.path);
}

/** A latency of orders: {@link brokenRules} of the configuration have refused `in-data` for it. */
function orderLatencyOf(text: LatencyText): Latency {
  assert(text.kind !== 'in-data', 'a latency of orders that is no in-data');
  return latencyOf(text);
}

function marketOf(parts: {
  readonly config: Config;
  readonly market: TapeMarket;
  readonly place: number;
  readonly wanted: Config['markets'][number] | undefined;
  readonly collateralDecimals: number;
}): Market {
  const { config, market, place, wanted, collateralDecimals } = parts;
  const rules = config.paper.markets.find(({ symbol }) => symbol === wanted?.symbol);
  const leverage = Math.min(rules?.maxLeverage ?? 20, wanted?.leverage ?? Number.POSITIVE_INFINITY);
  const { priceDecimals, sizeDecimals, tickStep, lotStep, bookStep } = market;
  return {
    symbol: (wanted?.symbol ?? market.symbol) as MarketSymbol,
    signingMarketId: place,
    priceDecimals,
    sizeDecimals,
    tickStep: ticks(tickStep),
    lotStep: lots(lotStep),
    status: 'Active',
    quantumsPerTickLot: 10n ** BigInt(collateralDecimals - priceDecimals - sizeDecimals),
    initialMarginPpm: ppm(Math.ceil(PPM / leverage)),
    maintenanceFractionPpm: ppm(
      (rules?.maintenanceMarginFraction ?? new Decimal('0.6')).times(PPM).floor().toNumber(),
    ),
    minNotional: moneyOf(rules?.minNotional ?? new Decimal('10'), collateralDecimals),
    ...(bookStep === undefined ? {} : { bookStep: ticks(bookStep) }),
  };
}

function moneyOf(amount: Decimal, decimals: number): Quantums {
  return quantums(BigInt(amount.times(new Decimal(10).pow(decimals)).floor().toFixed(0)));
}

function readLatencyFile(path: string): Latency {
  let lines: readonly string[];
  try {
    lines = readRegularFile(path, LATENCY_BYTES_MAX).split(/\r?\n/);
  } catch (cause) {
    throw latencyError(path, `a readable file, but ${whyUnreadable(path, cause)}`);
  }
  const rows: number[][] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const row = line
      .split(',')
      .map((cell) => (/^[0-9]{1,16}$/.test(cell.trim()) ? Number(cell) : Number.NaN));
    const isWhole = row.every(Number.isSafeInteger) && row.length === (rows[0]?.length ?? row.length);
    if (!isWhole || row.length > 2)
      throw latencyError(
        path,
        `one or two integers of microseconds in line ${at + 1}, got "${line.slice(0, 60)}"`,
      );
    rows.push(row);
  }
  const [first] = rows;
  if (first === undefined) throw latencyError(path, 'at least one value, got none');
  if (first.length === 1) return { kind: 'sampled', us: rows.map(([us = 0]) => us) };
  const atUs = Float64Array.from(rows, ([at = 0]) => at);
  if (atUs.some((at, row) => row > 0 && at < (atUs[row - 1] ?? 0)))
    throw latencyError(path, 'times that rise');
  return { kind: 'recorded', atUs, us: Float64Array.from(rows, ([, us = 0]) => us) };
}

function latencyError(path: string, expected: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_LATENCY_FILE_INVALID',
    message: `${path}: expected ${expected}`,
    remedy: 'Give one number of microseconds a line, or `time,latency` in microseconds with rising times.',
    details: { path },
  });
}

function missing(
  symbol: string,
  name: string,
  tape: { readonly name: string; readonly markets: readonly TapeMarket[] },
): BotError {
  const there = tape.markets.map((market) => market.symbol).join(', ');
  return new BotError({
    code: 'TAPE_MARKET_MISSING',
    message: `expected market ${name} on tape ${tape.name}, got ${there}`,
    remedy: `Name ${symbol} as the tape calls it in paper.markets (symbol, tape), or take another tape.`,
    details: { symbol, tape: tape.name },
  });
}

/**
 * @module
 * A backtest over bars from a configuration: one strategy in one market, its rule, bars of a tape or of a file, fees, cash,
 * margin and limits as the configuration has them. A function of these; nothing is read from the network.
 */

import {
  hashesOf,
  limitsOf,
  type PreparedStrategy,
  prepareStrategies,
  ruleError,
} from '../../bot/setup/index.ts';
import type { BarMarket } from '../../bot/strategy/index.ts';
import { BotError, ConfigError, type Decimal, must, sha256 } from '../../core/index.ts';
import { type Market, parsePrice, parseSize, type RunRecord, type StrategyId } from '../../domain/index.ts';
import { collateralDecimalsOf, localMarketsOf, localTermsOf } from '../backtest/index.ts';
import type { BarTerms } from './account.ts';
import { type ConfiguredBars, type LoadedBars, loadBars } from './bar-source.ts';
import type { BarColumns } from './columns.ts';
import { type BarRun, runBars } from './engine.ts';
import { recordOfBars } from './record.ts';
import { FILL_REASONS } from './trades.ts';

/** What a run over bars gives. */
export interface BarsResult extends Pick<LoadedBars, 'bars' | 'madeOf'> {
  /** Positions, fills and trades. */
  readonly run: BarRun;
  /** Why a fill happened, by its number in the columns of trades. */
  readonly reasons: typeof FILL_REASONS;
  /** The traded market. */
  readonly market: Market;
  /** Record of the run. */
  readonly record: RunRecord;
}

/** Bars, market and terms, ready for runs. */
export interface OpenBars {
  /** Bars, market and settlements. */
  readonly loaded: LoadedBars;
  /** All strategies of the configuration. */
  readonly strategies: readonly PreparedStrategy[];
  /** The strategy with checked parameters. */
  readonly strategy: PreparedStrategy;
  /** Runs the rule of `strategy`, which may have other parameters, over `bars`, which may be a part. */
  run(strategy: PreparedStrategy, bars: BarColumns): BarsResult;
}

const US_PER_MS = 1_000;

/**
 * Runs the rule of a strategy over bars.
 * @throws ConfigError `STRATEGY_...`, `CONFIG_INVALID`; BotError `BARS_...` for the bars; ProtocolError `TAPE_...`.
 */
export async function runConfiguredBars(options: ConfiguredBars): Promise<BarsResult> {
  const { strategy, loaded, run } = await openBars(options);
  return run(strategy, loaded.bars);
}

/** Loads what every run of a configuration needs. @throws as {@link runConfiguredBars}. */
export async function openBars(options: ConfiguredBars): Promise<OpenBars> {
  const { source, slippageTicks = 0 } = options;
  const strategies = await prepareStrategies(source);
  const chosenOne = chosen(strategies, options.strategy);
  const symbol = chosenMarket(chosenOne, options.market);
  const loaded = await loadBars(options, symbol);
  const { market: traded, config, data, settlements, madeOf } = loaded;
  const collateralDecimals = collateralDecimalsOf([traded]);
  const [local] = localMarketsOf(config, { name: traded.symbol, markets: [traded] }, collateralDecimals);
  const market = must(local, 'a market');
  const { fees, feeTiers = [], collateral } = localTermsOf(config, collateralDecimals);
  const { positionNotionalMax } = limitsOf(config, collateralDecimals);
  const terms: BarTerms = {
    ...{ collateral, takerPpm: fees.takerPpm, slippageTicks, positionNotionalMax },
    ...(feeTiers.length === 0 ? {} : { takerTiers: feeTiers }),
  };
  const hashes = hashesOf(source, [chosenOne], 'paper');
  const known = [hashes.configHash, hashes.codeHash, ...data.map(({ hash }) => hash), symbol, slippageTicks];
  const run = (strategy: PreparedStrategy, bars: BarColumns): BarsResult => {
    const made = ofStrategy(strategy, () => {
      const rule = ruleOf(strategy, barMarketOf(market, bars.barUs / US_PER_MS));
      return runBars({ market, bars, settlements, rule, terms });
    });
    const what = [strategy.name, JSON.stringify(strategy.parameters), bars.barUs, bars.openUs[0], bars.rows];
    const record = recordOfBars(made, {
      ...hashes,
      // A function of what goes in, so that the same run has the same name.
      runId: `bars-${sha256([...known, ...what].join(' ')).slice(0, 12)}`,
      tapes: data.map(({ name, hash }) => ({ name, hash })),
      seed: source.config.environment.seed,
      ...{ collateralDecimals, market, bars, terms, strategyId: strategy.name as StrategyId },
    });
    return { run: made, bars, reasons: FILL_REASONS, madeOf, market, record };
  };
  return { loaded, strategies, strategy: chosenOne, run };
}

function chosen(strategies: readonly PreparedStrategy[], name: string | undefined): PreparedStrategy {
  const named = strategies.filter((one) => name === undefined || one.name === name);
  const [first] = named;
  if (first !== undefined && named.length === 1) return first;
  throw new BotError({
    code: 'BARS_STRATEGY_AMBIGUOUS',
    message: `expected --strategy as one of ${strategies.map((one) => one.name).join(', ')}, got ${name ?? 'none'}`,
    remedy: 'A run over bars is of one strategy: name it.',
  });
}

function chosenMarket({ name, symbols }: PreparedStrategy, symbol: string | undefined): string {
  const named = symbols.filter((one) => symbol === undefined || one === symbol);
  const [first] = named;
  if (first !== undefined && named.length === 1) return first;
  throw new BotError({
    code: 'BARS_MARKET_AMBIGUOUS',
    message: `expected --market as one of ${symbols.join(', ')}, the markets of ${name}, got ${symbol ?? 'none'}`,
    remedy: 'A run over bars is of one market: name it.',
  });
}

/** What code of a strategy gives. @throws ConfigError `STRATEGY_RULE_FAILED` when it throws something of its own. */
function ofStrategy<T>({ file }: PreparedStrategy, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof BotError) throw thrown;
    throw ruleError(file, thrown);
  }
}

function ruleOf({ name, file, definition, parameters }: PreparedStrategy, market: BarMarket) {
  if (definition.bars !== undefined) return definition.bars(market, parameters);
  throw new ConfigError({
    code: 'STRATEGY_BARS_MISSING',
    message: `expected strategy ${name} (${file}) to have a rule over bars, got none`,
    remedy:
      'Give defineStrategy a `bars`: docs/guides/bars.md. What quotes a book is tried with `ballast backtest`.',
  });
}

function barMarketOf(market: Market, barMs: number): BarMarket {
  const fitting = <T>(value: T | undefined, what: string, was: Decimal | string): T => {
    if (value !== undefined) return value;
    throw new ConfigError({
      code: 'STRATEGY_VALUE_OFF_STEP',
      message: `expected ${what} of ${market.symbol} with its decimals, got ${textOf(was)}`,
      remedy: 'Give it with fewer decimals; of a CSV file --price-decimals and --size-decimals name them.',
    });
  };
  return {
    market,
    barMs,
    lotsOf: (size) => fitting(parseSize(market, textOf(size)), 'a size', size),
    ticksOf: (price) => fitting(parsePrice(market, textOf(price)), 'a price', price),
  };
}

function textOf(value: Decimal | string): string {
  return typeof value === 'string' ? value : value.toFixed();
}

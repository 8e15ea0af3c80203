/**
 * @module
 * A trend follower on candles: long while the fast mean of closes is above the slow one, short or flat while it is below,
 * and out when the price goes too far against it. It trades without taking. See the README beside this file. What this
 * does not do: quote both sides, or hedge.
 */
import {
  type BarMarket,
  type BarRuleParameters,
  BarRuleRunner,
  barParams,
  ConfigError,
  compose,
  type Decimal,
  defineStrategy,
  type MarketSymbol,
  param,
} from 'ballast/strategy';
import { TrendRule } from './rule.ts';
import type { Direction } from './trend.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface TrendParameters extends BarRuleParameters {
  /** The position of a trend, in units of the market. */
  readonly position: Decimal;
  /** Bars of the fast average. */
  readonly fastBars: number;
  /** Bars of the slow average. */
  readonly slowBars: number;
  /** The means must differ by this to turn the direction, ppm. */
  readonly bandPpm: number;
  /** True if it may be short. */
  readonly shorts: boolean;
  /** Out when the price is this far on the wrong side of the average price, ppm; 0: never. */
  readonly stopPpm: number;
}

const parameters = param
  .object({
    position: param.decimal({ above: '0' }),
    fastBars: param.integer({ min: 1, max: 1_000 }).prefault(10),
    slowBars: param.integer({ min: 2, max: 10_000 }).prefault(30),
    bandPpm: param.ppm().prefault(0),
    shorts: param.flag().prefault(true),
    stopPpm: param.ppm({ max: 1_000_000 }).prefault(0),
    ...barParams(),
  })
  .refine((values) => values.fastBars < values.slowBars, { path: ['fastBars'], error: 'below slowBars' });

/** The strategy `trend-following`. */
export default defineStrategy({
  name: 'trend-following',
  summary: 'Holds a position in the direction of two means of closes, and trades without taking.',
  parameters,
  create(context, initial) {
    const stoppedOut = new Map<MarketSymbol, Direction>();
    const follower = new BarRuleRunner(context, initial, (market, values) =>
      ruleOf(market, values, stoppedOut.get(market.market.symbol)),
    );
    return compose<TrendParameters>(
      {
        onLoad: (saved) => readKept(saved, stoppedOut),
        onSave: (): Kept =>
          Object.fromEntries(
            context.symbols
              .map((symbol) => [symbol, follower.ruleOf(symbol)?.stoppedOut ?? 0] as const)
              .filter(([, direction]) => direction !== 0),
          ),
        onParameters(values) {
          for (const symbol of context.symbols) {
            const rule = follower.ruleOf(symbol);
            const positionLots = context.market(symbol).lotsOf(values.position);
            if (rule !== undefined) rule.terms = { ...values, positionLots };
          }
        },
      },
      follower,
    );
  },
  bars: (market, values) => ruleOf(market, values),
});

/** What is kept over a restart, by market: the direction that was stopped out of, until it turns. */
type Kept = Readonly<Record<string, Direction>>;

function readKept(saved: unknown, into: Map<MarketSymbol, Direction>): void {
  if (typeof saved !== 'object' || saved === null) return;
  for (const [symbol, direction] of Object.entries(saved))
    if (direction === 1 || direction === -1) into.set(symbol as MarketSymbol, direction);
}

function ruleOf(market: BarMarket, values: TrendParameters, stoppedOut: Direction = 0): TrendRule {
  if (values.bar !== market.barMs) throw otherBars(values.bar, market.barMs);
  return new TrendRule({ ...values, positionLots: market.lotsOf(values.position), stoppedOut });
}

function otherBars(barMs: number, foundMs: number): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_BAR_LENGTH',
    message: `expected bars of ${barMs} ms as the parameter bar says, got bars of ${foundMs} ms`,
    remedy: 'Set bar to the length of the bars, or make them that long with --interval.',
  });
}

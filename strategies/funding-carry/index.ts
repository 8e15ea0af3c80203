/**
 * @module
 * A carry of funding between two markets: short where the rate is higher, long where it is lower, as much on both sides,
 * begun and ended by the difference, filled without taking and one leg at most a slice ahead of the other. See the README
 * beside this file. What this does not do: make the legs move alike.
 */
import {
  ConfigError,
  type Decimal,
  defineStrategy,
  Ewma,
  hasNoQuotes,
  type MarketSymbol,
  type MarketView,
  ParameterQuoter,
  param,
  type QuoteTarget,
  type RequoteParameters,
  rebalanceQuotes,
  requoteParams,
  type StrategyContext,
  type Touch,
} from 'ballast/strategy';
import { equalLotsOf, type Leg, legTargetOf, type Stance, stanceOf } from './carry.ts';

/** The parameters as they are used; their text forms are in the README. Rates in ppm an hour. */
export interface CarryParameters extends RequoteParameters {
  /** The leg in the first market, in its units; the second is worth as much. */
  readonly size: Decimal;
  /** The most that rests at once, and how far one leg may be ahead, in units of the first market. */
  readonly slice: Decimal;
  /** Difference of the rates at which it enters, in parts per million an hour. */
  readonly enterPpm: number;
  /** Difference of the rates at which it leaves, in parts per million an hour. */
  readonly leavePpm: number;
  /** Half-life of the mean of the difference of the rates, ms. */
  readonly rateHalfLife: number;
}

const parameters = param
  .object({
    size: param.decimal({ above: '0' }),
    slice: param.decimal({ above: '0' }),
    enterPpm: param.ppm(),
    leavePpm: param.ppm({ min: -100_000 }).prefault(0),
    rateHalfLife: param.durationMs({ above: '0s' }).prefault('10m'),
    ...requoteParams('500ms'),
  })
  .refine((values) => values.leavePpm <= values.enterPpm, { path: ['leavePpm'], error: 'at most enterPpm' })
  .refine((values) => values.slice.lte(values.size), { path: ['slice'], error: 'at most size' });

/** The strategy `funding-carry`. */
export default defineStrategy({
  name: 'funding-carry',
  summary: 'Trades the difference of the funding rates of two markets.',
  parameters,
  create(context, initial) {
    const carry = new FundingCarry(context, initial);
    return {
      ...carry.quoter.handlers,
      onLoad: (saved) => carry.load(saved),
      onSave: () => carry.save(),
      onFill: () => carry.quoteLegs(),
    };
  },
});

/** What is kept over a restart. The inventories are the exchange's. */
interface Kept {
  readonly stance: Stance;
  /** The second leg as it was begun with: its size must not follow the price while it is held. */
  readonly secondLots: number | undefined;
}

class FundingCarry {
  readonly quoter: ParameterQuoter<CarryParameters>;
  readonly #context: StrategyContext;
  readonly #difference: Ewma;
  #stance: Stance = 0;
  #secondLots: number | undefined;

  constructor(context: StrategyContext, initial: CarryParameters) {
    if (context.symbols.length !== 2) throw twoMarkets(context.symbols);
    this.#context = context;
    this.#difference = new Ewma(initial.rateHalfLife);
    this.quoter = new ParameterQuoter(context, initial, () => (view, touch) => this.#wanted(view, touch));
  }

  load(saved: unknown): void {
    if (typeof saved !== 'object' || saved === null) return;
    const { stance, secondLots } = saved as Partial<Record<keyof Kept, unknown>>;
    if (stance === 1 || stance === -1) this.#stance = stance;
    if (typeof secondLots === 'number' && Number.isSafeInteger(secondLots) && secondLots > 0)
      this.#secondLots = secondLots;
  }

  save(): Kept {
    return { stance: this.#stance, secondLots: this.#secondLots };
  }

  /** A fill in one leg is the reason to continue with the other. */
  quoteLegs(): void {
    for (const symbol of this.#context.symbols) this.quoter.quote(this.#context.market(symbol));
  }

  #wanted(view: MarketView, touch: Touch): QuoteTarget | string {
    const legs = this.#legs();
    if (typeof legs === 'string') return legs;
    const isFirst = view.symbol === this.#context.symbols[0];
    const [leg, other] = isFirst ? [legs.first, legs.second] : [legs.second, legs.first];
    const wanted = rebalanceQuotes({
      market: view,
      touch,
      requoteTicks: this.quoter.values.requoteTicks,
      targetLots: legTargetOf(this.#stance, leg, other),
      inventoryLots: leg.inventoryLots,
      sizeLots: leg.sliceLots,
    });
    if (!hasNoQuotes(wanted)) return wanted;
    return this.#stance === 0 ? 'the rates differ too little' : 'the leg is where it should be';
  }

  /** Both legs, with the stance evaluated again; or why nothing can be said. */
  #legs(): { readonly first: Leg; readonly second: Leg } | string {
    const [first, second] = this.#views();
    const [firstMid, secondMid] = [first.externalMidTicks, second.externalMidTicks];
    if (firstMid === undefined || secondMid === undefined || !first.isFresh || !second.isFresh)
      return 'the data of the other market is not fresh';
    if (!this.#decide(first, second)) return 'a funding rate is not known';
    const { size, slice } = this.quoter.values;
    const equal = (sizeLots: ReturnType<MarketView['lotsOf']>) =>
      equalLotsOf(
        { market: first.market, midTicks: firstMid, sizeLots },
        { market: second.market, midTicks: secondMid },
      );
    const isFlat = first.inventoryLots === 0 && second.inventoryLots === 0;
    if (isFlat || this.#secondLots === undefined) this.#secondLots = equal(first.lotsOf(size));
    const sliceLots = first.lotsOf(slice);
    const secondSlice = equal(sliceLots);
    if (this.#secondLots === 0 || secondSlice === 0) return 'the slice is below a lot of the second market';
    return {
      first: { inventoryLots: first.inventoryLots, unitLots: -first.lotsOf(size), sliceLots },
      second: { inventoryLots: second.inventoryLots, unitLots: this.#secondLots, sliceLots: secondSlice },
    };
  }

  /** Evaluates the stance by the difference of the rates; false: one is not known. */
  #decide(first: MarketView, second: MarketView): boolean {
    const [firstPpm, secondPpm] = [first.fundingRatePpm, second.fundingRatePpm];
    if (firstPpm === undefined || secondPpm === undefined) return false;
    const difference = this.#difference.observe(firstPpm - secondPpm, this.#context.now());
    this.#stance = stanceOf(this.#stance, difference, this.quoter.values);
    return true;
  }

  #views(): readonly [MarketView, MarketView] {
    const [first, second] = this.#context.symbols;
    if (first === undefined || second === undefined) throw twoMarkets(this.#context.symbols);
    return [this.#context.market(first), this.#context.market(second)];
  }
}

function twoMarkets(symbols: readonly MarketSymbol[]): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_MARKETS_INVALID',
    message: `expected two markets for funding-carry, got ${symbols.length}`,
    remedy: 'Name two markets of the strategy in the configuration.',
  });
}

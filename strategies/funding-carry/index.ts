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
  isEmpty,
  type MarketSymbol,
  type MarketView,
  param,
  Quoter,
  type StrategyContext,
  type StrategyHandlers,
  type Touch,
  towards,
  type Wanted,
} from 'ballast/strategy';
import { equalLotsOf, type Leg, legTargetOf, type Stance, stanceOf } from './carry.ts';

/** The parameters as they are used; their text forms are in the README. Rates in ppm an hour. */
export interface CarryParameters {
  /** The leg in the first market, in its units; the second is worth as much. */
  readonly size: Decimal;
  /** The most that stands in the book at once, and how far one leg may be ahead, in units of the first market. */
  readonly slice: Decimal;
  readonly enterPpm: number;
  readonly leavePpm: number;
  /** Half-life of the mean of the difference of the rates, ms. */
  readonly rateHalfLife: number;
  readonly requoteTicks: number;
  readonly requoteInterval: number;
}

const parameters = param
  .object({
    size: param.decimal({ above: '0' }),
    slice: param.decimal({ above: '0' }),
    enterPpm: param.integer({ min: 0, max: 100_000 }),
    leavePpm: param.integer({ min: -100_000, max: 100_000 }).prefault(0),
    rateHalfLife: param.durationMs().prefault('10m'),
    requoteTicks: param.integer({ min: 0, max: 1_000_000 }).prefault(0),
    requoteInterval: param.durationMs().prefault('500ms'),
  })
  .refine((values) => values.leavePpm <= values.enterPpm, { path: ['leavePpm'], error: 'at most enterPpm' })
  .refine((values) => values.slice.lte(values.size), { path: ['slice'], error: 'at most size' })
  .refine((values) => values.rateHalfLife > 0, { path: ['rateHalfLife'], error: 'above 0s' })
  .refine((values) => values.requoteInterval >= 50, { path: ['requoteInterval'], error: 'at least 50ms' });

/** The strategy `funding-carry`. */
export default defineStrategy({
  name: 'funding-carry',
  summary: 'Holds two markets against each other for the difference of their funding rates.',
  parameters,
  create: (context, values) => new FundingCarry(context, values),
});

/** What is kept over a restart. The inventories are the exchange's. */
interface Kept {
  readonly stance: Stance;
  /** The second leg as it was begun with: its size must not follow the price while it is held. */
  readonly secondLots: number | undefined;
}

class FundingCarry implements StrategyHandlers<CarryParameters> {
  readonly #context: StrategyContext;
  #parameters: CarryParameters;
  readonly #quoter: Quoter;
  readonly #difference: Ewma;
  #stance: Stance = 0;
  #secondLots: number | undefined;
  readonly onBook: Quoter['handlers']['onBook'];
  readonly onBbo: Quoter['handlers']['onBbo'];
  readonly onTimer: Quoter['handlers']['onTimer'];
  readonly onDegraded: Quoter['handlers']['onDegraded'];
  readonly onResumed: Quoter['handlers']['onResumed'];

  constructor(context: StrategyContext, values: CarryParameters) {
    if (context.symbols.length !== 2) throw twoMarkets(context.symbols);
    this.#context = context;
    this.#parameters = values;
    this.#difference = new Ewma(values.rateHalfLife);
    this.#quoter = new Quoter(context, (view, touch) => this.#wanted(view, touch));
    const { onBook, onBbo, onTimer, onDegraded, onResumed } = this.#quoter.handlers;
    this.onBook = onBook;
    this.onBbo = onBbo;
    this.onTimer = onTimer;
    this.onDegraded = onDegraded;
    this.onResumed = onResumed;
  }

  onLoad(saved: unknown): void {
    if (typeof saved !== 'object' || saved === null) return;
    const { stance, secondLots } = saved as Partial<Record<keyof Kept, unknown>>;
    if (stance === 1 || stance === -1) this.#stance = stance;
    if (typeof secondLots === 'number' && Number.isSafeInteger(secondLots) && secondLots > 0)
      this.#secondLots = secondLots;
  }

  onSave(): Kept {
    return { stance: this.#stance, secondLots: this.#secondLots };
  }

  onStart(): void {
    this.#quoter.start(this.#parameters.requoteInterval);
  }

  onParameters(values: CarryParameters): void {
    this.#parameters = values;
    this.#quoter.start(values.requoteInterval);
  }

  /** A fill in one leg is the reason to go on with the other. */
  onFill(): void {
    for (const symbol of this.#context.symbols) this.#quoter.quote(this.#context.market(symbol));
  }

  #wanted(view: MarketView, touch: Touch): Wanted | string {
    const legs = this.#legs();
    if (typeof legs === 'string') return legs;
    const isFirst = view.symbol === this.#context.symbols[0];
    const [leg, other] = isFirst ? [legs.first, legs.second] : [legs.second, legs.first];
    const wanted = towards({
      market: view,
      touch,
      requoteTicks: this.#parameters.requoteTicks,
      targetLots: legTargetOf(this.#stance, leg, other),
      inventoryLots: leg.inventoryLots,
      sizeLots: leg.sliceLots,
    });
    if (!isEmpty(wanted)) return wanted;
    return this.#stance === 0 ? 'the rates differ too little' : 'the leg is where it should be';
  }

  /** Both legs, with the stance judged anew; or why nothing can be said. */
  #legs(): { readonly first: Leg; readonly second: Leg } | string {
    const [first, second] = this.#views();
    const [firstMid, secondMid] = [first.foreignMidTicks, second.foreignMidTicks];
    if (firstMid === undefined || secondMid === undefined || !first.isFresh || !second.isFresh)
      return 'the data of the other market is not fresh';
    if (!this.#judge(first, second)) return 'a funding rate is not known';
    const { size, slice } = this.#parameters;
    const equal = (sizeLots: ReturnType<MarketView['sizeOf']>) =>
      equalLotsOf(
        { market: first.market, midTicks: firstMid, sizeLots },
        { market: second.market, midTicks: secondMid },
      );
    const isFlat = first.inventoryLots === 0 && second.inventoryLots === 0;
    if (isFlat || this.#secondLots === undefined) this.#secondLots = equal(first.sizeOf(size));
    const sliceLots = first.sizeOf(slice);
    const secondSlice = equal(sliceLots);
    if (this.#secondLots === 0 || secondSlice === 0) return 'the slice is below a lot of the second market';
    return {
      first: { inventoryLots: first.inventoryLots, unitLots: -first.sizeOf(size), sliceLots },
      second: { inventoryLots: second.inventoryLots, unitLots: this.#secondLots, sliceLots: secondSlice },
    };
  }

  /** Judges the stance by the difference of the rates; false: one is not known. */
  #judge(first: MarketView, second: MarketView): boolean {
    const [firstPpm, secondPpm] = [first.fundingRatePpm, second.fundingRatePpm];
    if (firstPpm === undefined || secondPpm === undefined) return false;
    const difference = this.#difference.observe(firstPpm - secondPpm, this.#context.now());
    this.#stance = stanceOf(this.#stance, difference, this.#parameters);
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
    message: `expected two markets for funding-carry, was ${symbols.length}`,
    remedy: 'Name two markets of the strategy in the configuration.',
  });
}

/**
 * @module
 * A strategy that quotes a little on both sides, far from the touch, until it is told to misbehave (`misdeeds.ts`).
 */
import {
  defineStrategy,
  type Lots,
  type MarketView,
  order,
  param,
  type StrategyContext,
} from '../../../src/bot/strategy/index.ts';
import { GREETING, type Greeting, type Misdeed, type Moment } from './misdeeds.ts';
import { NONSENSE } from './nonsense.ts';

/** Far enough to be filled seldom, near enough for every collar. */
const DISTANCE = 0.02;
/** An order stays where it is until the market has moved by this. */
const TOLERANCE = 0.005;
const ROUND_MS = 1_000;

export default defineStrategy({
  name: 'hostile',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => {
    const one = new Hostile(context, (view) => view.lotsOf(size));
    one.greet('create');
    one.maybeThrow('create');
    return {
      onStart() {
        one.maybeThrow('onStart');
        context.startInterval('round', ROUND_MS);
      },
      onTimer: () => one.act('onTimer'),
      onBook: () => one.act('onBook'),
      onOrder: () => one.maybeThrow('onOrder'),
      onFill: () => one.maybeThrow('onFill'),
      onDenied: () => one.maybeThrow('onDenied'),
      onLoad: () => one.maybeThrow('onLoad'),
      onSave() {
        one.maybeThrow('onSave');
        return { rounds: one.rounds };
      },
      onStop: () => one.maybeThrow('onStop'),
    };
  },
});

/** One life of the strategy. */
class Hostile {
  rounds = 0;
  readonly #context: StrategyContext;
  readonly #sizeOf: (view: MarketView) => Lots;
  #misdeed: Misdeed | undefined;
  #times = 0;
  #hoard: (Buffer | number[])[] = [];

  constructor(context: StrategyContext, sizeOf: (view: MarketView) => Lots) {
    this.#context = context;
    this.#sizeOf = sizeOf;
  }

  /** Says that it waits for orders. */
  greet(at: Greeting['at']): void {
    const hand = {
      obey: (misdeed: Misdeed): void => {
        this.#misdeed = misdeed;
        this.#times = 0;
      },
    };
    this.#context.log.info(GREETING, { at, hand, strategy: this.#context.strategyId } satisfies Greeting);
  }

  /** Throws where it was told to. */
  maybeThrow(at: Moment): void {
    const misdeed = this.#misdeed;
    if (misdeed?.kind !== 'throw' || misdeed.at !== at) return;
    this.#done(misdeed);
    throw new Error(`on purpose, in ${at}`);
  }

  /** A round, or a book: does as it was told, or quotes. */
  act(at: 'onTimer' | 'onBook'): undefined {
    if (at === 'onTimer') {
      this.rounds++;
      this.greet('round');
    }
    this.maybeThrow(at);
    const view = this.#view();
    const misdeed = this.#misdeed;
    if (view === undefined) return;
    if (misdeed !== undefined && misdeed.kind !== 'throw') return this.#misbehave(misdeed, { at, view });
    if (at === 'onTimer' && view.isFresh) this.#quote(view);
    return undefined;
  }

  #misbehave(misdeed: Exclude<Misdeed, { kind: 'throw' }>, { at, view }: Scene): undefined {
    this.#times++;
    switch (misdeed.kind) {
      case 'reject':
        this.#done(misdeed);
        return Promise.reject(new Error('late on purpose')) as never;
      case 'neverSettle':
        this.#done(misdeed);
        return new Promise(() => undefined) as never;
      case 'hoard':
        this.#keep(misdeed, at);
        break;
      case 'nonsense':
        this.#done(misdeed);
        for (const { act } of NONSENSE.slice(misdeed.first, misdeed.first + misdeed.count))
          act(this.#context, view);
        break;
      case 'flood':
        if (this.#times >= misdeed.calls) this.#done(misdeed);
        for (let n = 0; n < misdeed.perCall; n++) this.#quote(view, n);
        break;
      case 'pingPong':
        if (this.#times >= misdeed.calls) this.#done(misdeed);
        this.#context.place(this.#draft(view, this.#times));
        this.#context.cancelAll();
        break;
      case 'duplicates':
        this.#done(misdeed);
        for (let n = 0; n < misdeed.count; n++) this.#context.place(this.#draft(view, 0));
        break;
      case 'slow':
        if (this.#times >= misdeed.calls) this.#done(misdeed);
        misdeed.busy();
        break;
      case 'stubborn':
        if (at === 'onTimer' && !view.isFresh) this.#done(misdeed);
        if (this.#times >= misdeed.rounds) this.#misdeed = undefined;
        this.#quote(view, this.#times);
        break;
      case 'afterStop':
        this.#done(misdeed);
        this.#context.stop('on purpose');
        this.#actOn(view);
        misdeed.leave(() => this.#actOn(view));
        break;
    }
    return undefined;
  }

  /** Everything that somebody could still try whose time is over. */
  #actOn(view: MarketView): void {
    this.#quote(view, this.#times);
    this.#context.place(this.#draft(view, 1));
    this.#context.startTimer('ghost', 10);
    this.#context.startInterval('ghosts', 10);
  }

  #keep(misdeed: Extract<Misdeed, { kind: 'hoard' }>, at: Scene['at']): void {
    if (this.#hoard.length === 0) {
      const half = Math.floor(misdeed.bytes / 2);
      this.#hoard = [Buffer.alloc(half, 1), Array.from({ length: half >> 3 }, (_, n) => n + 0.5)];
    }
    if (at === 'onBook' || this.#times < misdeed.rounds) return;
    this.#hoard = [];
    this.#done(misdeed);
  }

  #quote(view: MarketView, shift = 0): void {
    const mid = view.externalMidTicks;
    if (mid === undefined) return;
    const far = mid * DISTANCE + shift * view.market.tickStep;
    const sizeLots = this.#sizeOf(view);
    this.#context.quote(
      view.symbol,
      {
        bids: [{ priceTicks: view.floorTicks(mid - far), sizeLots }],
        asks: [{ priceTicks: view.ceilTicks(mid + far), sizeLots }],
      },
      { priceToleranceTicks: shift === 0 ? Math.ceil(mid * TOLERANCE) : 0 },
    );
  }

  #draft(view: MarketView, shift: number) {
    const mid = view.externalMidTicks ?? 1;
    const priceTicks = view.floorTicks(mid * (1 - DISTANCE) - shift * view.market.tickStep);
    return order.postOnly({ symbol: view.symbol, side: 'buy', priceTicks, sizeLots: this.#sizeOf(view) });
  }

  #view(): MarketView | undefined {
    const [symbol] = this.#context.symbols;
    return symbol === undefined ? undefined : this.#context.market(symbol);
  }

  #done(misdeed: Misdeed): void {
    this.#misdeed = undefined;
    misdeed.onDone();
  }
}

/** When it acts, and on which market. */
interface Scene {
  readonly at: 'onTimer' | 'onBook';
  readonly view: MarketView;
}

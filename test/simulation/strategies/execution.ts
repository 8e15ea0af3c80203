/**
 * @module
 * A strategy that works one order by one execution component, and keeps what the component asks to be kept: for worlds in
 * which the bot dies in the middle. The barrier exit closes what a chaser has bought; the hedge holds the second market
 * against what a TWAP buys in the first.
 */
import {
  type AlgoHandlers,
  almgrenChriss,
  almgrenChrissPlanOf,
  BarrierExit,
  chaser,
  defineStrategy,
  Hedge,
  iceberg,
  type MarketSymbol,
  type ParentOrder,
  param,
  type StrategyContext,
  twap,
} from '../../../src/bot/strategy/index.ts';

/** What is worked, in how many parts, and how long a part has. */
interface Work {
  readonly symbol: MarketSymbol;
  readonly second: MarketSymbol | undefined;
  readonly totalLots: number;
  readonly parts: number;
  readonly everyMs: number;
}

/** What runs: calls to be passed on, and what is kept. */
interface Running {
  handlers(): readonly AlgoHandlers[];
  save(): unknown;
}

type Begin = (context: StrategyContext, work: Work, saved: unknown) => Running;

const COMPONENTS: Readonly<Record<string, Begin>> = {
  twap: (context, work, saved) => parentOf(buyByTwap(context, work), saved),
  'almgren-chriss': (context, work, saved) => {
    const { symbol, totalLots, parts, everyMs } = work;
    const plan = almgrenChrissPlanOf({
      ...{ total: totalLots, time: parts, stretches: parts },
      ...{ sigma: 1, epsilon: 0, gamma: 0, eta: 1, lambda: 0.1 },
    });
    const order = { symbol, side: 'sell', totalLots, intervalMs: everyMs, plan } as const;
    return parentOf(almgrenChriss(context, { ...order, style: 'join', finish: 'take' }), saved);
  },
  chaser: (context, { symbol, totalLots, parts, everyMs }, saved) => {
    const sliceLots = Math.ceil(totalLots / parts);
    const order = { symbol, side: 'buy', totalLots, sliceLots, takeAfterMs: parts * everyMs } as const;
    return parentOf(chaser(context, { ...order, childLotsMax: sliceLots }), saved);
  },
  iceberg: (context, { symbol, totalLots, parts }, saved) => {
    const view = context.market(symbol);
    // Far enough behind the best bid for each part to find somebody as soon as it is shown.
    const priceTicks = view.floorTicks((view.externalMidTicks ?? 0) * 0.998);
    const displayLots = Math.ceil(totalLots / parts);
    const order = { symbol, side: 'sell', totalLots, priceTicks, displayLots } as const;
    return parentOf(iceberg(context, { ...order, timeInForce: 'gtc' }), saved);
  },
  'barrier-exit': (context, { symbol, totalLots, everyMs }, saved) => {
    const { entry: savedEntry, exit: savedExit } = (saved ?? {}) as { entry?: unknown; exit?: unknown };
    const exit = new BarrierExit(context, {
      ...{ symbol, timeMs: everyMs },
      onClosed: (barrier) => context.log.info(`closed: ${barrier}`),
    });
    const isOver = () => entry.report().state === 'ended';
    const guard = () => exit.start(savedExit);
    const entry = chaser(context, { symbol, side: 'buy', totalLots, takeAfterMs: 0, onEnd: guard });
    entry.start(savedEntry);
    if (isOver()) guard();
    return {
      handlers: () => (isOver() ? [entry.handlers, exit.handlers] : [entry.handlers]),
      save: () => ({ entry: entry.save(), exit: isOver() ? exit.save() : undefined }),
    };
  },
  hedge: (context, work, saved) => {
    const { symbol, second } = work;
    if (second === undefined) throw new Error('expected a second market');
    const order = buyByTwap(context, work);
    const hedge = new Hedge(context, { of: symbol, against: second, thresholdLots: 20 });
    order.start(saved);
    hedge.start();
    return { handlers: () => [order.handlers, hedge.handlers], save: () => order.save() };
  },
};

function buyByTwap(context: StrategyContext, { symbol, totalLots, parts, everyMs }: Work): ParentOrder {
  const order = { symbol, side: 'buy', totalLots, slices: parts, intervalMs: everyMs } as const;
  return twap(context, { ...order, style: 'take', finish: 'take' });
}

function parentOf(order: ParentOrder, saved: unknown): Running {
  order.start(saved);
  return { handlers: () => [order.handlers], save: () => order.save() };
}

export default defineStrategy({
  name: 'worker',
  parameters: param.object({
    component: param.choice(['twap', 'almgren-chriss', 'chaser', 'iceberg', 'barrier-exit', 'hedge']),
    /** Size in the unit of the first market. */
    total: param.decimal({ above: '0' }),
    parts: param.integer({ min: 1, max: 100 }),
    every: param.durationMs(),
  }),
  create: (context, { component, total, parts, every }) => {
    let saved: unknown;
    let running: Running | undefined;
    const all = (call: (handlers: AlgoHandlers) => void) => {
      for (const handlers of running?.handlers() ?? []) call(handlers);
    };
    const begin = () => {
      const [symbol, second] = context.symbols;
      const start = COMPONENTS[component];
      if (running !== undefined || symbol === undefined || start === undefined) return;
      if (context.market(symbol).externalMidTicks === undefined) return;
      const totalLots = context.market(symbol).lotsOf(total);
      running = start(context, { symbol, second, totalLots, parts, everyMs: every }, saved);
    };
    return {
      onLoad: (state) => {
        saved = state;
      },
      onSave: () => running?.save() ?? saved,
      onBook(view, book) {
        begin();
        all((part) => part.onBook(view, book));
      },
      onFill: (fill, view) => all((part) => part.onFill(fill, view)),
      onOrder: (update) => all((part) => part.onOrder(update)),
      onDenied: (denial) => all((part) => part.onDenied(denial)),
      onTimer: (timer) => all((part) => part.onTimer(timer)),
      onResumed: (symbol) => all((part) => part.onResumed(symbol)),
    };
  },
});

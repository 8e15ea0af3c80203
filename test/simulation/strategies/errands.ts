/**
 * @module
 * A strategy that asks for every kind of single order in turn: it takes, takes whole or not at all, rests for a while and
 * to an end, waits for the index price, has an order worked over time, cancels one and cancels all, closes what it holds, changes the leverage. It wants to earn nothing.
 */
import {
  Bracket,
  compose,
  defineStrategy,
  type Lots,
  type MarketView,
  order,
  param,
  type StrategyContext,
  type StrategyHandlers,
} from '../../../src/bot/strategy/index.ts';

/** How far behind the touch an order rests. */
const DISTANCE = 0.002;
/** How far through the touch an order may take. */
const REACH = 0.001;
const EXPIRES_MS = 9_000;
/** How far from the middle a trigger is: some are reached, some are not. */
const TRIGGER_AT = 0.0005;
/** Some slices are out when the strategy, a fault or the end comes. */
const WORKED = { slices: 4, intervalMs: 1_500, priceTolerancePpm: 1_000 } as const;
const LEVERAGES = [4, 5] as const;

export default defineStrategy({
  name: 'errands',
  parameters: param.object({
    /** Size of one order, in the unit of each market. */
    size: param.decimal({ above: '0' }),
    every: param.durationMs(),
  }),
  create: (context, { size, every }) => {
    let rounds = 0;
    const brackets = context.symbols.map(
      (symbol) => new Bracket(context, { symbol, name: `bracket ${symbol}` }),
    );
    const own: StrategyHandlers = {
      onStart: () => context.startInterval('round', every),
      onTimer() {
        const symbol = context.symbols[rounds % context.symbols.length];
        const errand = ERRANDS[Math.floor(rounds / context.symbols.length) % ERRANDS.length];
        rounds++;
        if (symbol === undefined || errand === undefined) return;
        const view = context.market(symbol);
        const mid = view.externalMidTicks;
        if (!view.isFresh || mid === undefined) return;
        const bracket = brackets[context.symbols.indexOf(symbol)];
        errand({ context, view, mid, sizeLots: view.lotsOf(size), rounds, bracket });
      },
    };
    return compose(...brackets, own);
  },
});

interface Scene {
  readonly context: StrategyContext;
  readonly view: MarketView;
  readonly mid: number;
  readonly sizeLots: Lots;
  readonly rounds: number;
  readonly bracket: Bracket | undefined;
}

/** Takes on the side that brings the inventory home. */
function through({ view, mid, sizeLots }: Scene) {
  const side = view.inventoryLots > 0 ? 'sell' : 'buy';
  const priceTicks = side === 'buy' ? view.ceilTicks(mid * (1 + REACH)) : view.floorTicks(mid * (1 - REACH));
  return { symbol: view.symbol, side, priceTicks, sizeLots } as const;
}

/** Waits for the index price on the side where the order loses, and takes when it fires. */
function waiting({ view, mid, sizeLots }: Scene, side: 'buy' | 'sell') {
  const away = side === 'buy' ? 1 + TRIGGER_AT : 1 - TRIGGER_AT;
  const triggerTicks = side === 'buy' ? view.ceilTicks(mid * away) : view.floorTicks(mid * away);
  const priceTicks =
    side === 'buy' ? view.ceilTicks(triggerTicks * (1 + REACH)) : view.floorTicks(triggerTicks * (1 - REACH));
  const trigger = { triggerTicks, when: side === 'buy' ? 'atOrAbove' : 'atOrBelow' } as const;
  return { draft: { symbol: view.symbol, side, priceTicks, sizeLots }, trigger };
}

/** Rests behind the touch. */
function behind({ view, mid, sizeLots, rounds }: Scene) {
  const side = rounds % 4 < 2 ? 'sell' : 'buy';
  const priceTicks =
    side === 'buy' ? view.floorTicks(mid * (1 - DISTANCE)) : view.ceilTicks(mid * (1 + DISTANCE));
  return { symbol: view.symbol, side, priceTicks, sizeLots } as const;
}

const ERRANDS: readonly ((scene: Scene) => void)[] = [
  (scene) => {
    const { side, priceTicks: entryTicks, sizeLots } = through(scene);
    const { view, mid } = scene;
    const [stop, profit] =
      side === 'buy' ? [1 - TRIGGER_AT, 1 + TRIGGER_AT] : [1 + TRIGGER_AT, 1 - TRIGGER_AT];
    const exits = { stopTicks: view.floorTicks(mid * stop), takeProfitTicks: view.floorTicks(mid * profit) };
    scene.bracket?.enter({ side, entryTicks, sizeLots, ...exits, timeInForce: 'ioc' });
  },
  (scene) => void scene.context.place(order.ioc(through(scene))),
  (scene) => void scene.context.place(order.limit(behind(scene))),
  (scene) => {
    const { draft, trigger } = waiting(scene, scene.view.inventoryLots > 0 ? 'sell' : 'buy');
    scene.context.placeConditional(order.reduceOnlyIoc(draft), trigger);
  },
  (scene) => void scene.context.place(order.fok(through(scene))),
  (scene) => void scene.context.place(order.postOnly({ ...behind(scene), expiresInMs: EXPIRES_MS })),
  ({ context, view }) => {
    const [oldest] = view.orders;
    if (oldest !== undefined) context.cancel(oldest);
  },
  (scene) => {
    if (scene.view.inventoryLots !== 0) scene.context.place(order.reduceOnlyIoc(through(scene)));
  },
  (scene) => {
    const { draft, trigger } = waiting(scene, scene.view.inventoryLots > 0 ? 'sell' : 'buy');
    scene.context.placeConditional(order.limit(draft), trigger);
  },
  (scene) => void scene.context.place(order.limit(through(scene))),
  ({ context, view, sizeLots }) => {
    const side = view.inventoryLots > 0 ? 'sell' : 'buy';
    context.placeTwap({ symbol: view.symbol, side, sizeLots, ...WORKED });
  },
  ({ context, view }) => context.cancelAll(view.symbol),
  ({ context, view, rounds }) =>
    context.setLeverage(view.symbol, LEVERAGES[Math.floor(rounds / 16) % 2] ?? LEVERAGES[0]),
];

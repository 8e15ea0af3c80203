/** Execution components one by one; what holds for all of them under trouble is in test/property/execution.test.ts. */
import { describe, expect, test } from 'vitest';
import {
  type AlgoHandlers,
  type Barrier,
  BarrierExit,
  chaser,
  dca,
  defineStrategy,
  Hedge,
  iceberg,
  type ParentOrderOptions,
  type ParentOrderReport,
  param,
  type StrategyContext,
  twap,
} from '../../../../src/bot/strategy/index.ts';
import {
  type IntentId,
  lots,
  type OrderId,
  type OrderStatus,
  type Side,
  ticks,
} from '../../../../src/domain/index.ts';
import { ScriptedMarket, ScriptedRun } from '../../../support/scripted-context.ts';
import { aFill, aMarket, BTC, ETH, usd } from '../../../support/trading-builders.ts';

/** A strategy that is nothing but one component, in markets with a touch of 999,900 and 1,000,100. */
function aRun<
  Part extends { readonly handlers: AlgoHandlers; start(saved?: unknown): void; save?(): unknown },
>(
  make: (context: StrategyContext) => Part,
  options: {
    readonly saved?: unknown;
    readonly inventoryLots?: number;
    readonly hasEth?: boolean;
    /** `onSave` does not return its state. */
    readonly isUnsaved?: boolean;
    readonly store?: (state: unknown) => boolean;
    /** Changes the market before the component starts. */
    readonly prepare?: (market: ScriptedMarket) => void;
  } = {},
) {
  const markets = [
    new ScriptedMarket(),
    ...(options.hasEth ? [new ScriptedMarket(aMarket({ symbol: ETH }))] : []),
  ];
  for (const market of markets) {
    market.bids = [[999_900, 5_000]];
    market.asks = [[1_000_100, 5_000]];
  }
  const [market = new ScriptedMarket(), eth = new ScriptedMarket()] = markets;
  market.inventoryLots = lots(options.inventoryLots ?? 0);
  const made: { part?: Part } = {};
  const definition = defineStrategy({
    name: 'one-component',
    parameters: param.object({}),
    create(context) {
      const part = make(context);
      made.part = part;
      const onSave = options.isUnsaved ? {} : { onSave: () => part.save?.() };
      return { ...part.handlers, ...onSave, onStart: () => part.start(options.saved) };
    },
  });
  const run = new ScriptedRun(definition, {}, { markets });
  const { part } = made;
  if (part === undefined) throw new Error('expected the component to be made');
  options.prepare?.(market);
  if (options.store !== undefined) run.store = options.store;
  run.handlers.onStart?.();
  return { run, market, eth, part };
}

/** Where an order stands that came to nothing without being canceled. */
const CAME_TO_NOTHING = ['rejected', 'notExecuted', 'voided'] as const satisfies readonly OrderStatus[];

/** What was asked for: side, size, price, time in force. */
const placedIn = (run: ScriptedRun) =>
  run.placed.map((draft) =>
    'priceTicks' in draft
      ? `${draft.side} ${draft.sizeLots} at ${draft.priceTicks} ${draft.timeInForce}${draft.reduceOnly ? ' reduce-only' : ''}`
      : 'decimal',
  );

/** Tells what became of the `number`th placed order, counted from 1; `filledLots` of it are executed. */
function tell(run: ScriptedRun, number: number, status: OrderStatus, filledLots = 0): void {
  const draft = run.placed[number - 1];
  if (draft === undefined || !('priceTicks' in draft)) throw new Error(`expected a placed order ${number}`);
  const { symbol, side, priceTicks, sizeLots, timeInForce, reduceOnly } = draft;
  const [orderId, intentId] = [`${number}` as OrderId, `intent-${number}` as IntentId];
  run.handlers.onOrder?.({
    ...{ symbol, intentId, orderId, status, spec: undefined, reason: undefined },
    order: {
      ...{ symbol, orderId, side, priceTicks, sizeLots, timeInForce, reduceOnly },
      remainingLots: lots(sizeLots - filledLots),
    },
  });
}

/** A fill of the `number`th placed order, in the inventory as well. */
function fill(run: ScriptedRun, number: number, sizeLots: number): void {
  const draft = run.placed[number - 1];
  if (draft === undefined || !('priceTicks' in draft)) throw new Error(`expected a placed order ${number}`);
  const market = run.market(draft.symbol);
  market.inventoryLots = lots(market.inventoryLots + (draft.side === 'buy' ? sizeLots : -sizeLots));
  const { symbol, side, priceTicks } = draft;
  run.handlers.onFill?.(aFill({ orderId: `${number}`, symbol, side, priceTicks, sizeLots }), market);
}

/** Until it has looked again. */
function begin({ run }: { readonly run: ScriptedRun }): void {
  run.clock.advance(250);
}

const BUY: ParentOrderOptions = { symbol: BTC, side: 'buy', totalLots: 100 };

describe('a parent order', () => {
  const everything =
    (options: Partial<ParentOrderOptions> = {}) =>
    (context: StrategyContext) =>
      chaser(context, { ...BUY, ...options });

  test('places its first order at once: its state is stored when it begins', () => {
    const states: unknown[] = [];
    const one = aRun(everything(), { store: (state) => states.push(state) > 0 });
    expect(placedIn(one.run)).toEqual(['buy 100 at 999900 postOnly']);
    tell(one.run, 1, 'working');
    fill(one.run, 1, 40);
    one.run.clock.advance(250);
    fill(one.run, 1, 60);
    expect(states).toMatchObject([
      { filledLots: 0, inventoryLots: 0, endReason: '' },
      { filledLots: 40, inventoryLots: 40, endReason: '' },
      { filledLots: 100, inventoryLots: 100, endReason: 'all is filled' },
    ]);
  });

  test.each([3, 8])('waits %i s for a store that fails, and its time begins then', (waitedS) => {
    let isStoring = false;
    const slices = { slices: 5, intervalMs: 1_000, style: 'join' } as const;
    const one = aRun((context) => twap(context, { ...BUY, ...slices }), { store: () => isStoring });
    one.run.clock.advance(waitedS * 1_000);
    expect([one.run.placed, one.part.report().state]).toEqual([[], 'working']);
    isStoring = true;
    one.run.clock.advance(250);
    expect(placedIn(one.run)).toEqual(['buy 20 at 999900 postOnly']);
    one.run.clock.advance(1_000);
    expect(placedIn(one.run)).toEqual(['buy 20 at 999900 postOnly', 'buy 20 at 999900 postOnly']);
  });

  test('places nothing, and ends when onSave never returns its state', () => {
    const one = aRun(everything(), { isUnsaved: true });
    one.run.clock.advance(4_000);
    expect(one.run.placed).toEqual([]);
    one.run.clock.advance(2_000);
    expect(one.part.report()).toMatchObject({ state: 'ended', reason: 'its state is not saved: see save()' });
  });

  test('says what it did when all is filled, once', () => {
    const ends: ParentOrderReport[] = [];
    const one = aRun(everything({ onEnd: (report) => void ends.push(report) }));
    begin(one);
    tell(one.run, 1, 'working');
    fill(one.run, 1, 40);
    fill(one.run, 1, 60);
    expect(one.run.canceled).toEqual([]);
    tell(one.run, 1, 'filled', 100);
    expect(ends).toEqual([
      {
        ...{
          symbol: BTC,
          side: 'buy',
          totalLots: 100,
          filledLots: 100,
          remainingLots: 0,
          averageFillTicks: 999_900,
        },
        ...{ recoveredLots: 0, children: 1, denials: 0, state: 'ended', reason: 'all is filled' },
      },
    ]);
  });

  test('cancels what is left when it is ended, also what becomes an order later', () => {
    const one = aRun(everything());
    begin(one);
    one.part.end('the strategy has changed its mind');
    expect(one.run.canceled).toEqual([]);
    tell(one.run, 1, 'working');
    expect(one.run.canceled).toEqual(['1']);
    fill(one.run, 1, 30);
    tell(one.run, 1, 'canceled', 30);
    expect(one.part.report()).toMatchObject({ filledLots: 30, remainingLots: 70 });
  });

  test('places nothing for what a canceled child had executed before its fills have come', () => {
    const one = aRun(everything());
    begin(one);
    tell(one.run, 1, 'working');
    tell(one.run, 1, 'canceled', 60);
    expect(placedIn(one.run)).toEqual(['buy 100 at 999900 postOnly']);
    one.run.clock.advance(1_000);
    expect(one.run.placed).toHaveLength(1);
    fill(one.run, 1, 60);
    expect(placedIn(one.run).at(-1)).toBe('buy 40 at 999900 postOnly');
  });

  test('counts what was filled while the bot did not run, once', () => {
    const first = aRun(everything());
    begin(first);
    tell(first.run, 1, 'working');
    fill(first.run, 1, 10);
    const saved = first.part.save();
    const again = aRun(everything(), { saved, inventoryLots: 35 });
    expect(again.part.report()).toMatchObject({
      filledLots: 35,
      recoveredLots: 25,
      averageFillTicks: 999_900,
    });
    expect(placedIn(again.run)).toEqual(['buy 65 at 999900 postOnly']);
  });

  test('counts a fill of an order of an earlier life, and none of other orders of this one', () => {
    const saved = { ...aRun(everything()).part.save() };
    const again = aRun(everything(), { saved });
    const orderId = (id: string) => id as OrderId;
    again.run.handlers.onFill?.(aFill({ orderId: '77', sizeLots: 5 }), again.market);
    expect(again.part.report().filledLots).toBe(5);
    const of = { symbol: BTC, intentId: undefined, order: undefined, spec: undefined, reason: undefined };
    again.run.handlers.onOrder?.({ ...of, orderId: orderId('88'), status: 'working' });
    again.run.handlers.onFill?.(aFill({ orderId: '88', sizeLots: 5 }), again.market);
    again.run.handlers.onFill?.(aFill({ orderId: '99', side: 'sell', sizeLots: 5 }), again.market);
    expect(again.part.report().filledLots).toBe(5);
  });

  test('ends when the inventory has moved by what it cannot have done', () => {
    const saved = aRun(everything()).part.save();
    for (const inventoryLots of [-1, 101]) {
      const again = aRun(everything(), { saved, inventoryLots });
      expect(again.part.report()).toMatchObject({ state: 'ended', filledLots: 0 });
      expect(again.part.report().reason).toContain(`${inventoryLots} lots`);
    }
  });

  test('stays ended over a restart, and begins again for another order', () => {
    const first = aRun(everything());
    first.part.end('enough');
    const saved = first.part.save();
    expect(aRun(everything(), { saved }).part.report()).toMatchObject({ state: 'ended', reason: 'enough' });
    expect(aRun(everything({ totalLots: 7 }), { saved }).part.report().state).toBe('working');
  });

  test.each([null, 'text', 7, { symbol: BTC, side: 'buy', totalLots: 100, filledLots: 'all' }])(
    'begins again when %j was saved',
    (saved) => {
      expect(aRun(everything(), { saved }).part.report()).toMatchObject({ state: 'working', filledLots: 0 });
    },
  );

  test('waits a second after a denial or a rejection', () => {
    const one = aRun(everything());
    begin(one);
    const denial = { symbol: BTC, strategyId: one.run.strategyId, code: 'RISK_X', message: '', remedy: '' };
    one.run.handlers.onDenied?.({ ...denial, intentId: 'intent-1' as IntentId });
    one.run.clock.advance(900);
    expect(one.run.placed).toHaveLength(1);
    one.run.clock.advance(250);
    expect(one.run.placed).toHaveLength(2);
    tell(one.run, 2, 'rejected');
    expect(one.part.report().denials).toBe(1);
    one.run.clock.advance(2_000);
    expect(one.run.placed).toHaveLength(3);
  });

  test.each(CAME_TO_NOTHING)('waits a second after an order that is %s', (status) => {
    const one = aRun(everything());
    begin(one);
    tell(one.run, 1, status);
    one.run.clock.advance(900);
    expect(one.run.placed).toHaveLength(1);
    one.run.clock.advance(350);
    expect(one.run.placed).toHaveLength(2);
  });

  test('tries a child half as large after a denial, and larger ones again when they are accepted', () => {
    const one = aRun(everything());
    begin(one);
    const denial = { symbol: BTC, strategyId: one.run.strategyId, code: 'RISK_X', message: '', remedy: '' };
    one.run.handlers.onDenied?.({ ...denial, intentId: 'intent-1' as IntentId });
    one.run.clock.advance(1_250);
    expect(placedIn(one.run).at(-1)).toBe('buy 50 at 999900 postOnly');
    tell(one.run, 2, 'working');
    fill(one.run, 2, 50);
    tell(one.run, 2, 'filled', 50);
    expect(placedIn(one.run).at(-1)).toBe('buy 50 at 999900 postOnly');
  });

  test('makes no child larger than it may be', () => {
    const one = aRun(everything({ childLotsMax: 30 }));
    begin(one);
    expect(placedIn(one.run)).toEqual(['buy 30 at 999900 postOnly']);
  });

  test('follows a book that changes many times a second four times a second', () => {
    const one = aRun(everything());
    begin(one);
    tell(one.run, 1, 'working');
    for (let at = 0; at < 10; at++) {
      one.market.bids = [[999_910 + at, 5_000]];
      one.run.tellBook(one.market);
    }
    expect(one.run.canceled).toEqual([]);
    one.run.clock.advance(250);
    expect(one.run.canceled).toEqual(['1']);
  });

  test('waits no longer than that when the clock is set back', () => {
    const one = aRun(everything());
    begin(one);
    tell(one.run, 1, 'rejected');
    one.run.setClockBack(1_120_000);
    one.run.tellBook(one.market);
    expect(one.run.placed).toHaveLength(2);
  });

  test('does nothing while the market cannot be trusted', () => {
    const prepare = (market: ScriptedMarket) => {
      market.isFresh = false;
    };
    const one = aRun(everything(), { prepare });
    begin(one);
    expect(one.run.placed).toEqual([]);
  });

  test('error: a size of nothing is refused', () => {
    expect(() => aRun(everything({ totalLots: 0 }))).toThrow(/above zero/);
  });
});

describe('TWAP', () => {
  const ofFive =
    (options: object = {}) =>
    (context: StrategyContext) =>
      twap(context, { ...BUY, slices: 5, intervalMs: 1_000, style: 'join', ...options });

  test('lets a slice come due each interval, with what the ones before left over', () => {
    const one = aRun(ofFive());
    begin(one);
    tell(one.run, 1, 'working');
    expect(placedIn(one.run)).toEqual(['buy 20 at 999900 postOnly']);
    fill(one.run, 1, 5);
    one.run.clock.advance(1_000);
    expect(placedIn(one.run)).toEqual(['buy 20 at 999900 postOnly', 'buy 20 at 999900 postOnly']);
  });

  test('follows the best price of others', () => {
    const one = aRun(ofFive());
    begin(one);
    tell(one.run, 1, 'working');
    one.market.bids = [[999_950, 5_000]];
    one.run.clock.advance(250);
    expect(one.run.canceled).toEqual(['1']);
    expect(one.run.placed).toHaveLength(1);
    tell(one.run, 1, 'canceled');
    expect(placedIn(one.run).at(-1)).toBe('buy 20 at 999950 postOnly');
  });

  test('leaves what is left when the last slice is over, or takes it', () => {
    const left = aRun(ofFive());
    begin(left);
    tell(left.run, 1, 'working');
    left.run.clock.advance(5_000);
    expect(left.part.report()).toMatchObject({
      state: 'ended',
      reason: 'the last slice is over',
      remainingLots: 100,
    });
    const taken = aRun(ofFive({ finish: 'take' }));
    tell(taken.run, 1, 'rejected');
    taken.market.isFresh = false;
    taken.run.clock.advance(5_000);
    taken.market.isFresh = true;
    taken.run.clock.advance(250);
    expect(placedIn(taken.run).at(-1)).toBe('buy 100 at 1000100 ioc');
  });

  test('takes each slice, but not beyond its limit', () => {
    const one = aRun(ofFive({ style: 'take' }));
    begin(one);
    expect(placedIn(one.run)).toEqual(['buy 20 at 1000100 ioc']);
    const limited = aRun(ofFive({ style: 'take', limitTicks: ticks(1_000_050) }));
    begin(limited);
    expect(limited.run.placed).toEqual([]);
    const resting = aRun(ofFive({ limitTicks: ticks(999_850) }));
    begin(resting);
    expect(placedIn(resting.run)).toEqual(['buy 20 at 999850 postOnly']);
  });

  test('goes on in its schedule after a restart', () => {
    const first = aRun(ofFive());
    begin(first);
    const saved = { ...first.part.save(), startedAtMs: first.run.now() - 2_500 };
    const again = aRun(ofFive(), { saved });
    expect(placedIn(again.run)).toEqual(['buy 60 at 999900 postOnly']);
  });
});

describe('DCA', () => {
  const make = (options: Partial<Parameters<typeof dca>[1]> = {}) =>
    aRun((context) =>
      dca(context, {
        ...{ symbol: BTC, side: 'buy', orderLots: 100, orders: 3, everyMs: 60_000, style: 'take' },
        ...options,
      }),
    );
  /** Everything that is out is filled at once. */
  function fillAll({ run, market, part }: ReturnType<typeof make>, priceTicks = 1_000_100): void {
    const id = `order-${run.placed.length}` as OrderId;
    const intentId = `intent-${run.placed.length}` as IntentId;
    run.handlers.onOrder?.({
      ...{
        symbol: BTC,
        intentId,
        orderId: id,
        status: 'working',
        order: undefined,
        spec: undefined,
        reason: undefined,
      },
    });
    market.applyFill(100, priceTicks);
    run.handlers.onFill?.(
      aFill({ orderId: id, symbol: BTC, side: 'buy', priceTicks, sizeLots: 100 }),
      market,
    );
    expect(part.report().filledLots).toBeGreaterThan(0);
  }

  test('buys one order each interval, and ends when the last is filled', () => {
    const made = make();
    for (const count of [1, 2, 3]) {
      expect(made.run.placed).toHaveLength(count);
      fillAll(made);
      made.run.clock.advance(30_000);
      expect(made.run.placed).toHaveLength(count);
      made.run.clock.advance(31_000);
    }
    expect(made.part.report()).toMatchObject({ filledLots: 300, state: 'ended' });
  });

  test('buys on only where the price is better than the average by its step', () => {
    const made = make({ stepPpm: 10_000 });
    fillAll(made);
    made.run.clock.advance(61_000);
    expect(made.run.placed).toHaveLength(1);
    made.market.bids = [[989_000, 5_000]];
    made.market.asks = [[989_200, 5_000]];
    made.run.clock.advance(1_000);
    expect(made.run.placed).toHaveLength(2);
    expect(made.run.placed[1]).toMatchObject({ priceTicks: 989_200, sizeLots: 100 });
  });

  test('catches up by time what it missed, and by price one order at a time', () => {
    const byTime = make();
    fillAll(byTime);
    byTime.run.clock.advance(121_000);
    const lotsOf = ({ run }: ReturnType<typeof make>) =>
      run.placed.slice(1).reduce((sum, draft) => sum + ('sizeLots' in draft ? draft.sizeLots : 0), 0);
    expect(lotsOf(byTime)).toBe(200);
    const byPrice = make({ stepPpm: 1 });
    fillAll(byPrice);
    byPrice.market.bids = [[900_000, 5_000]];
    byPrice.market.asks = [[900_200, 5_000]];
    byPrice.run.clock.advance(121_000);
    expect(lotsOf(byPrice)).toBe(100);
  });

  test('error: a number of orders that is not above zero is refused', () => {
    expect(() => make({ orders: 0 })).toThrow('above zero');
  });
});

describe('chaser', () => {
  test('stays within its tolerance, then follows, no further than its limit', () => {
    const one = aRun((context) =>
      chaser(context, { ...BUY, sliceLots: 30, toleranceTicks: 20, limitTicks: ticks(999_960) }),
    );
    begin(one);
    tell(one.run, 1, 'working');
    one.market.bids = [[999_920, 5_000]];
    one.run.clock.advance(250);
    expect(one.run.canceled).toEqual([]);
    one.market.bids = [[999_990, 5_000]];
    one.run.clock.advance(250);
    expect(one.run.canceled).toEqual(['1']);
    tell(one.run, 1, 'canceled');
    expect(placedIn(one.run)).toEqual(['buy 30 at 999900 postOnly', 'buy 30 at 999960 postOnly']);
  });

  test('takes what is left when its patience is over', () => {
    const one = aRun((context) => chaser(context, { ...BUY, side: 'sell' as Side, takeAfterMs: 2_000 }));
    begin(one);
    tell(one.run, 1, 'working');
    one.run.clock.advance(2_000);
    tell(one.run, 1, 'canceled');
    expect(placedIn(one.run)).toEqual(['sell 100 at 1000100 postOnly', 'sell 100 at 999900 ioc']);
  });
});

describe('iceberg', () => {
  const shows = (displayLots: number) => (context: StrategyContext) =>
    iceberg(context, { ...BUY, priceTicks: ticks(999_500), displayLots });

  test('shows the next part when the one before is filled', () => {
    const one = aRun(shows(40));
    begin(one);
    tell(one.run, 1, 'working');
    fill(one.run, 1, 39);
    expect(one.run.placed).toHaveLength(1);
    fill(one.run, 1, 1);
    tell(one.run, 1, 'filled', 40);
    expect(placedIn(one.run)).toEqual(['buy 40 at 999500 postOnly', 'buy 40 at 999500 postOnly']);
  });

  test('lets no rest over that is too small for the market', () => {
    const prepare = (market: ScriptedMarket) => {
      market.market = aMarket({ minNotional: usd(500) });
    };
    const one = aRun(shows(96), { prepare });
    begin(one);
    expect(placedIn(one.run)).toEqual(['buy 100 at 999500 postOnly']);
  });
});

describe('barrier exit', () => {
  const barriers = { takeProfitPpm: 2_000, stopPpm: 1_000, timeMs: 60_000 };
  const held = (inventoryLots: number, averageEntryTicks: number, saved?: unknown) => {
    const closed: Barrier[] = [];
    const one = aRun(
      (context) =>
        new BarrierExit(context, { symbol: BTC, ...barriers, onClosed: (met) => void closed.push(met) }),
      { inventoryLots, saved },
    );
    Object.assign(one.market, { averageEntryTicks });
    one.run.tellBook(one.market);
    return { ...one, closed };
  };

  test.each([
    ['take profit', 50, 998_000, 'sell 50 at 998901 ioc reduce-only'],
    ['stop', 50, 1_001_100, 'sell 50 at 998901 ioc reduce-only'],
    ['take profit', -50, 1_002_100, 'buy 50 at 1001100 ioc reduce-only'],
    ['stop', -50, 998_900, 'buy 50 at 1001100 ioc reduce-only'],
  ] as const)(
    '%s closes an inventory of %i at an average of %i',
    (barrier, inventoryLots, average, order) => {
      const { run, part } = held(inventoryLots, average);
      expect(placedIn(run)).toEqual([order]);
      expect(part.met).toBe(barrier);
    },
  );

  test('waits between the barriers, until its time is over', () => {
    const { run, part } = held(50, 1_000_000);
    run.clock.advance(59_000);
    expect(run.placed).toEqual([]);
    run.clock.advance(1_000);
    expect(part.met).toBe('time');
    expect(run.placed).toHaveLength(1);
  });

  test('goes on until nothing is held, although the price has come back, and is ready again', () => {
    const { run, market, part, closed } = held(50, 1_001_100);
    tell(run, 1, 'working');
    fill(run, 1, 20);
    Object.assign(market, { averageEntryTicks: 1_000_000 });
    tell(run, 1, 'canceled', 20);
    expect(placedIn(run).at(-1)).toBe('sell 30 at 998901 ioc reduce-only');
    tell(run, 2, 'working');
    fill(run, 2, 30);
    tell(run, 2, 'filled', 30);
    expect([closed, part.met, part.save()]).toEqual([
      ['stop'],
      undefined,
      { openedAtMs: undefined, met: undefined },
    ]);
  });

  test('goes on after a restart with the barrier it had met and the age it had seen', () => {
    expect(held(50, 1_000_000, { openedAtMs: 0, met: 'stop' }).run.placed).toHaveLength(1);
    expect(held(50, 1_000_000, { openedAtMs: 0 }).part.met).toBe('time');
    expect(held(50, 1_000_000, { openedAtMs: 'x', met: 'y' }).run.placed).toEqual([]);
  });

  test.each(CAME_TO_NOTHING)('waits a second after an order that is %s', (status) => {
    const { run } = held(50, 1_001_100);
    tell(run, 1, status);
    run.clock.advance(900);
    expect(run.placed).toHaveLength(1);
    run.clock.advance(350);
    expect(run.placed).toHaveLength(2);
  });
});

describe('hedge', () => {
  const aHedge = (options: object = {}) =>
    aRun((context) => new Hedge(context, { of: BTC, against: ETH, thresholdLots: 20, ...options }), {
      hasEth: true,
    });

  /** ETH at a twentieth of BTC, and `inventoryLots` of BTC held. */
  const hold = ({ run, market, eth }: ReturnType<typeof aHedge>, inventoryLots: number) => {
    eth.bids = [[49_990, 5_000]];
    eth.asks = [[50_010, 5_000]];
    market.inventoryLots = lots(inventoryLots);
    run.tellBook(market);
  };

  test('holds the second market worth as much the other way round, times its ratio', () => {
    const one = aHedge();
    hold(one, 10);
    expect(placedIn(one.run)).toEqual(['sell 200 at 49941 ioc']);
    const half = aHedge({ ratioPpm: 500_000 });
    hold(half, -10);
    expect(placedIn(half.run)).toEqual(['buy 100 at 50060 ioc']);
  });

  test('leaves what is below its threshold, and what is out already', () => {
    const one = aHedge();
    hold(one, 10);
    hold(one, 10);
    expect(one.run.placed).toHaveLength(1);
    tell(one.run, 1, 'working');
    fill(one.run, 1, 190);
    tell(one.run, 1, 'canceled', 190);
    one.run.clock.advance(5_000);
    expect(one.run.placed).toHaveLength(1);
    hold(one, 9);
    expect(one.run.placed).toHaveLength(1);
    hold(one, 8);
    expect(placedIn(one.run).at(-1)).toBe('buy 30 at 50060 ioc');
  });

  test.each(CAME_TO_NOTHING)('waits a second after an order that is %s', (status) => {
    const one = aHedge();
    hold(one, 10);
    tell(one.run, 1, status);
    hold(one, 10);
    one.run.clock.advance(900);
    expect(one.run.placed).toHaveLength(1);
    one.run.clock.advance(350);
    expect(one.run.placed).toHaveLength(2);
  });

  test('finds itself again after a restart by what is held', () => {
    const one = aHedge();
    one.eth.inventoryLots = lots(-200);
    hold(one, 10);
    expect(one.run.placed).toEqual([]);
    one.part.stop();
    hold(one, 50);
    expect(one.run.placed).toEqual([]);
  });

  test('error: one market twice is refused', () => {
    expect(() => aHedge({ against: BTC })).toThrow(/two markets/);
    expect(() => aHedge({ thresholdLots: 0 })).toThrow(/threshold above zero/);
  });
});

/** What is each maker's own: where its prices stand, and when a side is left empty. */
import { describe, expect, test } from 'vitest';
import type { StrategyDefinition } from '../../../src/bot/strategy/index.ts';
import { gridSidesOf } from '../../../src/bot/strategy/quoting/grid-line.ts';
import { lots, ticks } from '../../../src/domain/index.ts';
import imbalanceSkew from '../../../strategies/imbalance-skew/index.ts';
import inventoryGrid from '../../../strategies/inventory-grid/index.ts';
import { MomentumGuard } from '../../../strategies/momentum-guard/guard.ts';
import momentumGuard from '../../../strategies/momentum-guard/index.ts';
import pingPong from '../../../strategies/ping-pong/index.ts';
import { ScriptedMarket, ScriptedRun } from '../../support/scripted-context.ts';
import { aFill, aMarket, aWorkingOrder, BTC } from '../../support/trading-builders.ts';

const SIZES = { size: '0.010', maxInventory: '0.050' };

/** One market with a touch 500 ppm from its middle of 1,000,000 ticks. */
function aRun(definition: StrategyDefinition, parameters: Readonly<Record<string, unknown>>) {
  const market = new ScriptedMarket();
  market.bids = [[999_500, 500]];
  market.asks = [[1_000_500, 500]];
  const run = new ScriptedRun(definition, { ...SIZES, ...parameters }, { markets: [market] });
  return { market, run };
}

/** Prices of bids and asks that are wanted now. */
function pricesOf(run: ScriptedRun) {
  const { bids = [], asks = [] } = run.wanted.get(BTC) ?? {};
  return [bids.map(({ priceTicks }) => priceTicks), asks.map(({ priceTicks }) => priceTicks)];
}

function quoteOf({ run }: ReturnType<typeof aRun>) {
  run.handlers.onStart?.();
  return pricesOf(run);
}

describe('imbalance-skew', () => {
  const BASE = { halfSpreadPpm: '300', imbalanceSkewPpm: '100' };

  test('leans to the thicker side of others, own orders not counted', () => {
    const even = aRun(imbalanceSkew, BASE);
    expect(quoteOf(even)).toEqual([[999_700], [1_000_300]]);
    const thick = aRun(imbalanceSkew, BASE);
    thick.market.bids = [[999_500, 1_500]];
    // (1,500 - 500) / 2,000 of 100 ppm.
    expect(quoteOf(thick)).toEqual([[999_750], [1_000_350]]);
    const own = aRun(imbalanceSkew, BASE);
    own.market.bids = [[999_500, 1_500]];
    own.market.orders = [aWorkingOrder('1', { priceTicks: ticks(999_500), sizeLots: lots(1_000) })];
    expect(quoteOf(own)).toEqual([[999_700], [1_000_300]]);
  });

  test('leaves the threatened side empty beyond its limit', () => {
    const up = aRun(imbalanceSkew, { ...BASE, pullAbove: '0.4' });
    up.market.bids = [[999_500, 1_500]];
    expect(quoteOf(up)).toEqual([[999_750], []]);
    const down = aRun(imbalanceSkew, { ...BASE, pullAbove: '0.4' });
    down.market.asks = [[1_000_500, 1_500]];
    expect(quoteOf(down)).toEqual([[], [1_000_250]]);
  });

  test('forgets an imbalance by its half-life, and leans against the inventory', () => {
    const { run, market } = aRun(imbalanceSkew, { ...BASE, imbalanceHalfLife: '1s', inventorySkewPpm: '50' });
    market.bids = [[999_500, 1_500]];
    run.handlers.onStart?.();
    market.bids = [[999_500, 500]];
    run.clock.advance(1_000);
    expect(pricesOf(run)).toEqual([[999_725], [1_000_325]]);
    market.inventoryLots = lots(50);
    run.handlers.onFill?.(aFill(), market);
    expect(pricesOf(run)).toEqual([[], [1_000_275]]);
  });

  test('says which side it leaves empty when that is the only one there is room for', () => {
    const { run, market } = aRun(imbalanceSkew, { ...BASE, pullAbove: '0.4' });
    market.bids = [[999_500, 1_500]];
    market.inventoryLots = lots(50);
    run.handlers.onStart?.();
    expect(run.pulls).toEqual([
      { reason: 'the book leans against the only side there is room for', symbol: BTC },
    ]);
  });
});

describe('ping-pong', () => {
  const BASE = { halfSpreadPpm: '300', profitPpm: '500', spacingPpm: '100' };
  const held = (parameters: object, lotsHeld: number, averageEntryTicks: number) => {
    const one = aRun(pingPong, { ...BASE, ...parameters });
    Object.assign(one.market, { inventoryLots: lots(lotsHeld), averageEntryTicks });
    return one;
  };

  test('quotes both sides while it holds nothing', () => {
    expect(quoteOf(aRun(pingPong, BASE))).toEqual([[999_700], [1_000_300]]);
  });

  test('offers what it bought only for its profit, and adds only below what it paid', () => {
    expect(quoteOf(held({}, 20, 1_000_000))).toEqual([[999_700], [1_000_500]]);
    expect(quoteOf(held({}, 20, 999_600))).toEqual([[999_500], [1_000_300]]);
  });

  test('bids for what it sold only for its profit', () => {
    expect(quoteOf(held({}, -20, 1_000_000))).toEqual([[999_500], [1_000_300]]);
  });

  test('never closes more than it holds', () => {
    const one = held({}, 4, 1_000_000);
    one.run.handlers.onStart?.();
    expect(one.run.last).toMatchObject({ bids: [{ sizeLots: 10 }], asks: [{ sizeLots: 4 }] });
  });

  test('gives up at the touch when the price is too far away', () => {
    expect(quoteOf(held({ giveUpPpm: '5000' }, 20, 1_004_000))[1]).toEqual([1_004_502]);
    expect(quoteOf(held({ giveUpPpm: '5000' }, 20, 1_006_000))[1]).toEqual([1_000_500]);
    expect(quoteOf(held({ giveUpPpm: '5000' }, -20, 994_000))[0]).toEqual([999_500]);
    expect(quoteOf(held({}, 20, 1_006_000))[1]).toEqual([1_006_503]);
  });
});

describe('momentum-guard', () => {
  const BASE = {
    ...{ halfSpreadPpm: '300', guardPpm: '200', fastHalfLife: '1s', slowHalfLife: '1h', calm: '5s' },
  };
  const move = ({ market, run }: ReturnType<typeof aRun>, to: number, ms: number) => {
    market.bids = [[to - 500, 500]];
    market.asks = [[to + 500, 500]];
    run.clock.advance(ms);
  };

  test('leaves the side in the way of a move empty, until it has been calm', () => {
    const one = aRun(momentumGuard, BASE);
    expect(quoteOf(one)).toEqual([[999_700], [1_000_300]]);
    move(one, 1_001_000, 1_000);
    expect(pricesOf(one.run)).toEqual([[1_000_699], []]);
    move(one, 1_000_000, 4_000);
    expect(pricesOf(one.run)).toEqual([[999_700], []]);
    move(one, 1_000_000, 9_000);
    expect(pricesOf(one.run)).toEqual([[999_700], [1_000_300]]);
  });

  test('says that the price runs when the open side has no room', () => {
    const one = aRun(momentumGuard, BASE);
    one.market.inventoryLots = lots(-50);
    one.run.handlers.onStart?.();
    move(one, 998_000, 2_000);
    expect(one.run.pulls).toEqual([{ reason: 'the price runs', symbol: BTC }]);
  });

  test('closes the buying side when the price falls', () => {
    const guard = new MomentumGuard({ fastMs: 100, slowMs: 100_000 });
    const rules = { guardPpm: 100, calmMs: 1_000 };
    guard.observe(1_000_000, 0, rules);
    expect([guard.isOpen('buy', 0), guard.isOpen('sell', 0), guard.momentumPpm]).toEqual([true, true, 0]);
    guard.observe(999_000, 1_000, rules);
    expect([guard.isOpen('buy', 1_999), guard.isOpen('sell', 1_999)]).toEqual([false, true]);
    expect(guard.isOpen('buy', 2_000)).toBe(true);
    // The clock was set back: a side is never closed for longer than its time.
    expect(guard.isOpen('buy', 0)).toBe(true);
  });
});

describe('inventory-grid', () => {
  const line = { anchorTicks: 1_000_000, stepTicks: 300, sizeLots: 10, baseLots: 0 };
  const sides = (inventoryLots: number, smallest = 0) =>
    gridSidesOf({ line, inventoryLots, levels: 2, isLargeEnough: (_price, size) => size >= smallest });

  test('buys a step below and sells a step above where as much is held', () => {
    expect(sides(0)).toEqual({
      bids: { prices: [999_700, 999_400], sizes: [10, 10] },
      asks: { prices: [1_000_300, 1_000_600], sizes: [10, 10] },
    });
    expect(sides(10)).toEqual({
      bids: { prices: [999_400, 999_100], sizes: [10, 10] },
      asks: { prices: [1_000_000, 1_000_300], sizes: [10, 10] },
    });
  });

  test('after a partial fill puts in what is missing to the next line, or into the order behind it', () => {
    expect(sides(4)).toEqual({
      bids: { prices: [999_700, 999_400], sizes: [6, 10] },
      asks: { prices: [1_000_000, 1_000_300], sizes: [4, 10] },
    });
    expect(sides(4, 5).asks).toEqual({ prices: [1_000_300, 1_000_600], sizes: [14, 10] });
  });

  test('hangs on the first middle it sees, also after a restart', () => {
    const one = aRun(inventoryGrid, { stepPpm: '300', levels: '2' });
    expect(quoteOf(one)).toEqual([
      [999_700, 999_400],
      [1_000_300, 1_000_600],
    ]);
    expect(one.run.handlers.onSave?.()).toEqual({ [BTC]: 1_000_000 });
    const again = aRun(inventoryGrid, { stepPpm: '300', levels: '1' });
    again.market.bids = [[998_800, 5]];
    again.market.asks = [[999_200, 5]];
    again.run.handlers.onLoad?.({ [BTC]: 1_000_000 });
    // The line says one more below each 300 ticks: the next bid is clear of the asks of others, not where they are.
    expect(quoteOf(again)).toEqual([[999_199], [1_000_300]]);
  });

  test('holds its target at the anchor it is given, within the greatest inventory', () => {
    const one = aRun(inventoryGrid, { stepPpm: '300', levels: '1', target: '0.020', anchor: '100000.0' });
    expect(quoteOf(one)).toEqual([[1_000_300], [1_000_900]]);
    one.market.inventoryLots = lots(50);
    one.run.handlers.onFill?.(aFill(), one.market);
    expect(pricesOf(one.run)).toEqual([[], [999_501]]);
  });

  test.each([
    ['a target beyond the greatest inventory', { target: '-1' }, 'target'],
    ['an anchor that is no price', { anchor: 'here' }, 'anchor'],
  ])('error: %s is refused by its path', (_title, change, path) => {
    const checked = inventoryGrid.check({ ...SIZES, stepPpm: '300', ...change });
    expect(checked).toMatchObject({ isValid: false, problems: [{ path: [path] }] });
  });
});

describe('all makers', () => {
  test.each([
    ['imbalance-skew', imbalanceSkew, { halfSpreadPpm: '300' }],
    ['ping-pong', pingPong, { halfSpreadPpm: '300' }],
    ['momentum-guard', momentumGuard, { halfSpreadPpm: '300' }],
    ['inventory-grid', inventoryGrid, { stepPpm: '300' }],
  ] as const)(
    '%s takes new parameters while it runs, and says when its size is too small',
    (_name, definition, own) => {
      const { run } = aRun(definition, own);
      run.handlers.onStart?.();
      expect(run.instance.setParameters({ ...SIZES, ...own, size: '0.020' })).toEqual([]);
      expect(run.last).toMatchObject({ bids: [{ sizeLots: 20 }, ...(run.last?.bids.slice(1) ?? [])] });
      const small = aRun(definition, own);
      small.market.market = aMarket({ minNotional: (10n ** 12n) as never });
      small.run.handlers.onStart?.();
      expect(small.run.pulls).toEqual([
        { reason: 'the size is below the smallest notional of the market', symbol: BTC },
      ]);
    },
  );
});

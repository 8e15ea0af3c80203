import { describe, expect, test } from 'vitest';
import { lots, type Ppm } from '../../../src/domain/index.ts';
import { equalLotsOf, legTargetOf, stanceOf } from '../../../strategies/funding-carry/carry.ts';
import carry from '../../../strategies/funding-carry/index.ts';
import { ScriptedMarket, ScriptedRun } from '../../support/scripted-context.ts';
import { aFill, aMarket, BTC, ETH } from '../../support/trading-builders.ts';

const BASE = { size: '0.020', slice: '0.005', enterPpm: '20', leavePpm: '5', rateHalfLife: '1s' };

/** BTC at 1,000,000 ticks and ETH at a twentieth of it, with rates of 40 and 10 ppm an hour. */
function aRun(parameters: Readonly<Record<string, unknown>> = {}, rates: readonly number[] = [40, 10]) {
  const [btc, eth] = [new ScriptedMarket(), new ScriptedMarket(aMarket({ symbol: ETH }))];
  btc.bids = [[999_900, 500]];
  btc.asks = [[1_000_100, 500]];
  eth.bids = [[49_990, 500]];
  eth.asks = [[50_010, 500]];
  const setRates = (next: readonly number[]) => {
    for (const [at, market] of [btc, eth].entries())
      Object.assign(market, { fundingRatePpm: next[at] as Ppm | undefined });
  };
  setRates(rates);
  const run = new ScriptedRun(carry, { ...BASE, ...parameters }, { markets: [btc, eth] });
  return { run, btc, eth, setRates };
}

function wantedOf(run: ScriptedRun) {
  return [BTC, ETH].map((symbol) => {
    const { bids = [], asks = [] } = run.wanted.get(symbol) ?? {};
    const text = (side: typeof bids) =>
      side.map(({ priceTicks, sizeLots }) => `${sizeLots} at ${priceTicks}`).join();
    return `${text(bids)} | ${text(asks)}`;
  });
}

describe('the stance', () => {
  const rules = { enterPpm: 20, leavePpm: 5 };

  test('is short where the rate is higher, from the entry on', () => {
    expect([19, 20, -20, -19].map((difference) => stanceOf(0, difference, rules))).toEqual([0, 1, -1, 0]);
  });

  test('ends when less than the exit is earned', () => {
    expect([5, 4, -30].map((difference) => stanceOf(1, difference, rules))).toEqual([1, 0, 0]);
    expect([-5, -4, 30].map((difference) => stanceOf(-1, difference, rules))).toEqual([-1, 0, 0]);
  });
});

describe('the legs', () => {
  test('go a slice ahead of each other at most, on the way in and on the way out', () => {
    const leg = (inventoryLots: number, unitLots: number) => ({ inventoryLots, unitLots, sliceLots: 5 });
    expect(legTargetOf(1, leg(0, -20), leg(0, 20))).toBe(-5);
    expect(legTargetOf(1, leg(-5, -20), leg(3, 20))).toBe(-8);
    expect(legTargetOf(0, leg(-20, -20), leg(20, 20))).toBe(-15);
    expect(legTargetOf(-1, leg(0, -20), leg(0, 20))).toBe(5);
  });

  test('are worth as much as each other, rounded down to a lot', () => {
    const other = { market: aMarket(), midTicks: 1_000_000, sizeLots: lots(20) };
    expect(equalLotsOf(other, { market: aMarket({ lotStep: lots(100) }), midTicks: 60_000 })).toBe(300);
  });
});

describe('orders', () => {
  test('stand at the touch of both markets, on opposite sides, with a slice', () => {
    const { run } = aRun();
    run.handlers.onStart?.();
    expect(wantedOf(run)).toEqual([' | 5 at 1000100', '100 at 49990 | ']);
  });

  test('wait in the leg that is ahead until the other has come after', () => {
    const { run, btc, eth } = aRun();
    run.handlers.onStart?.();
    btc.inventoryLots = lots(-5);
    run.handlers.onFill?.(aFill(), btc);
    expect(wantedOf(run)).toEqual([' | ', '100 at 49990 | ']);
    eth.inventoryLots = lots(60);
    run.handlers.onFill?.(aFill({ symbol: ETH }), eth);
    expect(wantedOf(run)).toEqual([' | 3 at 1000100', '100 at 49990 | ']);
  });

  test('close both legs when the difference is gone', () => {
    const { run, btc, eth, setRates } = aRun();
    run.handlers.onStart?.();
    btc.inventoryLots = lots(-20);
    eth.inventoryLots = lots(400);
    setRates([10, 10]);
    run.clock.advance(60_000);
    expect(wantedOf(run)).toEqual(['5 at 999900 | ', ' | 100 at 50010']);
  });

  test('keep what is held over a restart, with the size it was begun with', () => {
    const first = aRun();
    first.run.handlers.onStart?.();
    const saved = first.run.handlers.onSave?.();
    expect(saved).toEqual({ stance: 1, secondLots: 400 });
    // The difference is between exit and entry: a bot that knew nothing would hold nothing.
    const { run, btc, eth } = aRun({}, [20, 10]);
    btc.inventoryLots = lots(-20);
    eth.inventoryLots = lots(400);
    eth.bids = [[39_990, 5]];
    eth.asks = [[40_010, 5]];
    run.handlers.onLoad?.(saved);
    run.handlers.onStart?.();
    expect(run.pulls.map(({ reason }) => reason)).toEqual(Array(2).fill('the leg is where it should be'));
    expect(run.handlers.onSave?.()).toEqual(saved);
  });

  test.each([
    ['a funding rate is not known', [40], {}],
    ['the rates differ too little', [15, 10], {}],
    ['the data of the other market is not fresh', [40, 10], { isFresh: false }],
  ] as const)('none: %s', (reason, rates, change) => {
    const { run, eth } = aRun({}, rates);
    Object.assign(eth, change);
    run.handlers.onStart?.();
    expect(run.pulls[0]).toEqual({ reason, symbol: BTC });
  });
});

test('error: other than two markets are refused', () => {
  expect(() => new ScriptedRun(carry, BASE, { markets: [new ScriptedMarket()] })).toThrow(/two markets/);
});

import { describe, expect, test } from 'vitest';
import { unixMs } from '../../../src/core/index.ts';
import { type Candle, lots, ticks } from '../../../src/domain/index.ts';
import stoikov from '../../../strategies/avellaneda-stoikov/index.ts';
import { ScriptedMarket, ScriptedRun } from '../../support/scripted-context.ts';
import { aFill, aMarket, BTC, START_MS } from '../../support/trading-builders.ts';

/**
 * With these the model asks for 2/gamma * ln(1 + gamma/kappa) = 199.0 ppm from liquidity and gamma * sigma^2 * horizon =
 * 10 ppm from volatility, and moves by 10 ppm for each order held.
 */
const BASE = {
  size: '0.010',
  maxInventory: '0.050',
  riskAversion: '0.0001',
  liquidity: '0.01',
  horizon: '10s',
  startVolatilityPpm: '100',
};
const SPREAD_PPM = 10_000 * 2 * Math.log(1.01) + 10;

/** One market around 100,000.0, its touch 200 ppm from the middle. */
function aRun(parameters: Readonly<Record<string, unknown>> = {}) {
  const market = new ScriptedMarket();
  market.bids = [[999_800, 500]];
  market.asks = [[1_000_200, 500]];
  const run = new ScriptedRun(stoikov, { ...BASE, ...parameters }, { markets: [market] });
  return { market, run };
}

function quoteOf({ run }: ReturnType<typeof aRun>) {
  run.handlers.onStart?.();
  return pricesOf(run);
}

const pricesOf = (run: ScriptedRun) => [run.last?.bids[0]?.priceTicks, run.last?.asks[0]?.priceTicks];

/** Lets `seconds` pass, an even number, in which the middle swings by `swingPpm` each second. */
function swing({ run, market }: ReturnType<typeof aRun>, seconds: number, swingPpm: number): void {
  for (let second = 0; second < seconds; second++) {
    const shift = second % 2 === 0 ? swingPpm : 0;
    market.bids = [[999_800 + shift, 5]];
    market.asks = [[1_000_200 + shift, 5]];
    run.clock.advance(1_000);
  }
}

describe('quotes', () => {
  test('stand half the optimal spread on each side of the middle when nothing is held', () => {
    expect(quoteOf(aRun())).toEqual([
      Math.floor(1_000_000 - SPREAD_PPM / 2),
      Math.ceil(1_000_000 + SPREAD_PPM / 2),
    ]);
  });

  test('move against the inventory, order by order', () => {
    const [bid = 0, ask = 0] = quoteOf(aRun());
    for (const [held, shift] of [
      [20, -20],
      [-10, 10],
      [-40, 40],
    ] as const) {
      const run = aRun();
      run.market.inventoryLots = lots(held);
      expect(quoteOf(run)).toEqual([bid + shift, ask + shift]);
    }
  });

  test('stay within the bounds of half-spread and skew', () => {
    expect(quoteOf(aRun({ minHalfSpreadPpm: '150' }))).toEqual([999_850, 1_000_150]);
    expect(quoteOf(aRun({ maxHalfSpreadPpm: '50' }))).toEqual([999_950, 1_000_050]);
    const run = aRun({ minHalfSpreadPpm: '150', maxSkewPpm: '5' });
    run.market.inventoryLots = lots(40);
    expect(quoteOf(run)).toEqual([999_845, 1_000_145]);
  });

  test('never meet the best orders of others, nor each other', () => {
    const run = aRun({ maxHalfSpreadPpm: '0', riskAversion: '100', maxSkewPpm: '5000' });
    run.market.inventoryLots = lots(-10);
    expect(quoteOf(run)).toEqual([1_000_199, 1_005_001]);
    expect(quoteOf(aRun({ maxHalfSpreadPpm: '0' }))).toEqual([999_999, 1_000_001]);
  });

  test('stand nearer and lean less as a session runs out, and begin again with the next', () => {
    const parameters = { horizon: '10s', horizonKind: 'session', requoteInterval: '1s' };
    const run = aRun(parameters);
    run.market.inventoryLots = lots(40);
    // The session of START_MS has just begun: 10 ppm of spread and 40 ppm of skew, a tenth less each second.
    const [bid = 0, ask = 0] = quoteOf(run);
    expect([bid, ask]).toEqual([
      Math.floor(1_000_000 - 40 - SPREAD_PPM / 2),
      Math.ceil(1_000_000 - 40 + SPREAD_PPM / 2),
    ]);
    run.run.clock.advance(5_000);
    expect(pricesOf(run.run)).toEqual([
      Math.floor(1_000_000 - 20 - (SPREAD_PPM - 5) / 2),
      Math.ceil(1_000_000 - 20 + (SPREAD_PPM - 5) / 2),
    ]);
    run.run.clock.advance(5_000);
    expect(pricesOf(run.run)).toEqual([bid, ask]);
  });

  test('respect the greatest inventory', () => {
    const run = aRun();
    run.market.inventoryLots = lots(46);
    run.run.handlers.onStart?.();
    expect(run.run.last).toMatchObject({ bids: [{ sizeLots: 4 }], asks: [{ sizeLots: 10 }] });
    run.market.inventoryLots = lots(-50);
    run.run.handlers.onFill?.(aFill(), run.market);
    expect(run.run.last).toMatchObject({ bids: [{ sizeLots: 10 }], asks: [] });
  });
});

describe('volatility', () => {
  test('widens the quotes once enough has been seen', () => {
    const calm = aRun();
    const [bid, ask] = quoteOf(calm);
    swing(calm, 20, 200);
    expect(pricesOf(calm.run)).toEqual([bid, ask]);
    // From 30 changes on sigma is 200 ppm per square root of a second: 40 ppm of spread in place of 10.
    swing(calm, 20, 200);
    const [wideBid = 0, wideAsk = 0] = pricesOf(calm.run);
    expect(wideAsk - wideBid).toBe(
      Math.ceil(1_000_000 + (SPREAD_PPM + 30) / 2) - Math.floor(1_000_000 - (SPREAD_PPM + 30) / 2),
    );
  });

  test('is not learned from data that is not fresh', () => {
    const run = aRun();
    run.run.handlers.onStart?.();
    run.market.isFresh = false;
    swing(run, 60, 200);
    expect(run.run.handlers.onSave?.()).toEqual({ [BTC]: 100 });
  });

  test('is known from the start where there are candles', () => {
    const run = aRun();
    const closes = Array.from({ length: 40 }, (_, at) => 1_000_000 + (at % 2) * 775);
    run.market.minuteCandles = closes.map((close, at) => aCandle(close, START_MS - (40 - at) * 60_000));
    run.run.handlers.onStart?.();
    // 775 ppm a minute are 100 ppm per square root of a second.
    expect(savedSigma(run.run)).toBeCloseTo(100, 0);
    const early = aRun({ startVolatilityPpm: '7' });
    early.market.minuteCandles = run.market.minuteCandles.slice(-20);
    early.run.handlers.onStart?.();
    expect(savedSigma(early.run)).toBe(7);
  });

  test('is taken up from an earlier run', () => {
    const { run } = aRun();
    run.handlers.onLoad?.({ [BTC]: 250 });
    expect(savedSigma(run)).toBe(250);
  });

  test.each([null, 'text', [], { [BTC]: -1 }, { [BTC]: 'much' }])(
    'is what the parameters say when %j was saved',
    (saved) => {
      const { run } = aRun();
      run.handlers.onLoad?.(saved);
      expect(savedSigma(run)).toBe(100);
    },
  );
});

describe('pulled quotes', () => {
  test.each([
    ['the market data is not fresh', { isFresh: false }],
    ['the market takes no orders', { isTradable: false }],
    ['one side of the book is empty', { asks: [] }],
    [
      'the size is below the smallest notional of the market',
      { market: aMarket({ minNotional: (10n ** 12n) as never }) },
    ],
  ])('%s', (reason, change) => {
    const { market, run } = aRun();
    run.handlers.onStart?.();
    Object.assign(market, change);
    run.clock.advance(1_000);
    expect(run.pulls).toEqual([{ reason, symbol: BTC }]);
    Object.assign(market, aRun().market, { market: aMarket() });
    run.tellBook(market);
    expect(run.wanted.get(BTC)?.bids).toHaveLength(1);
  });

  test('stay pulled while the account is degraded, and are stated again afterwards', () => {
    const { run } = aRun();
    run.handlers.onStart?.();
    run.handlers.onDegraded?.({ symbol: undefined, reason: 'the journal is slow' });
    run.clock.advance(1_000);
    expect(run.pulls).toEqual([{ reason: 'the journal is slow', symbol: BTC }]);
    run.handlers.onResumed?.(undefined);
    expect(run.wanted.get(BTC)?.asks).toHaveLength(1);
  });
});

describe('pace and parameters', () => {
  test('waits for its interval between two quotes, but not after a fill', () => {
    const { market, run } = aRun({ requoteInterval: '500ms' });
    run.handlers.onStart?.();
    run.clock.advance(400);
    run.tellBook(market);
    expect(run.quotes).toHaveLength(1);
    run.handlers.onFill?.(aFill(), market);
    expect(run.quotes).toHaveLength(2);
    run.clock.advance(600);
    expect(run.quotes).toHaveLength(3);
  });

  test('does not wait for the clock to come back to where it was before it was set back', () => {
    const { market, run } = aRun({ requoteInterval: '500ms' });
    run.handlers.onStart?.();
    run.setClockBack(1_120_000);
    run.tellBook(market);
    expect(run.quotes).toHaveLength(2);
  });

  test('can be changed while it runs, the estimate stays', () => {
    const run = aRun();
    run.run.handlers.onStart?.();
    swing(run, 40, 200);
    expect(run.run.instance.setParameters({ ...BASE, minHalfSpreadPpm: '300' })).toEqual([]);
    expect(pricesOf(run.run)).toEqual([999_700, 1_000_300]);
    expect(savedSigma(run.run)).toBeCloseTo(200, 0);
  });

  test.each([
    ['no risk aversion', { riskAversion: '0' }, 'riskAversion'],
    ['a smallest half-spread above the greatest', { minHalfSpreadPpm: '20000' }, 'minHalfSpreadPpm'],
    ['an interval that floods the gateway', { requoteInterval: '5ms' }, 'requoteInterval'],
    ['no half-life', { volatilityHalfLife: '0s' }, 'volatilityHalfLife'],
    ['a session of nothing', { horizonKind: 'session', horizon: '0s' }, 'horizon'],
  ])('error: %s is refused by its path', (_title, change, path) => {
    expect(stoikov.check({ ...BASE, ...change })).toMatchObject({
      isValid: false,
      problems: [{ path: [path] }],
    });
  });
});

function savedSigma(run: ScriptedRun): number | undefined {
  return (run.handlers.onSave?.() as Record<string, number> | undefined)?.[BTC];
}

function aCandle(closeTicks: number, startAtMs: number): Candle {
  const price = ticks(closeTicks);
  return {
    symbol: BTC,
    interval: '1m',
    startAtMs: unixMs(startAtMs),
    openTicks: price,
    highTicks: price,
    lowTicks: price,
    closeTicks: price,
    volumeLots: lots(1),
    tradeCount: 1,
  };
}

import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/core/index.ts';
import { type Cursor, lots, type Side, type Trade, ticks } from '../../../src/domain/index.ts';
import { Calibration, TRADES_MIN } from '../../../strategies/glft/calibration.ts';
import glft from '../../../strategies/glft/index.ts';
import { glftDepthsOf, glftExactDepthsOf, glftTermsOf } from '../../../strategies/glft/quotes.ts';
import { ScriptedMarket, ScriptedRun } from '../../support/scripted-context.ts';
import { aFill, atMs, BTC } from '../../support/trading-builders.ts';

const BASE = {
  size: '0.010',
  maxInventory: '0.050',
  riskAversion: '0.0001',
  startIntensity: '2',
  startDecay: '0.01',
  startVolatilityPpm: '100',
};
/** With these the closed form asks for 117.4 ppm from the middle and moves by 36 ppm for each order held. */
const TERMS = glftTermsOf({ sigma: 100, intensity: 2, decay: 0.01, gamma: 0.0001 });

function aRun(parameters: Readonly<Record<string, unknown>> = {}) {
  const market = new ScriptedMarket();
  market.bids = [[999_500, 500]];
  market.asks = [[1_000_500, 500]];
  const run = new ScriptedRun(glft, { ...BASE, ...parameters }, { markets: [market] });
  return { market, run };
}

const pricesOf = (run: ScriptedRun) => [run.last?.bids[0]?.priceTicks, run.last?.asks[0]?.priceTicks];

function aTrade(aggressor: Side, priceTicks: number): Trade {
  return {
    id: '1-0-0' as Cursor,
    symbol: BTC,
    aggressor,
    priceTicks: ticks(priceTicks),
    sizeLots: lots(1),
    atMs: atMs(0),
  };
}

describe('formulas', () => {
  const input = { sigma: 0.3, intensity: 0.9, decay: 0.3, gamma: 0.01 };

  test('the closed form is near the exact limit, and nearest where little is held', () => {
    const exact = glftExactDepthsOf(input, 40);
    for (const [inventory, within] of [
      [0, 2e-4],
      [5, 1.5e-3],
      [-10, 2e-3],
    ] as const) {
      const { bid = 0, ask = 0 } = exact(inventory) ?? {};
      const closed = glftDepthsOf(input, inventory);
      expect(Math.abs(closed.bid - bid)).toBeLessThan(within);
      expect(Math.abs(closed.ask - ask)).toBeLessThan(within);
    }
  });

  test('mirror an inventory, and know no quote beyond the greatest one', () => {
    const exact = glftExactDepthsOf(input, 5);
    expect(exact(2)?.bid).toBeCloseTo(exact(-2)?.ask ?? 0, 9);
    expect(exact(5)).toBeUndefined();
    expect(glftDepthsOf(input, 2).bid).toBe(glftDepthsOf(input, -2).ask);
  });
});

describe('quotes', () => {
  test('stand the half-spread of the closed form on each side, and lean against the inventory', () => {
    const { run, market } = aRun();
    run.handlers.onStart?.();
    expect(pricesOf(run)).toEqual([
      Math.floor(1_000_000 - TERMS.halfSpread),
      Math.ceil(1_000_000 + TERMS.halfSpread),
    ]);
    market.inventoryLots = lots(20);
    run.handlers.onFill?.(aFill(), market);
    expect(pricesOf(run)).toEqual([
      Math.floor(1_000_000 - 2 * TERMS.skew - TERMS.halfSpread),
      Math.ceil(1_000_000 - 2 * TERMS.skew + TERMS.halfSpread),
    ]);
  });

  test('stay within their bounds and the greatest inventory', () => {
    const { run, market } = aRun({ minHalfSpreadPpm: '300', maxSkewPpm: '5' });
    market.inventoryLots = lots(46);
    run.handlers.onStart?.();
    expect(pricesOf(run)).toEqual([999_695, 1_000_295]);
    expect(run.last).toMatchObject({ bids: [{ sizeLots: 4 }], asks: [{ sizeLots: 10 }] });
  });
});

describe('calibration', () => {
  test('finds A and k of a market whose trades come and go as the model says', () => {
    const random = seededRandom(13);
    const [intensity, decay] = [4, 0.008];
    const calibration = new Calibration({ levels: 11, depthPpm: 500, halfLifeMs: 3_600_000 });
    for (const side of ['buy', 'sell'] as const)
      for (let at = 0; at < 1_800_000; at += random.exponential(1_000 / intensity))
        calibration.observe(side, random.exponential(1 / decay), at);
    calibration.fit(1_800_000);
    expect(calibration.curve?.intensity).toBeGreaterThan(0.95 * intensity);
    expect(calibration.curve?.intensity).toBeLessThan(1.05 * intensity);
    expect(calibration.curve?.decay).toBeGreaterThan(0.95 * decay);
    expect(calibration.curve?.decay).toBeLessThan(1.05 * decay);
  });

  test('says nothing before it has seen enough', () => {
    const calibration = new Calibration({ levels: 3, depthPpm: 100, halfLifeMs: 3_600_000 });
    for (let count = 1; count < TRADES_MIN; count++) calibration.observe('buy', 60, count * 1_000);
    calibration.fit(60_000);
    expect(calibration.curve).toBeUndefined();
  });

  test('moves the quotes once the trades are known, and not where it is switched off', () => {
    for (const [calibrates, isMoved] of [
      ['true', true],
      ['false', false],
    ] as const) {
      const { run, market } = aRun({ calibrates });
      run.handlers.onStart?.();
      const before = pricesOf(run);
      // Fewer than the changes after which the volatility is believed.
      const random = seededRandom(3);
      for (let second = 0; second < 25; second++) {
        for (const [side, sign] of [
          ['buy', 1],
          ['sell', -1],
        ] as const)
          run.handlers.onTrade?.(
            market,
            aTrade(side, 1_000_000 + sign * Math.round(random.exponential(300))),
          );
        run.clock.advance(1_000);
      }
      expect(pricesOf(run)[0] !== before[0]).toBe(isMoved);
    }
  });

  test('is kept over a restart', () => {
    const { run } = aRun();
    const curve = { intensity: 7, decay: 0.02 };
    run.handlers.onLoad?.({ [BTC]: { sigma: 50, curve } });
    run.handlers.onStart?.();
    expect(run.handlers.onSave?.()).toEqual({ [BTC]: { sigma: 50, curve } });
  });

  test.each([null, 'text', { [BTC]: 1 }, { [BTC]: { sigma: -1, curve: { intensity: 1, decay: 1 } } }])(
    'begins with the parameters when %j was saved',
    (saved) => {
      const { run } = aRun();
      run.handlers.onLoad?.(saved);
      run.handlers.onStart?.();
      expect(run.handlers.onSave?.()).toEqual({
        [BTC]: { sigma: 100, curve: { intensity: 2, decay: 0.01 } },
      });
    },
  );
});

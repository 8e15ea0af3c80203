/** What holds for the quotes of the bundled strategies whatever the book, the inventory and the parameters are. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StrategyDefinition } from '../../src/bot/strategy/index.ts';
import { lots, notionalOf, ticks } from '../../src/domain/index.ts';
import stoikov from '../../strategies/avellaneda-stoikov/index.ts';
import glft from '../../strategies/glft/index.ts';
import imbalanceSkew from '../../strategies/imbalance-skew/index.ts';
import momentumGuard from '../../strategies/momentum-guard/index.ts';
import pingPong from '../../strategies/ping-pong/index.ts';
import ladder from '../../strategies/two-sided-ladder/index.ts';
import { ScriptedMarket, ScriptedRun } from '../support/scripted-context.ts';
import { aMarket, aWorkingOrder, usd } from '../support/trading-builders.ts';

const ppm = (max: number) => fc.integer({ min: 0, max });

const ladderParameters = fc
  .record({
    levels: fc.integer({ min: 1, max: 8 }),
    touch: fc.constantFrom('ignore', 'join', 'improve'),
    halfSpreadPpm: ppm(3_000),
    minHalfSpreadPpm: ppm(3_000),
    levelSpacingPpm: ppm(1_000),
    skewPpm: ppm(5_000),
    indexWeight: fc.constantFrom('0', '0.3', '1'),
    requoteTicks: fc.integer({ min: 0, max: 100 }),
  })
  .map((one) => ({ ...one, minHalfSpreadPpm: Math.min(one.minHalfSpreadPpm, one.halfSpreadPpm) }));

const stoikovParameters = fc
  .record({
    riskAversion: fc.constantFrom('0.0000001', '0.0001', '0.1', '10'),
    liquidity: fc.constantFrom('0.0001', '0.01', '5'),
    horizon: fc.constantFrom('1s', '1m', '1h'),
    startVolatilityPpm: ppm(5_000),
    minHalfSpreadPpm: ppm(2_000),
    maxHalfSpreadPpm: ppm(5_000),
    maxSkewPpm: ppm(5_000),
    requoteTicks: fc.integer({ min: 0, max: 100 }),
  })
  .map((one) => ({ ...one, minHalfSpreadPpm: Math.min(one.minHalfSpreadPpm, one.maxHalfSpreadPpm) }));

const glftParameters = stoikovParameters.map(
  ({ riskAversion, startVolatilityPpm, minHalfSpreadPpm, maxHalfSpreadPpm, maxSkewPpm, requoteTicks }) => ({
    ...{ riskAversion, startVolatilityPpm, minHalfSpreadPpm, maxHalfSpreadPpm, maxSkewPpm, requoteTicks },
  }),
);

const imbalanceParameters = fc.record({
  halfSpreadPpm: ppm(3_000),
  imbalanceSkewPpm: ppm(5_000),
  inventorySkewPpm: ppm(5_000),
  pullAbove: fc.constantFrom('0', '0.3', '1'),
  requoteTicks: fc.integer({ min: 0, max: 100 }),
});

const pingPongParameters = fc.record({
  halfSpreadPpm: ppm(3_000),
  profitPpm: ppm(3_000),
  spacingPpm: ppm(3_000),
  requoteTicks: fc.integer({ min: 0, max: 100 }),
});

const guardParameters = fc.record({
  halfSpreadPpm: ppm(3_000),
  skewPpm: ppm(5_000),
  requoteTicks: fc.integer({ min: 0, max: 100 }),
});

const scene = fc.record({
  tickStep: fc.constantFrom(1, 5, 50),
  lotStep: fc.constantFrom(1, 10),
  minNotional: fc.constantFrom(0, 10, 900),
  /** In steps. */
  bid: fc.integer({ min: 3, max: 20_000 }),
  spread: fc.integer({ min: 1, max: 300 }),
  size: fc.integer({ min: 1, max: 300 }),
  maxInventory: fc.integer({ min: 1, max: 2_000 }),
  /** Held, in parts of the greatest inventory; own orders of a round before stand one step before the others' best. */
  held: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
  hasOwnOrders: fc.boolean(),
  index: fc.integer({ min: -500, max: 500 }),
});

type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

function play(definition: StrategyDefinition, parameters: object, one: Scene) {
  const { tickStep, lotStep, minNotional } = one;
  const market = new ScriptedMarket(
    aMarket({ tickStep: ticks(tickStep), lotStep: lots(lotStep), minNotional: usd(minNotional) }),
  );
  const [bid, ask] = [one.bid * tickStep, (one.bid + one.spread) * tickStep];
  market.bids = [[bid, 100 * lotStep]];
  market.asks = [[ask, 100 * lotStep]];
  if (one.hasOwnOrders && one.spread > 2) {
    market.bids = [[bid + tickStep, lotStep], ...market.bids];
    market.asks = [[ask - tickStep, lotStep], ...market.asks];
    const at = (price: number) => ({ priceTicks: ticks(price), sizeLots: lots(lotStep) });
    market.orders = [
      aWorkingOrder('1', { side: 'buy', ...at(bid + tickStep) }),
      aWorkingOrder('2', { side: 'sell', ...at(ask - tickStep) }),
    ];
  }
  market.indexTicks = Math.max(1, bid + one.index * tickStep);
  const maxLots = one.maxInventory * lotStep;
  market.inventoryLots = lots(Math.round(maxLots * one.held));
  const sizes = {
    size: market.toSize(one.size * lotStep).toFixed(),
    maxInventory: market.toSize(maxLots).toFixed(),
  };
  const run = new ScriptedRun(definition, { ...sizes, ...parameters }, { markets: [market] });
  run.handlers.onStart?.();
  return { market, run, bid, ask, maxLots };
}

describe.each([
  ['two-sided-ladder', ladder, ladderParameters as fc.Arbitrary<object>],
  ['avellaneda-stoikov', stoikov, stoikovParameters as fc.Arbitrary<object>],
  ['glft', glft, glftParameters as fc.Arbitrary<object>],
  ['imbalance-skew', imbalanceSkew, imbalanceParameters as fc.Arbitrary<object>],
  ['ping-pong', pingPong, pingPongParameters as fc.Arbitrary<object>],
  ['momentum-guard', momentumGuard, guardParameters as fc.Arbitrary<object>],
] as const)('%s', (_name, definition, parameters) => {
  test('meets no order of others, nor its own other side, and fits the steps and limits', () => {
    fc.assert(
      fc.property(parameters, scene, (values, one) => {
        const { market, run, bid, ask, maxLots } = play(definition, values, one);
        if (run.last === undefined) {
          expect(run.pulls).toHaveLength(1);
          return;
        }
        const { bids, asks, options } = run.last;
        for (const level of [...bids, ...asks]) {
          expect(level.priceTicks % one.tickStep).toBe(0);
          expect(level.sizeLots % one.lotStep).toBe(0);
          expect(level.sizeLots).toBeGreaterThan(0);
          expect(level.sizeLots).toBeLessThanOrEqual(one.size * one.lotStep);
          const notional = notionalOf(market.market, level.priceTicks, level.sizeLots);
          expect(notional >= market.minNotional).toBe(true);
        }
        const prices = {
          bids: bids.map((level) => level.priceTicks),
          asks: asks.map((level) => level.priceTicks),
        };
        for (const price of prices.bids) expect(price).toBeLessThan(ask);
        for (const price of prices.asks) expect(price).toBeGreaterThan(bid);
        // Best first, no price twice.
        expect(prices.bids).toEqual([...new Set(prices.bids)].sort((a, b) => b - a));
        expect(prices.asks).toEqual([...new Set(prices.asks)].sort((a, b) => a - b));
        // Even an order that is tolerated where it is stands clear of the other side.
        const [bestBid, bestAsk] = [prices.bids[0], prices.asks[0]];
        if (bestBid !== undefined && bestAsk !== undefined)
          expect(bestBid + 2 * (options.priceToleranceTicks ?? 0)).toBeLessThan(bestAsk);
        const total = (levels: typeof bids) => levels.reduce((sum, level) => sum + level.sizeLots, 0);
        if (bids.length > 0) expect(market.inventoryLots + total(bids)).toBeLessThanOrEqual(maxLots);
        if (asks.length > 0) expect(market.inventoryLots - total(asks)).toBeGreaterThanOrEqual(-maxLots);
      }),
      { numRuns: 1_000 },
    );
  });

  test('says the same of the same', () => {
    fc.assert(
      fc.property(parameters, scene, (values, one) => {
        expect(play(definition, values, one).run.quotes).toEqual(play(definition, values, one).run.quotes);
      }),
      { numRuns: 100 },
    );
  });
});

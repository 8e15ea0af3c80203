/**
 * @module
 * A barrier exit of a position larger than the largest order that risk allows asked for the whole of it every second, was
 * denied every time, and the position stayed open behind its stop.
 */
import { expect, test } from 'vitest';
import { BarrierExit, defineStrategy, param } from '../../src/bot/strategy/index.ts';
import { type IntentId, lots, type OrderId, type OrderStatus, ticks } from '../../src/domain/index.ts';
import { ScriptedMarket, ScriptedRun } from '../support/scripted-context.ts';
import { aFill, BTC } from '../support/trading-builders.ts';

const HELD_LOTS = 100;
const ORDER_LOTS_MAX = 30;

/** Judges what was placed since the last time as the gate and a deep market would. Gives the sizes that passed. */
function answer(run: ScriptedRun, market: ScriptedMarket, seen: { placed: number }): readonly number[] {
  const passed: number[] = [];
  while (seen.placed < run.placed.length) {
    const draft = run.placed[seen.placed++];
    if (draft === undefined || !('priceTicks' in draft)) throw new Error('expected an order in ticks');
    const { symbol, side, priceTicks, sizeLots, timeInForce, reduceOnly } = draft;
    const [orderId, intentId] = [`${seen.placed}` as OrderId, `intent-${seen.placed}` as IntentId];
    if (sizeLots > ORDER_LOTS_MAX) {
      const code = 'RISK_ORDER_SIZE_ABOVE_LIMIT';
      const denial = { symbol, strategyId: run.strategyId, code, message: '', remedy: '', intentId };
      run.handlers.onDenied?.(denial);
      continue;
    }
    passed.push(sizeLots);
    const order = { symbol, orderId, side, priceTicks, sizeLots, timeInForce, reduceOnly };
    const tell = (status: OrderStatus, remainingLots: number) =>
      run.handlers.onOrder?.({
        ...{ symbol, intentId, orderId, status, spec: undefined, reason: undefined },
        order: { ...order, remainingLots: lots(remainingLots) },
      });
    tell('working', sizeLots);
    market.inventoryLots = lots(market.inventoryLots - sizeLots);
    run.handlers.onFill?.(aFill({ orderId, symbol, side, priceTicks, sizeLots }), market);
    tell('filled', 0);
  }
  return passed;
}

test('a position above the largest order is closed in several, within two seconds', () => {
  const definition = defineStrategy({
    name: 'guarded',
    parameters: param.object({}),
    create(context) {
      const exit = new BarrierExit(context, { symbol: BTC, stopPpm: 1_000 });
      return { ...exit.handlers, onStart: () => exit.start() };
    },
  });
  const market = new ScriptedMarket();
  Object.assign(market, {
    bids: [[999_900, 5_000]],
    asks: [[1_000_100, 5_000]],
    inventoryLots: lots(HELD_LOTS),
    averageEntryTicks: ticks(1_010_000),
  });
  const run = new ScriptedRun(definition, {}, { markets: [market] });
  run.handlers.onStart?.();
  const seen = { placed: 0 };
  const sizes: number[] = [];
  for (let look = 0; look < 8; look++) {
    sizes.push(...answer(run, market, seen));
    run.clock.advance(250);
  }
  expect(market.inventoryLots).toBe(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(HELD_LOTS);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(ORDER_LOTS_MAX);
});

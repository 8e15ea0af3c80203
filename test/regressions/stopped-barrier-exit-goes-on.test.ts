/** @module A barrier exit that was stopped went on closing what is held, with each book that came. */
import { expect, test } from 'vitest';
import { BarrierExit, defineStrategy, param } from '../../src/bot/strategy/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { ScriptedMarket, ScriptedRun } from '../support/scripted-context.ts';
import { BTC } from '../support/trading-builders.ts';

test('what is held stays after the stop of a barrier exit, and a new start watches it again', () => {
  const made: { exit?: BarrierExit } = {};
  const definition = defineStrategy({
    name: 'guarded',
    parameters: param.object({}),
    create(context) {
      const exit = new BarrierExit(context, { symbol: BTC, stopPpm: 1_000 });
      made.exit = exit;
      return { ...exit.handlers, onStart: () => exit.start() };
    },
  });
  const market = new ScriptedMarket();
  Object.assign(market, {
    bids: [[999_900, 5_000]],
    asks: [[1_000_100, 5_000]],
    inventoryLots: lots(50),
    averageEntryTicks: ticks(1_000_000),
  });
  const run = new ScriptedRun(definition, {}, { markets: [market] });
  run.handlers.onStart?.();
  made.exit?.stop();
  Object.assign(market, { averageEntryTicks: ticks(1_010_000) });
  run.tellBook(market);
  expect(run.placed).toEqual([]);
  made.exit?.start();
  expect(run.placed).toHaveLength(1);
});

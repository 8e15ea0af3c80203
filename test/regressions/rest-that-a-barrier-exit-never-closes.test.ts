/** What a barrier exit had left below the market's least order stayed forever; an exchange takes it, for it only closes. */
import { expect, test } from 'vitest';
import { BarrierExit, defineStrategy, param } from '../../src/bot/strategy/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { ScriptedMarket, ScriptedRun } from '../support/scripted-context.ts';
import { BTC } from '../support/trading-builders.ts';

const GUARDED = defineStrategy({
  name: 'guarded',
  parameters: param.object({}),
  create(context) {
    const exit = new BarrierExit(context, { symbol: BTC, stopPpm: 1_000 });
    return { ...exit.handlers, onStart: () => exit.start() };
  },
});

test('a rest below the least order of its market is closed too', () => {
  const market = new ScriptedMarket();
  Object.assign(market, {
    ...{ bids: [[999_900, 5_000]], asks: [[1_000_100, 5_000]] },
    ...{ inventoryLots: lots(1), averageEntryTicks: ticks(1_010_000) },
  });
  const run = new ScriptedRun(GUARDED, {}, { markets: [market] });
  run.handlers.onStart?.();
  expect(run.placed).toMatchObject([{ sizeLots: 1, side: 'sell', reduceOnly: true }]);
});

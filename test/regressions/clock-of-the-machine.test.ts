/** @module What a wrong or stepped clock of the machine must not change: expiries and the age of data (O11, O46, I25). */
import { expect, test } from 'vitest';
import { order } from '../../src/bot/strategy/index.ts';
import { unixMs, VirtualClock } from '../../src/core/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { RiskWorld } from '../support/risk-scene.ts';
import { aSpec, BTC, START_MS } from '../support/trading-builders.ts';

test('an order expires by the time of the exchange', () => {
  const clock = new VirtualClock(START_MS);
  // Behind by less than the switch is armed for.
  const serverNowMs = () => unixMs(clock.nowMs() - 8000);
  const rig = aRig(
    strategyOf((context) => ({
      onStart: () => {
        const level = { price: '99999.0', size: '0.01' };
        context.place(order.postOnly({ ...level, symbol: BTC, side: 'buy', expiresInMs: 5000 }));
      },
    })),
    { clock, serverNowMs },
  );
  const placed = rig.venue.submitted.flatMap(({ command }) =>
    command.kind === 'place' ? command.orders : [],
  );
  expect(placed.map((spec) => spec.expiresAtMs)).toEqual([serverNowMs() + 5000]);
});

test('data of before a clock was set back by an hour is not fresh', () => {
  const world = new RiskWorld();
  expect(world.codesOf(aSpec())).toEqual([]);
  world.nowMs = unixMs(START_MS - 3_600_000);
  expect(world.codesOf(aSpec())).toContain('RISK_MARKET_DATA_STALE');
});

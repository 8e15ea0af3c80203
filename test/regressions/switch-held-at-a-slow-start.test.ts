/** @module Behind a far gateway the first heartbeat of a start held the switch, for limits last looked at before it: seed 4901 of the swarm. */
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/core/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { START_MS } from '../support/trading-builders.ts';

test('limits are looked after from the start on, however long the readings before it took (I28, H3)', () => {
  const clock = new VirtualClock(START_MS);
  // What a start waits for lies between the making of the bot and its first look.
  const slow = strategyOf(() => {
    clock.advance(1_045);
    return {};
  });
  const rig = aRig(slow, { clock, isFed: false });
  const h3 = () => rig.bot.health().items.find(({ id }) => id === 'H3');
  expect(h3()).toMatchObject({ isHealthy: true });
  clock.advance(495);
  expect(h3()).toMatchObject({ isHealthy: true });
});

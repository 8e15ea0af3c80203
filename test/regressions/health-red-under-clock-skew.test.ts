/** @module A machine whose clock is wrong judges the age of a write by the exchange's time, in which it was sent (O11). */
import { describe, expect, test } from 'vitest';
import { unixMs, VirtualClock } from '../../src/core/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { aSpec, START_MS, sent } from '../support/trading-builders.ts';

const H1 = (rig: ReturnType<typeof aRig>) => rig.bot.health().items.find((item) => item.id === 'H1');

describe('the age of an unresolved write', () => {
  test.each([-600_000, 600_000])('is right when the exchange is %i ms ahead of the machine', (aheadMs) => {
    const clock = new VirtualClock(START_MS);
    const rig = aRig(
      strategyOf(() => ({})),
      { clock, serverNowMs: () => unixMs(clock.nowMs() + aheadMs) },
    );
    const write = sent('r1', [aSpec()]);
    if (write.type !== 'WriteSent') throw new Error('a write');
    rig.feed({ ...write, atMs: unixMs(START_MS + aheadMs) });
    clock.advance(1000);
    expect(H1(rig)).toMatchObject({ isHealthy: true });
    clock.advance(5000);
    expect(H1(rig)).toMatchObject({ isHealthy: false });
  });
});

/** @module Queues that fill turn the health red before anything is lost (denials.md M14, H8). */
import { describe, expect, test } from 'vitest';
import { monitorLimits } from '../../../src/bot/risk/index.ts';
import type { OrderId } from '../../../src/domain/index.ts';
import { aRig, strategyOf } from '../../support/bot-rig.ts';
import { aFill, usd } from '../../support/trading-builders.ts';

const idle = strategyOf(() => ({}));

/** A bot whose facts wait for the next round of the event loop, with room for 100. */
function aBusyBot() {
  const rig = aRig(idle, { isDeferred: true, inboxFactsMax: 100, monitor: monitorLimits(usd(100_000), 6) });
  rig.clock.advance(1_000);
  const fills = (count: number): void => {
    for (let i = 0; i < count; i++)
      rig.feed({ type: 'FillRecorded', fill: aFill({ orderId: `${i}` as OrderId }) });
  };
  const h8 = () => rig.bot.health().items.find(({ id }) => id === 'H8');
  return { rig, fills, h8 };
}

describe('the inbox (M14)', () => {
  test('is green at four fifths of its room and red above', () => {
    const { fills, h8 } = aBusyBot();
    fills(80);
    expect(h8()).toMatchObject({ isHealthy: true });
    fills(1);
    expect(h8()).toMatchObject({ isHealthy: false, reason: '81 wait in the inbox, which holds 100' });
  });

  test('is red until the risk has looked again after the burst, so that no heartbeat misses it', () => {
    const { rig, fills, h8 } = aBusyBot();
    fills(90);
    rig.clock.advance(0);
    expect(h8()).toMatchObject({ isHealthy: false });
    rig.clock.advance(1_500);
    expect(h8()).toMatchObject({ isHealthy: true });
  });
});

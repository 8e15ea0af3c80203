/** @module A run whose kernel had crashed could not be stopped: `stop` waited for a turn that never came. */
import { expect, test } from 'vitest';
import { type Fact, lots, ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { quietWorld } from '../support/risk-scene.ts';
import { BTC } from '../support/trading-builders.ts';

/** A fact that the kernel cannot take: its account handlers look into it. */
const BROKEN = { type: 'FillRecorded', fill: undefined } as unknown as Fact;

test('stop after a crash of the kernel says at once how the book stands', async () => {
  const crashes: unknown[] = [];
  const rig = aRig(
    strategyOf(() => ({})),
    { onCrash: (thrown) => crashes.push(thrown) },
  );
  rig.feed(BROKEN);
  expect(crashes).toHaveLength(1);
  expect(await rig.bot.stop('after the crash')).toMatchObject({ workingOrders: 0 });
});

test('a crash while the run stops ends the stop, with what is still out', async () => {
  const rig = aRig(
    strategyOf((context) => ({
      onBook: () =>
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] }),
    })),
    { isFed: false },
  );
  rig.venue.isInstant = false;
  rig.feed(...quietWorld());
  rig.book(999_990, 1_000_010);
  expect(rig.venue.submitted).toHaveLength(1);
  const stopped = rig.bot.stop('enough');
  rig.feed(BROKEN);
  expect(await stopped).toMatchObject({ isEmpty: false, openIntents: 1 });
});

/** @module A cancel-all takes what waits to be canceled with it: no batch of cancels follows it. */
import { expect, test } from 'vitest';
import { lots, ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { BTC } from '../support/trading-builders.ts';

test.each(['cancelAll', 'halt'] as const)('%s of a person is one write', (what) => {
  const rig = aRig(
    strategyOf((context) => ({
      onBook: () =>
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] }),
    })),
  );
  rig.book(999_990, 1_000_010);
  const [order] = rig.bot.account.workingOrders(BTC);
  expect(order).toBeDefined();
  rig.venue.isInstant = false;
  rig.bot[what]({ actor: 'test', reason: 'enough' });
  expect(rig.venue.safety.map(({ kind }) => kind)).toEqual(['cancelAll']);
  expect(order !== undefined && rig.bot.account.isCancelPending(order.orderId)).toBe(true);
});

/** @module What a strategy cancels when it hears of a denial leaves with that turn, not with the next thing that happens. */
import { expect, test } from 'vitest';
import { order } from '../../src/bot/strategy/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { BTC } from '../support/trading-builders.ts';

test('a cancel asked for in onDenied is sent at once', () => {
  const bid = { symbol: BTC, side: 'buy', priceTicks: ticks(999_980), sizeLots: lots(10) } as const;
  let rounds = 0;
  const rig = aRig(
    strategyOf((context) => ({
      onBook: () => {
        rounds++;
        if (rounds === 1) context.place(order.postOnly(bid));
        if (rounds === 2) context.place(order.postOnly({ ...bid, priceTicks: ticks(1_000_010) }));
      },
      onDenied: () => {
        const [resting] = context.market(BTC).orders;
        if (resting !== undefined) context.cancel(resting);
      },
    })),
  );
  rig.book(999_990, 1_000_010);
  expect(rig.bot.account.workingOrders(BTC)).toHaveLength(1);
  rig.book(999_990, 1_000_010);
  expect(rig.venue.safety).toMatchObject([{ kind: 'cancel', orders: [{ symbol: BTC }] }]);
  expect(rig.bot.account.workingOrders(BTC)).toEqual([]);
});

/**
 * Symptom: a strategy that failed right after its order was executed lived again before the fill was told: its
 * inventory was short of it, and a component that counts by the inventory bought the same lots once more.
 */
import { expect, test } from 'vitest';
import { lots, type OrderId, ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { aFill, atMs, BTC, LANE, MAKER } from '../support/trading-builders.ts';

test('lives again only when what it has bought is in its inventory', () => {
  const found: number[] = [];
  const buyer = strategyOf((context) => ({
    onStart: () => void found.push(context.market(BTC).inventoryLots),
    onBook: () => {
      if (found.length === 1)
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] });
    },
    onTimer: () => {
      throw new Error('fails for the test');
    },
  }));
  const rig = aRig(buyer, { limits: { isSwitchRequired: false } });
  rig.venue.isInstant = false;
  rig.book(999_990, 1_000_010);
  const command = rig.venue.submitted[0]?.command;
  const spec = command?.kind === 'place' ? command.orders[0] : undefined;
  if (spec === undefined) throw new Error('expected an order');
  rig.feed({
    type: 'OrderAccepted',
    ...{ spec, orderId: '101' as OrderId, acceptedLots: lots(10), filledLots: lots(10), isResting: false },
    proof: { by: 'answer', id: 'r1' },
  });
  rig.feed({
    type: 'WriteResolved',
    lane: LANE,
    requestId: 'none' as never,
    outcome: 'executed',
    seq: undefined,
  });
  rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'break', atMs: atMs(1) });
  rig.clock.advance(5_000);
  expect(rig.bot.account.workingOrders(BTC)).toEqual([]);
  expect(found).toEqual([0]);
  rig.feed({ type: 'FillRecorded', fill: aFill({ orderId: '101' as OrderId, sizeLots: 10, side: 'buy' }) });
  rig.clock.advance(1_000);
  expect(found).toEqual([0, 10]);
});

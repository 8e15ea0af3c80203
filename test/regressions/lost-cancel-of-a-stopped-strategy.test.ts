/**
 * Symptom: a strategy stopped, the cancel of its orders was lost on its way, and a fence spent its nonce. Nobody asked for
 * it again: the orders of a strategy that could not act any more stayed in the book.
 */
import { expect, test } from 'vitest';
import { lots, type OrderId, ticks } from '../../src/domain/index.ts';
import { aRig, setupOf, strategyOf } from '../support/bot-rig.ts';
import { BTC, MAKER, proof, START_MS } from '../support/trading-builders.ts';

/** Longer than the guard's period, shorter than the second that a strategy's orders have. */
const LOOK_MS = 600;

/** A maker that has failed with an order in the book; its cancels are taken and not carried out. */
function aFailedMaker() {
  const maker = strategyOf((context) => ({
    onBook: () =>
      context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] }),
    onTimer: () => {
      throw new Error('boom');
    },
  }));
  const rig = aRig([setupOf(maker)], { restartDelaysMs: [] });
  rig.book(999_990, 1_000_010);
  rig.venue.isInstant = false;
  rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'break', atMs: START_MS });
  const orderId = rig.bot.account.workingOrders(BTC)[0]?.orderId as OrderId;
  const cancels = () =>
    rig.venue.safety.filter(
      (one) => one.kind === 'cancel' && one.orders.some((ref) => ref.orderId === orderId),
    );
  return { rig, cancels, ref: { symbol: BTC, orderId } };
}

test('a cancel of a failed strategy that was not executed is sent again, and only then (I17)', () => {
  const { rig, cancels, ref } = aFailedMaker();
  rig.clock.advance(LOOK_MS);
  expect(cancels()).toHaveLength(1);
  rig.feed({ type: 'CancelRejected', ref, reason: 'NotExecuted', proof: proof() });
  rig.clock.advance(LOOK_MS);
  expect(cancels()).toHaveLength(2);
  rig.feed({ type: 'CancelExecuted', ref, canceledLots: lots(10), proof: proof() });
  rig.clock.advance(LOOK_MS);
  expect(cancels()).toHaveLength(2);
});

/**
 * Symptom: the end of an order was lost on the stream. Each write asked for its cancel again, and each time the exchange
 * answered that it does not know the order, until the next audit, half a minute later.
 */
import { expect, test } from 'vitest';
import { lots, type OrderId, type Seq, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC as LISTED } from '../contract/client.ts';
import { bodyOf } from '../contract/wire.ts';
import { aRig, setupOf, strategyOf } from '../support/bot-rig.ts';
import { movingBid } from '../support/moving-quotes.ts';
import { startTestExchange } from '../support/test-exchange.ts';
import { BTC, proof } from '../support/trading-builders.ts';

test('an order whose end was lost is canceled once more at most, and found within seconds', async () => {
  const venue = await startTestExchange();
  const other = venue.another();
  other.place([
    { side: 'buy', price: '99500.0', size: '5.0000' },
    { side: 'sell', price: '100500.0', size: '5.0000' },
  ]);
  const bot = await startBot(venue, { a: movingBid(LISTED, 500) });
  await venue.clock.advanceAsync(3_000);
  const [lost] = bot.bot.account.workingOrders(LISTED);
  const lostId = String(lost?.orderId);
  // Nobody hears how it ends: neither the order nor its position says so.
  let isMuted = true;
  bot.wire.alter = (text) =>
    isMuted && /"channel":"(?:orders|fills|ledger|positions|account)"/.test(text) ? [] : [text];
  other.place([{ side: 'sell', price: '99800.0', size: '0.0100', timeInForce: 'ioc' }]);
  await venue.clock.advanceAsync(100);
  isMuted = false;
  const before = bot.wire.posts().length;
  await venue.clock.advanceAsync(8_000);
  const cancels = bot.wire
    .posts()
    .slice(before)
    .filter((post) => JSON.stringify(bodyOf(post)).includes(`"${lostId}"`));
  expect(cancels.length).toBeLessThanOrEqual(2);
  expect(bot.bot.account.workingOrder(lostId as OrderId)).toBeUndefined();
  expect(bot.bot.account.workingOrders(LISTED)).toHaveLength(1);
  expect(bot.halts).toEqual([]);
  await bot.close();
});

test('an order that the exchange shows again is canceled again', () => {
  const level = { priceTicks: ticks(999_980), sizeLots: lots(10) };
  const rig = aRig([
    setupOf(
      strategyOf((context) => ({ onBook: () => context.quote(BTC, { bids: [level], asks: [] }) })),
      { symbols: [BTC] },
    ),
  ]);
  rig.book(999_990, 1_000_010);
  const [order] = rig.bot.account.workingOrders(BTC);
  if (order === undefined) throw new Error('expected an order');
  rig.venue.isInstant = false;
  const cancels = () => rig.venue.safety.filter(({ kind }) => kind === 'cancel').length;
  rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', { actor: 'test', reason: 'enough' });
  rig.clock.advance(600);
  expect(cancels()).toBe(1);
  const { orderId } = order;
  rig.feed({ type: 'CancelRejected', ref: { symbol: BTC, orderId }, reason: 'UnknownOrder', proof: proof() });
  rig.clock.advance(10_000);
  expect(cancels()).toBe(1);
  expect(rig.bot.account.isUnknown(orderId)).toBe(true);
  rig.feed({ type: 'OrderOpened', order, seq: 1_000n as Seq });
  rig.clock.advance(600);
  expect(rig.bot.account.isUnknown(orderId)).toBe(false);
  expect(cancels()).toBe(2);
});

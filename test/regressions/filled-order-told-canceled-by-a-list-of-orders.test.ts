/**
 * Symptom: the event that an order was filled was lost in silence, and its fill was still on its way, since fills come a block later. A
 * list of open orders, asked for by an audit, did not show the order, and its strategy was told that it was canceled (seed 1521).
 */
import { expect, test } from 'vitest';
import { AccountState, type Cursor, type Fact, lots, type OrderId, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC, during } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';
import { aFill, aMarket, aWorkingOrder, seq } from '../support/trading-builders.ts';

const ID = '7' as OrderId;
const listed = (at: number): Fact => ({ type: 'OrdersReplaced', orders: [], seq: seq(at), isComplete: true });
const booked = (at: number): Fact => ({ type: 'HistoryBooked', seq: seq(at) });
const filled: Fact = {
  type: 'FillRecorded',
  fill: aFill({ id: '11-0-1' as Cursor, orderId: ID, sizeLots: aWorkingOrder(ID, {}).sizeLots }),
};

/** How the order ended, as strategies are told, after each fact. */
function endsAfter(facts: readonly Fact[], bookedSeq = 10): readonly string[] {
  const account = new AccountState();
  account.fold({ type: 'MarketChanged', market: aMarket() });
  account.fold({ type: 'OrderOpened', order: aWorkingOrder(ID, {}), seq: seq(5) });
  account.fold({ type: 'AccountSynced', seq: seq(12), bookedSeq: seq(bookedSeq) });
  account.drainChanges(() => undefined);
  return facts.map((fact) => {
    account.fold(fact);
    const ends: string[] = [];
    account.drainChanges((change) => {
      if (change.type === 'OrderChanged' && change.status !== 'working') ends.push(change.status);
    });
    return ends.join();
  });
}

test('an order that is not listed waits for its fill', () => {
  expect(endsAfter([listed(12), filled, booked(12)])).toEqual(['', 'filled', '']);
});

test('it is canceled once the history is booked as far as the list, and not sooner', () => {
  expect(endsAfter([listed(12), booked(11), booked(12)])).toEqual(['', '', 'canceled']);
});

test('a list up to where the history is booked is believed at once', () => {
  expect(endsAfter([listed(12)], 12)).toEqual(['canceled']);
});

test('an order that a later list shows again works on', () => {
  const again: Fact = {
    ...{ type: 'OrdersReplaced', orders: [aWorkingOrder(ID, {})], seq: seq(13), isComplete: true },
  } as Fact;
  expect(endsAfter([listed(12), again, booked(13)])).toEqual(['', '', '']);
});

test('an exchange that loses the event and the fill of an order: its end is told by the history, soon', async () => {
  const venue = await startTestExchange();
  const taker = venue.another();
  taker.place([
    { side: 'buy', price: '99500.0', size: '1.0000' },
    { side: 'sell', price: '100500.0', size: '1.0000' },
  ]);
  const told: (readonly [OrderId | undefined, string, number])[] = [];
  const bidder = strategyOf((context) => ({
    onBook: () =>
      context.quote(BTC, { bids: [{ priceTicks: ticks(998_000), sizeLots: lots(100) }], asks: [] }),
    onOrder: ({ orderId, status }) => void told.push([orderId, status, venue.clock.monotonicMs()]),
  }));
  const running = await startBot(venue, { a: bidder });
  await venue.clock.advanceAsync(3_000);
  expect(told.map(([, status]) => status)).toEqual(['working']);
  const ends = () =>
    told.filter(
      ([orderId, status]) => orderId === told[0]?.[0] && (status === 'filled' || status === 'canceled'),
    );
  for (const channel of ['orders', 'fills'] as const)
    venue.exchange.control.frameFault({ kind: 'lose', channel, times: 1 });
  taker.place([{ side: 'sell', price: '99800.0', size: '0.0100', timeInForce: 'ioc' }]);
  const takenAtMs = venue.clock.monotonicMs();
  await venue.clock.advanceAsync(40_000);
  expect(ends().map(([, status]) => status)).toEqual(['filled']);
  // A position that no fill explains is looked into at once.
  expect((ends()[0]?.[2] ?? Number.POSITIVE_INFINITY) - takenAtMs).toBeLessThan(10_000);
  await during(venue.clock, running.stop('over'));
  await running.close();
});

/**
 * Symptom: the event that an order was filled was lost in silence, and its fill was still on its way, since fills come a block later. A
 * list of open orders, asked for by an audit, did not show the order, and its strategy was told that it was canceled (seed 1521).
 */
import { expect, test } from 'vitest';
import { AccountState, type Cursor, type Fact, type OrderId } from '../../src/domain/index.ts';
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

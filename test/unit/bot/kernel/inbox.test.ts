/** @module What waits, what replaces what, what may be dropped (I15). */
import { describe, expect, test } from 'vitest';
import { Inbox } from '../../../../src/bot/kernel/inbox.ts';
import { type Fact, lots, ticks } from '../../../../src/domain/index.ts';
import {
  aBook,
  aFill,
  aSummary,
  BTC,
  ETH,
  START_MS,
  seq,
  somePrices,
} from '../../../support/trading-builders.ts';

const book = (receivedAtMs = START_MS, symbol = BTC): Fact => ({
  type: 'BookUpdated',
  book: aBook({ symbol, receivedAtMs }),
});
const fill = (): Fact => ({ type: 'FillRecorded', fill: aFill() });
const trade = (): Fact => ({
  type: 'TradePrinted',
  trade: {
    id: '1-0-0' as never,
    symbol: BTC,
    aggressor: 'buy',
    priceTicks: ticks(1),
    sizeLots: lots(1),
    atMs: START_MS,
  },
});
function drain(inbox: Inbox): readonly Fact[] {
  const facts: Fact[] = [];
  for (let fact = inbox.shift(); fact !== undefined; fact = inbox.shift()) facts.push(fact);
  return facts;
}

describe('Inbox', () => {
  test('keeps only the newest book, best quotes, prices and account of each kind, in the place of the oldest', () => {
    const inbox = new Inbox(100);
    const newest = book();
    for (const fact of [book(), fill(), book(), book(START_MS, ETH), newest]) inbox.push(fact);
    for (const markTicks of [1, 2, 3]) inbox.push({ type: 'PricesUpdated', prices: somePrices(markTicks) });
    for (const equity of [1, 2])
      inbox.push({ type: 'AccountUpdated', account: aSummary(equity), seq: seq(equity) });
    const facts = drain(inbox);
    expect(facts.map((fact) => fact.type)).toEqual([
      'BookUpdated',
      'FillRecorded',
      'BookUpdated',
      'PricesUpdated',
      'AccountUpdated',
    ]);
    expect(facts[0]).toBe(newest);
    expect(facts[3]).toMatchObject({ prices: { markTicks: 3 } });
  });

  test('a new one joins the end again once the old one was taken out', () => {
    const inbox = new Inbox(100);
    inbox.push(book());
    inbox.shift();
    inbox.push(fill());
    inbox.push(book());
    expect(drain(inbox).map((fact) => fact.type)).toEqual(['FillRecorded', 'BookUpdated']);
  });

  test('drops public trades past the limit, counted, and never a fill, which it reports once', () => {
    const inbox = new Inbox(3);
    for (let i = 0; i < 5; i++) inbox.push(trade());
    expect([inbox.size, inbox.droppedCount, inbox.takeOverflow()]).toEqual([3, 2, false]);
    for (let i = 0; i < 5; i++) inbox.push(fill());
    expect([inbox.size, inbox.takeOverflow(), inbox.takeOverflow()]).toEqual([8, true, false]);
    expect(drain(inbox).filter((fact) => fact.type === 'FillRecorded')).toHaveLength(5);
  });

  test('error: stops the run when not even the reserve has room', () => {
    const inbox = new Inbox(1);
    for (let i = 0; i < 10; i++) inbox.push(fill());
    expect(() => inbox.push(fill())).toThrow(/capacity for FillRecorded/);
  });
});

/**
 * @module
 * What an order event tells behind the bound of the history is not settled by the sync at that bound: its fill comes later
 * on its own channel (invariant I10, ambiguity A18; seed 3046).
 */
import { expect, test } from 'vitest';
import {
  AccountState,
  type Cursor,
  type Fact,
  longestLots,
  lots,
  type OrderId,
} from '../../src/domain/index.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  BTC,
  proof,
  resolved,
  sent,
  seq,
} from '../support/trading-builders.ts';

const spec = aSpec({ sizeLots: 10 });
const ref = { symbol: BTC, orderId: '7' as OrderId };
const placed: readonly Fact[] = [
  { type: 'MarketChanged', market: aMarket() },
  { type: 'AccountSynced', seq: seq(1) },
  sent('r1', [spec]),
  accepted(spec, '7'),
  resolved('r1', 'executed', { seq: 10 }),
  { type: 'AccountDegraded', reason: 'lagged: 3 frames dropped' },
];
const ends: readonly (readonly [string, Fact, number])[] = [
  ['filled', { type: 'OrderEnded', ref, status: 'filled', seq: seq(19), proof: proof('stream') }, 10],
  [
    'canceled by an answer',
    { type: 'CancelExecuted', ref, canceledLots: lots(6), seq: seq(19), proof: proof() },
    4,
  ],
];

test.each(ends)(
  'an order %s behind the bound of the history stays exposed until its fill has come (I10)',
  (_, end, filledLots) => {
    const state = new AccountState();
    for (const fact of [...placed, end]) state.fold(fact);
    state.fold({ type: 'AccountSynced', seq: seq(20), bookedSeq: seq(17) });
    expect(longestLots(state.exposure(BTC))).toBe(filledLots);
    state.fold({
      type: 'FillRecorded',
      fill: aFill({ id: '19-0-0' as Cursor, orderId: '7' as OrderId, sizeLots: filledLots }),
    });
    expect([longestLots(state.exposure(BTC)), state.exposure(BTC).buyLots]).toEqual([filledLots, 0]);
  },
);

test.each(ends)('an order %s up to the bound of the history owes nothing once it is read', (_, end) => {
  const state = new AccountState();
  for (const fact of [...placed, end]) state.fold(fact);
  state.fold({ type: 'AccountSynced', seq: seq(20), bookedSeq: seq(19) });
  expect(longestLots(state.exposure(BTC))).toBe(0);
});

/**
 * Symptom: two writes canceled one order, and the one of them that was refused ended what was known of the other: the
 * order counted as one that stays, beside the order of the write in flight that replaced it.
 */
import { expect, test } from 'vitest';
import { AccountState, type Fact, type OrderId } from '../../src/domain/index.ts';
import { accepted, aMarket, aSpec, BTC, proof, resolved, sent } from '../support/trading-builders.ts';

const ID = '7' as OrderId;
const REF = { symbol: BTC, orderId: ID };

test('an order stays about to be canceled until the last write that cancels it has ended (P12, O80)', () => {
  const state = new AccountState();
  const first = aSpec();
  const facts: readonly Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    sent('r1', [first]),
    accepted(first, ID),
    resolved('r1', 'executed'),
    sent('r2', [aSpec()], { cancels: [REF] }),
    sent('r3', [], { cancels: [REF] }),
    { type: 'CancelRejected', ref: REF, reason: 'MarketNotTrading', proof: proof('refusal') },
    resolved('r3', 'refused'),
  ];
  for (const fact of facts) state.fold(fact);
  expect(state.isCancelPending(ID)).toBe(true);
  state.fold({ type: 'CancelRejected', ref: REF, reason: 'MarketNotTrading', proof: proof() });
  state.fold(resolved('r2', 'rejected'));
  expect(state.isCancelPending(ID)).toBe(false);
});

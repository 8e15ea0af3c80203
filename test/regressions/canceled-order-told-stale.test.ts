/**
 * Symptom: a strategy was told that its order was canceled with a remaining size of before: what the cancel's own answer
 * said was executed was not in it, so it placed for these lots again before their fills came.
 */
import { expect, test } from 'vitest';
import { AccountState, lots, type OrderId } from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import { accepted, aMarket, aSpec, BTC, proof, sent } from '../support/trading-builders.ts';

test('a canceled order is told with what was executed of it, although the fills have not come', () => {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  const spec = aSpec({ sizeLots: 10 });
  state.fold(sent('request-1', [spec]));
  state.fold(accepted(spec, '7'));
  takeChanges(state);
  const ref = { symbol: BTC, orderId: '7' as OrderId };
  state.fold({ type: 'CancelExecuted', ref, canceledLots: lots(4), proof: proof() });
  expect(takeChanges(state)).toMatchObject([
    { type: 'OrderChanged', status: 'canceled', order: { sizeLots: 10, remainingLots: 4 } },
  ]);
});

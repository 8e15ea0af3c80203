/**
 * Symptom: an account was short because somebody else had sold more than its strategy had bought. The exchange closed a part
 * of the short position against another account's debt, at a price far off: the strategy, which was long, was charged with
 * it, had lost more than its budget on paper, and was denied every order from then on (P18, I13).
 */
import { expect, test } from 'vitest';
import {
  AccountState,
  type Cursor,
  type Fact,
  lots,
  type PositionMove,
  quantums,
  ticks,
} from '../../src/domain/index.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  BTC,
  MAKER,
  resolved,
  sent,
  seq,
} from '../support/trading-builders.ts';

const spec = aSpec({ sizeLots: 10, priceTicks: 1000 });
const bought = aFill({ id: '10-0-0' as Cursor, orderId: 'o-1', sizeLots: 10, priceTicks: 1000 });
const perTickLot = aMarket().quantumsPerTickLot;

/** The strategy is long 10 lots, the account is short 5; they are closed at 800. */
function deleveraged(more: Pick<PositionMove, 'isMarketEnd'> = {}): AccountState {
  const state = new AccountState();
  const foreign = aFill({ id: '11-0-0' as Cursor, orderId: 'foreign', sizeLots: 15, priceTicks: 1000 });
  const facts: readonly Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    { type: 'AccountSynced', seq: seq(1) },
    sent('r1', [spec]),
    accepted(spec, bought.orderId),
    resolved('r1', 'executed', { seq: 9 }),
    { type: 'FillRecorded', fill: bought },
    { type: 'FillRecorded', fill: { ...foreign, side: 'sell' } },
    {
      type: 'PositionMoved',
      move: {
        ...{ symbol: BTC, changeLots: lots(5), ofLots: lots(-5), seq: seq(20) },
        ...{ cash: quantums(-5n * 800n * perTickLot), ...more },
      },
    },
  ];
  for (const fact of facts) state.fold(fact);
  return state;
}

const markAt = () => ticks(1000);

test('a deleverage is borne by those whose position it closed (I2, I3)', () => {
  const state = deleveraged();
  expect(state.positionLots(BTC)).toBe(0);
  expect(state.pnl(markAt, undefined)).toMatchObject({ realized: 5n * 200n * perTickLot });
  expect(state.positionLots(BTC, MAKER)).toBe(10);
  expect(state.pnl(markAt, MAKER)).toMatchObject({ realized: 0n, unrealized: 0n });
});

test('at the end of a market everybody is closed at its price', () => {
  const state = deleveraged({ isMarketEnd: true });
  expect(state.positionLots(BTC, MAKER)).toBe(0);
  expect(state.pnl(markAt, MAKER)).toMatchObject({ realized: -10n * 200n * perTickLot });
});

/** @module Taking over an old position does not swallow the fills that came behind it (invariants I1, I2). */
import { describe, expect, test } from 'vitest';
import {
  AccountState,
  type Cursor,
  type Fact,
  lots,
  type Position,
  quantums,
} from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import { aFill, aMarket, BTC, seq } from '../support/trading-builders.ts';

function positionOf(sizeLots: number): Position {
  const zero = quantums(0n);
  return {
    symbol: BTC,
    sizeLots: lots(sizeLots),
    costBasis: quantums(500n),
    unrealizedPnl: zero,
    accruedFunding: zero,
  };
}

function synced(...facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of facts) state.fold(fact);
  state.fold({ type: 'AccountSynced', seq: seq(105) });
  return state;
}

const fill = (id: string, sizeLots: number): Fact => ({
  type: 'FillRecorded',
  fill: aFill({ id: id as Cursor, sizeLots }),
});
const published = (sizeLots: number): Fact => ({
  type: 'PositionsReplaced',
  positions: [positionOf(sizeLots)],
  seq: seq(100),
});
const adoptedIn = (state: AccountState) =>
  takeChanges(state).filter((change) => change.type === 'AnomalySeen' && change.kind === 'positionAdopted');

describe('the first sync while fills go on', () => {
  test('counts a fill behind the published position on top of it', () => {
    const state = synced(published(5), fill('105-0-0', 3));
    expect(state.positionLots(BTC)).toBe(8);
    expect(adoptedIn(state)).toHaveLength(1);
  });

  test('takes nothing over when the fills up to the published position explain it', () => {
    const state = synced(fill('90-0-0', 5), published(5), fill('105-0-0', 3));
    expect(state.positionLots(BTC)).toBe(8);
    expect(adoptedIn(state)).toEqual([]);
  });
});

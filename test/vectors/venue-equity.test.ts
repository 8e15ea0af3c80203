import { expect, test } from 'vitest';
import { ticks } from '../../src/domain/index.ts';
import { hasShared, readSharedJson } from '../support/shared.ts';
import { aMarket, Desk, eventsOf } from '../unit/exchange/engine/desk.ts';

interface Equity {
  balances: { balance: string; byKind: Record<string, string> }[];
  groups: { equity: string; unrealizedPnl: string; realizedPnl: string; netInflow: string }[];
  positions: { lots: number; oracle: string; value: string; costBasis: string; unrealizedPnl: string }[];
}

const isThere = hasShared('vectors', 'exchange', 'equity_live.json');

test.skipIf(!isThere)('the trades behind a recorded equity answer lead to its figures', () => {
  const live = readSharedJson<Equity>('vectors', 'exchange', 'equity_live.json');
  const desk = new Desk({ markets: [{ market: aMarket(), indexTicks: ticks(100_000) }] });
  const other = desk.trader();
  const own = desk.trader(5_000_000_000n);
  desk.mustPlace(own, 'sell', 100_050, 3, { tif: 'postOnly' });
  for (let i = 0; i < 3; i++) desk.mustPlace(other, 'buy', 100_050, 1, { tif: 'ioc' });
  desk.mustPlace(own, 'buy', 99_900, 2, { tif: 'postOnly' });
  desk.mustPlace(other, 'sell', 99_900, 2, { tif: 'ioc' });

  const account = desk.venue.account(own);
  const position = desk.venue.positions(own)[0];
  const [balance, group, wanted] = [live.balances[0], live.groups[0], live.positions[0]];
  expect(String(account.collateral)).toBe(balance?.balance);
  expect(String(account.equity)).toBe(group?.equity);
  expect(position?.lots).toBe(wanted?.lots);
  expect(String(position?.costBasis)).toBe(wanted?.costBasis);
  expect(String(position?.unrealizedPnl)).toBe(wanted?.unrealizedPnl);
  const realized = account.equity - 5_000_000_000n - (position?.unrealizedPnl ?? 0n);
  expect(String(realized)).toBe(group?.realizedPnl);
  for (const kind of ['deposit', 'trade']) {
    const entries = eventsOf(desk.events, 'LedgerAppended').filter(
      (entry) => entry.account === own && entry.entryKind === kind,
    );
    expect(String(entries.reduce((sum, { amount }) => sum + amount, 0n))).toBe(balance?.byKind[kind]);
  }
});

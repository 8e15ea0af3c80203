/**
 * Symptom: what was bought and sold again within a block left a flat position flat, the exchange had no change to
 * publish, and the market stayed halted for good (denials.md M3): seed 168 of two minutes.
 */
import { expect, test } from 'vitest';
import { monitorLimits, RiskMonitor } from '../../src/bot/risk/index.ts';
import { AccountState, type Cursor, type Fact, MarketState } from '../../src/domain/index.ts';
import { aFill, aMarket, seq, usd } from '../support/trading-builders.ts';

const fill = (id: string, side: 'buy' | 'sell'): Fact => ({
  type: 'FillRecorded',
  fill: aFill({ id: id as Cursor, side, sizeLots: 3 }),
});

/** What a minute of guard ticks says after these fills. */
function halted(...fills: readonly Fact[]): readonly string[] {
  const account = new AccountState();
  const synced: readonly Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    { type: 'PositionsReplaced', positions: [], seq: seq(3) },
    { type: 'AccountSynced', seq: seq(3) },
  ];
  for (const fact of [...synced, ...fills]) account.fold(fact);
  const limits = monitorLimits(usd(100_000), 6);
  const monitor = new RiskMonitor(limits, { account, markets: new MarketState() });
  return Array.from({ length: 120 }, (_none, at) => monitor.tick(at * 500)).flatMap((verdicts) =>
    verdicts.map(({ control, trading }) => `${control} ${trading.state}`),
  );
}

test('a position that is flat again needs no publication (M3)', () => {
  expect(halted(fill('5-0-0', 'buy'), fill('6-0-0', 'sell'))).toEqual([]);
  expect(halted(fill('5-0-0', 'buy'))).toEqual(['M3 halted']);
});

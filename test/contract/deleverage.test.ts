/**
 * @module
 * A position that the exchange closes against another account's debt, end to end: the exchange's own engine does it, no
 * fill tells of it, and the live bot follows by ledger and positions (exchange.md#market-rules; reconciliation.md, I2,
 * I3).
 */
import { expect, test } from 'vitest';
import { type StrategyId, ticks } from '../../src/domain/index.ts';
import { bidder, drain } from '../support/deleverage.ts';
import { startTestExchange } from '../support/test-exchange.ts';
import { startBot } from './bot.ts';
import { BTC } from './client.ts';

test.each([
  ['whole', '0.1000', 0],
  ['in part', '0.0600', 400],
] as const)(
  'a position that is closed %s against a debt is followed, and nothing halts (I2, I3)',
  async (_what, owed, remainingLots) => {
    const venue = await startTestExchange();
    const { control } = venue.exchange;
    const [debtor, other] = [venue.another(), venue.another()];
    const bot = await startBot(venue, { a: bidder });
    other.place([{ side: 'buy', price: '90000.0', size: '1.0000' }]);
    await venue.clock.advanceAsync(2_000);
    drain(debtor, 600n);
    debtor.place([{ side: 'sell', price: '100000.0', size: owed }]);
    const rest = (0.1 - Number(owed)).toFixed(4);
    if (Number(rest) > 0) other.place([{ side: 'sell', price: '100000.0', size: rest }]);
    await venue.clock.advanceAsync(2_000);
    const { account } = bot.bot;
    expect(account.positionLots(BTC)).toBe(1_000);

    // Nobody sells: the debtor, who is short, cannot be closed in the book.
    control.price({ symbol: 'BTC-USD', price: ticks(1_200_000) });
    await venue.clock.advanceAsync(3_000);
    const told = venue
      .get('/v1/events?limit=1000')
      .json.data.filter(({ kind }: { kind: string }) => kind === 'Deleverage');
    expect(told).toHaveLength(1);
    const { collateral } = venue.get(`/v1/account?address=${venue.address}`).json;
    expect(account.positionLots(BTC)).toBe(remainingLots);
    expect(account.positionLots(BTC, 'a' as StrategyId)).toBe(remainingLots);
    expect(account.publishedPosition(BTC)?.sizeLots ?? 0).toBe(remainingLots);
    expect(account.ledgerByKind().get('deleverage')).toBeGreaterThan(0n);
    expect(account.ledgerSum).toBe(BigInt((collateral as string).replace('.', '')));
    expect(bot.bot.status().trading.state).toBe('active');
    expect(bot.bot.health().items.filter(({ isHealthy }) => !isHealthy)).toEqual([]);
    expect([bot.halts, account.sync.kind, account.positionMismatches()]).toEqual([[], 'synced', []]);
    await bot.close();
  },
);

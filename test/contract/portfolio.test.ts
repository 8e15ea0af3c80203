import { describe, expect, test } from 'vitest';
import { quantums } from '../../src/domain/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';
import { created, deposit, redeem, winOrLose } from '../support/vault-scene.ts';

const HOUR_MS = 3_600_000;

interface Point {
  readonly ts: number;
  readonly accountValue: string;
  readonly pnl: string;
}

function pointsOf(venue: TestExchange, selector = `address=${venue.address}`): readonly Point[] {
  return venue.get(`/v1/account/portfolio?${selector}`).json.points;
}

function lastOf(venue: TestExchange, selector?: string): Pick<Point, 'accountValue' | 'pnl'> {
  const { accountValue, pnl } = pointsOf(venue, selector).at(-1) ?? { accountValue: '', pnl: '' };
  return { accountValue, pnl };
}

describe('GET /v1/account/portfolio (GW-PORTFOLIO)', () => {
  test('money that comes in is no profit; the last point is now', async () => {
    const venue = await startTestExchange();
    expect(lastOf(venue)).toEqual({ accountValue: '1000000.000000', pnl: '0.000000' });
    venue.blocks(1);
    venue.exchange.control.fund({ account: venue.address, amount: quantums(5_000_000n) });
    expect(lastOf(venue)).toEqual({ accountValue: '1000005.000000', pnl: '0.000000' });
    expect(pointsOf(venue).at(-1)?.ts).toBe(venue.nowMs);
    const other = venue.another();
    venue.exchange.control.transfer({
      from: venue.account.accountId,
      to: other.account.accountId,
      amount: quantums(7_000_000n),
    });
    expect(lastOf(venue)).toEqual({ accountValue: '999998.000000', pnl: '0.000000' });
    expect(lastOf(other)).toEqual({ accountValue: '1000007.000000', pnl: '0.000000' });
  });

  test('what a vault wins is profit of the vault, and no deposit or redemption is', async () => {
    const venue = await startTestExchange();
    const vault = created(venue);
    deposit(venue, vault, '1000');
    expect(lastOf(venue)).toEqual({ accountValue: '999000.000000', pnl: '0.000000' });
    winOrLose(venue, vault, 1_200_000);
    expect(lastOf(venue, `vault=${vault}`)).toEqual({ accountValue: '1199.500000', pnl: '199.500000' });
    redeem(venue, vault, '500');
    expect(lastOf(venue, `vault=${vault}`)).toEqual({ accountValue: '599.750000', pnl: '199.500000' });
    expect(lastOf(venue)).toEqual({ accountValue: '999599.750000', pnl: '0.000000' });
  });

  test('it has a point at each full hour, and a limit takes the newest', async () => {
    const venue = await startTestExchange();
    venue.clock.advance(HOUR_MS * 4 + 1_000);
    const points = pointsOf(venue);
    const hourly = points.filter(({ ts }) => ts % HOUR_MS < venue.exchange.settings.blockMs);
    expect(hourly).toHaveLength(4);
    expect(points.map(({ ts }) => ts)).toEqual(points.map(({ ts }) => ts).toSorted((a, b) => a - b));
    expect(pointsOf(venue, `address=${venue.address}&limit=2`)).toEqual(points.slice(-2));
    expect(venue.get(`/v1/account/portfolio?address=${venue.address}&limit=0`).status).toBe(400);
    expect(points.at(-1)).toMatchObject({ accountValue: '1000000.000000', pnl: '0.000000' });
  });

  test('it outlives a new ledger, whose opening entries are no profit', async () => {
    const venue = await startTestExchange();
    venue.exchange.control.epoch();
    expect(lastOf(venue)).toEqual({ accountValue: '1000000.000000', pnl: '0.000000' });
  });

  test('an account that does not exist is 404', async () => {
    const venue = await startTestExchange();
    expect(venue.get(`/v1/account/portfolio?address=${venue.agent}`).status).toBe(404);
    expect(venue.get(`/v1/account/portfolio?address=${venue.address}&subaccount=3`).status).toBe(404);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { navPerShare, sharesFor, worthOf } from '../../../../src/exchange/state/shares.ts';

const positive = (max: bigint) => fc.bigInt({ min: 1n, max });
const MONEY = positive(10n ** 15n);

describe('shares of a vault', () => {
  test.each([
    ['the first deposit gets a share by unit of collateral', 5n, { equity: 0n, shares: 0n }, 5n],
    ['dust without an owner goes to who comes next', 5n, { equity: 3n, shares: 0n }, 5n],
    ['a deposit gets its part, rounded down', 100n, { equity: 300n, shares: 100n }, 33n],
    ['what is worth no share gets none', 2n, { equity: 300n, shares: 100n }, 0n],
    ['a vault that lost everything mints none', 100n, { equity: 0n, shares: 100n }, 0n],
    ['nor does one that owes', 100n, { equity: -1n, shares: 100n }, 0n],
  ])('%s', (_what, amount, book, shares) => {
    expect(sharesFor(amount, book)).toBe(shares);
  });

  test.each([
    ['half the shares give half the equity', 50n, { equity: 300n, shares: 100n }, 150n],
    ['a rest stays in the vault', 33n, { equity: 100n, shares: 100n * 3n }, 11n],
    ['of nothing there is nothing to give', 50n, { equity: -300n, shares: 100n }, 0n],
    ['without shares there is nothing to give', 50n, { equity: 300n, shares: 0n }, 0n],
  ])('%s', (_what, burned, book, amount) => {
    expect(worthOf(burned, book)).toBe(amount);
  });

  test('net asset value is by whole share, rounded down, below zero too', () => {
    expect(navPerShare({ equity: 1_500_000n, shares: 1_000_000n })).toBe(1_500_000n);
    expect(navPerShare({ equity: 1n, shares: 3_000_000n })).toBe(0n);
    expect(navPerShare({ equity: -1n, shares: 3_000_000n })).toBe(-1n);
    expect(navPerShare({ equity: 5n, shares: 0n })).toBeUndefined();
  });

  test('who pays in and takes out at once never gains, and loses less than a share is worth and a unit', () => {
    fc.assert(
      fc.property(MONEY, MONEY, MONEY, (amount, equity, shares) => {
        const minted = sharesFor(amount, { equity, shares });
        const back = worthOf(minted, { equity: equity + amount, shares: shares + minted });
        expect(back).toBeLessThanOrEqual(amount);
        expect(amount - back).toBeLessThanOrEqual(equity / shares + 2n);
      }),
    );
  });

  test('neither deposits nor redemptions take anything from who stays', () => {
    fc.assert(
      fc.property(MONEY, MONEY, MONEY, positive(10n ** 6n), (amount, equity, shares, millionths) => {
        const stays = shares;
        const before = worthOf(stays, { equity, shares });
        const minted = sharesFor(amount, { equity, shares });
        const joined = { equity: equity + amount, shares: shares + minted };
        expect(worthOf(stays, joined)).toBeGreaterThanOrEqual(before);
        const burned = (minted * millionths) / 10n ** 6n;
        const paid = worthOf(burned, joined);
        const left = { equity: joined.equity - paid, shares: joined.shares - burned };
        expect(worthOf(stays, left)).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test('all shares together are worth the equity, and no more', () => {
    fc.assert(
      fc.property(fc.array(MONEY, { minLength: 1, maxLength: 20 }), MONEY, (stakes, equity) => {
        const shares = stakes.reduce((sum, stake) => sum + stake, 0n);
        const paid = stakes.reduce((sum, stake) => sum + worthOf(stake, { equity, shares }), 0n);
        expect(paid).toBeLessThanOrEqual(equity);
        expect(equity - paid).toBeLessThan(BigInt(stakes.length));
        expect(worthOf(shares, { equity, shares })).toBe(equity);
      }),
    );
  });
});

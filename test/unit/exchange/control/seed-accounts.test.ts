import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../src/core/index.ts';
import { resolveSettings, seedAccount } from '../../../../src/exchange/index.ts';
import { loadCrypto, parseSecretKey } from '../../../../src/wire/crypto/index.ts';

describe('seedAccount', () => {
  test('gives valid keys, the same for the same seed and name, others otherwise', async () => {
    const crypto = await loadCrypto();
    const make = (seed: number, name: string) => seedAccount({ random: seededRandom(seed), crypto }, name, 2);
    const account = make(1, 'a');
    expect(make(1, 'a')).toMatchObject({ address: account.address, privateKey: account.privateKey });
    const addresses = [account, make(2, 'a'), make(1, 'b'), ...account.apiWallets].map(
      ({ address }) => address,
    );
    expect(new Set(addresses).size).toBe(5);
    for (const { address, privateKey } of [account, ...account.apiWallets])
      expect(parseSecretKey(crypto, privateKey).address).toBe(address);
  });
});

describe('resolveSettings', () => {
  test('refuses what makes no exchange', () => {
    expect(() => resolveSettings({ markets: [] })).toThrow('at least one market');
    expect(() => resolveSettings({ blockMs: 0 })).toThrow('a block length above zero');
    expect(() => resolveSettings({ headerPrefix: 'X Y' })).toThrow('a header prefix');
    expect(() => resolveSettings({ basePath: '/a/' })).toThrow('a base path');
    expect(() => resolveSettings({ ipWeightLimit: 0 })).toThrow('budgets above zero');
    expect(resolveSettings({ basePath: '/a' }).basePath).toBe('/a');
  });
});

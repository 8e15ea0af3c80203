import { describe, expect, test } from 'vitest';
import { loadConfiguredCrypto } from '../../../../src/bot/setup/configured-signing.ts';
import { parseConfig } from '../../../../src/config/index.ts';
import { ConfigError } from '../../../../src/core/index.ts';
import { parseSecretKey } from '../../../../src/wire/crypto/index.ts';

const configured = (signer: string | undefined) =>
  parseConfig(
    [
      'environment:',
      '  name: sim',
      ...(signer === undefined ? [] : [`  signingBackend: ${signer}`]),
      'markets: [{ symbol: BTC-USD }]',
      'strategies: [{ name: one, module: ./one.ts, markets: [BTC-USD] }]',
      'risk: { capital: 1000 }',
    ].join('\n'),
    '/bots/signing.yaml',
  );

describe('environment.signingBackend', () => {
  test.each(['native', 'wasm', 'noble'])('%s is the one in use, and signs as all others do', async (name) => {
    const crypto = await loadConfiguredCrypto(configured(name));
    expect(crypto.signer).toMatch(new RegExp(`^${name}\\+`));
    const key = parseSecretKey(crypto, '11'.repeat(32));
    const plain = await loadConfiguredCrypto(configured('noble'));
    const digest = new Uint8Array(32).fill(7);
    expect(crypto.sign(digest, key)).toBe(plain.sign(digest, key));
  });

  test('left out: the choice is left to what works', async () => {
    const asked: unknown[] = [];
    await loadConfiguredCrypto(configured(undefined), (options) => {
      asked.push(options);
      return loadConfiguredCrypto(configured('noble'));
    });
    expect(asked).toEqual([{ secp256k1: 'auto' }]);
  });

  test('error: one that cannot be loaded is named with its place and the reason', async () => {
    const missing = new ConfigError({
      code: 'CRYPTO_BACKEND_UNUSABLE',
      message: 'expected the secp256k1 back end native to work, got native Cannot find package',
      remedy: '',
    });
    const loading = loadConfiguredCrypto(configured('native'), () => Promise.reject(missing));
    await expect(loading).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(
        /signing\.yaml:3:19: environment\.signingBackend: expected a back end that works here, or auto .*got native Cannot find package/,
      ),
    });
  });

  test('error: an unknown one is a finding of the configuration', () => {
    expect(() => configured('ledger')).toThrow(
      /environment\.signingBackend: expected auto, native, wasm or noble/,
    );
  });
});

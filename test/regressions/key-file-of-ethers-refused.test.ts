/**
 * @module
 * Key files as ethers writes them name their part `Crypto`, and were refused. Geth's reader takes the names in any letter
 * case, so this one does.
 */
import { describe, expect, test } from 'vitest';
import { secureBytes } from '../../src/core/index.ts';
import { loadCrypto, parseSecretKey, readKeystore, writeKeystore } from '../../src/wire/crypto/index.ts';

const crypto = await loadCrypto();
const key = parseSecretKey(crypto, '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318');
const PASSWORD = 'a password';
const ours = await writeKeystore(crypto, key, { password: PASSWORD, randomBytes: secureBytes, costN: 1024 });

/** The file with each name as `change` writes it. */
function renamed(value: unknown, change: (name: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), renamed(one, change)]));
}

const { version, id, address, crypto: part } = ours;
const { cipher, cipherparams, ciphertext, kdf, kdfparams, mac } = part;
const FILES: Readonly<Record<string, unknown>> = {
  'ethers 4 and 5': { address, id, version, Crypto: part },
  'ethers 5 with a mnemonic': {
    ...{ address, id, version, Crypto: part },
    'x-ethers': {
      client: 'ethers.js',
      gethFilename: 'UTC--x',
      mnemonicCounter: '00',
      mnemonicCiphertext: '11',
    },
  },
  'ethers 6': {
    ...{ address, id, version },
    Crypto: { cipher, cipherparams, ciphertext, kdf, kdfparams, mac },
    'x-ethers': { client: 'ethers/6.13.0', locale: 'en', path: "m/44'/60'/0'/0/0", version: '0.1' },
  },
  geth: { address, crypto: part, id, version },
  'capital letters': renamed(ours, (name) => name.toUpperCase()),
  'first letters in capitals': renamed(ours, (name) => name.slice(0, 1).toUpperCase() + name.slice(1)),
};

describe('a key file whose names are in another case', () => {
  test.each(Object.keys(FILES))('is read: %s', async (name) => {
    const read = await readKeystore(crypto, JSON.stringify(FILES[name]), PASSWORD);
    expect(read.address).toBe(key.address);
  });

  test('error: the same name in two cases says nothing about which counts', async () => {
    const both = JSON.stringify({ ...ours, Crypto: { ...part, mac: '00' } });
    await expect(readKeystore(crypto, both, PASSWORD)).rejects.toMatchObject({
      code: 'CRYPTO_KEYSTORE_INVALID',
      message: expect.stringContaining('letter case'),
    });
  });
});

/** @module Key files: written and read again, and everything a hostile file may try. */
import { describe, expect, test } from 'vitest';
import { ConfigError, secureBytes } from '../../../../src/core/index.ts';
import {
  loadCrypto,
  parseSecretKey,
  readKeystore,
  writeKeystore,
} from '../../../../src/wire/crypto/index.ts';

const crypto = await loadCrypto();
const DIGITS = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const key = parseSecretKey(crypto, DIGITS);
const PASSWORD = 'correct horse – battery 🔋';
const written = await writeKeystore(crypto, key, {
  password: PASSWORD,
  randomBytes: secureBytes,
  costN: 2 ** 10,
});

/** The text of the file with one field replaced, named by its path. */
function changed(path: string, value: unknown): string {
  const file: unknown = structuredClone(written);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const owner = names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), file);
  if (value === undefined) Reflect.deleteProperty(Object(owner), last);
  else Reflect.set(Object(owner), last, value);
  return JSON.stringify(file);
}

describe('writeKeystore', () => {
  test('writes version 3 with scrypt, a fresh salt and a UUID, and not the key', async () => {
    const again = await writeKeystore(crypto, key, {
      password: PASSWORD,
      randomBytes: secureBytes,
      costN: 2 ** 10,
    });
    expect(written).toMatchObject({ version: 3, address: key.address.slice(2) });
    expect(written.crypto).toMatchObject({ cipher: 'aes-128-ctr', kdf: 'scrypt' });
    expect(written.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(again.crypto.kdfparams.salt).not.toBe(written.crypto.kdfparams.salt);
    expect(JSON.stringify(written)).not.toContain(DIGITS);
  });

  test('asks for 2^18 rounds by default, and the file can be read again', async () => {
    const file = await writeKeystore(crypto, key, { password: PASSWORD, randomBytes: secureBytes });
    expect(file.crypto.kdfparams).toMatchObject({ dklen: 32, n: 262144, r: 8, p: 1 });
    expect((await readKeystore(crypto, JSON.stringify(file), PASSWORD)).address).toBe(key.address);
  });
});

describe('readKeystore', () => {
  test('gives the key back', async () => {
    const read = await readKeystore(crypto, JSON.stringify(written), PASSWORD);
    expect(Buffer.from(read.exposeBytes()).toString('hex')).toBe(DIGITS);
    expect(read.address).toBe(key.address);
  });

  test('reads a file without an address, and with one in another form', async () => {
    for (const address of [undefined, key.address, key.address.slice(2).toUpperCase()]) {
      const read = await readKeystore(crypto, changed('address', address), PASSWORD);
      expect(read.address).toBe(key.address);
    }
  });

  test('error: refuses a wrong password and a changed ciphertext', async () => {
    const code = 'CRYPTO_KEYSTORE_PASSWORD_WRONG';
    await expect(readKeystore(crypto, JSON.stringify(written), 'wrong')).rejects.toMatchObject({ code });
    const ciphertext = changed('crypto.ciphertext', '00'.repeat(32));
    await expect(readKeystore(crypto, ciphertext, PASSWORD)).rejects.toMatchObject({ code });
  });

  test("error: refuses a file whose address is another's", async () => {
    const file = changed('address', '00'.repeat(20));
    const code = 'CRYPTO_KEYSTORE_ADDRESS_MISMATCH';
    await expect(readKeystore(crypto, file, PASSWORD)).rejects.toMatchObject({ code });
  });

  test.each([
    ['crypto.kdfparams.n', 2 ** 21],
    ['crypto.kdfparams.n', 1],
    ['crypto.kdfparams.n', 1000],
    ['crypto.kdfparams.n', 1.5],
    ['crypto.kdfparams.r', 17],
    ['crypto.kdfparams.r', 0],
    ['crypto.kdfparams.p', 17],
    ['crypto.kdfparams.p', -1],
  ])('error: refuses %s of %s before any work', async (path, value) => {
    await expect(readKeystore(crypto, changed(path, value), PASSWORD)).rejects.toMatchObject({
      code: 'CRYPTO_KEYSTORE_COST_REFUSED',
    });
  });

  test('error: refuses parameters that are each allowed but need more than 1 GiB together', async () => {
    const kdfparams = { ...written.crypto.kdfparams, n: 2 ** 20, r: 16 };
    await expect(readKeystore(crypto, changed('crypto.kdfparams', kdfparams), PASSWORD)).rejects.toThrow(
      /at most 1073741824 bytes/,
    );
  });

  test('error: refuses endless PBKDF2', async () => {
    const file = { ...written, crypto: { ...written.crypto, kdf: 'pbkdf2' } };
    const withCount = (c: number) =>
      JSON.stringify({
        ...file,
        crypto: { ...file.crypto, kdfparams: { c, prf: 'hmac-sha256', dklen: 32, salt: '00' } },
      });
    await expect(readKeystore(crypto, withCount(1e10), PASSWORD)).rejects.toMatchObject({
      code: 'CRYPTO_KEYSTORE_COST_REFUSED',
    });
    await expect(readKeystore(crypto, withCount(1), PASSWORD)).rejects.toMatchObject({
      code: 'CRYPTO_KEYSTORE_PASSWORD_WRONG',
    });
  });

  test.each([
    ['version', 1],
    ['version', '3'],
    ['crypto', undefined],
    ['crypto.cipher', 'aes-256-cbc'],
    ['crypto.cipherparams.iv', '00'],
    ['crypto.ciphertext', 'zz'.repeat(32)],
    ['crypto.mac', `0x${'00'.repeat(32)}`],
    ['crypto.kdf', 'argon2'],
    ['crypto.kdfparams.dklen', 64],
    ['crypto.kdfparams.salt', ''],
    ['crypto.kdfparams.salt', '00'.repeat(2000)],
    ['crypto.kdfparams.n', '1024'],
    ['address', 'me'],
  ])('error: names the field when %s is %s', async (path, value) => {
    const refusal = readKeystore(crypto, changed(path, value), PASSWORD);
    await expect(refusal).rejects.toThrow(ConfigError);
    await expect(refusal).rejects.toThrow(path);
  });

  test('error: does not quote a file that is no key file', async () => {
    for (const text of [DIGITS, `"${DIGITS}"`, '[]', 'null']) {
      const refusal = readKeystore(crypto, text, PASSWORD);
      await expect(refusal).rejects.toMatchObject({ code: 'CRYPTO_KEYSTORE_INVALID' });
      await expect(refusal).rejects.not.toThrow(DIGITS);
    }
  });
});

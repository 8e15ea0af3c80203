/**
 * @module
 * Encrypted key files: Web3 Secret Storage version 3, read (scrypt, pbkdf2) and written (scrypt N = 2^18, r = 8, p = 1,
 * AES-128-CTR, Keccak MAC). The file is untrusted: its cost parameters are capped, its MAC is compared in
 * constant time, its address must be that of the key. Does not touch files or ask for passwords.
 */
import { createCipheriv, createDecipheriv, timingSafeEqual } from 'node:crypto';
import { ConfigError, parseJson } from '../../core/index.ts';
import { isSameAddress } from './address.ts';
import type { Hasher } from './keccak.ts';
import { deriveKey, type KdfParams, type ScryptParams } from './keystore-kdf.ts';
import { type KeystoreParts, parseKeystore } from './keystore-parse.ts';
import { type AddressSource, type SecretKey, secretKeyOf } from './secret-key.ts';

/** What a keystore needs of a loaded `Crypto`. */
export type KeystoreCrypto = Hasher & AddressSource;

/** A key file of version 3 as it is written; numbers of bytes as in the standard, all bytes as hex without `0x`. */
export interface Keystore {
  /** Version of the keystore format. */
  readonly version: 3;
  /** UUID of the file. */
  readonly id: string;
  /** Address of the key. */
  readonly address: string;
  /** The encrypted key and its parameters. */
  readonly crypto: {
    readonly cipher: 'aes-128-ctr';
    readonly cipherparams: { readonly iv: string };
    readonly ciphertext: string;
    readonly kdf: 'scrypt';
    readonly kdfparams: Readonly<{ dklen: number; n: number; r: number; p: number; salt: string }>;
    readonly mac: string;
  };
}

/** How a key file is written. */
export interface WriteKeystoreOptions {
  /** Password that encrypts the key. */
  readonly password: string;
  /** Unpredictable bytes (core `secureBytes`). */
  readonly randomBytes: (count: number) => Uint8Array;
  /** The scrypt cost N, a power of two; 2^18 (about a second and 256 MiB) unless a test asks for less. */
  readonly costN?: number;
}

const COST_N_DEFAULT = 2 ** 18;

/**
 * The key in the text of a key file. Takes about a second.
 * @throws ConfigError when the file is malformed or too costly, the password is wrong, or the address is another's.
 */
export async function readKeystore(
  crypto: KeystoreCrypto,
  text: string,
  password: string,
): Promise<SecretKey> {
  const parts = parseKeystore(parseJsonFile(text));
  const derived = await deriveKey(parts.kdf, password);
  try {
    if (!timingSafeEqual(macOf(crypto, derived, parts.ciphertext), parts.mac)) throw wrongPassword();
    return decrypt(crypto, parts, derived);
  } finally {
    derived.fill(0);
  }
}

/** A key file for `key`; `JSON.stringify` it. Takes about a second. */
export async function writeKeystore(
  crypto: KeystoreCrypto,
  key: SecretKey,
  options: WriteKeystoreOptions,
): Promise<Keystore> {
  const { randomBytes } = options;
  const scrypt: ScryptParams = { n: options.costN ?? COST_N_DEFAULT, r: 8, p: 1, salt: randomBytes(32) };
  const iv = randomBytes(16);
  const derived = await deriveKey({ kdf: 'scrypt', ...scrypt } satisfies KdfParams, options.password);
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(key.exposeBytes()), cipher.final()]);
  const mac = macOf(crypto, derived, ciphertext);
  derived.fill(0);
  return {
    version: 3,
    id: uuidOf(randomBytes(16)),
    address: key.address.slice(2),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: hex(iv) },
      ciphertext: hex(ciphertext),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n: scrypt.n, r: scrypt.r, p: scrypt.p, salt: hex(scrypt.salt) },
      mac: hex(mac),
    },
  };
}

function decrypt(crypto: KeystoreCrypto, parts: KeystoreParts, derived: Uint8Array): SecretKey {
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), parts.iv);
  const secret = Buffer.concat([decipher.update(parts.ciphertext), decipher.final()]);
  const key = secretKeyOf(crypto, secret);
  secret.fill(0);
  if (parts.address !== undefined && !isSameAddress(parts.address, key.address)) {
    throw new ConfigError({
      code: 'CRYPTO_KEYSTORE_ADDRESS_MISMATCH',
      message: `expected the key of ${parts.address}, got the key of ${key.address}`,
      remedy: 'The key file was edited or mixed up; take it from its backup.',
    });
  }
  return key;
}

function macOf(hasher: Hasher, derived: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  return hasher.keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]));
}

function parseJsonFile(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The cause would quote the file.
    throw new ConfigError({
      code: 'CRYPTO_KEYSTORE_INVALID',
      message: 'expected a key file of Web3 Secret Storage version 3, got not JSON',
      remedy: 'Check the path of the key file.',
    });
  }
}

function wrongPassword(): ConfigError {
  return new ConfigError({
    code: 'CRYPTO_KEYSTORE_PASSWORD_WRONG',
    message: 'expected the password of the key file, got another (or the file is damaged)',
    remedy: 'Check the password file, also for a line break at its end.',
  });
}

/** A UUID of version 4 (RFC 9562) out of 16 random bytes. */
function uuidOf(random: Uint8Array): string {
  const bytes = Uint8Array.from(random);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

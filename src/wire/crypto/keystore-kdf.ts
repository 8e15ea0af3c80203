/**
 * @module
 * Turns a password into the 32-byte key of a key file. The parameters come from the file and are capped before any work
 * is done, so a hostile file cannot take the memory or the day.
 */
import { pbkdf2, type ScryptOptions, scrypt } from 'node:crypto';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { ConfigError } from '../../core/index.ts';

/** Cost parameters of scrypt. */
export interface ScryptParams {
  /** Cost, a power of two. */
  readonly n: number;
  /** Block size. */
  readonly r: number;
  /** Parallelization. */
  readonly p: number;
  readonly salt: Uint8Array;
}

/** How the key of a file is derived: scrypt, or PBKDF2 with HMAC-SHA-256 and `c` iterations. */
export type KdfParams =
  | ({ readonly kdf: 'scrypt' } & ScryptParams)
  | { readonly kdf: 'pbkdf2'; readonly c: number; readonly salt: Uint8Array };

const N_MAX = 2 ** 20;
const R_MAX = 16;
const P_MAX = 16;
const MEMORY_BYTES_MAX = 2 ** 30;
const ITERATIONS_MAX = 10_000_000;
const KEY_BYTES = 32;

/** The derived key. @throws ConfigError when a parameter is above its cap or not allowed at all. */
export async function deriveKey(params: KdfParams, password: string): Promise<Uint8Array> {
  if (params.kdf === 'pbkdf2') {
    requireInteger('c', params.c, ITERATIONS_MAX);
    return await nodePbkdf2(password, params.salt, params.c);
  }
  const { n, r, p, salt } = params;
  requireInteger('n', n, N_MAX);
  requireInteger('r', r, R_MAX);
  requireInteger('p', p, P_MAX);
  const memoryBytes = 128 * r * (n + p);
  if (n < 2 || (n & (n - 1)) !== 0) throw tooCostly('n', n, 'a power of two');
  if (128 * n * r > MEMORY_BYTES_MAX)
    throw tooCostly('128 n r', 128 * n * r, `at most ${MEMORY_BYTES_MAX} bytes`);
  // OpenSSL refuses N >= 2^(16 r) as RFC 7914 has it; a much cited vector (r = 1) does not care, nor do wallets.
  if (n >= 2 ** (16 * r)) return await scryptAsync(password, salt, { N: n, r, p, dkLen: KEY_BYTES });
  return await nodeScrypt(password, salt, { N: n, r, p, maxmem: memoryBytes + 2 ** 20 });
}

function nodeScrypt(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function nodePbkdf2(password: string, salt: Uint8Array, iterations: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    pbkdf2(password, salt, iterations, KEY_BYTES, 'sha256', (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function requireInteger(name: string, value: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > max) {
    throw tooCostly(name, value, `an integer from 1 to ${max}`);
  }
}

function tooCostly(name: string, value: number, expected: string): ConfigError {
  return new ConfigError({
    code: 'CRYPTO_KEYSTORE_COST_REFUSED',
    message: `expected the key file's ${name} to be ${expected}, got ${value}`,
    remedy: 'Such a file is hostile or damaged; import the key again from a trusted source.',
  });
}

/**
 * @module
 * The shape of a key file of Web3 Secret Storage version 3, checked field by field before anything is computed. The letter
 * case of names does not count, as in geth's reader: ethers writes `Crypto`.
 */
import { ConfigError, isRecord } from '../../core/index.ts';
import type { KdfParams } from './keystore-kdf.ts';

/** What a key file says, as bytes and numbers. */
export interface KeystoreParts {
  /** With `0x`; undefined when the file leaves it out. */
  readonly address: string | undefined;
  readonly iv: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly mac: Uint8Array;
  readonly kdf: KdfParams;
}

const SALT_BYTES_MAX = 1024;

/** The parts of a key file. @throws ConfigError naming the field that is not as the standard has it. */
export function parseKeystore(file: unknown): KeystoreParts {
  const root = record('the file', file);
  equal('version', root['version'], 3);
  const crypto = record('crypto', root['crypto']);
  equal('crypto.cipher', crypto['cipher'], 'aes-128-ctr');
  return {
    address: parseAddress(root['address']),
    iv: bytes('crypto.cipherparams.iv', record('crypto.cipherparams', crypto['cipherparams'])['iv'], 16),
    ciphertext: bytes('crypto.ciphertext', crypto['ciphertext'], 32),
    mac: bytes('crypto.mac', crypto['mac'], 32),
    kdf: parseKdf(crypto['kdf'], record('crypto.kdfparams', crypto['kdfparams'])),
  };
}

function parseKdf(name: unknown, params: Readonly<Record<string, unknown>>): KdfParams {
  equal('crypto.kdfparams.dklen', params['dklen'], 32);
  const salt = bytes('crypto.kdfparams.salt', params['salt']);
  const number = (key: string) => integer(`crypto.kdfparams.${key}`, params[key]);
  if (name === 'scrypt') return { kdf: 'scrypt', n: number('n'), r: number('r'), p: number('p'), salt };
  if (name !== 'pbkdf2') throw invalid('crypto.kdf', 'scrypt or pbkdf2', name);
  equal('crypto.kdfparams.prf', params['prf'], 'hmac-sha256');
  return { kdf: 'pbkdf2', c: number('c'), salt };
}

function parseAddress(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^(?:0x)?[0-9a-fA-F]{40}$/.test(value)) {
    throw invalid('address', '40 hexadecimal digits', value);
  }
  return `0x${value.slice(-40).toLowerCase()}`;
}

function record(place: string, value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw invalid(place, 'an object', value);
  const fields = Object.entries(value).map(([name, field]) => [name.toLowerCase(), field] as const);
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length)
    throw invalid(place, 'an object without names that differ in letter case only', value);
  return Object.fromEntries(fields);
}

function equal(place: string, value: unknown, expected: string | number): void {
  if (value !== expected) throw invalid(place, String(expected), value);
}

function integer(place: string, value: unknown): number {
  if (typeof value !== 'number') throw invalid(place, 'a number', value);
  return value;
}

function bytes(place: string, value: unknown, count?: number): Uint8Array {
  const isBytes =
    typeof value === 'string' && /^(?:[0-9a-fA-F]{2})+$/.test(value) && value.length <= 2 * SALT_BYTES_MAX;
  if (!isBytes || (count !== undefined && value.length !== 2 * count)) {
    throw invalid(place, `${count ?? `1 to ${SALT_BYTES_MAX}`} bytes of hex without 0x`, value);
  }
  return new Uint8Array(Buffer.from(value, 'hex'));
}

/** Names the type of what was there, not the value: the file may hold a bare key. */
function invalid(place: string, expected: string, was: unknown): ConfigError {
  return new ConfigError({
    code: 'CRYPTO_KEYSTORE_INVALID',
    message: `expected ${place} of the key file to be ${expected}, got ${was === null ? 'null' : typeof was}`,
    remedy:
      'Only Web3 Secret Storage version 3 is read; `ballast keys new --password-file` makes such a file.',
  });
}

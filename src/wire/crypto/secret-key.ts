/**
 * @module
 * A secret key that cannot be printed by accident: as text, in JSON and under inspection it is `[redacted]`. Its bytes
 * come out through one method with a name to search for. Does not read files.
 */
import { inspect } from 'node:util';
import { assert, ConfigError, type Hex } from '../../core/index.ts';
import { CURVE_ORDER } from './secp256k1/backend.ts';

/** Draws the address of a secret; a loaded `Crypto` does. */
export interface AddressSource {
  /** The lower-case address of the 32-byte `secret`. */
  addressOf(secret: Uint8Array): Hex;
}

const REDACTED = '[redacted]';
/** A draw is out of range once in 2^128, so a second failure means a broken source of bytes. */
const DRAWS_MAX = 4;

/** A valid secret key and its address. Made by {@link parseSecretKey}, {@link secretKeyOf}, {@link generateSecretKey}. */
export class SecretKey {
  readonly #bytes: Uint8Array;
  /** The lower-case address of the key. */
  readonly address: Hex;

  constructor(bytes: Uint8Array, address: Hex) {
    this.#bytes = bytes;
    this.address = address;
  }

  /** The 32 bytes themselves, not a copy: for signing and for the keystore only. */
  exposeBytes(): Uint8Array {
    return this.#bytes;
  }

  /** `[redacted]`. */
  toString(): string {
    return REDACTED;
  }

  /** `[redacted]`. */
  toJSON(): string {
    return REDACTED;
  }

  /** `[redacted]`. */
  [inspect.custom](): string {
    return REDACTED;
  }
}

/**
 * The key in `text`: 64 hexadecimal digits, with or without `0x`, 0 < scalar < n (exchange.md#signing).
 * @throws ConfigError otherwise; the error does not quote the text.
 */
export function parseSecretKey(source: AddressSource, text: string): SecretKey {
  if (!/^(?:0x)?[0-9a-fA-F]{64}$/.test(text)) throw invalid(`was text of ${text.length} characters`);
  return secretKeyOf(source, Buffer.from(text.slice(-64), 'hex'));
}

/** The key with these 32 bytes, which are copied. @throws ConfigError when they are no valid key. */
export function secretKeyOf(source: AddressSource, bytes: Uint8Array): SecretKey {
  if (bytes.length !== 32) throw invalid(`was ${bytes.length} bytes`);
  if (!isScalar(bytes)) throw invalid('was 0, or not below the curve order');
  const own = Uint8Array.from(bytes);
  return new SecretKey(own, source.addressOf(own));
}

/** A new key out of `randomBytes`, which must not be predictable (core `secureBytes`). */
export function generateSecretKey(
  source: AddressSource,
  randomBytes: (count: number) => Uint8Array,
): SecretKey {
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const bytes = randomBytes(32);
    assert(bytes.length === 32, '32 random bytes');
    if (isScalar(bytes)) return secretKeyOf(source, bytes);
  }
  throw invalid(`was out of range in ${DRAWS_MAX} draws: the source of random bytes is broken`);
}

function isScalar(bytes: Uint8Array): boolean {
  const scalar = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return scalar > 0n && scalar < CURVE_ORDER;
}

function invalid(was: string): ConfigError {
  return new ConfigError({
    code: 'CRYPTO_SECRET_KEY_INVALID',
    message: `expected a secret key of 32 bytes in hex, ${was}`,
    remedy: 'Check the key file; `ballast keys new` makes a fresh key.',
  });
}

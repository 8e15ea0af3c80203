/** @module Numbers and bytes for the tests of this room. */
import { createHash } from 'node:crypto';

export { CURVE_ORDER } from '../../../../src/wire/crypto/secp256k1/backend.ts';

/** 32 bytes that depend on `text` alone. */
export function hashOf(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

/** `value` as 32 bytes, big-endian. */
export function scalar(value: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
}

/**
 * @module
 * Signatures for simulations: a keyed hash over the same digest in place of the curve, a thousand times cheaper.
 * Digests, addresses and the form of a signature are the real ones; a signature over other bytes, or by another key, is
 * as wrong as it would be on the curve.
 */
import { hash } from 'node:crypto';
import { fromHex, type Hex, toHex } from '../../src/core/index.ts';
import type { Crypto, SecretKey } from '../../src/wire/crypto/index.ts';
import { parseSignature } from '../../src/wire/crypto/signature.ts';

const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;
/** A top byte below this keeps r below the curve order and s in its lower half. */
const TOP_BYTE_MAX = 0x40;

/** `real` with keyed signatures. It knows the keys that it signed with: those of one simulated world. */
export function keyedCrypto(real: Crypto): Crypto {
  const secrets = new Map<Hex, Uint8Array>();
  return {
    ...real,
    signer: `keyed hash, ${real.signer}`,
    sign: (digest: Uint8Array, key: SecretKey): Hex => {
      secrets.set(key.address, key.exposeBytes());
      return `${toHex(bytesOf(digest, key.exposeBytes(), key.address))}1b`;
    },
    recoverAddress: (digest: Uint8Array, text: string): Hex | undefined => {
      const read = parseSignature(text);
      if (!read.ok) return undefined;
      const address = toHex(read.signature.subarray(2 * WORD_BYTES - ADDRESS_BYTES));
      const secret = secrets.get(address);
      if (secret === undefined) return undefined;
      const expected = bytesOf(digest, secret, address);
      return Buffer.compare(expected, read.signature) === 0 ? address : undefined;
    },
  };
}

/** r: the keyed hash. s: more of it, and the signer's address, by which it is found. */
function bytesOf(digest: Uint8Array, secret: Uint8Array, address: Hex): Uint8Array {
  const bytes = new Uint8Array(hash('sha512', Buffer.concat([secret, digest]), 'buffer'));
  bytes.set(fromHex(address), 2 * WORD_BYTES - ADDRESS_BYTES);
  for (const at of [0, WORD_BYTES]) bytes[at] = 1 + ((bytes[at] ?? 0) % (TOP_BYTE_MAX - 1));
  return bytes;
}

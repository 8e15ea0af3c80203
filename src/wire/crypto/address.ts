/**
 * @module
 * Addresses: the last 20 bytes of the hash of a public key. Inside they are lower-case text, because the gateway
 * compares them so (exchange.md#signing); mixed case is accepted on the way in and made for people on the way out
 * (EIP-55).
 */
import { assert, type Hex, isHex, toHex } from '../../core/index.ts';
import { type Hasher, nobleKeccak } from './keccak.ts';

/** True if the two texts name the same address, whatever their case. */
export function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** `address`, of any case, with the capital letters of EIP-55. */
export function checksumAddress(address: Hex): Hex {
  const digits = address.slice(2).toLowerCase();
  // What a person writes or reads is no hot path: nothing needs to be loaded before.
  const hash = toHex(nobleKeccak().keccak256(Buffer.from(digits, 'ascii')));
  const cased = Array.from(digits, (digit, i) => ((hash[i + 2] ?? '0') >= '8' ? digit.toUpperCase() : digit));
  return `0x${cased.join('')}`;
}

/** True if the case of `text` is valid: all lower, all upper, or exactly the checksum of EIP-55. */
export function hasValidChecksum(text: string): boolean {
  if (!isHex(text, 20)) return false;
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return checksumAddress(text) === text;
}

/** The lower-case address of an uncompressed public key of 65 bytes. */
export function addressOfPublicKey(hasher: Hasher, publicKey: Uint8Array): Hex {
  assert(publicKey.length === 65, 'an uncompressed public key of 65 bytes');
  return toHex(hasher.keccak256(publicKey.subarray(1)).subarray(12));
}

/**
 * @module
 * What a secp256k1 back end can do. All of them give the same bytes: nonces by RFC 6979 without extra entropy, low s.
 * Knows neither hashes nor text.
 */
import { assert } from '../../../core/index.ts';

/** The back ends of secp256k1, fastest first. */
export const SECP256K1_NAMES = ['native', 'wasm', 'noble'] as const;
/** The name of a secp256k1 back end. */
export type Secp256k1Name = (typeof SECP256K1_NAMES)[number];

/** The order of the curve, n: secrets, r and s are between 0 and n, both excluded. */
export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A signature from which the signer's public key can be recovered. */
export interface RecoverableSignature {
  /** 64 bytes: r, then s, big-endian; s is low. */
  readonly signature: Uint8Array;
  /** Which of the points with this r was used: 0 to 3, in practice 0 or 1. */
  readonly recovery: number;
}

/** One back end of secp256k1. Arguments of a wrong length are a bug and throw; keys and signatures that do not fit are values. */
export interface Secp256k1 {
  readonly name: Secp256k1Name;
  /** The public key of the 32-byte `secret`: 65 bytes, uncompressed. Throws when the secret is 0, or n and above. */
  publicKey(secret: Uint8Array): Uint8Array;
  /** The deterministic signature of the 32-byte `digest`. Throws when the secret is 0, or n and above. */
  sign(digest: Uint8Array, secret: Uint8Array): RecoverableSignature;
  /** The signer's public key, 65 bytes uncompressed, or undefined when there is none for this signature. */
  recover(digest: Uint8Array, signature: Uint8Array, recovery: number): Uint8Array | undefined;
  /** True if `signature` is one of `publicKey` over `digest`, with low s. */
  verify(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean;
}

/** Throws AssertionError unless the digest has 32 bytes. */
export function assertDigest(digest: Uint8Array): void {
  assert(digest.length === 32, 'a digest of 32 bytes');
}

/** Throws AssertionError unless the digest has 32 bytes and the signature 64. */
export function assertSigned(digest: Uint8Array, signature: Uint8Array): void {
  assertDigest(digest);
  assert(signature.length === 64, 'a signature of 64 bytes');
}

/** The result of `work`, or `otherwise` when it throws: packages report an unusable key or signature by throwing. */
export function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/**
 * @module
 * secp256k1 by the C library, from the optional package `secp256k1`. Loads its `bindings` entry, which throws when no
 * binary fits; the main entry would fall back to slow JavaScript without a word.
 */
import { createRequire } from 'node:module';
import { secureBytes } from '../../../core/index.ts';
import { assertDigest, assertSigned, attempt, CURVE_ORDER, type Secp256k1 } from './backend.ts';

/** The part of the package that is used; it ships no types. */
interface Binding {
  contextRandomize(seed: Uint8Array): void;
  publicKeyCreate(secret: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(
    digest: Uint8Array,
    secret: Uint8Array,
  ): { readonly signature: Uint8Array; readonly recid: number };
  ecdsaRecover(s: Uint8Array, recovery: number, digest: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaVerify(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean;
}

/** The native back end. Throws when the package is not installed or has no binary for this platform. */
export function loadNative(): Secp256k1 {
  const binding: Binding = createRequire(import.meta.url)('secp256k1/bindings');
  // Blinds the multiplications with the secret against timing and power measurements; the results stay the same.
  binding.contextRandomize(secureBytes(32));
  return {
    name: 'native',
    publicKey: (secret) => binding.publicKeyCreate(secret, false),
    sign(digest, secret) {
      assertDigest(digest);
      const { signature, recid } = binding.ecdsaSign(reduced(digest), secret);
      return { signature, recovery: recid };
    },
    recover(digest, signature, recovery) {
      assertSigned(digest, signature);
      return attempt(() => binding.ecdsaRecover(signature, recovery, digest, false), undefined);
    },
    verify(digest, signature, publicKey) {
      assertSigned(digest, signature);
      return attempt(() => binding.ecdsaVerify(signature, digest, publicKey), false);
    },
  };
}

/**
 * `digest` modulo n. RFC 6979 feeds the nonce with the reduced digest; the C library in this package (of 2019) feeds it
 * as it is, so for a digest of n and above, one in 2^128, it would sign other bytes than the rest of the ladder.
 */
function reduced(digest: Uint8Array): Uint8Array {
  if (digest[0] !== 0xff || digest[1] !== 0xff || digest[2] !== 0xff || digest[3] !== 0xff) return digest;
  const value = BigInt(`0x${Buffer.from(digest).toString('hex')}`);
  if (value < CURVE_ORDER) return digest;
  return Buffer.from((value - CURVE_ORDER).toString(16).padStart(64, '0'), 'hex');
}

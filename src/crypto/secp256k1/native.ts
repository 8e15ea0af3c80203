/**
 * @module
 * secp256k1 by the C library, from the optional package `secp256k1`. Loads its `bindings` entry, which throws when no
 * binary fits; the main entry would fall back to slow JavaScript without a word (performance B1, C3).
 */
import { createRequire } from 'node:module';
import { secureBytes } from '../../core/index.ts';
import { assertDigest, assertSigned, attempt, type Secp256k1 } from './backend.ts';

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
      const { signature, recid } = binding.ecdsaSign(digest, secret);
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

/**
 * @module
 * secp256k1 by the C library compiled to WebAssembly, from the optional package `tiny-secp256k1`: every platform, a
 * fifth of the time of plain JavaScript.
 */
import { must } from '../../../core/index.ts';
import { assertDigest, assertSigned, attempt, type Secp256k1 } from './backend.ts';

/** The WebAssembly back end. Rejects when the package is not installed. */
export async function loadWasm(): Promise<Secp256k1> {
  const tiny = await import('tiny-secp256k1');
  return {
    name: 'wasm',
    publicKey: (secret) => must(tiny.pointFromScalar(secret, false), 'the public key of a valid secret'),
    sign(digest, secret) {
      assertDigest(digest);
      const { signature, recoveryId } = tiny.signRecoverable(digest, secret);
      return { signature, recovery: recoveryId };
    },
    recover(digest, signature, recovery) {
      assertSigned(digest, signature);
      if (recovery !== 0 && recovery !== 1 && recovery !== 2 && recovery !== 3) return undefined;
      return attempt(() => tiny.recover(digest, signature, recovery, false), null) ?? undefined;
    },
    verify(digest, signature, publicKey) {
      assertSigned(digest, signature);
      // Strict: without it the package would turn a high s into a low one first.
      return attempt(() => tiny.verify(digest, publicKey, signature, true), false);
    },
  };
}

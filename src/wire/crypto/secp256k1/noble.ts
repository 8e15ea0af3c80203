/**
 * @module
 * secp256k1 in plain JavaScript, always there: the last resort, and the reference for the others. Blocks the thread for
 * about a millisecond a signature; the caller decides whether that is borne.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { assertDigest, assertSigned, attempt, type Secp256k1 } from './backend.ts';

const SIGN = { prehash: false, lowS: true, format: 'recovered' } as const;
const VERIFY = { prehash: false, lowS: true, format: 'compact' } as const;

/** The plain JavaScript back end. */
export function nobleSecp256k1(): Secp256k1 {
  return {
    name: 'noble',
    publicKey: (secret) => secp256k1.getPublicKey(secret, false),
    sign(digest, secret) {
      assertDigest(digest);
      const recovered = secp256k1.sign(digest, secret, SIGN);
      return { signature: recovered.subarray(1), recovery: recovered[0] ?? 0 };
    },
    recover(digest, signature, recovery) {
      assertSigned(digest, signature);
      return attempt(
        () =>
          secp256k1.Signature.fromBytes(signature, 'compact')
            .addRecoveryBit(recovery)
            .recoverPublicKey(digest)
            .toBytes(false),
        undefined,
      );
    },
    verify(digest, signature, publicKey) {
      assertSigned(digest, signature);
      return attempt(() => secp256k1.verify(signature, digest, publicKey, VERIFY), false);
    },
  };
}

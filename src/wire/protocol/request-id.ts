/**
 * @module
 * The id of a signed write, known before it is sent: keccak256(signer, 20 bytes ‖ digest, 32 bytes)
 * (exchange.md#request-id). It does not contain the signature. The derivation is replaceable.
 */
import { assert, fromHex, toHex } from '../../core/index.ts';
import type { RequestId } from '../../domain/index.ts';
import type { Hasher } from '../crypto/index.ts';

/** How a request id follows from the 20 bytes of the signer and the 32 bytes of the digest. */
export type RequestIdDerivation = (hasher: Hasher, signer: Uint8Array, digest: Uint8Array) => RequestId;

const SIGNER_BYTES = 20;
const DIGEST_BYTES = 32;

/** One buffer for all: hashing is synchronous. */
const preimage = new Uint8Array(SIGNER_BYTES + DIGEST_BYTES);

/** The derivation of the exchange as known (exchange.md#request-id, proven). */
export const signerAndDigest: RequestIdDerivation = (hasher, signer, digest) => {
  checkDigest(digest);
  preimage.set(signer);
  preimage.set(digest, SIGNER_BYTES);
  return toHex(hasher.keccak256(preimage)) as RequestId;
};

/**
 * A function from digests to request ids for one signer.
 * @throws ProtocolError when `signer` is no address; AssertionError for a digest of another length than 32 bytes.
 * @example const requestIdOf = makeRequestIdOf(crypto, apiWallet.address); requestIdOf(digest)
 */
export function makeRequestIdOf(
  hasher: Hasher,
  signer: string,
  derivation: RequestIdDerivation = signerAndDigest,
): (digest: Uint8Array) => RequestId {
  const bytes = fromHex(signer, SIGNER_BYTES);
  return (digest) => {
    checkDigest(digest);
    return derivation(hasher, bytes, digest);
  };
}

/** A shorter one would leave the end of the one before in the buffer, and make an id of a write that does not exist. */
function checkDigest({ length }: Uint8Array): void {
  assert(length === DIGEST_BYTES, `a digest of ${DIGEST_BYTES} bytes, got ${length}`);
}

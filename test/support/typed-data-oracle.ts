/** @module viem's typed-data digest, an implementation independent of ours, to compare with. */
import { hashTypedData } from 'viem';
import type { TypedData } from '../../src/wire/crypto/eip712/typed-data.ts';

/** The digest of `document` as viem computes it, as hex. Its chain id has to be a number: viem drops a textual one. */
export function oracleDigest(document: TypedData): string {
  // viem's types want literal type names, which documents made at run time do not have.
  return hashTypedData(document as unknown as Parameters<typeof hashTypedData>[0]);
}

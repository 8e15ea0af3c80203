/** @module Typed-data documents hashed by viem, an implementation independent of ours, and by ours to compare with it. */
import { hashTypedData } from 'viem';
import type { StructTypes } from '../../src/wire/crypto/eip712/type-string.ts';
import {
  type DomainFields,
  type Hasher,
  makeDomain,
  type StructMessage,
  structHasher,
} from '../../src/wire/crypto/index.ts';

/** A document of `eth_signTypedData_v4`. */
export interface TypedData {
  readonly domain: DomainFields;
  readonly types: StructTypes;
  readonly primaryType: string;
  readonly message: StructMessage;
}

/** The digest of `document` as viem computes it, as hex. Its chain id has to be a number: viem drops a textual one. */
export function oracleDigest(document: TypedData): string {
  // viem's types want literal type names, which documents made at run time do not have.
  return hashTypedData(document as unknown as Parameters<typeof hashTypedData>[0]);
}

/** The digest of `document` by our own code. */
export function ownDigest(hasher: Hasher, document: TypedData): Uint8Array {
  return makeDomain(hasher, document.domain).digest(structHasher(hasher, document).hash(document.message));
}

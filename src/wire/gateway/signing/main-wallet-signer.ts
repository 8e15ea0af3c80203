/**
 * @module
 * Signs operations with a main wallet: the struct of the operation by the protocol's table, its EIP-712 digest, the
 * request id (openapi.yaml). The key stays inside. Does not know nonces: the lane owns them. Satisfies `CommandSigner`
 * of execution.
 */
import { AssertionError, type Hex, toHex } from '../../../core/index.ts';
import type { Address, CanonicalCommand, MainWalletOperation, Nonce } from '../../../domain/index.ts';
import { type Crypto, type Domain, type SecretKey, structHasher } from '../../crypto/index.ts';
import {
  type MainWalletMessage,
  mainWalletMessage,
  makeRequestIdOf,
  type RequestIdDerivation,
  type StructTable,
} from '../../protocol/index.ts';
import type { PreparedCommand } from './api-wallet.ts';

/** The hash of a struct, and its digest under a domain. */
export type DigestStruct = (message: MainWalletMessage) => {
  readonly structHash: Uint8Array;
  readonly digest: Uint8Array;
};

/** What a signer is made of. The domain is the one the environment reported (obligation O3). */
export interface MainWalletSignerOptions {
  readonly crypto: Crypto;
  readonly key: SecretKey;
  readonly domain: Domain;
  /** Default: the protocol's table. */
  readonly structs?: StructTable | undefined;
  /** Replaces the derivation of request ids. */
  readonly requestIdDerivation?: RequestIdDerivation;
  /** Default: ours, for an exchange of one's own; see `digestByViem`. */
  readonly digestStruct?: DigestStruct;
}

/** What a main wallet may be asked to sign. */
export type MainWalletCanonical = CanonicalCommand | MainWalletOperation;

/** Signs the structs of a main wallet. `commandHash` is the hash of the struct; receipts are asked for without it. */
export interface StructSigner<Signature extends Hex | Promise<Hex> = Hex | Promise<Hex>> {
  readonly address: Address;
  /** @throws AssertionError without an operation; ProtocolError when a field does not fit its type. */
  prepare(
    bytes: Uint8Array,
    nonce: Nonce,
    canonical?: MainWalletCanonical,
  ): Omit<PreparedCommand, 'sign'> & { sign(): Signature };
}

/** A main wallet as signer of a lane: signs with the curve of `crypto`, at once. */
export function createMainWalletSigner(options: MainWalletSignerOptions): StructSigner<Hex> {
  const { crypto, key, domain, requestIdDerivation } = options;
  const owner = key.address as Address;
  const requestIdOf = makeRequestIdOf(crypto, owner, requestIdDerivation);
  const digestStruct = options.digestStruct ?? ownDigest(crypto, domain);
  return {
    address: owner,
    prepare(_bytes, nonce, canonical) {
      const { structHash, digest } = digestStruct(structOf(options, owner, { nonce, canonical }));
      return {
        commandHash: toHex(structHash),
        requestId: requestIdOf(digest),
        sign: () => crypto.sign(digest, key),
      };
    },
  };
}

/** The struct of an operation. @throws AssertionError without one. */
export function structOf(
  { crypto, structs }: Pick<MainWalletSignerOptions, 'crypto' | 'structs'>,
  owner: Address,
  { nonce, canonical }: { readonly nonce: Nonce; readonly canonical: MainWalletCanonical | undefined },
): MainWalletMessage {
  if (canonical === undefined) throw withoutOperation();
  return mainWalletMessage(canonical, {
    owner,
    nonce,
    hasher: crypto,
    ...(structs === undefined ? {} : { structs }),
  });
}

function ownDigest(crypto: Crypto, domain: Domain): DigestStruct {
  return ({ typeString, values }) => {
    const structHash = structHasher(crypto, typeString).hash(values);
    return { structHash, digest: domain.digest(structHash) };
  };
}

function withoutOperation(): AssertionError {
  return new AssertionError({
    code: 'GATEWAY_OPERATION_MISSING',
    message: 'expected the operation that a main wallet signs, got none',
    remedy: 'This is a bug in ballast: please report it with the run folder.',
  });
}

/**
 * @module
 * Signs operations with a main wallet: the struct of the operation by the protocol's table, its EIP-712 digest, the request
 * id (gateway-interface, Authentication 1 and 4). The key stays inside. Does not know nonces: the lane owns them.
 * Satisfies `CommandSigner` of execution.
 */
import { AssertionError, type Hex, toHex } from '../../../core/index.ts';
import type {
  Address,
  CanonicalCommand,
  MainWalletOperation,
  Nonce,
  RequestId,
} from '../../../domain/index.ts';
import { type Crypto, type Domain, type SecretKey, structHasher } from '../../crypto/index.ts';
import {
  mainWalletMessage,
  makeRequestIdOf,
  type RequestIdDerivation,
  type StructTable,
} from '../../protocol/index.ts';

/** What a signer is made of. The domain is the one the environment reported (obligation O3). */
export interface MainWalletSignerOptions {
  readonly crypto: Crypto;
  readonly key: SecretKey;
  readonly domain: Domain;
  /** Default: the protocol's table (decision B4). */
  readonly structs?: StructTable | undefined;
  /** Replaces the derivation of request ids (decision B4). */
  readonly requestIdDerivation?: RequestIdDerivation;
}

/** A main wallet as signer of a lane. `commandHash` is the hash of the struct; receipts are asked for without it. */
export interface MainWalletSigner {
  readonly address: Address;
  identify(
    bytes: Uint8Array,
    nonce: Nonce,
    canonical?: CanonicalCommand | MainWalletOperation,
  ): { readonly commandHash: Hex; readonly requestId: RequestId };
  sign(
    bytes: Uint8Array,
    nonce: Nonce,
    canonical?: CanonicalCommand | MainWalletOperation,
  ): { readonly commandHash: Hex; readonly requestId: RequestId; readonly signature: Hex };
}

/** A signer over `key`. Its methods throw AssertionError without an operation. */
export function createMainWalletSigner(options: MainWalletSignerOptions): MainWalletSigner {
  const { crypto, key, domain, structs, requestIdDerivation } = options;
  const owner = key.address as Address;
  const requestIdOf = makeRequestIdOf(crypto, owner, requestIdDerivation);
  const prepare = (nonce: Nonce, canonical: CanonicalCommand | MainWalletOperation | undefined) => {
    if (canonical === undefined) throw withoutOperation();
    const message = mainWalletMessage(canonical, {
      owner,
      nonce,
      hasher: crypto,
      ...(structs === undefined ? {} : { structs }),
    });
    const structHash = structHasher(crypto, message.typeString).hash(message.values);
    const digest = domain.digest(structHash);
    return { digest, identity: { commandHash: toHex(structHash), requestId: requestIdOf(digest) } };
  };
  return {
    address: owner,
    identify: (_bytes, nonce, canonical) => prepare(nonce, canonical).identity,
    sign: (_bytes, nonce, canonical) => {
      const { digest, identity } = prepare(nonce, canonical);
      return { ...identity, signature: crypto.sign(digest, key) };
    },
  };
}

function withoutOperation(): AssertionError {
  return new AssertionError({
    code: 'GATEWAY_OPERATION_MISSING',
    message: 'expected the operation that a main wallet signs, was none',
    remedy: 'This is a bug in ballast: please report it with the run folder.',
  });
}

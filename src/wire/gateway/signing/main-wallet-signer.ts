/**
 * @module
 * Signs operations with a main wallet: the struct of the operation by the protocol's table, its EIP-712 digest, the
 * request id (openapi.yaml). The key stays inside. Does not know nonces: the lane owns them. Satisfies `CommandSigner`
 * of execution.
 */
import { AssertionError, toHex } from '../../../core/index.ts';
import type { Address, CanonicalCommand, MainWalletOperation, Nonce } from '../../../domain/index.ts';
import { type Crypto, type Domain, type SecretKey, structHasher } from '../../crypto/index.ts';
import {
  mainWalletMessage,
  makeRequestIdOf,
  type RequestIdDerivation,
  type StructTable,
} from '../../protocol/index.ts';
import type { PreparedCommand } from './api-wallet.ts';

/** What a signer is made of. The domain is the one the environment reported (obligation O3). */
export interface MainWalletSignerOptions {
  readonly crypto: Crypto;
  readonly key: SecretKey;
  readonly domain: Domain;
  /** Default: the protocol's table. */
  readonly structs?: StructTable | undefined;
  /** Replaces the derivation of request ids. */
  readonly requestIdDerivation?: RequestIdDerivation;
}

/** A main wallet as signer of a lane. `commandHash` is the hash of the struct; receipts are asked for without it. */
export interface MainWalletSigner {
  readonly address: Address;
  prepare(
    bytes: Uint8Array,
    nonce: Nonce,
    canonical?: CanonicalCommand | MainWalletOperation,
  ): PreparedCommand;
}

/** A signer over `key`. `prepare` throws AssertionError without an operation. */
export function createMainWalletSigner(options: MainWalletSignerOptions): MainWalletSigner {
  const { crypto, key, domain, structs, requestIdDerivation } = options;
  const owner = key.address as Address;
  const requestIdOf = makeRequestIdOf(crypto, owner, requestIdDerivation);
  return {
    address: owner,
    prepare(_bytes, nonce, canonical) {
      if (canonical === undefined) throw withoutOperation();
      const message = mainWalletMessage(canonical, {
        owner,
        nonce,
        hasher: crypto,
        ...(structs === undefined ? {} : { structs }),
      });
      const structHash = structHasher(crypto, message.typeString).hash(message.values);
      const digest = domain.digest(structHash);
      return {
        commandHash: toHex(structHash),
        requestId: requestIdOf(digest),
        sign: () => crypto.sign(digest, key),
      };
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

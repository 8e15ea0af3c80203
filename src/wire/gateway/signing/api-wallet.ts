/**
 * @module
 * Signs commands with one API wallet: keccak of the canonical bytes, AgentExec digest, signature, request id
 * (obligations O42, O43, O45, O75). The key stays inside. A second, independent look at what is signed: only commands
 * of the API wallets' list pass (obligation O41). Does not know nonces: the lane owns them.
 */
import { AssertionError, type Hex, must, toHex } from '../../../core/index.ts';
import type { Address, Nonce, RequestId } from '../../../domain/index.ts';
import {
  AGENT_EXEC_TYPE,
  agentExecRequest,
  type Crypto,
  type Domain,
  type ExternalKey,
  isExternal,
  makeAgentExecDigest,
  type SecretKey,
  signElsewhere,
} from '../../crypto/index.ts';
import {
  CODEC_VERSION,
  COMMAND_TAGS,
  makeRequestIdOf,
  type RequestIdDerivation,
} from '../../protocol/index.ts';
import type { ExternalSignatures } from './external-signatures.ts';

/** What a wallet is made of. The domain is the one the environment reported (obligation O3). */
export interface ApiWalletOptions {
  readonly crypto: Crypto;
  /** The key, or who signs with it elsewhere: then {@link signatures} are needed. */
  readonly key: SecretKey | ExternalKey;
  /** Puts signatures that are made elsewhere in place. */
  readonly signatures?: ExternalSignatures | undefined;
  readonly domain: Domain;
  /** Replaces the type string of AgentExec. */
  readonly typeString?: string;
  /** Replaces the derivation of request ids. */
  readonly requestIdDerivation?: RequestIdDerivation;
}

/** A command with its nonce, hashed once; it is signed when it is asked to be. */
export interface PreparedCommand {
  readonly commandHash: Hex;
  readonly requestId: RequestId;
  /** The signature, 65 bytes as hex. */
  sign(): Hex;
}

/** One API wallet: satisfies `CommandSigner` of execution. */
export interface ApiWallet {
  readonly address: Address;
  /** Prepares canonical bytes for signing with a nonce. */
  prepare(bytes: Uint8Array, nonce: Nonce): PreparedCommand;
}

const ALLOWED_TAGS: ReadonlySet<number> = new Set(Object.values(COMMAND_TAGS));

/**
 * A wallet over `key`. `prepare` throws AssertionError when the bytes are no command of the known codec.
 * @throws ProtocolError when the type string does not fit AgentExec.
 */
export function createApiWallet({
  crypto,
  key,
  domain,
  typeString,
  requestIdDerivation,
  signatures,
}: ApiWalletOptions): ApiWallet {
  const digestOf = makeAgentExecDigest(crypto, domain, typeString);
  const requestIdOf = makeRequestIdOf(crypto, key.address, requestIdDerivation);
  return {
    address: key.address as Address,
    prepare(bytes, nonce) {
      refuseForeignBytes(bytes);
      const commandHash = crypto.keccak256(bytes);
      const digest = digestOf(commandHash, nonce);
      return {
        commandHash: toHex(commandHash),
        requestId: requestIdOf(digest),
        sign: () => {
          if (!isExternal(key)) return crypto.sign(digest, key);
          const parts = { digest: toHex(digest), commandHash: toHex(commandHash), nonce: BigInt(nonce) };
          const request = agentExecRequest(domain, typeString ?? AGENT_EXEC_TYPE, parts);
          // Kept: the next command is hashed into the same bytes.
          const kept = Uint8Array.from(digest);
          return must(signatures, 'signatures of a key that is elsewhere').standIn(() =>
            signElsewhere(crypto, key, { digest: kept, request }),
          );
        },
      };
    },
  };
}

function refuseForeignBytes(bytes: Uint8Array): void {
  if (bytes[0] === CODEC_VERSION && ALLOWED_TAGS.has(bytes[1] ?? -1)) return;
  throw new AssertionError({
    code: 'GATEWAY_COMMAND_NOT_SIGNABLE',
    message: `expected the bytes of a command an API wallet may sign, got version ${bytes[0]} tag ${bytes[1]}`,
    remedy: 'This is a bug in ballast: please report it with the run folder.',
  });
}

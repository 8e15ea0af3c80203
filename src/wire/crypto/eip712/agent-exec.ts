/**
 * @module
 * The typed-data digest of the one struct that an API wallet signs with every order, without a document in between.
 */
import { assert, ProtocolError } from '../../../core/index.ts';
import type { Hasher } from '../keccak.ts';
import type { Domain } from './domain.ts';
import { structHasher } from './struct-hasher.ts';
import { parseTypeString } from './type-string.ts';

/** The struct of every operation of an API wallet (exchange.md#signing). */
export const AGENT_EXEC_TYPE = 'AgentExec(bytes32 commandHash,uint64 nonce)';

/** The digest of one command: its hash (32 bytes) and the nonce, bound to the domain the function was made for. */
export type AgentExecDigest = (commandHash: Uint8Array, nonce: bigint) => Uint8Array;

const NONCE_LIMIT = 1n << 64n;

/**
 * A function that digests commands for one domain into reused buffers, two hashes a call. The type string is data but
 * its fields must be a bytes32 and a uint64, in this order.
 * @throws ProtocolError when the type string is of another shape.
 * @example const digest = makeAgentExecDigest(crypto, domain); crypto.sign(digest(commandHash, 7n), key);
 */
export function makeAgentExecDigest(
  hasher: Hasher,
  domain: Domain,
  typeString: string = AGENT_EXEC_TYPE,
): AgentExecDigest {
  const { primaryType, types } = parseTypeString(typeString);
  const shape = (types[primaryType] ?? []).map(({ type }) => type).join();
  if (shape !== 'bytes32,uint64') {
    throw new ProtocolError({
      code: 'CRYPTO_TYPE_STRING_INVALID',
      message: `expected a struct of a bytes32 and a uint64, got ${typeString.slice(0, 120)}`,
      remedy: 'Check the table of type strings of the environment.',
    });
  }
  const words = new Uint8Array(96);
  const view = new DataView(words.buffer);
  words.set(structHasher(hasher, typeString).typeHash);
  return (commandHash, nonce) => {
    assert(commandHash.length === 32, 'a command hash of 32 bytes');
    assert(nonce >= 0n && nonce < NONCE_LIMIT, 'a nonce that fits 64 bits');
    words.set(commandHash, 32);
    view.setBigUint64(88, nonce);
    return domain.digest(hasher.keccak256(words));
  };
}

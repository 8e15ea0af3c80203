/** @module Keccak, secp256k1, EIP-712 digests, secret keys and keystores, with no trading word in it. */
export { hasValidChecksum } from './address.ts';
export { AGENT_EXEC_TYPE, type AgentExecDigest, makeAgentExecDigest } from './eip712/agent-exec.ts';
export { Domain, type DomainFields, makeDomain, readChainId } from './eip712/domain.ts';
export { StructHasher, type StructMessage, structHasher } from './eip712/struct-hasher.ts';
export { parseTypeString, type TypedField } from './eip712/type-string.ts';
export {
  agentExecRequest,
  type DigestSigner,
  type ExternalKey,
  isExternal,
  type SigningRequest,
  signElsewhere,
} from './external-key.ts';
export type { Hasher } from './keccak.ts';
export { readKeystore, writeKeystore } from './keystore.ts';
export { type Crypto, type CryptoOptions, loadCrypto } from './load.ts';
export { SECP256K1_NAMES } from './secp256k1/backend.ts';
export { generateSecretKey, parseSecretKey, SecretKey, secretKeyOf } from './secret-key.ts';

/** @module Keccak, secp256k1, EIP-712 digests, secret keys and keystores, with no trading word in it. */
export {
  addressOfPublicKey,
  checksumAddress,
  hasValidChecksum,
  isAddress,
  isSameAddress,
  normalizeAddress,
} from './address.ts';
export { Domain, type DomainFields, makeDomain, readChainId } from './eip712/domain.ts';
export { StructHasher, type StructMessage, structHasher } from './eip712/struct-hasher.ts';
export {
  encodeType,
  type ParsedTypeString,
  parseTypeString,
  type StructTypes,
  type TypedField,
} from './eip712/type-string.ts';
export {
  AGENT_EXEC_TYPE,
  type AgentExecDigest,
  hashTypedData,
  makeAgentExecDigest,
  type TypedData,
} from './eip712/typed-data.ts';
export { type Hasher, KECCAK_NAMES, type KeccakName } from './keccak.ts';
export {
  type Keystore,
  type KeystoreCrypto,
  readKeystore,
  type WriteKeystoreOptions,
  writeKeystore,
} from './keystore.ts';
export { type Crypto, type CryptoOptions, loadCrypto, type SkippedBackend } from './load.ts';
export {
  type RecoverableSignature,
  SECP256K1_NAMES,
  type Secp256k1,
  type Secp256k1Name,
} from './secp256k1/backend.ts';
export {
  type AddressSource,
  generateSecretKey,
  parseSecretKey,
  SecretKey,
  secretKeyOf,
} from './secret-key.ts';
export { formatSignature, parseSignature, type ReadSignature } from './signature.ts';

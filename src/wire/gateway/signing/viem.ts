/**
 * @module
 * What ballast uses of viem. An installed package has this file with viem in it (`scripts/build.ts`): viem and what
 * it depends on are 13,000 files of which this takes a few dozen, and they were half of the time of an installation.
 */
export {
  compactSignatureToSignature,
  getAddress,
  hashStruct,
  hashTypedData,
  parseCompactSignature,
  parseSignature,
  recoverAddress,
  serializeSignature,
} from 'viem';
export { privateKeyToAccount } from 'viem/accounts';

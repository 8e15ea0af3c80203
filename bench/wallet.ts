/**
 * @module
 * An ephemeral wallet and a sample domain for the signing benches, the same in viem's words and in ours. The fields of
 * the domain have the lengths of a real one; the key is the one of the Ethereum documentation's examples.
 */
import { privateKeyToAccount } from 'viem/accounts';
import {
  type Crypto,
  type Domain,
  makeDomain,
  parseSecretKey,
  type SecretKey,
} from '../src/wire/crypto/index.ts';

/** Its key. */
export const viemSecret = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';

/** The domain of the sample exchange. */
export const DOMAIN = {
  name: 'Sample Perpetuals',
  version: '1',
  chainId: 31337,
  verifyingContract: '0x1111111111111111111111111111111111111111',
} as const;

/** AgentExec in viem's words. */
export const AGENT_EXEC_TYPES = {
  AgentExec: [
    { name: 'commandHash', type: 'bytes32' },
    { name: 'nonce', type: 'uint64' },
  ],
} as const;

/** The account of the sample key, as viem makes it. */
export const viemAccount = privateKeyToAccount(viemSecret);

/** The sample key. */
export function sampleKey(crypto: Crypto): SecretKey {
  return parseSecretKey(crypto, viemSecret);
}

/** The sample domain, hashed by `crypto`. */
export function sampleDomain(crypto: Crypto): Domain {
  return makeDomain(crypto, DOMAIN);
}

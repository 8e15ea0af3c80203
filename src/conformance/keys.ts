/** @module The operator's keys for a run against a real environment: an account with an API wallet, as JSON text. */
import { ADDRESS, ConfigError, isRecord } from '../core/index.ts';
import type { Address } from '../domain/index.ts';
import { type Crypto, parseSecretKey } from '../wire/crypto/index.ts';
import type { TraderKeys } from './trader.ts';

/**
 * The keys in `text`: `{"account": "0x...", "apiWallet": "0x...", "subaccount": 0, "mainWallet": "0x..."}`; the last two
 * may be left out. @throws ConfigError that names the field and never shows a key.
 */
export function readTraderKeys(text: string, crypto: Crypto): TraderKeys {
  const fields = parsed(text);
  const { account, apiWallet, mainWallet, subaccount = 0, ...others } = fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid('account, apiWallet, mainWallet and subaccount alone', unknown);
  const address = ADDRESS.read(account) as Address | undefined;
  if (address === undefined) throw invalid(`account as ${ADDRESS.expected}`, 'another');
  if (typeof apiWallet !== 'string') throw invalid('apiWallet as a key in hex', 'another');
  if (mainWallet !== undefined && typeof mainWallet !== 'string')
    throw invalid('mainWallet as a key in hex', 'another');
  if (typeof subaccount !== 'number' || !Number.isInteger(subaccount) || subaccount < 0)
    throw invalid('subaccount as an integer', 'another');
  const wallet = mainWallet === undefined ? undefined : parseSecretKey(crypto, mainWallet);
  if (wallet !== undefined && wallet.address !== address)
    throw invalid('mainWallet as the key of account', 'the key of another');
  return { address, wallet, apiWallets: [parseSecretKey(crypto, apiWallet)], subaccount };
}

function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('JSON', 'other text');
  }
  if (!isRecord(value)) throw invalid('a JSON object', 'another value');
  return value;
}

function invalid(expected: string, found: string): ConfigError {
  return new ConfigError({
    code: 'CONFORMANCE_KEYS_INVALID',
    message: `expected ${expected} in the file of keys, got ${found}`,
    remedy: 'Write {"account": "0x...", "apiWallet": "0x..."}: the main wallet and a key that it approved.',
  });
}

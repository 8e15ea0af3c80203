/**
 * @module
 * Loads the API wallet keys a configuration names. Each becomes one of the secrets that no output shows before anything
 * else can print it. Keys of two roles must differ, and none may be the main wallet.
 */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, readKeyFile } from '../../../config/index.ts';
import { type Clock, ConfigError, type Log, secrets, toHex } from '../../../core/index.ts';
import {
  type Crypto,
  type ExternalKey,
  parseSecretKey,
  readKeystore,
  type SecretKey,
} from '../../../wire/crypto/index.ts';
import { refuseDebugger } from '../debugger.ts';
import { externalKeyOf } from './external-keys.ts';
import { routeOf } from './route.ts';

/** One wallet, ready to sign. */
export interface LoadedWallet {
  /** Name of the API wallet in the configuration. */
  readonly name: string;
  /** Whether it signs trading commands or only safety commands. */
  readonly role: 'trading' | 'safety';
  /** Its key, or who signs with it elsewhere. */
  readonly key: SecretKey | ExternalKey;
  /** The folder of its key file; absent: the key is in no file. */
  readonly keyFolder?: string;
}

/**
 * All wallets of `config`. @throws ConfigError naming the wallet and its file when one cannot be used, BotError
 * `PREFLIGHT_DEBUGGER_OPEN`.
 */
export async function loadWallets(
  config: Config,
  crypto: Crypto,
  ports: { readonly clock: Clock; readonly log: Log },
): Promise<readonly LoadedWallet[]> {
  refuseDebugger();
  const wallets: LoadedWallet[] = [];
  for (const { name, role, keyFile, passwordFile, signer } of config.wallets) {
    const key =
      keyFile === undefined
        ? await externalKeyOf(name, signer, {
            ...{ ...ports, crypto, account: config.account.address },
            ca: routeOf(config.environment)?.ca,
          })
        : await readKey({ keyFile, passwordFile }, crypto);
    refuseDouble(name, key, wallets);
    if (key.address === config.account.address) throw mainWalletKey(name, keyFile ?? 'its signer');
    const folder = keyFile === undefined ? {} : { keyFolder: dirname(realpathSync(keyFile)) };
    wallets.push({ name, role, key, ...folder });
  }
  return wallets;
}

/** Reads a key file: plain hex, or a keystore with the password in `passwordFile`. */
async function readKey(
  files: { readonly keyFile: string; readonly passwordFile: string | undefined },
  crypto: Crypto,
): Promise<SecretKey> {
  const text = readKeyFile(files.keyFile);
  const key = text.startsWith('{')
    ? await readKeystore(crypto, text, passwordOf(files))
    : parseSecretKey(crypto, text);
  secrets.add(toHex(key.exposeBytes()));
  return key;
}

function passwordOf(files: { readonly keyFile: string; readonly passwordFile: string | undefined }): string {
  if (files.passwordFile === undefined) {
    throw new ConfigError({
      code: 'CONFIG_PASSWORD_FILE_MISSING',
      message: `expected passwordFile beside keyFile ${files.keyFile}, which is a keystore, got nothing`,
      remedy: 'Name a file of mode 600 that holds the password.',
    });
  }
  return readKeyFile(files.passwordFile);
}

function refuseDouble(name: string, key: SecretKey | ExternalKey, wallets: readonly LoadedWallet[]): void {
  const other = wallets.find((wallet) => wallet.key.address === key.address);
  if (other === undefined) return;
  throw new ConfigError({
    code: 'CONFIG_WALLET_DUPLICATE',
    message: `expected a separate key for wallet ${name}, got the address of wallet ${other.name}: ${key.address}`,
    remedy: 'Two lanes on one nonce scope would race: make a second key with `ballast keys new`.',
  });
}

function mainWalletKey(name: string, file: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_WALLET_IS_MAIN',
    message: `expected an API wallet in ${file} (wallet ${name}), got the key of the main wallet itself`,
    remedy:
      'Keep the main key away from this machine; make an API wallet with `ballast keys new` and approve it.',
  });
}

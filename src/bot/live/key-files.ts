/**
 * @module
 * Makes key files of API wallets, with new keys or with given ones.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readKeyFile } from '../../config/index.ts';
import {
  ConfigError,
  makeFolder,
  messageOf,
  PRIVATE_FOLDER,
  secrets,
  secureBytes,
  toHex,
} from '../../core/index.ts';
import {
  type Crypto,
  generateSecretKey,
  loadCrypto,
  parseSecretKey,
  type SecretKey,
  writeKeystore,
} from '../../wire/crypto/index.ts';

/** A key that was made. */
export interface MadeKey {
  /** Version of this document's layout. */
  readonly schema: 1;
  /** Address of the key. */
  readonly address: string;
  /** Path of the key file. */
  readonly file: string;
  readonly kind: 'plain hex' | 'keystore v3';
}

/**
 * Makes a key file of mode 600, with a new key or with the one that `askKey` gives. @throws ConfigError
 * `CONFIG_KEY_FILE_EXISTS` rather than writing over one, CryptoError for what is no key.
 */
export async function makeKeyFile(options: {
  readonly file: string;
  readonly passwordFile: string | undefined;
  /** Absent: a new key. */
  readonly askKey?: () => Promise<string>;
}): Promise<MadeKey> {
  const file = resolve(options.file);
  if (existsSync(file)) {
    throw new ConfigError({
      code: 'CONFIG_KEY_FILE_EXISTS',
      message: `expected no file at ${file}, got one`,
      remedy: 'An overwritten key is lost: choose another name.',
    });
  }
  const crypto = await loadCrypto();
  const key =
    options.askKey === undefined
      ? generateSecretKey(crypto, secureBytes)
      : await givenKey(crypto, options.askKey);
  const text =
    options.passwordFile === undefined
      ? toHex(key.exposeBytes())
      : await encrypted(crypto, key, readKeyFile(options.passwordFile));
  makeFolder(dirname(file), PRIVATE_FOLDER);
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    // Half a key is none; one that another process has made meanwhile stays.
    const isOthers = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (!isOthers) rmSync(file, { force: true });
    throw new ConfigError({
      code: 'CONFIG_KEY_FILE_UNWRITABLE',
      message: `expected to write the key to ${file}, but ${messageOf(cause)}`,
      remedy: 'Name a file in a folder that exists, may be written and has free space.',
      cause,
    });
  }
  return {
    schema: 1,
    address: key.address,
    file,
    kind: options.passwordFile === undefined ? 'plain hex' : 'keystore v3',
  };
}

async function encrypted(crypto: Crypto, key: SecretKey, password: string): Promise<string> {
  return JSON.stringify(await writeKeystore(crypto, key, { password, randomBytes: secureBytes }));
}

async function givenKey(crypto: Crypto, ask: () => Promise<string>): Promise<SecretKey> {
  const text = await ask();
  secrets.add(text);
  const key = parseSecretKey(crypto, text);
  secrets.add(toHex(key.exposeBytes()));
  return key;
}

/**
 * @module
 * Makes API wallet keys and has them approved. The main wallet's key is used inside one call and kept nowhere.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ConfigSource, loadConfig, readKeyFile } from '../../config/index.ts';
import {
  BotError,
  type Clock,
  ConfigError,
  makeFolder,
  messageOf,
  PRIVATE_FOLDER,
  SystemClock,
  secrets,
  secureBytes,
  seededRandom,
  silentMeter,
  toHex,
} from '../../core/index.ts';
import { createLog } from '../../core/telemetry/index.ts';
import type { Address } from '../../domain/index.ts';
import {
  type Crypto,
  generateSecretKey,
  loadCrypto,
  parseSecretKey,
  type SecretKey,
  writeKeystore,
} from '../../wire/crypto/index.ts';
import { createAccountSigner, createMainWallet } from '../../wire/gateway/index.ts';
import { loadConfiguredCrypto, operatorStructs } from '../setup/index.ts';
import { openEnvironment } from './connect/environment.ts';
import { grantEnd } from './connect/preflight.ts';
import { loadWallets } from './connect/wallets.ts';

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

/** A grant that was made. */
export interface MadeGrant {
  /** Name of the API wallet. */
  readonly name: string;
  /** Address of the API wallet. */
  readonly address: string;
  /** ISO time, or `forever` for a grant that does not expire. */
  readonly validUntil: string;
  /** The approval's request, by which its receipt is asked. */
  readonly requestId: string;
  /** Log position of the grant, decimal text. */
  readonly seq: string;
}

const DAY_MS = 86_400_000;

/** Makes a key file of mode 600. @throws ConfigError `CONFIG_KEY_FILE_EXISTS` rather than writing over one. */
export async function makeKeyFile(options: {
  readonly file: string;
  readonly passwordFile: string | undefined;
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
  const key = generateSecretKey(crypto, secureBytes);
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

/** Approves the wallets of a configuration at its gateway. @throws BotError naming wallet or gateway. */
export async function approveWallets(options: {
  readonly config: string;
  /** Only this one. */
  readonly wallet: string | undefined;
  /** Days until the grants end; 0: never. */
  readonly days: number;
  readonly askMainKey: () => Promise<string>;
}): Promise<readonly MadeGrant[]> {
  const source = loadConfig(options.config);
  const { config } = source;
  const log = createLog({ level: config.log.level, isPretty: process.stderr.isTTY });
  const { structs } = operatorStructs(source);
  const crypto = await loadConfiguredCrypto(source);
  const wallets = (await loadWallets(config, crypto)).filter(
    ({ name }) => options.wallet === undefined || name === options.wallet,
  );
  if (wallets.length === 0) throw noWallet(source, options.wallet);
  const clock: Clock = new SystemClock();
  const environment = await openEnvironment({
    baseUrl: baseUrlOf(source),
    headerPrefix: config.environment.headerPrefix,
    clock,
    random: seededRandom('keys'),
    log,
    meter: silentMeter,
    crypto,
    structs,
  });
  try {
    const text = await options.askMainKey();
    secrets.add(text);
    const key = parseSecretKey(crypto, text);
    secrets.add(toHex(key.exposeBytes()));
    if (key.address !== config.account.address) throw otherMainKey(key, config.account.address);
    const { gateway, domain } = environment;
    const main = createMainWallet({
      client: gateway.client,
      reader: gateway.reader,
      signer: createAccountSigner({ crypto, key, domain, structs }),
      clock,
    });
    const validUntilMs = options.days === 0 ? 0 : gateway.serverClock.serverNowMs() + options.days * DAY_MS;
    const grants: MadeGrant[] = [];
    for (const wallet of wallets) {
      const agent = wallet.key.address as Address;
      const receipt = await main.approve({ agent, validUntilMs, subaccount: config.account.subaccount });
      const validUntil = grantEnd(validUntilMs) ?? 'forever';
      grants.push({
        name: wallet.name,
        address: agent,
        validUntil,
        requestId: receipt.requestId,
        seq: String(receipt.seq),
      });
    }
    return grants;
  } finally {
    await environment.gateway.close();
  }
}

/** The base URL of a configuration. @throws ConfigError when it has none. */
function baseUrlOf({ config }: ConfigSource): string {
  const { baseUrl, name } = config.environment;
  if (baseUrl !== undefined) return baseUrl;
  throw new ConfigError({
    code: 'CONFIG_BASE_URL_MISSING',
    message: `expected environment.baseUrl in ${config.file}, got nothing (environment ${name})`,
    remedy: 'Name the base URL that the operator of the gateway gave you.',
  });
}

async function encrypted(crypto: Crypto, key: SecretKey, password: string): Promise<string> {
  return JSON.stringify(await writeKeystore(crypto, key, { password, randomBytes: secureBytes }));
}

function noWallet({ config }: ConfigSource, name: string | undefined): ConfigError {
  return new ConfigError({
    code: 'CONFIG_WALLET_UNKNOWN',
    message: `expected ${name === undefined ? 'a wallet' : `wallet ${name}`} in ${config.file}, got ${config.wallets.map((wallet) => wallet.name).join(', ') || 'none'}`,
    remedy: 'Declare it in section wallets.',
  });
}

function otherMainKey(key: SecretKey, expected: string | undefined): BotError {
  return new BotError({
    code: 'PREFLIGHT_MAIN_KEY_MISMATCH',
    message: `expected the key of ${expected ?? 'account.address'}, got the key of ${key.address}`,
    remedy: 'Give the key of the main wallet that the configuration names.',
  });
}

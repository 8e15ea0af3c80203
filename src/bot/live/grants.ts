/**
 * @module
 * Grants of API wallets: listed, approved and revoked. The main wallet signs here, with its key used inside one call and
 * kept nowhere; or elsewhere, by a file that is signed on a hardware wallet, on another machine or by other hands.
 */
import { type ConfigSource, loadConfig } from '../../config/index.ts';
import {
  BotError,
  ConfigError,
  SystemClock,
  secrets,
  seededRandom,
  silentMeter,
  toHex,
} from '../../core/index.ts';
import { createLog } from '../../core/telemetry/index.ts';
import type { Address } from '../../domain/index.ts';
import { parseSecretKey, type SecretKey } from '../../wire/crypto/index.ts';
import {
  createAbsentSigner,
  createAccountSigner,
  createMainWallet,
  type GrantChange,
  readAgents,
} from '../../wire/gateway/index.ts';
import { loadConfiguredCrypto, operatorStructs } from '../setup/index.ts';
import { openEnvironment } from './connect/environment.ts';
import { grantEnd } from './connect/preflight.ts';
import { routeOf } from './connect/route.ts';
import { loadWallets } from './connect/wallets.ts';
import { type GrantRequest, readRequest, writeRequest } from './grant-request.ts';

/** What happens to the grant of one API wallet: it is given until some days from now (0: forever), or taken away. */
export type GrantAction = { readonly kind: 'approve'; readonly days: number } | { readonly kind: 'revoke' };

/** A grant that was given or taken away. */
export interface MadeGrant {
  /** Name of the API wallet in the configuration; `-`: it has none there. */
  readonly name: string;
  /** Address of the API wallet. */
  readonly address: string;
  /** ISO time, `forever` for a grant that does not expire, `revoked`. */
  readonly validUntil: string;
  /** The request, by which its receipt is asked. */
  readonly requestId: string;
  /** Log position of the change, decimal text. */
  readonly seq: string;
}

/** A grant as the gateway lists it. */
export interface ListedGrant {
  /** Name of the API wallet in the configuration; `-`: it has none there. */
  readonly name: string;
  /** Address of the API wallet. */
  readonly address: string;
  /** ISO time, or `forever`. */
  readonly validUntil: string;
  /** True once it has expired. */
  readonly isExpired: boolean;
}

/** Where a change of grants is made. */
interface GrantPlace {
  /** Path of the configuration. */
  readonly config: string;
  /** Name or address of the API wallet; absent: each of the configuration. */
  readonly wallet?: string | undefined;
}

/** The API wallet that a change is about. */
interface Target {
  readonly name: string;
  readonly address: Address;
}

const DAY_MS = 86_400_000;
const UNNAMED = '-';

/** The grants of the account, with the names of the configuration. @throws BotError naming wallet or gateway. */
export function listGrants(config: string): Promise<readonly ListedGrant[]> {
  return atGateway(config, async ({ source, environment, wallets, account }) => {
    const { subaccount } = source.config.account;
    const grants = await readAgents(environment.gateway.reader, { address: account, subaccount });
    return grants.map(({ address, validUntilMs, isExpired }) => ({
      name: wallets.find((wallet) => wallet.address === address)?.name ?? UNNAMED,
      address,
      validUntil: grantEnd(validUntilMs) ?? 'forever',
      isExpired,
    }));
  });
}

/** Changes grants with the main wallet's key, which is asked for once. @throws BotError naming wallet or gateway. */
export function changeGrants(
  { config, wallet }: GrantPlace,
  action: GrantAction,
  askMainKey: () => Promise<string>,
): Promise<readonly MadeGrant[]> {
  return atGateway(config, async (place) => {
    const { source, environment, crypto, structs, account, clock } = place;
    const targets = targetsOf(place, wallet);
    const text = await askMainKey();
    secrets.add(text);
    const key = parseSecretKey(crypto, text);
    secrets.add(toHex(key.exposeBytes()));
    if (key.address !== account) throw otherMainKey(key, account);
    const { gateway, domain } = environment;
    const signer = createAccountSigner({ crypto, key, domain, structs });
    const main = createMainWallet({ client: gateway.client, reader: gateway.reader, signer, clock });
    const made: MadeGrant[] = [];
    for (const target of targets) {
      const change = changeOf(action, target, gateway.serverClock.serverNowMs());
      const { subaccount } = source.config.account;
      const receipt = await main.change(change, subaccount);
      made.push(madeOf(target, change, receipt));
    }
    return made;
  });
}

/**
 * Writes what the main wallet has to sign to `file`, as the value that `eth_signTypedData_v4` takes, and sends nothing.
 * @throws BotError naming wallet or gateway, ConfigError `CONFIG_GRANT_FILE_INVALID` when it cannot be written.
 */
export function writeGrantRequest(
  { config, wallet }: GrantPlace,
  action: GrantAction,
  file: string,
): Promise<GrantRequest> {
  return atGateway(config, async (place) => {
    const { source, environment, account } = place;
    const [target, ...others] = targetsOf(place, wallet);
    if (target === undefined || others.length > 0) throw severalWallets(source);
    const change = changeOf(action, target, environment.gateway.serverClock.serverNowMs());
    const { subaccount } = source.config.account;
    const { main, signer } = absentMain(place, undefined);
    const { requestId, nonce, canonical } = await main.plan(change, subaccount);
    const request: GrantRequest = {
      ...{ schema: 'ballast-grant-request', version: 1, change: action.kind, wallet: target.name },
      ...{ agent: target.address, account, subaccount },
      validUntilMs: change.kind === 'ApproveAgent' ? change.validUntilMs : 0,
      ...{ nonce: String(nonce), requestId },
    };
    writeRequest(file, signer.documentOf(nonce, canonical), request);
    return request;
  });
}

/**
 * Sends the change of `file` with the main wallet's signature of it. @throws BotError `PREFLIGHT_GRANT_...` when it is of
 * another account or nonce, or not signed by the main wallet; ConfigError `CONFIG_GRANT_FILE_INVALID`.
 */
export async function sendSignedGrant(
  config: string,
  file: string,
  signature: string,
): Promise<readonly MadeGrant[]> {
  const request = readRequest(file);
  return atGateway(config, async (place) => {
    const { source, account, wallets } = place;
    const { subaccount } = source.config.account;
    if (request.account !== account || request.subaccount !== subaccount)
      throw staleRequest(
        `expected ${file} for account ${account} subaccount ${subaccount}, got one for ${request.account} subaccount ${request.subaccount}`,
      );
    const { main } = absentMain(place, signature);
    const address = request.agent as Address;
    const change: GrantChange =
      request.change === 'approve'
        ? { kind: 'ApproveAgent', agent: address, validUntilMs: request.validUntilMs }
        : { kind: 'RevokeAgent', agent: address };
    const { requestId, nonce } = await main.plan(change, subaccount);
    if (requestId !== request.requestId)
      throw staleRequest(
        `expected nonce ${request.nonce} in ${file} to be the next one of the account, which is ${nonce}; or the gateway signs otherwise than when the file was written`,
      );
    const receipt = await main.change(change, subaccount);
    const name = wallets.find((wallet) => wallet.address === address)?.name ?? UNNAMED;
    return [madeOf({ name, address }, change, receipt)];
  });
}

type Place = Awaited<ReturnType<typeof openPlace>>;

/** Calls `use` with the gateway of a configuration, and leaves it. */
async function atGateway<T>(config: string, use: (place: Place) => Promise<T>): Promise<T> {
  const place = await openPlace(loadConfig(config));
  try {
    return await use(place);
  } finally {
    await place.environment.gateway.close();
  }
}

async function openPlace(source: ConfigSource) {
  const { config } = source;
  const log = createLog({ level: config.log.level, isPretty: process.stderr.isTTY });
  const { structs } = operatorStructs(source);
  const crypto = await loadConfiguredCrypto(source);
  const wallets = (await loadWallets(config, crypto, { clock: new SystemClock(), log })).map(
    ({ name, key }) => ({
      name,
      address: key.address as Address,
    }),
  );
  const account = config.account.address;
  if (account === undefined) throw incomplete(source, 'account.address');
  const { baseUrl, headerPrefix } = config.environment;
  if (baseUrl === undefined) throw incomplete(source, 'environment.baseUrl');
  const clock = new SystemClock();
  const environment = await openEnvironment({
    ...{
      baseUrl,
      headerPrefix,
      route: routeOf(config.environment),
      clock,
      random: seededRandom('keys'),
      log,
      meter: silentMeter,
      crypto,
      structs,
    },
  });
  return { source, environment, crypto, structs, wallets, account, clock };
}

/** The main wallet of a configuration, whose key is elsewhere. */
function absentMain({ environment, crypto, structs, account, clock }: Place, signature: string | undefined) {
  const { gateway, domain } = environment;
  const signer = createAbsentSigner({ crypto, owner: account, domain, structs, signature });
  const main = createMainWallet({ client: gateway.client, reader: gateway.reader, signer, clock });
  return { main, signer };
}

/** The wallets of the configuration, or the one that is named; an address may be of any. */
function targetsOf({ source, wallets }: Place, named: string | undefined): readonly Target[] {
  const found = wallets.filter(
    ({ name, address }) => named === undefined || name === named || address === named,
  );
  if (found.length > 0) return found;
  if (named !== undefined && /^0x[0-9a-fA-F]{40}$/.test(named))
    return [{ name: UNNAMED, address: named.toLowerCase() as Address }];
  throw noWallet(source, named);
}

function changeOf(action: GrantAction, { address: agent }: Target, nowMs: number): GrantChange {
  if (action.kind === 'revoke') return { kind: 'RevokeAgent', agent };
  return { kind: 'ApproveAgent', agent, validUntilMs: action.days === 0 ? 0 : nowMs + action.days * DAY_MS };
}

function madeOf(
  { name, address }: Target,
  change: GrantChange,
  { requestId, seq }: { readonly requestId: string; readonly seq: bigint },
): MadeGrant {
  const validUntil = change.kind === 'RevokeAgent' ? 'revoked' : (grantEnd(change.validUntilMs) ?? 'forever');
  return { name, address, validUntil, requestId, seq: String(seq) };
}

function staleRequest(message: string): BotError {
  return new BotError({
    code: 'PREFLIGHT_GRANT_REQUEST_STALE',
    message,
    remedy:
      'Nothing was sent. `ballast keys list` shows whether it took effect before; else write the file again and sign that.',
  });
}

function severalWallets({ config }: ConfigSource): ConfigError {
  return new ConfigError({
    code: 'CONFIG_WALLET_UNKNOWN',
    message: `expected one wallet for one signature, got ${config.wallets.map(({ name }) => name).join(', ')}`,
    remedy: 'Name one with --wallet; each has a file and a signature of its own.',
  });
}

function incomplete({ config }: ConfigSource, key: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_BASE_URL_MISSING',
    message: `expected ${key} in ${config.file}, got nothing (environment ${config.environment.name})`,
    remedy:
      'Name the base URL that the operator of the gateway gave you, and the address of the main wallet.',
  });
}

function noWallet({ config }: ConfigSource, name: string | undefined): ConfigError {
  return new ConfigError({
    code: 'CONFIG_WALLET_UNKNOWN',
    message: `expected ${name === undefined ? 'a wallet' : `wallet ${name}`} in ${config.file}, got ${config.wallets.map((wallet) => wallet.name).join(', ') || 'none'}`,
    remedy: 'Declare it in section wallets.',
  });
}

function otherMainKey(key: SecretKey, expected: string): BotError {
  return new BotError({
    code: 'PREFLIGHT_MAIN_KEY_MISMATCH',
    message: `expected the key of ${expected}, got the key of ${key.address}`,
    remedy: 'Give the key of the main wallet that the configuration names.',
  });
}

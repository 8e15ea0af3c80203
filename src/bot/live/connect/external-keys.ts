/** @module Keys that are elsewhere: a wallet whose signatures another process or a service makes, tried before anything is written with it. */
import { type Config, readKeyFile } from '../../../config/index.ts';
import {
  BotError,
  type Clock,
  ConfigError,
  type Log,
  must,
  secrets,
  secureBytes,
  toHex,
} from '../../../core/index.ts';
import {
  AGENT_EXEC_TYPE,
  agentExecRequest,
  type Crypto,
  type ExternalKey,
  makeAgentExecDigest,
  makeDomain,
  signElsewhere,
} from '../../../wire/crypto/index.ts';
import { type SignerPlan, SignerProcess, SignerService, WatchedSigner } from '../../setup/index.ts';

/** What a key elsewhere is made with. */
interface ExternalKeyPorts {
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly log: Log;
  /** The main wallet; absent: not named. */
  readonly account?: string | undefined;
  /** Certificates of `environment.caFile`; absent: those of Node alone. */
  readonly ca?: string | undefined;
}

/** A first start may load much. */
const TRIES = 3;
const PAUSE_MS = 300;

/**
 * The key of a wallet that its signer has, tried once: a signature over typed data that no exchange knows.
 * @throws ConfigError `CONFIG_SIGNER_UNUSABLE`, `CONFIG_WALLET_IS_MAIN`.
 */
export async function externalKeyOf(
  wallet: string,
  signer: Config['wallets'][number]['signer'],
  { crypto, clock, log, account, ca }: ExternalKeyPorts,
): Promise<ExternalKey> {
  const given = must(signer, 'a signer where there is no key file');
  const { address } = given;
  if (address === account)
    throw new ConfigError({
      code: 'CONFIG_WALLET_IS_MAIN',
      message: `expected an API wallet behind the signer of wallet ${wallet}, got the address of the main wallet itself`,
      remedy: 'Let the signer have the key of an API wallet, and approve that one.',
    });
  const key = newExternalKey(signerPlanOf(wallet, given, ca), address, { clock, log });
  for (let tries = 1; ; tries++) {
    const why = await tryKey(crypto, key);
    if (why === undefined) return key;
    if (tries < TRIES && why.code === 'SIGNER_UNAVAILABLE')
      await new Promise<void>((resolve) => void clock.after(PAUSE_MS * tries, resolve));
    else throw unusable(wallet, why);
  }
}

/** @throws ConfigError `CONFIG_KEY_FILE_UNSAFE`, `CONFIG_KEY_FILE_UNREADABLE` for the file of its token. */
function signerPlanOf(
  wallet: string,
  { command, url, tokenFile, timeout }: NonNullable<Config['wallets'][number]['signer']>,
  ca: string | undefined,
): SignerPlan {
  const named = { wallet, timeoutMs: timeout };
  if (url === undefined) return { ...named, command: must(command, 'a command where there is no url') };
  return { ...named, url, ca, token: tokenFile === undefined ? undefined : readKeyFile(tokenFile) };
}

/** A key elsewhere with its signer, not tried yet. */
export function newExternalKey(
  plan: SignerPlan,
  address: ExternalKey['address'],
  ports: { readonly clock: Clock; readonly log: Log },
): ExternalKey & { readonly signer: WatchedSigner } {
  if ('token' in plan && plan.token !== undefined) secrets.add(plan.token);
  const signer = 'url' in plan ? new SignerService(plan, ports) : new SignerProcess(plan, ports);
  return { address, signer };
}

/** How the signer of a key elsewhere is reached. */
export function planOf({ signer }: ExternalKey): SignerPlan {
  return must(signer instanceof WatchedSigner ? signer.plan : undefined, 'the plan of a signer');
}

/** Why one signature of a key cannot be had; `undefined`: it can. */
export async function tryKey(crypto: Crypto, key: ExternalKey): Promise<BotError | undefined> {
  const domain = makeDomain(crypto, { name: 'ballast tries its signer', version: '1', chainId: 1 });
  const commandHash = secureBytes(32);
  const digest = makeAgentExecDigest(crypto, domain)(commandHash, 0n);
  const parts = { digest: toHex(digest), commandHash: toHex(commandHash), nonce: 0n };
  try {
    const request = agentExecRequest(domain, AGENT_EXEC_TYPE, parts);
    await signElsewhere(crypto, key, { digest: Uint8Array.from(digest), request });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof BotError) return thrown;
    throw thrown;
  }
}

function unusable(wallet: string, why: BotError): ConfigError {
  return new ConfigError({
    code: 'CONFIG_SIGNER_UNUSABLE',
    message: `expected the signer of wallet ${wallet} to sign, but ${why.message}`,
    remedy: 'Try it by hand: docs/guides/external-signers.md has what it must answer.',
    cause: why,
  });
}

export type { SignerPlan };

/** @module Keys that are elsewhere: a wallet whose signatures another process makes, tried before anything is written with it. */
import type { Config } from '../../../config/index.ts';
import {
  BotError,
  type Clock,
  ConfigError,
  type Log,
  must,
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
import { type SignerPlan, SignerProcess } from '../../setup/index.ts';

/** What a key elsewhere is made with. */
interface ExternalKeyPorts {
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly log: Log;
  /** The main wallet; absent: not named. */
  readonly account?: string | undefined;
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
  { crypto, clock, log, account }: ExternalKeyPorts,
): Promise<ExternalKey> {
  const { command, address, timeout } = must(signer, 'a signer where there is no key file');
  if (address === account)
    throw new ConfigError({
      code: 'CONFIG_WALLET_IS_MAIN',
      message: `expected an API wallet behind the signer of wallet ${wallet}, got the address of the main wallet itself`,
      remedy: 'Let the signer have the key of an API wallet, and approve that one.',
    });
  const key = newExternalKey({ wallet, command, timeoutMs: timeout }, address, { clock, log });
  for (let tries = 1; ; tries++) {
    const why = await tryKey(crypto, key);
    if (why === undefined) return key;
    if (tries < TRIES && why.code === 'SIGNER_UNAVAILABLE')
      await new Promise<void>((resolve) => void clock.after(PAUSE_MS * tries, resolve));
    else throw unusable(wallet, why);
  }
}

/** A key elsewhere with its process, not tried yet. */
export function newExternalKey(
  plan: SignerPlan,
  address: ExternalKey['address'],
  ports: { readonly clock: Clock; readonly log: Log },
): ExternalKey & { readonly signer: SignerProcess } {
  return { address, signer: new SignerProcess(plan, ports) };
}

/** How the process of a key elsewhere is started. */
export function planOf({ signer }: ExternalKey): SignerPlan {
  return must(signer instanceof SignerProcess ? signer.plan : undefined, 'the plan of a signer');
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
    remedy: 'Try its command by hand: docs/guides/external-signers.md has what it must answer.',
    cause: why,
  });
}

export type { SignerPlan };

/**
 * @module API wallets made for one run on its own exchange and approved by a funded account of that exchange. Not for
 * any other exchange: the keys are nowhere to be found afterwards.
 */

import type { Environment, LoadedWallet, Signers } from '../../bot/live/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../core/index.ts';
import type { AccountSelection, Address } from '../../domain/index.ts';
import { type Crypto, generateSecretKey, parseSecretKey } from '../../wire/crypto/index.ts';
import { createMainWallet, createMainWalletSigner } from '../../wire/gateway/index.ts';

/** What wallets are made with. */
export interface EphemeralKeyParts {
  /** The gateway of the exchange and what it says about itself. */
  readonly environment: Environment;
  /** Signing, recovery and hashing. */
  readonly crypto: Crypto;
  /** Clock of nonces and grants. */
  readonly clock: Clock;
  /** The checked configuration. */
  readonly config: Config;
  /** Number of the subaccount that is traded, which exists; default 0, the main account. */
  readonly subaccount?: number;
  /** Key of the main wallet of a funded account, hex text. */
  readonly privateKey: string;
  /** What the keys are made of. */
  randomBytes(count: number): Uint8Array;
}

/** Fresh API wallets, approved by the funded account: one for each wallet the strategies name, and the safety wallet. */
export async function ephemeralSigners(parts: EphemeralKeyParts): Promise<Signers> {
  const { environment, crypto, clock, config, subaccount = 0, randomBytes } = parts;
  const key = parseSecretKey(crypto, parts.privateKey);
  const { gateway, domain } = environment;
  const main = createMainWallet({
    client: gateway.client,
    reader: gateway.reader,
    // Ours: a run on its own exchange starts without viem.
    signer: createMainWalletSigner({ crypto, key, domain }),
    clock,
  });
  const selection: AccountSelection = { address: key.address as Address, subaccount };
  const named = new Set(config.strategies.flatMap(({ wallet }) => (wallet === undefined ? [] : [wallet])));
  const trading = named.size === 0 ? ['trading'] : [...named];
  const wallets: LoadedWallet[] = [
    ...trading.map((name) => ({
      name,
      role: 'trading' as const,
      key: generateSecretKey(crypto, randomBytes),
    })),
    { name: 'safety', role: 'safety', key: generateSecretKey(crypto, randomBytes) },
  ];
  const approvedAtSeq = new Map<string, bigint>();
  for (const wallet of wallets) {
    const agent = wallet.key.address as Address;
    const { seq } = await main.change({ kind: 'ApproveAgent', agent, validUntilMs: 0 }, subaccount);
    approvedAtSeq.set(wallet.name, seq);
  }
  return { selection, wallets, approvedAtSeq };
}

/**
 * @module
 * The bot's API wallets over its lives: made and approved in the first, the same in all that follow. When one of them is
 * no longer granted, a person would make new ones before the next start, and take back what is still granted to the old
 * ones: bytes that they have signed could be executed, and nobody is left who could spend their nonces. So does this.
 */

import type { Environment } from '../../src/bot/live/connect/environment.ts';
import type { LoadedWallet } from '../../src/bot/live/connect/wallets.ts';
import type { Signers } from '../../src/bot/live/run.ts';
import { ephemeralSigners } from '../../src/cli/compose/ephemeral-signers.ts';
import type { Config } from '../../src/config/index.ts';
import type { Clock, Random, VirtualClock } from '../../src/core/index.ts';
import type { Address } from '../../src/domain/index.ts';
import type { Exchange } from '../../src/exchange/index.ts';
import type { Crypto } from '../../src/wire/crypto/index.ts';

/** A grant that ends sooner is renewed before a start: the bot itself wants more than the switch's timeout and a minute. */
const GRANT_MS_MIN = 600_000;

/** What wallets are made with. */
export interface SignersParts {
  readonly exchange: Exchange;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly config: Config;
  /** None of them is a safety wallet. */
  readonly isLaneShared: boolean;
  /** The account that has the grants. */
  readonly grantingId: number;
  /** Of the main wallet. */
  readonly address: Address;
  readonly subaccount: number;
  /** Id of the vault that is traded; `undefined`: the account itself. */
  readonly vault: string | undefined;
  readonly privateKey: string;
}

/** See the module. */
export class LifeSigners {
  readonly #parts: SignersParts;
  /** When the grant of an agent ends, 0: never. */
  readonly #grants = new Map<Address, number>();
  #signers: Signers | undefined;
  /** Positions of the approvals of wallets that had not written when the life began (obligation O50). */
  #fresh = new Map<string, bigint>();
  readonly #written = new Set<Address>();
  #rounds = 0;

  constructor(parts: SignersParts) {
    this.#parts = parts;
    parts.exchange.control.watch(({ events, receipt }) => {
      if (receipt?.request.isAgent === true) this.#written.add(receipt.request.signer);
      for (const event of events) {
        if (event.kind === 'AgentApproved' && event.account === parts.grantingId)
          this.#grants.set(event.agent, event.validUntilMs);
        if (event.kind === 'AgentRevoked' && event.account === parts.grantingId)
          this.#grants.delete(event.agent);
      }
    });
  }

  /** The wallets in use. */
  get wallets(): readonly LoadedWallet[] {
    return this.#signers?.wallets ?? [];
  }

  /** The wallets of a life that begins. */
  async of(life: {
    readonly environment: Environment;
    readonly crypto: Crypto;
    readonly clock: Clock;
  }): Promise<Signers> {
    if (
      this.#signers !== undefined &&
      this.wallets.every(({ key }) => this.#isGranted(key.address as Address))
    ) {
      this.#forgetUsed();
      return this.#signers;
    }
    this.#revokeOld();
    const keys = this.#parts.random.fork(`keys ${++this.#rounds}`);
    const made = await ephemeralSigners({
      ...life,
      config: this.#parts.config,
      subaccount: this.#parts.subaccount,
      privateKey: this.#parts.privateKey,
      randomBytes: (count) => Uint8Array.from({ length: count }, () => keys.integer(0, 255)),
    });
    this.#fresh = new Map(made.approvedAtSeq);
    const { isLaneShared } = this.#parts;
    const wallets = made.wallets.filter(({ role }) => !isLaneShared || role === 'trading');
    const { vault } = this.#parts;
    const selection = vault === undefined ? made.selection : { ...made.selection, vault };
    this.#signers = { ...made, selection, wallets, approvedAtSeq: this.#fresh };
    return this.#signers;
  }

  #revokeOld(): void {
    const { exchange, address: owner, subaccount } = this.#parts;
    for (const { key } of this.wallets) {
      const agent = key.address as Address;
      if (this.#grants.has(agent)) exchange.control.revoke({ account: owner, subaccount, agent });
    }
  }

  /** What a life has been told stands, also when a second writer is faster with the wallet than it is itself (F69). */
  #forgetUsed(): void {
    for (const { name, key } of this.wallets)
      if (this.#written.has(key.address as Address)) this.#fresh.delete(name);
  }

  #isGranted(agent: Address): boolean {
    const untilMs = this.#grants.get(agent);
    return untilMs !== undefined && (untilMs === 0 || untilMs > this.#parts.clock.nowMs() + GRANT_MS_MIN);
  }
}

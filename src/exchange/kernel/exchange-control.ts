/**
 * @module
 * What tests and hosts can do to an exchange from outside its interface: money and prices, grants, faults of requests
 * and streams, lag, gaps, a new epoch. Each call does one thing; scenarios are made of them.
 */
import { absent, assert, type Clock, must, type Random } from '../../core/index.ts';
import type { Address, CanonicalCommand, Quantums } from '../../domain/index.ts';
import { quantums } from '../../domain/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import type {
  Authenticator,
  FaultRule,
  GatewayIdentity,
  HistoryGap,
  Publisher,
  RequestFaults,
  WeightLimit,
} from '../api/index.ts';
import type { CommandOutcome, MarketRules, VenueKernel } from '../engine/index.ts';
import type {
  EntryListener,
  ExchangeDomain,
  Operation,
  QuirkId,
  QuirkListener,
  QuirkSwitches,
  Quirks,
  Receipt,
  ReplicaView,
  Sequencer,
} from '../state/index.ts';
import { accountScope, agentScope } from '../state/index.ts';
import { type SeedAccount, seedAccount } from './seed-accounts.ts';

/** What the control works on. */
export interface ControlParts {
  readonly sequencer: Sequencer;
  readonly publisher: Publisher;
  readonly authenticator: Authenticator;
  readonly crypto: Crypto;
  readonly random: Random;
  readonly faults: RequestFaults;
  readonly quirks: QuirkSwitches;
  readonly clock: Clock;
  readonly identity: GatewayIdentity;
  readonly budgets: { readonly ip: WeightLimit; readonly account: WeightLimit };
  readonly setGaps: (gaps: readonly HistoryGap[]) => void;
  readonly runBlock: () => void;
}

/** A wallet with money and approved API wallets. */
export interface FundedSeedAccount extends SeedAccount {
  readonly accountId: number;
}

/** How a funded account is made. */
export interface FundedAccountOptions {
  /** Names the keys; another name, other keys. */
  readonly name?: string;
  /** Default: 1,000,000 USDC. */
  readonly amount?: Quantums;
  /** Default: 2. */
  readonly apiWallets?: number;
  /** Of the grants; default 0: never. */
  readonly validUntilMs?: number;
}

const AMOUNT_DEFAULT = quantums(1_000_000_000_000n);

/** The strings behind an exchange. */
export class ExchangeControl {
  /** How many accounts and epochs it has made: the keys and names of the next ones follow from that. */
  readonly counters = { accountsMade: 0, epochsMade: 0 };
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /** The newest state of the venue, for oracles of tests. */
  get venue(): VenueKernel {
    return this.#parts.sequencer.state.venue;
  }

  /** How open questions are answered now. */
  get quirks(): Quirks {
    return this.#parts.quirks.values;
  }

  /** How many streams are open. */
  get streamCount(): number {
    return [...this.#parts.publisher.connections].length;
  }

  /** Draws of its own, from the seed and `name` alone. */
  random(name: string): Random {
    return this.#parts.random.fork(name);
  }

  /** How far each replica is behind, and how far it has come. */
  replicas(): readonly ReplicaView[] {
    return this.#parts.sequencer.replicas();
  }

  /** The API wallets that an account has granted, expired ones too. */
  agentsOf(account: number): readonly Address[] {
    return this.#parts.sequencer.state.grants.ofAccount(account).map(({ agent }) => agent);
  }

  /** Answers an open question otherwise from now on; one that the log does not ask (see control/settings-actions). */
  setQuirk(id: QuirkId, value: string): void {
    this.#parts.quirks.answer(id, value);
  }

  /** Calls `listener` for each entry of the log from now on: for oracles of tests. It must change nothing. */
  watch(listener: EntryListener): void {
    this.#parts.sequencer.onApplied(listener);
  }

  /** Calls `listener` when something that the interface document leaves open comes up. It must change nothing. */
  onQuirk(listener: QuirkListener): void {
    this.#parts.quirks.onMet(listener);
  }

  /** Wallets out of the seed, without money: the same for the same seed and count. */
  seedAccounts(count: number, apiWalletCount = 2): readonly SeedAccount[] {
    return Array.from({ length: count }, (_none, index) =>
      seedAccount(this.#parts, String(index), apiWalletCount),
    );
  }

  /** A wallet out of the seed with money, its API wallets approved. */
  createFundedAccount(options: FundedAccountOptions = {}): FundedSeedAccount {
    const { amount = AMOUNT_DEFAULT, apiWallets = 2, validUntilMs = 0 } = options;
    const name = options.name ?? String(this.counters.accountsMade++);
    const account = seedAccount(this.#parts, name, apiWallets);
    const accountId = this.fund(account.address, amount);
    for (const { address } of account.apiWallets)
      this.approve({ owner: account.address, agent: address, validUntilMs });
    return { ...account, accountId };
  }

  /** Deposits collateral, or `token`, into a wallet's account, which begins to exist with its first deposit; gives its number. */
  fund(address: Address, amount: bigint, subaccount = 0, token?: number): number {
    const owner = address.toLowerCase() as Address;
    const { account } = this.#parts.sequencer.append({ kind: 'deposit', owner, subaccount, amount, token });
    return must(account, 'the account of the deposit');
  }

  /** Takes cash out of the exchange, by number of the account; false when what is withdrawable does not reach. */
  withdraw(account: number, amount: Quantums): boolean {
    return this.#parts.sequencer.append({ kind: 'withdrawal', account, amount }).isDone === true;
  }

  /** All accounts that can be asked for: of wallets, then of vaults. */
  accountIds(): readonly number[] {
    return Array.from(this.#parts.sequencer.state.holders(), ({ id }) => id);
  }

  /** The number of a wallet's account, `undefined` when it does not exist. */
  accountId(owner: Address, subaccount = 0): number | undefined {
    return this.#parts.sequencer.state.registry.find(owner, subaccount)?.id;
  }

  /** Moves cash between accounts of wallets, by number; false when the sender's cash does not reach. */
  transfer(move: { readonly from: number; readonly to: number; readonly amount: Quantums }): boolean {
    return this.#parts.sequencer.append({ kind: 'transfer', ...move }).isDone === true;
  }

  /** Grants an API wallet, as its owner would; spends a nonce of the account. */
  approve(grant: {
    readonly owner: Address;
    readonly agent: Address;
    readonly validUntilMs?: number;
    readonly subaccount?: number;
  }): void {
    const { agent, validUntilMs = 0 } = grant;
    this.#asOwner(grant, (account) => ({ kind: 'ApproveAgent', account, agent, validUntilMs }));
  }

  /** Takes a grant away, as its owner would; spends a nonce of the account. */
  revoke(grant: { readonly owner: Address; readonly agent: Address; readonly subaccount?: number }): void {
    this.#asOwner(grant, (account) => ({ kind: 'RevokeAgent', account, agent: grant.agent }));
  }

  /** Makes the next subaccount of a wallet; gives its index. Spends a nonce of the main account. */
  createSubaccount(owner: Address): number {
    this.#asOwner({ owner }, (account) => ({ kind: 'CreateSubaccount', account }));
    return this.#parts.sequencer.state.registry.accountsOf(owner).length - 1;
  }

  /** Makes a vault that waits to be claimed; gives its id. `creator` may configure it; left out: nobody may. */
  createFreshVault(name: string, creator?: Address): string {
    const { account } = this.#parts.sequencer.append({ kind: 'freshVault', name, creator });
    return String(must(account, 'the account of the vault'));
  }

  /** Tells the index price of a market, in ticks. */
  setIndexPrice(symbol: string, indexTicks: number): void {
    this.#parts.sequencer.append({ kind: 'indexPrice', market: this.#marketId(symbol), indexTicks });
  }

  /** Changes the status of a market. */
  setMarketStatus(symbol: string, status: string): void {
    this.#parts.sequencer.append({ kind: 'marketStatus', market: this.#marketId(symbol), status });
  }

  /** Runs blocks now, whatever the clock says. */
  runBlocks(count = 1): void {
    for (let i = 0; i < count; i++) this.#parts.runBlock();
  }

  /** Disturbs requests; see {@link FaultRule}. The function it returns ends that. */
  disturb(rule: FaultRule): () => void {
    return this.#parts.faults.add(rule);
  }

  /** Ends all disturbances of requests. */
  calm(): void {
    this.#parts.faults.clear();
  }

  /** Drops all frames from now on, in silence, until {@link forceLagged}. */
  dropFrames(): void {
    for (const connection of this.#parts.publisher.connections) connection.hold();
  }

  /** Tells every subscriber that it lagged: by what {@link dropFrames} dropped and `dropped` more. */
  forceLagged(dropped = 0): void {
    for (const connection of this.#parts.publisher.connections) connection.release(dropped);
  }

  /** Tells every subscriber that it lagged, although nothing was dropped: with a bound that may be old. */
  repeatLagged(upperSeq: number): void {
    const { publisher, sequencer } = this.#parts;
    const upper = Math.min(upperSeq, sequencer.seq);
    for (const connection of publisher.connections) publisher.tellLagged(connection, 0, upper);
  }

  /** Every stream gets a ping of the WebSocket protocol, as from an intermediary that keeps sockets alive. */
  pingStreams(): void {
    const { publisher } = this.#parts;
    for (const connection of publisher.connections) publisher.receivePing(connection);
  }

  /** Closes every stream. */
  disconnectStreams(code = 1012): void {
    const { publisher } = this.#parts;
    for (const connection of publisher.connections) publisher.close(connection, code, 'restart');
  }

  /** Begins a new ledger; positions, balances, orders and nonces stay. Streams are cut as in a restart. */
  changeEpoch(epoch = this.#nextEpoch(), options: { readonly keepStreams?: boolean } = {}): void {
    assert(epoch !== this.#parts.sequencer.state.epoch, `an epoch other than ${epoch}`);
    this.#parts.sequencer.append({ kind: 'epoch', epoch });
    if (options.keepStreams !== true) this.disconnectStreams();
  }

  /** Tears holes into the history; none: mends it. */
  setHistoryGaps(gaps: readonly HistoryGap[]): void {
    this.#parts.setGaps(gaps);
  }

  /** How far reads are behind, in ms: of all replicas, or of one. @throws AssertionError when the exchange was made without a replica. */
  setReplicaLag(lagMs: number, replica?: number): void {
    this.#parts.sequencer.setReplicaLag(lagMs, replica);
  }

  /** How long results stay pending, in ms. */
  setDurabilityLag(lagMs: number): void {
    this.#parts.sequencer.setDurabilityLag(lagMs);
  }

  /** Changes a request budget, in weight per window. */
  setBudget(bucket: 'ip' | 'account', quota: number): void {
    this.#parts.budgets[bucket].setQuota(quota);
  }

  /** Somebody else behind the same address (`ip`) or main wallet (`account`) uses part of a budget, if it is there. */
  useBudget(bucket: 'ip' | 'account', key: string, weight: number): boolean {
    return this.#parts.budgets[bucket].charge(key, weight).isWithin;
  }

  /** Which share of the requests is answered by the replica that is behind; the others see the newest state. */
  setReplicaShare(share: number): void {
    this.#parts.sequencer.setReplicaShare(share);
  }

  /** The signing domain from now on. Writes that were signed for another are refused. */
  setDomain(domain: ExchangeDomain): void {
    this.#parts.identity.domain = domain;
    this.#parts.authenticator.setDomain(domain);
  }

  /** How far the clock that the gateway tells is from the clock of the blocks; asked at each answer and pong. */
  setServerClock(skewMs: () => number): void {
    this.#parts.identity.skewMs = skewMs;
  }

  /** Changes tick, lot or minimum of a market. */
  setMarketRules(symbol: string, rules: MarketRules): void {
    this.#parts.sequencer.append({ kind: 'marketRules', market: this.#marketId(symbol), rules });
  }

  /** Fires an armed switch now; false when it was not armed. */
  fireSwitch(account: number): boolean {
    return this.#parts.sequencer.append({ kind: 'endSwitch', account, how: 'fire' }).events.length > 0;
  }

  /** Smallest distance of a schedule-cancel trigger from now on: a large one rejects every arm. */
  setSwitchLead(leadMs: number): void {
    this.#parts.sequencer.append({ kind: 'switchLead', leadMs });
  }

  /** Funding settles with the next block. */
  settleFunding(): void {
    this.#parts.sequencer.append({ kind: 'fundingDue' });
  }

  /** Makes an account that belongs to no wallet, for {@link execute}. */
  createParticipant(cash: Quantums): number {
    return must(this.#parts.sequencer.append({ kind: 'flowAccount', cash }).account, 'the new account');
  }

  /** Executes a command without a signature: for a participant, or on an account as the exchange's own engines would. */
  execute(command: CanonicalCommand): CommandOutcome {
    return must(this.#parts.sequencer.append({ kind: 'flowCommand', command }).outcome, 'the outcome');
  }

  /**
   * Carries out an operation as the main wallet of `owner`, or as one of its API wallets, would have it signed.
   * `aheadBy`: skips so many nonces.
   */
  submit(
    by: {
      readonly owner: Address;
      readonly subaccount?: number;
      readonly agent?: Address;
      readonly aheadBy?: bigint;
    },
    operationOf: (account: number) => Operation,
  ): Receipt {
    const { sequencer, authenticator } = this.#parts;
    const { owner, subaccount = 0, agent, aheadBy = 0n } = by;
    const { id: account } =
      sequencer.state.registry.find(owner, subaccount) ?? absent(`an account of ${owner}`);
    const scope = agent === undefined ? accountScope(account) : agentScope(agent);
    const nonce = sequencer.state.nonces.next(scope) + aheadBy;
    const operation = operationOf(account);
    const request =
      agent === undefined
        ? authenticator.ownersRequest(operation, owner, nonce)
        : must(authenticator.agentsRequest(operation, agent, nonce), 'an operation of API wallets');
    return must(sequencer.append({ kind: 'request', request }).receipt, 'the receipt of a request');
  }

  /**
   * Restarts the exchange: for `downMs` nobody is at home, then it goes on where it was. With `rollBackTo` what came
   * after that position never happened and a new ledger begins; that takes an exchange made with `keepsLog`.
   */
  restart({ downMs, rollBackTo }: { readonly downMs: number; readonly rollBackTo?: number }): void {
    const { identity, clock, sequencer } = this.#parts;
    if (identity.isDown) return;
    identity.isDown = true;
    this.disconnectStreams();
    if (rollBackTo !== undefined) {
      const epoch = this.#nextEpoch();
      sequencer.rollBack(rollBackTo);
      sequencer.append({ kind: 'epoch', epoch, rolledBackTo: rollBackTo });
    }
    clock.after(downMs, () => {
      identity.isDown = false;
      this.#endSwitchesAtReturn();
      // Nobody is served with the time of the block before the fall.
      this.#parts.runBlock();
    });
  }

  /** Whether armed switches outlive a restart is not said anywhere (ambiguity A14). */
  #endSwitchesAtReturn(): void {
    const { sequencer, quirks } = this.#parts;
    for (const { id } of sequencer.state.holders()) {
      if (this.venue.account(id).scheduleCancelAtMs === 0 || quirks.takes('A14', 'kept')) continue;
      sequencer.append({ kind: 'endSwitch', account: id, how: 'forget' });
    }
  }

  /** Its digits alone are another epoch too, so that it may be told as an integer (ambiguity A12). */
  #nextEpoch(): string {
    const { sequencer, clock, random } = this.#parts;
    const { epoch } = sequencer.state;
    const drawn = random.fork(`epoch ${++this.counters.epochsMade}`).integer(1, 4_000_000);
    return /^[0-9]+$/.test(epoch) ? `${clock.nowMs()}${drawn}` : `k${clock.nowMs()}000000-${drawn}`;
  }

  #asOwner(
    { owner, subaccount = 0 }: { readonly owner: Address; readonly subaccount?: number },
    operationOf: (account: number) => Operation,
  ): void {
    const receipt = this.submit({ owner, subaccount }, operationOf);
    assert(receipt.status === 'executed', `an executed operation, was ${receipt.reason}`);
  }

  #marketId(symbol: string): number {
    const view = this.venue.markets().find(({ market }) => market.symbol === symbol);
    return must(view, `the market ${symbol}`).market.signingMarketId;
  }
}

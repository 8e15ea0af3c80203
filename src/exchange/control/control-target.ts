/**
 * @module
 * What control actions work on: the parts of one exchange, and what belongs to people who control it (accounts by name,
 * faults by number, the exchange's own participant). Beside the actions it has what only code can ask for: listeners,
 * faults with functions, commands without a signature.
 */
import {
  absent,
  actionRefused,
  assert,
  type Clock,
  describeJson,
  type Hex,
  invalidField,
  must,
  parseScaled,
  type Random,
} from '../../core/index.ts';
import {
  type Address,
  type CanonicalCommand,
  type Lots,
  type Market,
  parsePrice,
  parseSize,
  type Quantums,
  quantums,
  type Ticks,
} from '../../domain/index.ts';
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
import type { CommandOutcome, VenueKernel } from '../engine/index.ts';
import type {
  Applied,
  EntryListener,
  LogEntry,
  Operation,
  QuirkListener,
  QuirkSwitches,
  Quirks,
  Receipt,
  ReplicaView,
  ResolvedSettings,
  Sequencer,
} from '../state/index.ts';
import { accountScope, agentScope, COLLATERAL_DECIMALS, epochName } from '../state/index.ts';
import { type SeedAccount, seedAccount } from './seed-accounts.ts';

/** The parts of an exchange that actions work on. */
export interface ControlParts {
  /** Settings with all defaults filled in. */
  readonly settings: ResolvedSettings;
  /** The log of the exchange and its state. */
  readonly sequencer: Sequencer;
  /** Sends frames to subscribers. */
  readonly publisher: Publisher;
  /** Verifies signatures and decodes commands. */
  readonly authenticator: Authenticator;
  /** Signing, recovery and hashing. */
  readonly crypto: Crypto;
  /** Random generator, from the seed. */
  readonly random: Random;
  /** Faults that requests meet. */
  readonly faults: RequestFaults;
  /** Chosen answers to the open points of the interface. */
  readonly quirks: QuirkSwitches;
  /** Clock of the exchange. */
  readonly clock: Clock;
  /** Reported domain and clock. */
  readonly identity: GatewayIdentity;
  readonly weightLimits: { readonly ip: WeightLimit; readonly account: WeightLimit };
  /** Replaces the seq ranges missing from histories. */
  readonly setGaps: (gaps: readonly HistoryGap[]) => void;
  /** Produces one block now. */
  readonly runBlock: () => void;
}

/** What only the host of an exchange can do: move its clock, keep it as text, serve another one instead. */
export interface ControlHost {
  /** `undefined`: time cannot be moved from here. */
  readonly controlledClock:
    | (Pick<Clock, 'nowMs'> & { readonly mode: string; advance(durationMs: number): Promise<void> })
    | undefined;
  /** A snapshot of the exchange. @throws BotError `SNAPSHOT_UNAVAILABLE`, `CONTROL_REFUSED`. */
  snapshot(): string;
  /** Writes a snapshot to the file that was named at the start; gives its length. @throws BotError `CONTROL_REFUSED`. */
  save(): number;
  /**
   * Serves the exchange of a snapshot instead of this one. @throws BotError `SNAPSHOT_...`; then nothing has changed.
   */
  restore(text: string): { readonly seq: number; readonly nowMs: number };
}

/** An account that the action `account` made, with its ephemeral keys. */
export interface NamedAccount {
  /** Unique name. */
  readonly name: string;
  /** Address of the wallet. */
  readonly address: Address;
  /** Private key, 0x and 64 hexadecimal digits. */
  readonly privateKey: Hex;
  /** Account number of the venue. */
  readonly accountId: number;
  readonly apiWallets: readonly { readonly address: Address; readonly privateKey: Hex }[];
}

/** A funded wallet with approved API wallets. */
export interface FundedSeedAccount extends SeedAccount {
  /** Account number of the venue. */
  readonly accountId: number;
}

/** How a funded account is made. */
export interface FundedAccountOptions {
  /** Names the keys; another name, other keys. */
  readonly name?: string;
  /** Default: 1,000,000 USDC. */
  readonly balance?: Quantums;
  /** Default: 2. */
  readonly apiWallets?: number;
  /** Of the grants; default 0: never. */
  readonly validUntilMs?: number;
}

/** What a snapshot keeps of a control. */
export interface ControlState {
  /** How many accounts and epochs it has made: the keys and names of the next ones follow from that. */
  readonly counters: { readonly accountsMade: number; readonly epochsMade: number };
  /** Funded accounts with their keys. */
  readonly accounts: readonly NamedAccount[];
  /** Account of the exchange's own participant; `undefined`: none yet. */
  readonly participant: number | undefined;
}

const BALANCE_DEFAULT = quantums(1_000_000_000_000n);
/** Accounts that one exchange makes by name. */
const ACCOUNTS_MAX = 10_000;

/** The target of the table of control actions. */
export class ControlTarget {
  /** The exchange itself: for actions. */
  readonly parts: ControlParts;
  /** Set by who hosts the exchange; absent: it has one clock and no snapshots. */
  host: ControlHost | undefined;
  readonly #counters = { accountsMade: 0, epochsMade: 0 };
  readonly #accounts = new Map<string, NamedAccount>();
  readonly #faults = new Map<number, () => void>();
  #faultsMade = 0;
  #participant: number | undefined;
  #draws: Random | undefined;

  constructor(parts: ControlParts) {
    this.parts = parts;
  }

  /** The newest state of the venue, for oracles of tests. */
  get venue(): VenueKernel {
    return this.parts.sequencer.state.venue;
  }

  /** The last log position. */
  get seq(): number {
    return this.parts.sequencer.seq;
  }

  /** How open questions are answered now. */
  get quirks(): Quirks {
    return this.parts.quirks.values;
  }

  /** How many streams are open. */
  get streamCount(): number {
    return [...this.parts.publisher.connections].length;
  }

  /** Its own random generator, from the seed and `name` only. */
  random(name: string): Random {
    return this.parts.random.fork(name);
  }

  /** Draws for faults that hit with a probability. */
  get draws(): Random {
    this.#draws ??= this.random('control');
    return this.#draws;
  }

  /** The lag and the position of each replica. */
  replicas(): readonly ReplicaView[] {
    return this.parts.sequencer.replicas();
  }

  /** Calls `listener` for each entry of the log from now on: for oracles of tests. It must change nothing. */
  watch(listener: EntryListener): void {
    this.parts.sequencer.onApplied(listener);
  }

  /** Calls `listener` when something that the interface document leaves open comes up. It must change nothing. */
  onQuirk(listener: QuirkListener): void {
    this.parts.quirks.onMet(listener);
  }

  /** Adds an entry to the log; gives what it did. */
  append(entry: LogEntry): Applied {
    return this.parts.sequencer.append(entry);
  }

  /** Wallets out of the seed, without funds: the same for the same seed and count. */
  seedAccounts(count: number, apiWalletCount = 2): readonly SeedAccount[] {
    return Array.from({ length: count }, (_none, index) =>
      seedAccount(this.parts, String(index), apiWalletCount),
    );
  }

  /** A funded wallet out of the seed, its API wallets approved. */
  createFundedAccount(options: FundedAccountOptions = {}): FundedSeedAccount {
    const { balance = BALANCE_DEFAULT, apiWallets = 2, validUntilMs = 0 } = options;
    const name = options.name ?? String(this.#counters.accountsMade++);
    const made = seedAccount(this.parts, name, apiWallets);
    const accountId = this.deposit(made.address, balance);
    for (const { address: agent } of made.apiWallets)
      this.asOwner(made.address, 0, (account) => ({ kind: 'ApproveAgent', account, agent, validUntilMs }));
    return { ...made, accountId };
  }

  /** Deposits into a wallet's account, which begins to exist with its first deposit; gives its number. Default: USDC. */
  deposit(address: Address, amount: bigint, subaccount = 0, token?: number): number {
    const owner = address.toLowerCase() as Address;
    const { account } = this.append({ kind: 'deposit', owner, subaccount, amount, token });
    return must(account, 'the account of the deposit');
  }

  /** All accounts that can be asked for: of wallets, then of vaults. */
  accountIds(): readonly number[] {
    return Array.from(this.parts.sequencer.state.holders(), ({ id }) => id);
  }

  /** The number of a wallet's account, `undefined` when it does not exist. */
  accountId(owner: Address, subaccount = 0): number | undefined {
    return this.parts.sequencer.state.registry.find(owner, subaccount)?.id;
  }

  /**
   * Disturbs requests as the action `fault` does, with functions instead of patterns. The function it returns ends
   * that.
   */
  disturb(rule: FaultRule): () => void {
    return this.parts.faults.add(rule);
  }

  /** Makes an account that belongs to no wallet, for {@link execute}. */
  createParticipant(cash: Quantums): number {
    return must(this.append({ kind: 'flowAccount', cash }).account, 'the new account');
  }

  /** Executes a command without a signature: for a participant, or on an account as the exchange's own engines would. */
  execute(command: CanonicalCommand): CommandOutcome {
    return must(this.append({ kind: 'flowCommand', command }).outcome, 'the outcome');
  }

  /**
   * Carries out an operation as the main wallet of `owner`, or as one of its API wallets, would have it signed.
   * `aheadBy`: skips this many nonces.
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
    const { sequencer, authenticator } = this.parts;
    const { owner, subaccount = 0, agent, aheadBy = 0n } = by;
    const account = this.accountId(owner, subaccount) ?? absent(`an account of ${owner}`);
    const scope = agent === undefined ? accountScope(account) : agentScope(agent);
    const nonce = sequencer.state.nonces.next(scope) + aheadBy;
    const operation = operationOf(account);
    const request =
      agent === undefined
        ? authenticator.ownersRequest(operation, owner, nonce)
        : must(authenticator.agentsRequest(operation, agent, nonce), 'an operation of API wallets');
    return must(this.append({ kind: 'request', request }).receipt, 'the receipt of a request');
  }

  /** Carries out an operation as the main wallet of `owner`; it consumes a nonce of the account. */
  asOwner(owner: Address, subaccount: number, operationOf: (account: number) => Operation): void {
    const receipt = this.submit({ owner, subaccount }, operationOf);
    assert(receipt.status === 'executed', `an executed operation, got ${receipt.reason}`);
  }

  /** The accounts that the action `account` made, oldest first. */
  get accounts(): readonly NamedAccount[] {
    return [...this.#accounts.values()];
  }

  /** Makes a funded account of a name with approved API wallets. @throws BotError `CONTROL_REFUSED`. */
  makeAccount(
    options: Required<Omit<FundedAccountOptions, 'name'>> & { readonly name: string | undefined },
  ): NamedAccount {
    const name = options.name ?? this.#freeName();
    if (this.#accounts.has(name))
      throw actionRefused(`the name ${describeJson(name)} is taken`, 'Take another name.');
    if (this.#accounts.size >= ACCOUNTS_MAX)
      throw actionRefused(
        `${ACCOUNTS_MAX} accounts were made`,
        'Use existing accounts, or start another exchange.',
      );
    const { address, privateKey, accountId, apiWallets } = this.createFundedAccount({ ...options, name });
    const keys = apiWallets.map((one) => ({ address: one.address, privateKey: one.privateKey }));
    const account = { name, address, privateKey, accountId, apiWallets: keys };
    this.#accounts.set(name, account);
    return account;
  }

  /** The address that a wallet parameter means. @throws BotError `CONTROL_INVALID`. */
  addressOf(field: string, wallet: string): Address {
    const named = this.#accounts.get(wallet);
    if (named !== undefined) return named.address;
    if (/^0x[0-9a-f]{40}$/i.test(wallet)) return wallet.toLowerCase() as Address;
    const names = [...this.#accounts.keys()].slice(0, 10).join(', ') || 'none';
    throw invalidField(field, `a wallet address, or the name of an account made here (${names})`, wallet);
  }

  /** The number of an account. @throws BotError `CONTROL_INVALID`, `CONTROL_REFUSED`. */
  accountIdOf(field: string, wallet: string | number, subaccount: number): number {
    if (typeof wallet === 'number') return wallet;
    const id = this.accountId(this.addressOf(field, wallet), subaccount);
    if (id === undefined)
      throw actionRefused(
        `${wallet} has no subaccount ${subaccount} at this exchange`,
        'Fund it with `fund`, or make the subaccount with `subaccount`.',
      );
    return id;
  }

  /** The market of a symbol. @throws BotError `CONTROL_INVALID`. */
  marketOf(symbol: string): Market {
    const markets = this.venue.markets().map(({ market }) => market);
    const market = markets.find((one) => one.symbol === symbol);
    if (market === undefined)
      throw invalidField('symbol', `one of ${markets.map((one) => one.symbol).join(', ')}`, symbol);
    return market;
  }

  /** A price in ticks. @throws BotError `CONTROL_INVALID`. */
  ticksOf(market: Market, field: string, price: string | Ticks): Ticks {
    const value = typeof price === 'string' ? parsePrice(market, price) : price;
    if (value !== undefined) return value;
    const expected = `a price above zero with at most ${market.priceDecimals} decimals, on the tick`;
    throw invalidField(field, expected, price);
  }

  /** A size in lots. @throws BotError `CONTROL_INVALID`. */
  lotsOf(market: Market, field: string, size: string | Lots): Lots {
    const value = typeof size === 'string' ? parseSize(market, size) : size;
    if (value !== undefined) return value;
    const expected = `a size above zero with at most ${market.sizeDecimals} decimals, on the lot`;
    throw invalidField(field, expected, size);
  }

  /** An amount of a token in its smallest unit; default USDC. @throws BotError `CONTROL_INVALID`. */
  amountOf(field: string, amount: string | bigint, decimals = COLLATERAL_DECIMALS): Quantums {
    const value = typeof amount === 'string' ? parseScaled(amount, decimals) : amount;
    if (value === undefined) throw invalidField(field, `an amount with at most ${decimals} decimals`, amount);
    return quantums(value);
  }

  /** Remembers how a fault ends; gives its number. */
  keepFault(end: () => void): number {
    const id = ++this.#faultsMade;
    this.#faults.set(id, end);
    return id;
  }

  /** Ends one fault, or all. @throws BotError `CONTROL_INVALID`. */
  endFaults(id: number | undefined): void {
    if (id === undefined) {
      this.#faults.clear();
      this.parts.faults.clear();
      this.parts.publisher.faults.clear();
      return;
    }
    const end = this.#faults.get(id);
    if (end === undefined) throw invalidField('id', 'the id that the action fault gave', id);
    end();
    this.#faults.delete(id);
  }

  /** The account of the exchange's own that trades against people; made when it is first needed. */
  participant(): number {
    this.#participant ??= this.createParticipant(quantums(10n ** 15n));
    return this.#participant;
  }

  /** The next name of an epoch. Only digits after an epoch of digits, so that it may be shown as an integer (quirk A12). */
  nextEpoch(): string {
    const { sequencer, clock, random } = this.parts;
    const source = random.fork(`epoch ${++this.#counters.epochsMade}`);
    return epochName(clock.nowMs(), source, /^[0-9]+$/.test(sequencer.state.epoch));
  }

  /** Closes every stream. */
  closeStreams(code: number): void {
    const { publisher } = this.parts;
    for (const connection of publisher.connections) publisher.close(connection, code, 'restart');
  }

  /** What a snapshot keeps of it. */
  savedState(): ControlState {
    return { counters: { ...this.#counters }, accounts: this.accounts, participant: this.#participant };
  }

  /** Takes over what a snapshot kept. */
  resume({ counters, accounts, participant }: ControlState): void {
    Object.assign(this.#counters, counters);
    this.#participant = participant;
    for (const account of accounts) this.#accounts.set(account.name, account);
  }

  #freeName(): string {
    let at = this.#accounts.size;
    while (this.#accounts.has(String(at))) at++;
    return String(at);
  }
}

/**
 * @module
 * Where control actions are carried out: on one exchange, with its clock and the accounts that were made for people. HTTP
 * and scenarios come here; what an action does stands in the table.
 */
import { type Clock, must, parseScaled, type Random } from '../../core/index.ts';
import { type Address, type Market, quantums } from '../../domain/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import type { ControlledClock, Exchange, NamedAccount } from '../kernel/index.ts';
import { loadSnapshot, takeSnapshot } from '../snapshot/index.ts';
import { COLLATERAL_DECIMALS } from '../state/index.ts';
import { invalidField, refused } from './errors.ts';
import { describeValue } from './parameters.ts';

/** What the control works on. */
export interface ControlApiParts {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Absent: time cannot be moved from here. */
  readonly controlledClock?: ControlledClock;
  /** Seed and cryptography of the exchange; absent: no snapshots. */
  readonly origin?: { readonly seed: number; readonly crypto: Crypto };
  /** Where the action `save` writes to; absent: nowhere. */
  readonly saveSnapshot?: (text: string) => void;
}

/** Accounts that are made through one control API. */
const ACCOUNTS_MAX = 10_000;

/** What actions work on. */
export class ControlApi {
  #exchange: Exchange;
  readonly clock: Clock;
  readonly controlledClock: ControlledClock | undefined;
  readonly #accounts = new Map<string, NamedAccount>();
  readonly #faults = new Map<number, () => void>();
  #faultsMade = 0;
  #participant: number | undefined;
  #random: Random;
  readonly #parts: ControlApiParts;
  readonly #onReplaced: (() => void)[] = [];

  constructor(parts: ControlApiParts) {
    this.#parts = parts;
    this.#exchange = parts.exchange;
    this.clock = parts.clock;
    this.controlledClock = parts.controlledClock;
    this.#random = parts.exchange.control.random('control');
  }

  /** What is served now; after {@link restore} it is another one. */
  get exchange(): Exchange {
    return this.#exchange;
  }

  /** A snapshot of the exchange. @throws BotError `SNAPSHOT_UNAVAILABLE`, `CONTROL_REFUSED`. */
  snapshot(): string {
    const { seed } = this.#origin();
    const people = {
      seed,
      nowMs: this.clock.nowMs(),
      accounts: this.accounts,
      participant: this.#participant,
    };
    return takeSnapshot(this.#exchange, people);
  }

  /** Writes a snapshot to the file that was named at the start; gives its length. */
  save(): number {
    const { saveSnapshot } = this.#parts;
    if (saveSnapshot === undefined)
      throw refused('no file was named for snapshots', 'Start the exchange with --snapshot-out.');
    const text = this.snapshot();
    saveSnapshot(text);
    return text.length;
  }

  /**
   * Serves the exchange of a snapshot in place of this one, at the time it was taken. Streams are cut, faults that waited
   * are gone. @throws BotError `SNAPSHOT_DAMAGED`, `SNAPSHOT_VERSION_UNSUPPORTED`, `SNAPSHOT_DIVERGED`; then nothing has changed.
   */
  restore(text: string): void {
    const { crypto } = this.#origin();
    if (this.controlledClock === undefined)
      throw refused('the clock of this exchange cannot be moved', 'Start it with `ballast sim`.');
    const { exchange, head } = loadSnapshot(text, { clock: this.controlledClock, crypto });
    this.#exchange.stop();
    for (const listener of this.#onReplaced.splice(0)) listener();
    this.#exchange = exchange;
    this.#random = exchange.control.random('control');
    this.#participant = head.participant;
    this.#faults.clear();
    this.#accounts.clear();
    for (const account of head.accounts) this.#accounts.set(account.name, account);
    exchange.resume();
  }

  /** Calls `listener` once, when another exchange takes the place of this one. */
  onReplaced(listener: () => void): void {
    this.#onReplaced.push(listener);
  }

  #origin(): Required<ControlApiParts>['origin'] {
    const { origin } = this.#parts;
    if (origin === undefined)
      throw refused('this exchange knows no snapshots', 'Start it with `ballast sim`.');
    return origin;
  }

  /** The accounts that were made here, oldest first. */
  get accounts(): readonly NamedAccount[] {
    return [...this.#accounts.values()];
  }

  /** Draws for faults that hit by chance. */
  get random(): Random {
    return this.#random;
  }

  /** Makes an account with money and approved API wallets. */
  makeAccount(asked: {
    readonly name: string | undefined;
    readonly balance: string;
    readonly apiWallets: number;
    readonly validUntilMs: number;
  }): NamedAccount {
    const name = asked.name ?? this.#freeName();
    if (this.#accounts.has(name))
      throw refused(`the name ${describeValue(name)} is taken`, 'Take another name.');
    if (this.#accounts.size >= ACCOUNTS_MAX)
      throw refused(`${ACCOUNTS_MAX} accounts were made`, 'Use those that are there, or start anew.');
    const made = this.exchange.control.createFundedAccount({
      name,
      amount: quantums(this.amountOf('balance', asked.balance)),
      apiWallets: asked.apiWallets,
      validUntilMs: asked.validUntilMs,
    });
    const account: NamedAccount = {
      name,
      address: made.address,
      privateKey: made.privateKey,
      accountId: made.accountId,
      apiWallets: made.apiWallets.map(({ address, privateKey }) => ({ address, privateKey })),
    };
    this.#accounts.set(name, account);
    return account;
  }

  /** The address that a wallet parameter means. */
  addressOf(field: string, wallet: string): Address {
    const named = this.#accounts.get(wallet);
    if (named !== undefined) return named.address;
    if (/^0x[0-9a-f]{40}$/.test(wallet)) return wallet as Address;
    const names = [...this.#accounts.keys()].slice(0, 10).join(', ') || 'none';
    throw invalidField(field, `a wallet address, or the name of an account made here (${names})`, wallet);
  }

  /** The number of an account. */
  accountIdOf(field: string, wallet: string, subaccount: number): number {
    const id = this.exchange.control.accountId(this.addressOf(field, wallet), subaccount);
    if (id === undefined)
      throw refused(
        `${wallet} has no subaccount ${subaccount} at this exchange`,
        'Give it money with `fund`, or make the subaccount with `subaccount`.',
      );
    return id;
  }

  /** The market of a symbol. */
  marketOf(symbol: string): Market {
    const markets = this.exchange.control.venue.markets().map(({ market }) => market);
    const market = markets.find((one) => one.symbol === symbol);
    if (market === undefined)
      throw invalidField('symbol', `one of ${markets.map((one) => one.symbol).join(', ')}`, symbol);
    return market;
  }

  /** An amount of a token, of USDC where none is named, in its smallest unit. */
  amountOf(field: string, amount: string, decimals = COLLATERAL_DECIMALS): bigint {
    const value = parseScaled(amount, decimals);
    if (value === undefined) throw invalidField(field, `an amount with at most ${decimals} decimals`, amount);
    return value;
  }

  /** Remembers how a fault ends; gives its number. */
  keepFault(end: () => void): number {
    const id = ++this.#faultsMade;
    this.#faults.set(id, end);
    return id;
  }

  /** Ends one fault, or all. */
  endFaults(id: number | undefined): void {
    if (id === undefined) {
      this.#faults.clear();
      this.exchange.control.calm();
      return;
    }
    const end = this.#faults.get(id);
    if (end === undefined) throw invalidField('id', 'the id that the action fault gave', id);
    end();
    this.#faults.delete(id);
  }

  /** The account of the exchange's own that trades against people; made when it is first needed. */
  participant(): number {
    this.#participant ??= this.exchange.control.createParticipant(quantums(10n ** 15n));
    return must(this.#participant, 'a participant');
  }

  #freeName(): string {
    let at = this.#accounts.size;
    while (this.#accounts.has(String(at))) at++;
    return String(at);
  }
}

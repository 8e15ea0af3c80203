/**
 * @module
 * The exchange as a state machine: entries of the log go in one by one, events and receipts come out. It reads no
 * clock and draws nothing; two of them fed the same entries are equal. Not here: signatures, JSON, subscribers.
 */
import { assertNever, must } from '../../core/index.ts';
import {
  type Address,
  type CanonicalCommand,
  type MainWalletOperation,
  quantums,
  type VaultOperation,
} from '../../domain/index.ts';
import {
  type CommandOutcome,
  createVenue,
  HOUSE_ACCOUNT,
  type LogPosition,
  type VenueEvent,
  type VenueKernel,
} from '../engine/index.ts';
import { type AccessTables, refusalOf } from './authorize.ts';
import { deployersOf } from './dexes.ts';
import type { Applied, ForcedRejection, LogEntry } from './entry.ts';
import type { AccessEvent, ExchangeEvent } from './event.ts';
import { Grants } from './grants.ts';
import { History } from './history.ts';
import { makeReceipt, type Outcome } from './make-receipt.ts';
import { AgentScopes, accountScope, agentScope, Nonces } from './nonces.ts';
import { openingEntries } from './opening.ts';
import { Portfolios } from './portfolios.ts';
import type { QuirkSwitches } from './quirks.ts';
import { Receipts } from './receipts.ts';
import { Registry } from './registry.ts';
import type { Receipt, VerifiedRequest } from './request.ts';
import type { ResolvedSettings } from './settings.ts';
import { TokenBalances } from './token-balances.ts';
import { COLLATERAL } from './tokens.ts';
import { VaultLedger } from './vault-ledger.ts';
import { type AccountHolder, Vaults } from './vaults.ts';
import { Withdrawals } from './withdrawals.ts';

/** An operation of the venue or of a vault, or one about access. */
type AccessOutcome = Outcome | { readonly access: AccessBody };
type AccessBody =
  | Omit<Extract<AccessEvent, { kind: 'AgentApproved' }>, keyof LogPosition | 'idx'>
  | Omit<Extract<AccessEvent, { kind: 'AgentRevoked' }>, keyof LogPosition | 'idx'>
  | Omit<Extract<AccessEvent, { kind: 'SubaccountCreated' }>, keyof LogPosition | 'idx'>;

/** Subaccounts of one wallet at most (own choice: no limit is shown). */
const SUBACCOUNTS_MAX = 100;

/** One copy of everything the exchange knows. */
export class ExchangeState implements AccessTables {
  readonly venue: VenueKernel;
  readonly registry = new Registry();
  readonly grants = new Grants();
  readonly nonces: Nonces;
  readonly vaults = new Vaults();
  readonly vaultDesk: VaultLedger;
  readonly portfolios = new Portfolios();
  readonly withdrawals = new Withdrawals();
  readonly tokens = new TokenBalances();
  readonly quirks: QuirkSwitches;
  readonly #settings: ResolvedSettings;
  readonly #agentScopes = new AgentScopes();
  #receipts: Receipts;
  #history: History;
  #epoch: string;
  #seq = 0;
  #blockAtMs = 0;

  constructor(settings: ResolvedSettings, epoch: string, quirks: QuirkSwitches) {
    this.#settings = settings;
    this.quirks = quirks;
    this.venue = createVenue(settings);
    this.nonces = new Nonces(settings.receiptsMax);
    this.#epoch = epoch;
    this.#receipts = new Receipts(settings.receiptsMax);
    this.#history = this.#freshHistory();
    for (const deployer of deployersOf(settings.dexes)) this.#own(deployer);
    const { venue, registry, vaults } = this;
    this.vaultDesk = new VaultLedger({ venue, registry, vaults, openAccount: () => this.#openAccount() });
  }

  /** The position of the last entry that was applied. */
  get seq(): number {
    return this.#seq;
  }

  /** Time of the block of the last entry. */
  get blockAtMs(): number {
    return this.#blockAtMs;
  }

  /** The ledger's life; histories and receipts belong to one. */
  get epoch(): string {
    return this.#epoch;
  }

  /** Receipts of this epoch. */
  get receipts(): Receipts {
    return this.#receipts;
  }

  /** The past within this epoch. */
  get history(): History {
    return this.#history;
  }

  /** Who can ask for the account of this number; `undefined` for background accounts. */
  holder(id: number): AccountHolder | undefined {
    return this.registry.byId(id) ?? this.vaults.byId(id);
  }

  /** All accounts that can be asked for. */
  *holders(): Generator<AccountHolder> {
    yield* this.registry.all();
    yield* this.vaults.all();
  }

  /** Executes one entry and remembers what it led to. Positions ascend. */
  apply(entry: LogEntry, at: LogPosition): Applied {
    this.#seq = at.seq;
    this.#blockAtMs = at.blockAtMs;
    const applied = this.#execute(entry, at);
    for (const event of applied.events) this.#history.record(event);
    if (entry.kind === 'block') {
      if (this.portfolios.isDue(at.blockAtMs)) this.#sampleValues();
    } else if (movesMoney(entry, applied.receipt)) {
      this.portfolios.noteMoved(applied.events, at.blockAtMs, this.#equityOf);
    }
    return applied;
  }

  readonly #equityOf = (account: number): bigint => this.venue.account(account).equity;

  /** Once in an hour: what all accounts and vaults are worth. */
  #sampleValues(): void {
    this.portfolios.sample(this.#blockAtMs, this.#equityOf);
    this.vaultDesk.sampleAll(this.#blockAtMs);
  }

  #execute(entry: LogEntry, at: LogPosition): Applied {
    switch (entry.kind) {
      case 'block':
        return { events: this.#noteSweep(this.venue.beginBlock(at)) };
      case 'request':
        return this.#request(entry, at);
      case 'deposit':
        return this.#deposit(entry, at);
      case 'transfer': {
        const events = this.venue.transfer(entry, at);
        return { events: events === false ? [] : events, isDone: events !== false };
      }
      case 'withdrawal': {
        const { account, amount } = entry;
        const events = this.venue.withdraw(account, amount, at);
        if (events !== false) this.withdrawals.begin(account, amount, at);
        return { events: events === false ? [] : events, isDone: events !== false };
      }
      case 'freshVault': {
        const { id } = this.vaultDesk.createFresh(entry.name, entry.creator, at);
        const told = { kind: 'VaultCreated', vault: id, account: HOUSE_ACCOUNT, name: entry.name } as const;
        return { account: id, events: [{ ...told, ...placeOf(at) }] };
      }
      case 'flowAccount': {
        const account = this.venue.createAccount();
        return { account, events: this.venue.deposit(account, entry.cash, at) };
      }
      case 'flowDeposit':
        return { account: entry.account, events: this.venue.deposit(entry.account, entry.cash, at) };
      case 'flowCommand': {
        const outcome = this.venue.execute(entry.command, at);
        return { outcome, events: outcome.events };
      }
      case 'indexPrice':
        return { events: this.venue.setIndexPrice(entry.market, entry.indexTicks, at) };
      case 'marketStatus':
        return { events: this.venue.setMarketStatus(entry.market, entry.status, at) };
      case 'marketRules':
        return { events: this.venue.setMarketRules(entry.market, entry.rules, at) };
      case 'endSwitch':
        return { events: this.#noteSweep(this.venue.endSwitch(entry.account, entry.how, at)) };
      case 'switchLead':
        this.venue.setScheduleCancelLead(entry.leadMs);
        return { events: [] };
      case 'fundingDue':
        this.venue.makeFundingDue();
        return { events: [] };
      case 'epoch':
        return this.#beginEpoch(entry.epoch, at);
      default:
        return assertNever(entry);
    }
  }

  #request(entry: Extract<LogEntry, { kind: 'request' }>, at: LogPosition): Applied {
    const { request } = entry;
    const { signer, isAgent, operation } = request;
    const scope = isAgent ? this.#agentScopes.of(signer) : accountScope(operation.account);
    const refusal = refusalOf(this, request, { nowMs: at.blockAtMs, scope }) ?? unconsumed(entry.forced);
    if (refusal !== undefined) {
      const refused = { request, scope, outcome: rejected(refusal), isNonceConsumed: false };
      const receipt = makeReceipt(refused, at);
      this.#receipts.add(receipt);
      return { receipt, events: [] };
    }
    this.nonces.skipTo(scope, request.nonce);
    this.nonces.consume(scope, request.nonce, request.requestId);
    const outcome = entry.forced === undefined ? this.#operate(request, at) : rejected(entry.forced.reason);
    const events: readonly ExchangeEvent[] =
      'access' in outcome ? [{ ...outcome.access, ...placeOf(at) } as AccessEvent] : outcome.events;
    const final = 'access' in outcome ? EXECUTED : outcome;
    const receipt = makeReceipt({ request, scope, outcome: final, isNonceConsumed: true }, at);
    this.#receipts.add(receipt);
    this.#label(receipt);
    return { receipt, events };
  }

  #operate({ operation, signer }: VerifiedRequest, at: LogPosition): AccessOutcome {
    switch (operation.kind) {
      case 'ApproveAgent':
      case 'RevokeAgent':
      case 'CreateSubaccount':
        return this.#changeAccess(operation, signer);
      case 'CreateVault':
      case 'ClaimVault':
      case 'DepositVault':
      case 'RedeemVault':
      case 'ConfigureVault':
        return this.#operateVault(operation, signer, at);
      case 'SetLeverage':
        return this.vaultDesk.setLeverage(operation, at);
      case 'CancelAll':
      case 'ScheduleCancel':
        return this.#reach(operation, at);
      default:
        if (isReplace(operation)) this.quirks.meet('A10');
        return this.venue.execute(operation satisfies CanonicalCommand, at);
    }
  }

  /** Carries a command about a whole account out; on the other accounts of its wallet too, where it reaches them. */
  #reach(command: Extract<CanonicalCommand, { kind: 'CancelAll' | 'ScheduleCancel' }>, at: LogPosition) {
    const outcome = this.venue.execute(command, at);
    if (command.kind === 'ScheduleCancel') this.quirks.meet('A3');
    else this.#noteSweep(outcome.events, command.account);
    const owned = this.registry.byId(command.account);
    const others = owned === undefined ? [] : this.registry.accountsOf(owned.owner);
    if (others.length < 2 || this.quirks.takes('A19', 'account')) return outcome;
    const events = [...outcome.events];
    for (const { id } of others)
      if (id !== command.account) events.push(...this.venue.execute({ ...command, account: id }, at).events);
    return { ...outcome, events };
  }

  #operateVault(operation: VaultOperation, signer: Address, at: LogPosition): Outcome {
    const result = this.vaultDesk.operate(operation, signer, at);
    if ('reason' in result) return rejected(result.reason);
    const { moved, told, effect } = result;
    const idx = (moved.at(-1)?.idx ?? -1) + 1;
    return { ...EXECUTED, events: [...moved, { ...told, ...placeOf(at, idx) }], vault: effect };
  }

  #changeAccess(operation: Exclude<MainWalletOperation, VaultOperation>, owner: Address): AccessOutcome {
    const { account } = operation;
    switch (operation.kind) {
      case 'ApproveAgent': {
        const { validUntilMs } = operation;
        const agent = operation.agent.toLowerCase() as Address;
        if (this.#isAgain(agent) && this.quirks.takes('A15', 'restarts'))
          this.nonces.restart(agentScope(agent));
        this.grants.approve({ account, agent, validUntilMs });
        return { access: { kind: 'AgentApproved', account, agent, validUntilMs } };
      }
      case 'RevokeAgent': {
        const agent = operation.agent.toLowerCase() as Address;
        this.grants.revoke(account, agent);
        return { access: { kind: 'AgentRevoked', account, agent } };
      }
      case 'CreateSubaccount': {
        if (this.registry.accountsOf(owner).length > SUBACCOUNTS_MAX)
          return rejected('SubaccountLimitExceeded');
        const made = this.#own(owner);
        return {
          access: { kind: 'SubaccountCreated', account: made.id, owner, subaccount: made.subaccount },
        };
      }
      default:
        return assertNever(operation);
    }
  }

  /** True if a sweep of an account also takes its trigger orders (A13). */
  #noteSweep(events: readonly VenueEvent[], account?: number): readonly VenueEvent[] {
    const isWaiting = (id: number) => this.venue.triggerOrders(id).length > 0;
    let isMet = account !== undefined && isWaiting(account);
    for (const event of events) {
      if (isMet) break;
      isMet = event.kind === 'ScheduleCancelFired' ? isWaiting(event.account) : isSweep(event);
    }
    if (isMet) this.quirks.meet('A13');
    return events;
  }

  /** True if this API wallet has written before and has no grant now. */
  #isAgain(agent: Address): boolean {
    return this.nonces.next(agentScope(agent)) > 0n && this.grants.ofAgent(agent).length === 0;
  }

  #deposit(entry: Extract<LogEntry, { kind: 'deposit' }>, at: LogPosition): Applied {
    let owned = this.registry.find(entry.owner, entry.subaccount);
    if (owned === undefined && entry.subaccount === 0) owned = this.#own(entry.owner);
    const account = must(owned, `subaccount ${entry.subaccount} of ${entry.owner}`).id;
    const { token, amount } = entry;
    if (token !== undefined && token !== COLLATERAL.token)
      return { account, events: [this.tokens.deposit(account, { token, amount }, at)] };
    return { account, events: this.venue.deposit(account, quantums(amount), at) };
  }

  #own(owner: Address) {
    return this.registry.add(owner, this.#openAccount());
  }

  /** Makes an account that can be asked for. */
  #openAccount(): number {
    const id = this.venue.createAccount();
    this.#history.track(id);
    this.portfolios.track(id);
    return id;
  }

  #label(receipt: Receipt): void {
    const { clientOrderIds, operation } = receipt.request;
    if (clientOrderIds.length === 0) return;
    const history = must(this.#history.account(operation.account), `the history of ${operation.account}`);
    for (const item of receipt.items) {
      const label = item.kind === 'place' ? clientOrderIds[item.inputIndex] : undefined;
      if (label !== undefined && item.orderSeq !== undefined)
        history.label({ market: item.market, orderSeq: item.orderSeq }, label);
    }
  }

  /** A new ledger begins. */
  #beginEpoch(epoch: string, at: LogPosition): Applied {
    this.#epoch = epoch;
    this.#receipts = new Receipts(this.#settings.receiptsMax);
    const before = this.#history;
    this.#history = this.#freshHistory();
    for (const { id } of this.holders())
      this.#history.track(id).keepLabels(must(before.account(id), `the history of ${id}`));
    return { events: openingEntries(this.holders(), this, at) };
  }

  #freshHistory(): History {
    return new History(
      this.#settings.markets.map(({ market }) => market.signingMarketId),
      this.#settings,
    );
  }
}

/** True if the entry moves money into or out of an account other than by trading. */
function movesMoney({ kind }: LogEntry, receipt: Receipt | undefined): boolean {
  return (
    kind === 'deposit' || kind === 'withdrawal' || kind === 'transfer' || receipt?.vault?.amount !== undefined
  );
}

function placeOf({ seq, sub, blockAtMs }: LogPosition, idx = 0) {
  return { seq, sub, idx, blockAtMs };
}

function unconsumed(forced: ForcedRejection | undefined): string | undefined {
  return forced?.isNonceConsumed === false ? forced.reason : undefined;
}

/** A trigger order that went with a cancel-all or with the switch. */
function isSweep(event: VenueEvent): boolean {
  if (event.kind !== 'ConditionalCanceled') return false;
  return event.reason === 'Requested' || event.reason === 'ScheduleCancel';
}

function isReplace(command: CanonicalCommand): boolean {
  if (command.kind === 'ModifyOrder') return true;
  return command.kind === 'BatchReplace' && command.cancels.length > 0 && command.orders.length > 0;
}

const EXECUTED: CommandOutcome = { status: 'executed', items: [], events: [] };

function rejected(reason: string): CommandOutcome {
  return { status: 'rejected', reason, items: [], events: [] };
}

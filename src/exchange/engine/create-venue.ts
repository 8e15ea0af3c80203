/**
 * @module The venue: one deterministic state machine behind {@link VenueKernel}. This file only opens and closes the
 * event log around each call; the rules are in the files named after them.
 *
 * Conservation: every change of cash is posted with its counterpart, fees and funding against the house (account 0), so
 * the sum over all accounts is what was deposited, less what was withdrawn.
 */
import { assert } from '../../core/index.ts';
import {
  type CanonicalCommand,
  type CanonicalOrderId,
  type Market,
  type Quantums,
  quantums,
} from '../../domain/index.ts';
import { AccountState, HOUSE_ACCOUNT } from './accounts/account.ts';
import { post } from './accounts/ledger.ts';
import { beginBlock } from './begin-block.ts';
import { executeCommand } from './commands/execute.ts';
import { withEvents } from './commands/outcome.ts';
import { waitingView, waitingViews } from './commands/waiting.ts';
import { marginFigures } from './margin.ts';
import { makeFundingDue, samplePremium } from './prices/funding.ts';
import { refreshMark } from './prices/mark-price.ts';
import { fireScheduleCancel } from './schedule-cancel.ts';
import { VenueState } from './state.ts';
import type {
  BuilderFigures,
  CommandOutcome,
  LogPosition,
  MarketRules,
  VenueAccount,
  VenueEvent,
  VenueLevels,
  VenueMarketView,
  VenueOrder,
  VenuePosition,
  VenueSettings,
} from './types.ts';
import type { VenueKernel } from './venue-kernel.ts';
import { accountView, bookView, positionViews } from './views.ts';

/** Makes a venue without accounts but the house. @throws AssertionError for settings that make no venue. */
export function createVenue(settings: VenueSettings): VenueKernel {
  return new Venue(settings);
}

class Venue implements VenueKernel {
  readonly #state: VenueState;

  constructor(settings: VenueSettings) {
    this.#state = new VenueState(settings);
  }

  createAccount(): number {
    const { accounts } = this.#state;
    return accounts.push(new AccountState(accounts.length)) - 1;
  }

  deposit(account: number, amount: Quantums, at: LogPosition): readonly VenueEvent[] {
    assert(amount > 0n, `a deposit above 0, got ${amount}`);
    const receiver = this.#state.account(account);
    return this.#logged(at, () => {
      this.#state.log.emit({ kind: 'Deposited', account, amount });
      post(this.#state.log, receiver, { kind: 'deposit', amount });
    });
  }

  withdraw(account: number, amount: Quantums, at: LogPosition): readonly VenueEvent[] | false {
    const payer = this.#state.account(account);
    if (amount <= 0n || marginFigures(this.#state, payer).withdrawable < amount) return false;
    return this.#logged(at, () =>
      post(this.#state.log, payer, { kind: 'withdrawal', amount: quantums(-amount) }),
    );
  }

  transfer(
    move: { from: number; to: number; amount: Quantums; kind?: string },
    at: LogPosition,
  ): readonly VenueEvent[] | false {
    const { from, to, amount, kind = 'transfer' } = move;
    const sender = this.#state.account(from);
    const receiver = this.#state.account(to);
    if (amount <= 0n || marginFigures(this.#state, sender).withdrawable < amount) return false;
    return this.#logged(at, () => {
      this.#state.log.emit({ kind: 'Transferred', from, to, amount });
      post(this.#state.log, sender, { kind, amount: -amount });
      post(this.#state.log, receiver, { kind, amount });
    });
  }

  setIndexPrice(market: number, indexTicks: number, at: LogPosition): readonly VenueEvent[] {
    assert(Number.isInteger(indexTicks) && indexTicks > 0, `an index price in ticks, got ${indexTicks}`);
    const target = this.#state.market(market);
    const { impactNotional, fundingIntervalMs } = this.#state.settings;
    return this.#logged(at, () => {
      refreshMark(target, indexTicks, at.blockAtMs);
      samplePremium(target, { impactNotional, intervalMs: fundingIntervalMs });
      this.#state.priceVersion++;
      this.#state.log.emit({ kind: 'OracleUpdated', market, indexTicks, markTicks: target.markTicks });
    });
  }

  setMarketStatus(market: number, status: string, at: LogPosition): readonly VenueEvent[] {
    const target = this.#state.market(market);
    return this.#logged(at, () => {
      target.setStatus(status);
      this.#state.log.emit({ kind: 'MarketStatusChanged', market, status });
    });
  }

  setMarketRules(market: number, rules: MarketRules, at: LogPosition): readonly VenueEvent[] {
    const target = this.#state.market(market);
    return this.#logged(at, () => {
      target.setRules(rules);
      this.#state.log.emit({ kind: 'MarketParamsUpdated', market });
    });
  }

  endSwitch(account: number, how: 'fire' | 'forget', at: LogPosition): readonly VenueEvent[] {
    const target = this.#state.account(account);
    if (!this.#state.armed.has(target)) return [];
    return this.#logged(at, () => {
      if (how === 'fire') fireScheduleCancel(this.#state, target);
      else {
        target.scheduleCancelAtMs = 0;
        this.#state.armed.delete(target);
      }
    });
  }

  setScheduleCancelLead(leadMs: number): void {
    this.#state.scheduleCancelLeadMs = leadMs;
  }

  makeFundingDue(): void {
    const { markets, settings } = this.#state;
    for (const market of markets.values()) makeFundingDue(market, settings.fundingIntervalMs);
  }

  beginBlock(at: LogPosition): readonly VenueEvent[] {
    return this.#logged(at, () => beginBlock(this.#state));
  }

  execute(command: CanonicalCommand, at: LogPosition): CommandOutcome {
    const { log } = this.#state;
    log.begin(at);
    const result = executeCommand(this.#state, command);
    return withEvents(result, log.finish());
  }

  hasAccount(account: number): boolean {
    return account !== HOUSE_ACCOUNT && this.#state.accounts[account] !== undefined;
  }

  account(account: number): VenueAccount {
    return accountView(this.#state, this.#state.account(account));
  }

  builder(account: number): BuilderFigures {
    const { builderFees, builderVolume } = this.#state.account(account);
    return { feesEarned: quantums(builderFees), volume: quantums(builderVolume) };
  }

  positions(account: number): readonly VenuePosition[] {
    return positionViews(this.#state.account(account));
  }

  triggerOrders(account: number): readonly CanonicalOrderId[] {
    return this.#state.triggers
      .of(this.#state.account(account))
      .map(({ market, orderSeq }) => ({ market: market.number, orderSeq }));
  }

  waitingOrders(account: number): readonly VenueOrder[] {
    return waitingViews(this.#state, this.#state.account(account));
  }

  waitingOrder(market: number, orderSeq: bigint): VenueOrder | undefined {
    return waitingView(this.#state, market, orderSeq);
  }

  openOrders(account: number): readonly VenueOrder[] {
    return Array.from(this.#state.orders.of(this.#state.account(account)), (order) => order.snapshot());
  }

  openOrder(market: number, orderSeq: bigint): VenueOrder | undefined {
    const order = this.#state.orders.get(Number(orderSeq));
    return order?.holding.market.number === market ? order.snapshot() : undefined;
  }

  markets(): readonly VenueMarketView[] {
    return Array.from(this.#state.markets.values(), (market) => market.view());
  }

  market(market: number): Market {
    return this.#state.market(market).market;
  }

  marketView(market: number): VenueMarketView {
    return this.#state.market(market).view();
  }

  book(market: number, depth: number): { readonly bids: VenueLevels; readonly asks: VenueLevels } {
    return bookView(this.#state.market(market).book, depth);
  }

  #logged(at: LogPosition, change: () => void): readonly VenueEvent[] {
    this.#state.log.begin(at);
    change();
    return this.#state.log.finish();
  }
}

/**
 * @module
 * The smallest exchange a flow can live in: a real venue, log numbers and blocks on a virtual clock, without a wire.
 * Rules as `src/exchange/flow/flow-port.ts` writes them.
 */
import { createHash } from 'node:crypto';
import { type Random, seededRandom, type Timer, type UnixMs, VirtualClock } from '../../src/core/index.ts';
import { type CanonicalCommand, ppm, type Quantums, quantums } from '../../src/domain/index.ts';
import {
  type CommandOutcome,
  createVenue,
  type LogPosition,
  type VenueEvent,
  type VenueKernel,
  type VenueMarket,
} from '../../src/exchange/engine/index.ts';
import type { FlowHost, Participants } from '../../src/exchange/flow/flow-port.ts';
import { defaultMarkets } from '../../src/exchange/state/default-markets.ts';

interface Due {
  readonly atMs: number;
  readonly action: () => void;
  isCanceled: boolean;
}

/** A venue that runs block by block. */
export class TestFlowHost implements FlowHost {
  readonly blockMs = 100;
  readonly venue: VenueKernel;
  readonly clock = new VirtualClock(1_767_700_000_000);
  /** Every command and outside change, in order. */
  readonly commands: CanonicalCommand[] = [];
  readonly accounts: number[] = [];
  deposited = 0n;
  readonly #hash = createHash('sha256');
  readonly #random: Random;
  readonly #flows: Participants[] = [];
  #onBlockEnd: (() => void)[] = [];
  #timers: Due[] = [];
  #events: VenueEvent[] = [];
  #seq = 0;
  #blockAtMs: UnixMs;

  constructor(options: { seed?: number; markets?: readonly VenueMarket[] } = {}) {
    this.#random = seededRandom(options.seed ?? 1);
    this.venue = createVenue({
      markets: options.markets ?? defaultMarkets(),
      takerFeePpm: ppm(500),
      makerFeePpm: ppm(0),
      fundingIntervalMs: 3_600_000,
      impactNotional: quantums(20_000_000_000n),
      openOrdersMax: 1_000,
      scheduleCancelLeadMs: 0,
    });
    this.#blockAtMs = this.clock.nowMs();
    this.#events.push(...this.venue.beginBlock(this.#at()));
    this.clock.every(this.blockMs, () => this.#block());
  }

  attach(flow: Participants): void {
    this.#flows.push(flow);
    flow.start(this);
  }

  /** Calls `action` at each block boundary after the flows: a participant of the test's own. */
  afterBlocks(action: () => void): void {
    this.#onBlockEnd.push(action);
  }

  run(durationMs: number): void {
    this.clock.advance(durationMs);
  }

  /** A digest of all commands and events so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  random(name: string): Random {
    return this.#random.fork(name);
  }

  nowMs(): UnixMs {
    return this.#blockAtMs;
  }

  seq(): number {
    return this.#seq;
  }

  createAccount(cash: Quantums): number {
    const account = this.venue.createAccount();
    this.accounts.push(account);
    this.deposit(account, cash);
    return account;
  }

  deposit(account: number, cash: Quantums): void {
    this.deposited += cash;
    this.#keep(this.venue.deposit(account, cash, this.#at()));
  }

  submit(command: CanonicalCommand): CommandOutcome {
    this.commands.push(command);
    const outcome = this.venue.execute(command, this.#at());
    this.#keep(outcome.events);
    return outcome;
  }

  setIndexPrice(market: number, indexTicks: number): void {
    this.#keep(this.venue.setIndexPrice(market, indexTicks, this.#at()));
  }

  setMarketStatus(market: number, status: string): void {
    this.#keep(this.venue.setMarketStatus(market, status, this.#at()));
  }

  markets() {
    return this.venue.markets();
  }

  marketView(market: number) {
    return this.venue.marketView(market);
  }

  book(market: number, depth: number) {
    return this.venue.book(market, depth);
  }

  account(account: number) {
    return this.venue.account(account);
  }

  positions(account: number) {
    return this.venue.positions(account);
  }

  openOrders(account: number) {
    return this.venue.openOrders(account);
  }

  at(atMs: number, action: () => void): Timer {
    const due: Due = { atMs, action, isCanceled: false };
    this.#timers.push(due);
    return {
      cancel: () => {
        due.isCanceled = true;
      },
    };
  }

  #block(): void {
    this.#blockAtMs = this.clock.nowMs();
    this.#keep(this.venue.beginBlock(this.#at()));
    const due = this.#timers.filter((timer) => timer.atMs <= this.#blockAtMs).sort((a, b) => a.atMs - b.atMs);
    this.#timers = this.#timers.filter((timer) => timer.atMs > this.#blockAtMs);
    for (const timer of due) if (!timer.isCanceled) timer.action();
    const events = this.#events;
    this.#events = [];
    for (const flow of this.#flows) {
      flow.onEvents?.(this, events);
      flow.onBlock?.(this, this.#blockAtMs);
    }
    for (const action of this.#onBlockEnd) action();
  }

  #keep(events: readonly VenueEvent[]): void {
    this.#events.push(...events);
    for (const event of events)
      this.#hash.update(
        JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      );
  }

  #at(): LogPosition {
    return { seq: ++this.#seq, sub: 0, blockAtMs: this.#blockAtMs };
  }
}

/** All cash of all accounts, the house included. */
export function totalCash(host: TestFlowHost): bigint {
  return [0, ...host.accounts].reduce((sum, account) => sum + host.account(account).collateral, 0n);
}

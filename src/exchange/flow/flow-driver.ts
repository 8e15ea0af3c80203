/**
 * @module
 * The exchange as one flow sees it, and the timers of that flow, which fire at block boundaries only.
 */
import type { Random, Timer, UnixMs } from '../../core/index.ts';
import { must } from '../../core/index.ts';
import type { CanonicalCommand, Quantums } from '../../domain/index.ts';
import type { CommandOutcome, VenueEvent, VenueKernel } from '../engine/index.ts';
import type { ExchangeEvent, Sequencer } from '../state/index.ts';
import type { FlowHost, Participants } from './flow-port.ts';

interface Scheduled {
  readonly atMs: number;
  readonly action: () => void;
  isCanceled: boolean;
}

/** Carries one flow. */
export class FlowDriver implements FlowHost {
  readonly blockMs: number;
  readonly #flow: Participants;
  readonly #sequencer: Sequencer;
  readonly #random: Random;
  #timers: Scheduled[] = [];
  #events: VenueEvent[] = [];

  constructor(parts: { flow: Participants; sequencer: Sequencer; random: Random; blockMs: number }) {
    this.blockMs = parts.blockMs;
    this.#flow = parts.flow;
    this.#sequencer = parts.sequencer;
    this.#random = parts.random.fork(`flow ${parts.flow.name}`);
    if (parts.flow.onEvents !== undefined)
      this.#sequencer.onApplied(({ events }) => this.#events.push(...events.filter(isVenueEvent)));
    this.#flow.start(this);
  }

  /** Runs what is due at a block boundary, then the flow itself. */
  runBlock(): void {
    const nowMs = this.#sequencer.blockAtMs;
    while ((this.#timers[0]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const due = this.#timers.shift();
      if (due !== undefined && !due.isCanceled) due.action();
    }
    if (this.#events.length > 0) {
      const events = this.#events;
      this.#events = [];
      this.#flow.onEvents?.(this, events);
    }
    this.#flow.onBlock?.(this, nowMs);
  }

  /** The exchange has stopped. */
  stop(): void {
    this.#timers = [];
    this.#flow.stop?.();
  }

  random(name: string): Random {
    return this.#random.fork(name);
  }

  nowMs(): UnixMs {
    return this.#sequencer.blockAtMs;
  }

  seq(): number {
    return this.#sequencer.seq;
  }

  createAccount(cash: Quantums): number {
    return must(this.#sequencer.append({ kind: 'flowAccount', cash }).account, 'the new account');
  }

  deposit(account: number, cash: Quantums): void {
    this.#sequencer.append({ kind: 'flowDeposit', account, cash });
  }

  submit(command: CanonicalCommand): CommandOutcome {
    return must(this.#sequencer.append({ kind: 'flowCommand', command }).outcome, 'the outcome');
  }

  setIndexPrice(market: number, indexTicks: number): void {
    this.#sequencer.append({ kind: 'indexPrice', market, indexTicks });
  }

  setMarketStatus(market: number, status: string): void {
    this.#sequencer.append({ kind: 'marketStatus', market, status });
  }

  markets(): ReturnType<FlowHost['markets']> {
    return this.#venue.markets();
  }

  marketView(market: number): ReturnType<FlowHost['marketView']> {
    return this.#venue.marketView(market);
  }

  book(market: number, depth: number): ReturnType<FlowHost['book']> {
    return this.#venue.book(market, depth);
  }

  account(account: number): ReturnType<FlowHost['account']> {
    return this.#venue.account(account);
  }

  positions(account: number): ReturnType<FlowHost['positions']> {
    return this.#venue.positions(account);
  }

  openOrders(account: number): ReturnType<FlowHost['openOrders']> {
    return this.#venue.openOrders(account);
  }

  at(atMs: number, action: () => void): Timer {
    const timer: Scheduled = { atMs, action, isCanceled: false };
    const behind = this.#timers.findIndex((other) => other.atMs > atMs);
    this.#timers.splice(behind < 0 ? this.#timers.length : behind, 0, timer);
    return {
      cancel: () => {
        timer.isCanceled = true;
      },
    };
  }

  get #venue(): VenueKernel {
    return this.#sequencer.state.venue;
  }
}

function isVenueEvent(event: ExchangeEvent): event is VenueEvent {
  return (
    event.kind !== 'AgentApproved' && event.kind !== 'AgentRevoked' && event.kind !== 'SubaccountCreated'
  );
}

/**
 * @module
 * The end of a run (dead-mans-switch.md, I27): strategies stop, everything is canceled, and the end is only clean when
 * it is proven that no order is open. Where that cannot be proven at the exchange, facts must show that nothing works and
 * nothing is on its way.
 */
import type { Clock, Timer } from '../../core/index.ts';
import type { AccountState } from '../../domain/index.ts';
import type { Canceler } from './canceler.ts';

/** Whether it is proven at the end that no order is open. */
export type StopProof = { readonly isProven: true } | { readonly isProven: false; readonly why: string };

/** How a run ended. */
export interface StopReport {
  /** The book is proven to be empty; without a proof: nothing works and nothing is on its way, as far as facts say. */
  readonly isEmpty: boolean;
  /** Orders that were still working, and intents without a proven outcome. */
  readonly workingOrders: number;
  /** Intents without an outcome. */
  readonly openIntents: number;
}

/** Between two cancel-alls while orders are still out. */
const CANCEL_AGAIN_MS = 1_000;

/** Waits until no order is open. */
export class Ending {
  readonly #account: AccountState;
  readonly #canceler: Canceler;
  readonly #clock: Clock;
  readonly #prove: (() => Promise<StopProof>) | undefined;
  #timers: readonly Timer[] = [];
  #done: ((report: StopReport, why: string) => void) | undefined;

  constructor(parts: {
    readonly account: AccountState;
    readonly canceler: Canceler;
    readonly clock: Clock;
    /** Cancels and proves; absent: facts must do. */
    readonly prove: (() => Promise<StopProof>) | undefined;
  }) {
    this.#account = parts.account;
    this.#canceler = parts.canceler;
    this.#clock = parts.clock;
    this.#prove = parts.prove;
  }

  /** Cancels everything; calls `done` once: with the proof, or when nothing is out, or after `timeoutMs`. */
  begin(options: {
    readonly reason: string;
    readonly timeoutMs: number;
    readonly done: (report: StopReport, why: string) => void;
  }): Promise<void> | undefined {
    this.#done = options.done;
    if (this.#prove !== undefined) return this.#prove().then((proof) => this.#finish(proof));
    this.#cancelAll(options.reason);
    this.#timers = [
      this.#clock.every(CANCEL_AGAIN_MS, () => {
        if (this.#account.hasOpenOrders) this.#cancelAll(options.reason);
      }),
      this.#clock.after(options.timeoutMs, () => this.#finish()),
    ];
    return undefined;
  }

  /** True while orders are open, as far as facts say. */
  get isWaiting(): boolean {
    return this.#done !== undefined && this.#prove === undefined;
  }

  /** Looks whether no order is open by now. */
  look(): void {
    if (this.isWaiting && !this.#account.hasOpenOrders) this.#finish();
  }

  /** Its state now, as far as facts say. */
  report(): StopReport {
    let workingOrders = 0;
    for (const symbol of this.#account.activeSymbols())
      workingOrders += this.#account.workingOrders(symbol).length;
    const openIntents = [...this.#account.reservations()].length;
    return { isEmpty: !this.#account.hasOpenOrders, workingOrders, openIntents };
  }

  #cancelAll(reason: string): void {
    this.#canceler.send({ kind: 'cancelAll' }, `stopping: ${reason}`);
  }

  #finish(proof?: StopProof): void {
    const done = this.#done;
    if (done === undefined) return;
    this.#done = undefined;
    for (const timer of this.#timers) timer.cancel();
    const report = { ...this.report(), ...(proof === undefined ? {} : { isEmpty: proof.isProven }) };
    const why = proof?.isProven === false ? proof.why : 'orders or intents are still out';
    done(report, report.isEmpty ? 'no open orders' : why);
  }
}

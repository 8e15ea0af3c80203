/**
 * @module
 * The end of a run (obligations 3.4, I27): strategies stop, everything is canceled, and the end is only clean when
 * nothing works and nothing is on its way. The exchange's own word for the empty book is asked for by the composition
 * root afterwards.
 */
import type { Clock, Timer } from '../core/index.ts';
import type { AccountState } from '../domain/index.ts';
import type { Canceler } from './canceler.ts';

/** How a run ended. */
export interface StopReport {
  /** Nothing works and nothing is on its way, as far as facts say. */
  readonly isEmpty: boolean;
  /** Orders that were still working, and intents without a proven outcome. */
  readonly workingOrders: number;
  readonly openIntents: number;
}

/** Between two cancel-alls while orders are still out. */
const CANCEL_AGAIN_MS = 1_000;

/** Waits for the empty book. */
export class Ending {
  readonly #account: AccountState;
  readonly #canceler: Canceler;
  readonly #clock: Clock;
  #timers: readonly Timer[] = [];
  #done: ((report: StopReport) => void) | undefined;

  constructor(parts: { readonly account: AccountState; readonly canceler: Canceler; readonly clock: Clock }) {
    this.#account = parts.account;
    this.#canceler = parts.canceler;
    this.#clock = parts.clock;
  }

  /** Cancels everything; calls `done` once, when the book is empty or after `timeoutMs`. */
  begin(options: {
    readonly reason: string;
    readonly timeoutMs: number;
    readonly done: (report: StopReport) => void;
  }): void {
    this.#done = options.done;
    this.#cancelAll(options.reason);
    this.#timers = [
      this.#clock.every(CANCEL_AGAIN_MS, () => {
        if (this.#account.hasOpenOrders) this.#cancelAll(options.reason);
      }),
      this.#clock.after(options.timeoutMs, () => this.#finish()),
    ];
  }

  /** Looks whether the book is empty by now. */
  look(): void {
    if (this.#done !== undefined && !this.#account.hasOpenOrders) this.#finish();
  }

  /** How it stands now, as far as facts say. */
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

  #finish(): void {
    const done = this.#done;
    if (done === undefined) return;
    this.#done = undefined;
    for (const timer of this.#timers) timer.cancel();
    done(this.report());
  }
}

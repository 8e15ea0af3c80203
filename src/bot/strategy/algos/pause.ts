/** @module How often an execution component looks, and how long it does nothing after an order of it failed. */
import type { OrderStatus } from '../../../domain/index.ts';
import type { StrategyContext } from '../context.ts';

/** How often a component looks without an event, ms. */
export const LOOK_MS = 250;
const PAUSE_MS = 1_000;
/** Refused by the exchange, proven not to have been executed, or of a ledger that is gone: the state is being rebuilt. */
const FAILURES: ReadonlySet<OrderStatus> = new Set(['rejected', 'notExecuted', 'voided']);

/** A pause of a second, by the strategy's clock. */
export class Pause {
  readonly #context: StrategyContext;
  #untilMs = 0;

  constructor(context: StrategyContext) {
    this.#context = context;
  }

  /** Begins now, also when one is on. */
  begin(): void {
    this.#untilMs = this.#context.now() + PAUSE_MS;
  }

  /** Begins one after an order failed. */
  see(status: OrderStatus): void {
    if (FAILURES.has(status)) this.begin();
  }

  /** True while one is on. One that would be longer is not: the clock was set back. */
  get isOn(): boolean {
    const leftMs = this.#untilMs - this.#context.now();
    return leftMs > 0 && leftMs <= PAUSE_MS;
  }
}

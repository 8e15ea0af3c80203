/** @module How often an execution component looks, and how long it does nothing after its order was denied or rejected. */
import type { StrategyContext } from '../context.ts';

/** How often a component looks without an event, ms. */
export const LOOK_MS = 250;
const PAUSE_MS = 1_000;

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

  /** Is one on? One that would be longer is not: the clock was set back. */
  get isOn(): boolean {
    const leftMs = this.#untilMs - this.#context.now();
    return leftMs > 0 && leftMs <= PAUSE_MS;
  }
}

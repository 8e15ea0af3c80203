/**
 * @module
 * Whether a price runs, and which side of a maker it would run over: a fast mean of the price against a slow one, in ppm.
 * What this does not do: prices.
 */
import { Ewma, type Side } from 'ballast/strategy';

/** Settings of a guard. */
export interface GuardRules {
  /** Beyond this momentum a side is closed, ppm. */
  readonly guardPpm: number;
  /** This long must the momentum have stayed within the guard before a side opens again, ms. */
  readonly calmMs: number;
}

/** Of one market. */
export class MomentumGuard {
  readonly #fast: Ewma;
  readonly #slow: Ewma;
  readonly #closedUntilMs = { buy: Number.NEGATIVE_INFINITY, sell: Number.NEGATIVE_INFINITY };
  #calmMs = 0;

  /** Half-lives in ms; the slow one is the longer one. */
  constructor({ fastMs, slowMs }: { readonly fastMs: number; readonly slowMs: number }) {
    this.#fast = new Ewma(fastMs);
    this.#slow = new Ewma(slowMs);
  }

  /** Takes in a price. */
  observe(price: number, atMs: number, { guardPpm, calmMs }: GuardRules): void {
    const logPpm = Math.log(price) * 1_000_000;
    this.#fast.observe(logPpm, atMs);
    this.#slow.observe(logPpm, atMs);
    const momentum = this.momentumPpm;
    this.#calmMs = calmMs;
    if (momentum > guardPpm) this.#closedUntilMs.sell = atMs + calmMs;
    if (momentum < -guardPpm) this.#closedUntilMs.buy = atMs + calmMs;
  }

  /** The fast mean less the slow one: above zero the price rises. */
  get momentumPpm(): number {
    return (this.#fast.value ?? 0) - (this.#slow.value ?? 0);
  }

  /**
   * True if orders of `side` may rest at `atMs`. A rising price closes the selling side, a falling one the buying side.
   */
  isOpen(side: Side, atMs: number): boolean {
    const leftMs = this.#closedUntilMs[side] - atMs;
    // Longer than it is ever closed: the clock was set back.
    return leftMs <= 0 || leftMs > this.#calmMs;
  }
}

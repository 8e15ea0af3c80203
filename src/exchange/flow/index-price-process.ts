/**
 * @module A seeded index price: a random walk of the logarithm with rare jumps, pulled back slowly to where it began,
 * so that it stays in range for days. It knows its next value one step ahead, which is what an informed trader knows.
 * It publishes nothing; steps are the caller's.
 */
import { assert, type Random } from '../../core/index.ts';
import { PRICE_TICKS_MAX } from '../../domain/index.ts';
import { partOf } from './trade-size.ts';

/** How an index price moves. Distances in parts per million of the price. */
export interface IndexPriceSettings {
  /** Time between two values in ms. */
  readonly stepMs: number;
  /** Standard deviation of one step. */
  readonly stepPpm: number;
  /** Probability of a jump in one step, and the standard deviation of a jump. */
  readonly jumpProbability: number;
  /** Standard deviation of a jump, in parts per million of the price. */
  readonly jumpPpm: number;
  /** Fraction of the distance to the start that one step takes back. */
  readonly reversion: number;
}

/** One market's index price. */
export class IndexPriceProcess {
  #startTicks: number;
  readonly #settings: IndexPriceSettings;
  readonly #random: Random;
  /** ln(next / start). */
  #nextLog = 0;
  #nowTicks: number;
  #nextTicks: number;

  /** @throws AssertionError when the start is not a price above zero. */
  constructor(startTicks: number, settings: IndexPriceSettings, random: Random) {
    assert(startTicks > 0, `an index price above zero, got ${startTicks}`);
    this.#startTicks = startTicks;
    this.#settings = settings;
    this.#random = random;
    this.#nowTicks = startTicks;
    this.#nextTicks = this.#draw();
  }

  /** The public value, in ticks. */
  get nowTicks(): number {
    return this.#nowTicks;
  }

  /** The value after the next step, in ticks. */
  get nextTicks(): number {
    return this.#nextTicks;
  }

  /** Moves on and gives the new value in ticks. */
  step(): number {
    this.#nowTicks = this.#nextTicks;
    this.#nextTicks = this.#draw();
    return this.#nowTicks;
  }

  /** Another source has set the price: the walk restarts there. */
  moveTo(valueTicks: number): void {
    assert(valueTicks > 0, `an index price above zero, got ${valueTicks}`);
    this.#startTicks = valueTicks;
    this.#nextLog = 0;
    this.#nowTicks = valueTicks;
    this.#nextTicks = this.#draw();
  }

  /** A step takes the same three draws whether it jumps or not, so that settings do not shift the walk. */
  #draw(): number {
    const { stepPpm, jumpProbability, jumpPpm, reversion } = this.#settings;
    const walk = partOf(this.#random.normal(), stepPpm);
    const isJump = this.#random.chance(jumpProbability);
    const jump = partOf(this.#random.normal(), jumpPpm);
    this.#nextLog += walk + (isJump ? jump : 0) - reversion * this.#nextLog;
    const value = Math.round(this.#startTicks * Math.exp(this.#nextLog));
    return Math.min(Math.max(value, 1), PRICE_TICKS_MAX);
  }
}

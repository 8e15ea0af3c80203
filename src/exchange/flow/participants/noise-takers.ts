/**
 * @module
 * Takers without a reason: Poisson arrivals, both sides alike, small random sizes, now and then a large one that
 * sweeps levels. They are why a maker is filled. What this does not do: look at the book; they take what is best
 * within a tolerance of the index price.
 */
import type { Random } from '../../../core/index.ts';
import { ceilToTick, floorToTick } from '../../../domain/index.ts';
import { FlowAccount } from '../flow-account.ts';
import { lotsWorth, partOf } from '../trade-size.ts';
import type { Participant, ParticipantContext } from './participant.ts';

/** How noise takers behave. Amounts in quantums. */
export interface NoiseTakerSettings {
  /** Arrivals per second in the mean. */
  readonly perSecond: number;
  /** Mean notional of an order; exponential, cut at ten times the mean. */
  readonly notional: number;
  /** Probability that an arrival is a sweep, and its notional. */
  readonly sweepProbability: number;
  /** Notional of a sweep, in quantums. */
  readonly sweepNotional: number;
  /** The worst price they accept, ppm from the index price. */
  readonly tolerancePpm: number;
}

const SIZE_MAX_IN_MEANS = 10;
/** Arrivals in one block at most, should block times jump. */
const PER_BLOCK_MAX = 100;

/** All noise takers of one market, on one account. */
export class NoiseTakers implements Participant {
  readonly #context: ParticipantContext;
  readonly #settings: NoiseTakerSettings;
  readonly #random: Random;
  readonly #account: FlowAccount;
  #nextAtMs: number;

  constructor(context: ParticipantContext, settings: NoiseTakerSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#random = context.host.random(context.name);
    this.#account = new FlowAccount(context.host, context.cash);
    this.#nextAtMs = context.host.nowMs() + this.#pauseMs();
  }

  onBlock(nowMs: number): void {
    for (let count = 0; this.#nextAtMs <= nowMs && count < PER_BLOCK_MAX; count++) {
      this.#account.topUpIfDrained();
      this.#arrive();
      this.#nextAtMs += this.#pauseMs();
    }
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs);
  }

  #arrive(): void {
    const { host, index, market: number } = this.#context;
    const { notional, sweepProbability, sweepNotional, tolerancePpm } = this.#settings;
    const { market } = host.marketView(number);
    const side = this.#random.chance(0.5) ? 'buy' : 'sell';
    const isSweep = this.#random.chance(sweepProbability);
    const drawn = Math.min(this.#random.exponential(notional), notional * SIZE_MAX_IN_MEANS);
    const tolerance = partOf(index.nowTicks, tolerancePpm);
    this.#account.take({
      market: number,
      side,
      limitTicks:
        side === 'buy'
          ? ceilToTick(market, index.nowTicks + tolerance)
          : floorToTick(market, index.nowTicks - tolerance),
      // The limit may be below the index: sized at the tolerance's lower end, every order meets the minimum.
      lots: lotsWorth(market, Math.max(1, index.nowTicks - tolerance), isSweep ? sweepNotional : drawn),
    });
  }

  #pauseMs(): number {
    return this.#random.exponential(1_000 / this.#settings.perSecond);
  }
}

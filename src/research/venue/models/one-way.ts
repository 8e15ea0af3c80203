/**
 * @module
 * One way of the order path, from us to the exchange or back, with its latency. First in, first out: what leaves later
 * never arrives earlier, as on one connection. The latency is a constant, a draw from measured values, or what was in
 * force at that time of a recording.
 */
import { assert, type Random } from '../../../core/index.ts';
import type { Later } from '../disturbance.ts';
import type { Latency } from '../types.ts';

/** One direction. Times and latencies are microseconds. */
export class OneWay {
  /** What is on its way is under way at least this long. */
  readonly leastUs: number;
  readonly #latency: Latency;
  readonly #random: Random;
  readonly #later: Later | undefined;
  #lastUs = Number.NEGATIVE_INFINITY;
  /** Location in a recording. */
  #row = 0;

  /** `later`: what comes on top of the latency. @throws AssertionError for a latency below 0, or a list without a value. */
  constructor(latency: Latency, random: Random, later?: Later) {
    const values = latency.kind === 'constant' ? [latency.us] : latency.us;
    assert(values.length > 0, `a ${latency.kind} latency with at least one value`);
    let least = Number.POSITIVE_INFINITY;
    for (const us of values) {
      assert(us >= 0, `a latency of at least 0 us, got ${us}`);
      if (us < least) least = us;
    }
    this.leastUs = least;
    assert(
      latency.kind !== 'recorded' || latency.atUs.length === latency.us.length,
      'as many times as latencies in a recording of latencies',
    );
    this.#latency = latency;
    this.#random = random;
    this.#later = later;
  }

  /** When that arrives which leaves at `us`; calls in order of leaving. */
  arrivalOf(us: number): number {
    const later = this.#later;
    const arrival = us + this.#draw(us) + (later === undefined ? 0 : later.random.integer(0, later.usMax));
    if (arrival > this.#lastUs) this.#lastUs = arrival;
    return this.#lastUs;
  }

  #draw(us: number): number {
    const latency = this.#latency;
    switch (latency.kind) {
      case 'constant':
        return latency.us;
      case 'sampled':
        return latency.us[this.#random.integer(0, latency.us.length - 1)] ?? 0;
      case 'recorded': {
        const { atUs } = latency;
        while (this.#row + 1 < atUs.length && (atUs[this.#row + 1] ?? 0) <= us) this.#row++;
        return latency.us[this.#row] ?? 0;
      }
    }
  }
}

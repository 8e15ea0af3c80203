/**
 * @module A short history of values: one sample at most per instant, the oldest fall off. Net asset values and account
 * values are kept in it.
 */

/** How often what does not change is sampled (own choice): at the first block of each hour. */
export const SAMPLE_PERIOD_MS = 3_600_000;

/** Samples kept, of which a read gives at most 1,000 (own choice): six weeks of hours. */
const SAMPLES_MAX = 1_000;

/** How far over the maximum the list may grow before it is cut: cutting is linear. */
const SLACK = 2;

/** Samples in order of time. */
export class Samples<Sample extends { readonly atMs: number }> {
  #samples: Sample[] = [];

  /** Adds one; it replaces one of the same instant. */
  add(sample: Sample): void {
    if (this.#samples.at(-1)?.atMs === sample.atMs) this.#samples.pop();
    this.#samples.push(sample);
    if (this.#samples.length > SAMPLES_MAX * SLACK) this.#samples = this.#samples.slice(-SAMPLES_MAX);
  }

  /** The newest `limit`, ascending. */
  newest(limit: number): readonly Sample[] {
    return this.#samples.slice(-Math.min(limit, SAMPLES_MAX));
  }
}

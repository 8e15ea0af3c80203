/**
 * @module Which bounds of history this exchange has given out, with first pages and `lagged` frames. Under `A9=refused`
 * a client may page only with bounds that it was given.
 */

/** Bounds that are remembered; the oldest go first. */
const BOUNDS_MAX = 10_000;

/** The bounds that were given out. */
export class IssuedBounds {
  readonly #known = new Set<string>();

  /** Remembers bounds. */
  note(epoch: string, upper: string): void {
    const key = `${epoch} ${upper}`;
    this.#known.delete(key);
    this.#known.add(key);
    if (this.#known.size <= BOUNDS_MAX) return;
    for (const oldest of this.#known) {
      this.#known.delete(oldest);
      return;
    }
  }

  /** True if this exchange issued these bounds. */
  has(epoch: string, upper: string): boolean {
    return this.#known.has(`${epoch} ${upper}`);
  }
}

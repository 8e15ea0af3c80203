/**
 * @module
 * Which bounds of history this exchange has given out, with first pages and `lagged` frames. Under `A9=refused` nobody
 * may page with bounds of his own making.
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

  /** Were these given out? */
  has(epoch: string, upper: string): boolean {
    return this.#known.has(`${epoch} ${upper}`);
  }
}

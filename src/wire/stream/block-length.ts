/**
 * @module
 * How long the exchange's blocks are, as far as frames tell: a frame bears the time of its block, so the shortest time
 * between two blocks that were seen lately is the best that is known. Nobody says it otherwise. What waits for a block, or
 * takes what a block made for new until the next one, asks here.
 */

/** Times between blocks that are remembered. */
const STEPS_MAX = 20;
/** What a frame may take on its way, and the exchange's time may be off by. */
const WAY_MS = 100;

/** The blocks of one exchange, seen by all connections to it. */
export class BlockLength {
  #newestMs: number | undefined;
  #steps: number[] = [];

  /** A frame came whose block is of `tsMs`, Unix ms. */
  note(tsMs: number): void {
    const newestMs = this.#newestMs;
    if (newestMs !== undefined && tsMs <= newestMs) return;
    this.#newestMs = tsMs;
    if (newestMs === undefined) return;
    this.#steps.push(tsMs - newestMs);
    if (this.#steps.length > STEPS_MAX) this.#steps.shift();
  }

  /** False: two blocks have not been seen yet. */
  get isKnown(): boolean {
    return this.#steps.length > 0;
  }

  /** Time between two blocks, ms; 0 where it is not known. */
  get ms(): number {
    return this.isKnown ? Math.min(...this.#steps) : 0;
  }

  /** How long, ms, until what the next block makes has come, wherever in a block one begins to wait; 0 where not known. */
  get untilNextMs(): number {
    return this.isKnown ? this.ms + WAY_MS : 0;
  }
}

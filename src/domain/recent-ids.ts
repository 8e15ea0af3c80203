/**
 * @module
 * A bounded memory of ids that were seen, oldest forgotten first: what makes an update idempotent without growing forever
 * . What this does not do: it cannot distinguish an id it has forgotten from one it never saw; the caller bounds that.
 */
import { assert } from '../core/index.ts';

/** The last `sizeMax` ids by age, each as often as it was added. */
class IdRing<Id> {
  readonly #ids: Id[] = [];
  readonly #sizeMax: number;
  #oldest = 0;

  constructor(sizeMax: number) {
    assert(Number.isSafeInteger(sizeMax) && sizeMax > 0, `a memory of at least one id, got ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  /** Adds an id; the oldest, which fell out for it, if any. */
  add(id: Id): Id | undefined {
    if (this.#ids.length < this.#sizeMax) {
      this.#ids.push(id);
      return undefined;
    }
    const forgotten = this.#ids[this.#oldest];
    this.#ids[this.#oldest] = id;
    this.#oldest = (this.#oldest + 1) % this.#sizeMax;
    return forgotten;
  }

  /** Forgets all. */
  clear(): void {
    this.#ids.length = 0;
    this.#oldest = 0;
  }
}

/** Remembers the last `sizeMax` ids. */
export class RecentIds<Id> {
  readonly #ids = new Set<Id>();
  /** The same ids by age: looking for the oldest in the set would walk over everything deleted before. */
  readonly #ring: IdRing<Id>;

  constructor(sizeMax: number) {
    this.#ring = new IdRing(sizeMax);
  }

  /** How many are remembered. */
  get size(): number {
    return this.#ids.size;
  }

  /** True if `id` was seen and not forgotten. */
  has(id: Id): boolean {
    return this.#ids.has(id);
  }

  /** Remembers `id`; the id that was forgotten for it, if any. An id that is known already keeps its age. */
  add(id: Id): Id | undefined {
    const { size } = this.#ids;
    // Looked up once: the size shows whether it was there.
    if (this.#ids.add(id).size === size) return undefined;
    const forgotten = this.#ring.add(id);
    if (forgotten !== undefined) this.#ids.delete(forgotten);
    return forgotten;
  }

  /** Forgets all. */
  clear(): void {
    this.#ids.clear();
    this.#ring.clear();
  }
}

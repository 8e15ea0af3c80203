/**
 * @module
 * A bounded memory of ids that were seen, oldest forgotten first: what makes a fold idempotent without growing for
 * ever. What this does not do: it cannot tell an id it has forgotten from one it never saw; the caller bounds that.
 */
import { assert } from '../core/index.ts';

/** Remembers the last `sizeMax` ids. */
export class RecentIds<Id> {
  readonly #ids = new Set<Id>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    assert(Number.isSafeInteger(sizeMax) && sizeMax > 0, `a memory of at least one id, was ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#ids.size;
  }

  /** Was `id` seen and not forgotten? */
  has(id: Id): boolean {
    return this.#ids.has(id);
  }

  /** Remembers `id`; the id that was forgotten for it, if any. */
  add(id: Id): Id | undefined {
    this.#ids.add(id);
    if (this.#ids.size <= this.#sizeMax) return undefined;
    const oldest = this.#ids.values().next().value;
    if (oldest !== undefined) this.#ids.delete(oldest);
    return oldest;
  }

  /** Forgets all. */
  clear(): void {
    this.#ids.clear();
  }
}

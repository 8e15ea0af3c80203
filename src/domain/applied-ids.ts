/**
 * @module
 * Fills or ledger entries that were applied, by their places in history. They come in order but behind a gap, so what lies
 * behind all that came is new without being looked for; of those before an index is made when one comes. What is older than
 * anything remembered counts as applied: history arrives joined (3.3).
 */
import { type Cursor, compareCursors } from './ids.ts';
import { IdRing } from './recent-ids.ts';

/** Log position, place below it and place of the record: each is exact as a number with so many digits. */
const PARTS = 3;
const DIGITS_MAX = 15;
const ZERO = 48;
const DASH = 45;

/** The last `sizeMax` of them. */
export class AppliedIds {
  readonly #sizeMax: number;
  readonly #ring: IdRing<Cursor>;
  /** The ids of the ring, but for so many that came last: nobody has looked for one of them yet. */
  readonly #index = new Set<Cursor>();
  #unindexed = 0;
  /** The newest that was forgotten. */
  #floor: Cursor | undefined;
  /** The parts of the newest of all; infinite behind an id without such parts: then nothing is known to lie behind all. */
  readonly #newest = new Float64Array(PARTS).fill(-1);
  readonly #parts = new Float64Array(PARTS);

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
    this.#ring = new IdRing(sizeMax);
  }

  /** Is `id` new? It is not from now on. */
  take(id: Cursor): boolean {
    if (!this.#isBehindAll(id)) {
      if (this.#has(id)) return false;
      if (this.#floor !== undefined && compareCursors(id, this.#floor) <= 0) return false;
    }
    const forgotten = this.#ring.add(id);
    if (forgotten !== undefined) this.#forget(forgotten);
    if (this.#unindexed < this.#sizeMax) this.#unindexed++;
    return true;
  }

  /** Forgets all. */
  clear(): void {
    this.#ring.clear();
    this.#index.clear();
    this.#unindexed = 0;
    this.#floor = undefined;
    this.#newest.fill(-1);
  }

  #has(id: Cursor): boolean {
    for (; this.#unindexed > 0; this.#unindexed--)
      this.#index.add(this.#ring.newest(this.#unindexed - 1) as Cursor);
    return this.#index.has(id);
  }

  #forget(id: Cursor): void {
    if (this.#unindexed < this.#sizeMax) this.#index.delete(id);
    if (this.#floor === undefined || compareCursors(id, this.#floor) > 0) this.#floor = id;
  }

  #isBehindAll(id: Cursor): boolean {
    const newest = this.#newest;
    const parts = this.#parts;
    if (!readParts(id, parts)) {
      newest.fill(Number.POSITIVE_INFINITY);
      return false;
    }
    let at = 0;
    while (at < PARTS - 1 && parts[at] === newest[at]) at++;
    if (!((parts[at] as number) > (newest[at] as number))) return false;
    newest.set(parts);
    return true;
  }
}

/** Reads the numbers of a place; false: it is no three numbers. */
function readParts(id: Cursor, into: Float64Array): boolean {
  let part = 0;
  let value = 0;
  let digits = 0;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    if (code >= ZERO && code < ZERO + 10) {
      value = value * 10 + code - ZERO;
      if (++digits > DIGITS_MAX) return false;
    } else {
      if (code !== DASH || digits === 0 || part === PARTS - 1) return false;
      into[part++] = value;
      value = 0;
      digits = 0;
    }
  }
  into[part] = value;
  return part === PARTS - 1 && digits > 0;
}

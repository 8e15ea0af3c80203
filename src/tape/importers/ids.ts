/** @module Numbers of trades: which were seen before, and the id of one that is not a number. */
import type { ImportCounts } from './import-counts.ts';

/** Ids that are remembered; a repetition comes within minutes. */
const SEEN_MAX = 1_000_000;

/** The ids of one market's trades. */
export class SeenIds {
  #ids = new Set<string>();
  #older = new Set<string>();
  /** Different ids so far. */
  count = 0;

  /** Takes `id`; true if it was seen before. */
  isRepeated(id: string): boolean {
    if (this.#ids.has(id) || this.#older.has(id)) return true;
    if (this.#ids.size === SEEN_MAX) {
      this.#older = this.#ids;
      this.#ids = new Set();
    }
    this.#ids.add(id);
    this.count++;
    return false;
  }
}

/** The number `text`, or `place` in the recording when it is no integer below 2^53. */
export function tradeIdOf(text: string, place: number, counts: ImportCounts): number {
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  counts.add('idsReplaced');
  return place;
}

/**
 * @module
 * Entries that an audit has booked before the stream brought them. Most are on their way: a gateway may tell of an order at
 * once and of its fill with the end of the block (ambiguity A18), and a page is quicker than that. That the position of an
 * entry is known says nothing, since frames of other channels name it. Lost is what the stream never brings.
 */
import type { Cursor } from '../../../domain/index.ts';

/** The histories that have entries. */
export type HistoryName = 'fills' | 'ledger';

/**
 * So many looks, one a second, until an entry counts as lost. A connection whose frames are later than 20 s is given up
 * (heartbeat), and a block may come before. A process that stood has not looked: its frames wait, too.
 */
const LOOKS_MAX = 30;

/** See the module. */
export class Unstreamed {
  /** How often each was looked for. */
  readonly #looks = new Map<string, number>();

  /** An audit has booked an entry that the stream has not brought. */
  add(history: HistoryName, id: Cursor): void {
    this.#looks.set(keyOf(history, id), 0);
  }

  /** The stream brings an entry. */
  brought(history: HistoryName, id: Cursor): void {
    if (this.#looks.size > 0) this.#looks.delete(keyOf(history, id));
  }

  /** Looks once more, a second after the last time. Returns how many entries are lost: each counts once. */
  look(): number {
    let lost = 0;
    for (const [key, looks] of this.#looks) {
      if (looks + 1 < LOOKS_MAX) this.#looks.set(key, looks + 1);
      else if (this.#looks.delete(key)) lost++;
    }
    return lost;
  }

  /** The stream was interrupted: what it does not bring now is no loss in silence. */
  interrupt(): void {
    this.#looks.clear();
  }
}

function keyOf(history: HistoryName, id: Cursor): string {
  return `${history} ${id}`;
}

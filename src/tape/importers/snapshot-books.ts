/**
 * @module Recorded whole books of one market on their way to a tape: locked ones separated where that is asked for,
 * changes made of them, gaps reported. What it does not do: reading a format.
 */
import { BookRepair, type Sides } from './book-repair.ts';
import { RANK } from './frame.ts';
import type { FrameOrder } from './frame-order.ts';
import type { ImportCounts } from './import-counts.ts';
import { LevelChanges } from './level-changes.ts';

/** When a book was, in Unix microseconds. */
export interface BookTimes {
  /** Exchange time, Unix us. */
  readonly exchangeUs: number;
  /** Receive time, Unix us. */
  readonly receivedUs: number;
}

/** See the module. */
export class SnapshotBooks {
  readonly #market: number;
  readonly #counts: ImportCounts;
  readonly #repair: BookRepair | undefined;
  readonly #changes = new LevelChanges();

  constructor(market: number, locked: 'keep' | 'separate', counts: ImportCounts) {
    this.#market = market;
    this.#counts = counts;
    this.#repair = locked === 'separate' ? new BookRepair() : undefined;
  }

  /** Takes one whole book over, best levels first. */
  add(sides: Sides, { exchangeUs, receivedUs }: BookTimes, order: FrameOrder): void {
    const bid = sides.bids[0]?.priceTicks ?? 0;
    const ask = sides.asks[0]?.priceTicks ?? Number.POSITIVE_INFINITY;
    if (bid === ask) this.#counts.add('lockedBooks');
    if (bid > ask) this.#counts.add('crossedBooks');
    if (bid >= ask && this.#repair !== undefined) this.#counts.add('booksSeparated');
    const isBehindHole = order.sawBook(this.#market, exchangeUs, receivedUs);
    const rows = this.#changes.rows(this.#repair?.repair(sides) ?? sides, isBehindHole);
    order.add({ exchangeUs, receivedUs, rank: RANK.levels, market: this.#market, rows });
  }
}

/**
 * @module Turns a recorded book that is locked or crossed into one that can rest in a matching engine, by {@link
 * LOCKED_BOOK_RULE}. The side that was at its price before keeps it, so the orders of the maker that queue there keep
 * their queue position too; the newcomer moves out by the smallest step there is.
 */
import { type Lots, lots, type Ticks, ticks } from '../../domain/index.ts';

/** One resting level. */
export interface RecordedLevel {
  /** Price in ticks. */
  readonly priceTicks: Ticks;
  /** Size in lots. */
  readonly sizeLots: Lots;
}

/** Levels of one side, best first, without repeated prices, sizes above zero. */
export type RecordedLevels = readonly RecordedLevel[];

/** The rule for a recorded book that cannot rest in a matching engine; for print. */
export const LOCKED_BOOK_RULE =
  'locked or crossed recorded book: the side whose best price was there before keeps it (the bid if neither did), ' +
  'the levels of the other side at or through it are put together one tick beyond';

/** Both sides of a book, best first. */
export interface Sides {
  /** Bid levels, best first. */
  readonly bids: RecordedLevels;
  /** Ask levels, best first. */
  readonly asks: RecordedLevels;
}

/** Repairs one book after the other; remembers the best prices of the one before. */
export class BookRepair {
  #bestBidTicks = 0;
  #bestAskTicks = 0;

  /** `sides` with its best bid below its best ask. */
  repair(sides: Sides): Sides {
    const bid = sides.bids[0];
    const ask = sides.asks[0];
    const repaired =
      bid !== undefined && ask !== undefined && bid.priceTicks >= ask.priceTicks
        ? this.#separate(sides, bid, ask)
        : sides;
    this.#bestBidTicks = repaired.bids[0]?.priceTicks ?? 0;
    this.#bestAskTicks = repaired.asks[0]?.priceTicks ?? 0;
    return repaired;
  }

  #separate(sides: Sides, bid: RecordedLevel, ask: RecordedLevel): Sides {
    const askStays = this.#bestBidTicks !== bid.priceTicks && this.#bestAskTicks === ask.priceTicks;
    return askStays
      ? { bids: moveOut(sides.bids, ask.priceTicks - 1, -1), asks: sides.asks }
      : { bids: sides.bids, asks: moveOut(sides.asks, bid.priceTicks + 1, 1) };
  }
}

/** `levels` with all that is better than `limitTicks` put together there; prices rise (1) or fall (-1) from best on. */
function moveOut(levels: RecordedLevels, limitTicks: number, direction: 1 | -1): RecordedLevels {
  let sizeLots = 0;
  let kept = 0;
  while (kept < levels.length) {
    const level = levels[kept];
    if (level === undefined || (level.priceTicks - limitTicks) * direction > 0) break;
    sizeLots += level.sizeLots;
    kept++;
  }
  const rest = levels.slice(kept);
  // A bid below one tick cannot rest: its size leaves the book.
  return limitTicks < 1 ? rest : [{ priceTicks: ticks(limitTicks), sizeLots: lots(sizeLots) }, ...rest];
}

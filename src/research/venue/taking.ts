/**
 * @module Rows that come in one after the other. Most of them change a level at which no own order rests: the matcher
 * takes those in on their own, as many as follow one another, all others take the path of a single row.
 */
import { EVENT } from '../../domain/index.ts';
import type { MarketSlot } from './local-orders.ts';
import type { LocalVenue, MarketRows } from './types.ts';

// By name, so that a row's kind is known without an object lookup. The two kinds of levels are the first ones.
const ASK_LEVEL = EVENT.askLevel;
const SELL_TRADE = EVENT.sellTrade;
const FEED = EVENT.feed;

type RowVenue = Pick<LocalVenue, 'onRow' | 'dueUs'>;

/** Gives `venue` the rows as `LocalVenue.takeRows` does. No event of the venue is due before the first one. */
// biome-ignore lint/complexity/useMaxParams: runs are short, an object for each costs as much as a row
export function takeUntil(
  venue: RowVenue,
  slots: readonly MarketSlot[],
  rows: MarketRows,
  from: number,
  to: number,
  limitUs: number,
): number {
  const { kind, market, exchangeUs } = rows;
  const isMany = slots.length > 1;
  let row = from;
  let dueUs = venue.dueUs;
  let untilUs = dueUs < limitUs ? dueUs : limitUs;
  do {
    const what = kind[row] as number;
    if (what <= ASK_LEVEL) {
      // Among rows of many markets few follow one another of the same one, and which do is unpredictable.
      const slot = isMany ? slots[market[row] as number] : slots[0];
      const passed = slot?.matcher.passLevels(rows, row, isMany ? row + 1 : to, untilUs) ?? row;
      if (passed > row) {
        row = passed;
        continue;
      }
    }
    // A feed is no matter of the venue, and its index is no market's.
    if (what !== FEED) giveRow(venue, rows, row);
    row++;
    // Of all rows only these can change what is due.
    if (venue.dueUs !== dueUs) {
      dueUs = venue.dueUs;
      untilUs = dueUs < limitUs ? dueUs : limitUs;
    }
  } while (row < to && (exchangeUs[row] as number) <= untilUs);
  return row;
}

/**
 * Ids of levels and trades mean nothing to the venue, and in memory they are so far apart that reading one takes as
 * long as ten rows.
 */
function giveRow(
  venue: RowVenue,
  { kind, flags, market, exchangeUs, price, size, id }: MarketRows,
  row: number,
): void {
  const what = kind[row] as number;
  venue.onRow(
    what,
    flags[row] as number,
    market[row] as number,
    exchangeUs[row] as number,
    price[row] as number,
    size[row] as number,
    what <= SELL_TRADE ? 0 : (id[row] as number),
  );
}

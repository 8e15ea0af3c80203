/**
 * @module
 * Rows that come in one after the other. Most of them change a level at which nobody of ours stands: the matcher takes
 * those in by themselves, all others go the way of a single row.
 */
import { EVENT } from '../../domain/index.ts';
import type { Booth } from './order-desk.ts';
import type { LocalVenue, MarketRows } from './types.ts';

// By name, so that a row is told apart without looking into an object. The two kinds of levels are the first ones.
const ASK_LEVEL = EVENT.askLevel;
const FEED = EVENT.feed;

/** Rows up to before `to`, as long as they happened until `limitUs`. */
export interface RowsUntil {
  readonly rows: MarketRows;
  readonly from: number;
  readonly to: number;
  readonly limitUs: number;
}

/** Gives `venue` the row at `from` and those behind it. Gives the first one that it has not got. */
export function takeUntil(
  venue: Pick<LocalVenue, 'onRow' | 'dueUs'>,
  { rows, from, to, limitUs }: RowsUntil,
  booths: readonly Booth[],
): number {
  const { kind, flags, market, exchangeUs, price, size, id } = rows;
  const isMany = booths.length > 1;
  let booth = booths[0];
  let row = from;
  let us = exchangeUs[row] as number;
  do {
    const what = kind[row] as number;
    if (isMany) booth = booths[market[row] as number];
    const isPassed =
      what <= ASK_LEVEL &&
      booth?.matcher.passLevel(what, us, price[row] as number, size[row] as number) === true;
    // A feed is no matter of the venue, and its place is no market's.
    if (!isPassed && what !== FEED)
      venue.onRow(
        what,
        flags[row] as number,
        market[row] as number,
        us,
        price[row] as number,
        size[row] as number,
        id[row] as number,
      );
    row++;
    if (row === to) break;
    us = exchangeUs[row] as number;
  } while (us <= limitUs && venue.dueUs >= us);
  return row;
}

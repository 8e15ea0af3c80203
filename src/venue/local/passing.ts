/**
 * @module
 * Rows in which nothing can happen to an account without orders and positions: what they say of levels is taken in at
 * once, in the end, and the few others as they come.
 */
import { EVENT } from '../../domain/index.ts';
import type { Booth } from './order-desk.ts';
import type { LocalVenue, MarketRows, ToldLevels } from './types.ts';

const ASK_LEVEL = EVENT.askLevel;
const FEED = EVENT.feed;

/** Rows from one to before another. */
export interface RowSpan {
  readonly rows: MarketRows;
  readonly from: number;
  readonly to: number;
}

/** Shows `levels` in the markets that have rows in the span, and gives `venue` each row that is no level. */
export function passOver(
  venue: Pick<LocalVenue, 'onRow'>,
  { rows, from, to }: RowSpan,
  booths: readonly Booth[],
  levels: readonly ToldLevels[],
): void {
  const { kind, flags, market, exchangeUs, price, size, id } = rows;
  const last = new Int32Array(booths.length).fill(-1);
  for (let row = from; row < to; row++) {
    const what = kind[row] as number;
    // The place of a feed is no market's.
    if (what === FEED) continue;
    last[market[row] as number] = row;
    if (what > ASK_LEVEL)
      venue.onRow(
        what,
        flags[row] as number,
        market[row] as number,
        exchangeUs[row] as number,
        price[row] as number,
        size[row] as number,
        id[row] as number,
      );
  }
  for (const [place, { matcher }] of booths.entries()) {
    const row = last[place] ?? -1;
    const told = levels[place];
    if (row >= 0 && told !== undefined) matcher.showLevels(told, exchangeUs[row] as number);
  }
}

/**
 * @module
 * Rows in which nothing can happen to an account without orders and positions: what they say of levels is taken in at
 * once, in the end, and the few others as they come.
 */
import { must } from '../../core/index.ts';
import { EVENT } from '../../domain/index.ts';
import type { Booth } from './order-desk.ts';
import type { LocalVenue, MarketRows, ToldLevels } from './types.ts';

const ASK_LEVEL = EVENT.askLevel;
const SELL_TRADE = EVENT.sellTrade;
const FEED = EVENT.feed;

/** Rows from one to before another. */
export interface RowSpan {
  readonly rows: MarketRows;
  readonly from: number;
  readonly to: number;
}

/** Shows `levels`, the last prices, and gives `venue` each row of another kind. */
export function passOver(
  venue: Pick<LocalVenue, 'onRow'>,
  { rows, from, to }: RowSpan,
  booths: readonly Booth[],
  levels: readonly ToldLevels[],
): void {
  const { kind, flags, market, exchangeUs, price, size, id } = rows;
  for (let row = from; row < to; row++) {
    const what = kind[row] as number;
    if (what <= ASK_LEVEL || what === FEED) continue;
    const place = market[row] as number;
    // A trade that fills nobody is the last price and no more.
    if (what <= SELL_TRADE) must(booths[place], 'a market').market.lastTicks = price[row] as number;
    else {
      const us = exchangeUs[row] as number;
      venue.onRow(
        what,
        flags[row] as number,
        place,
        us,
        price[row] as number,
        size[row] as number,
        id[row] as number,
      );
    }
  }
  for (const [place, { matcher }] of booths.entries()) {
    const told = levels[place];
    if (told !== undefined) matcher.showLevels(told);
  }
}

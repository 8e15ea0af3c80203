/**
 * @module
 * Rows in which nothing can happen to an account without orders and positions: what they say of levels is taken in at
 * once, in the end, and the few others as they come.
 */
import { must } from '../../core/index.ts';
import { EVENT } from '../../domain/index.ts';
import type { MarketSlot } from './local-orders.ts';
import type { EmittedLevels, LocalVenue, MarketRows } from './types.ts';

const SELL_TRADE = EVENT.sellTrade;
const FEED = EVENT.feed;

/** What is passed over. */
export interface PassedRows {
  /** The rows. */
  readonly rows: MarketRows;
  /** Which of them are no levels. */
  readonly others: Int32Array;
  /** The resulting levels, by the index of a market. */
  readonly levels: readonly EmittedLevels[];
}

/** Shows the levels, the last prices, and gives `venue` each row of another kind. */
export function passOver(
  venue: Pick<LocalVenue, 'onRow'>,
  { rows, others, levels }: PassedRows,
  slots: readonly MarketSlot[],
): void {
  const { kind, flags, market, exchangeUs, price, size, id } = rows;
  for (const row of others) {
    const what = kind[row] as number;
    if (what === FEED) continue;
    const place = market[row] as number;
    // A trade that fills no own order is the last price and no more.
    if (what <= SELL_TRADE) must(slots[place], 'a market').market.lastTicks = price[row] as number;
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
  for (const [place, { matcher }] of slots.entries()) {
    const shown = levels[place];
    if (shown !== undefined) matcher.showLevels(shown);
  }
}

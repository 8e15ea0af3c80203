/** @module Book frames as the gateway sends them, for the benches: a book of equal steps around a random middle. */
import { formatScaled, seededRandom } from '../src/core/index.ts';
import { lots, type Market, type MarketSymbol, ppm, quantums, ticks } from '../src/domain/index.ts';

/** The market of all benches: prices in tenths, sizes in ten-thousandths. */
export const MARKET: Market = {
  symbol: 'BTC-USD' as MarketSymbol,
  signingMarketId: 0,
  priceDecimals: 1,
  sizeDecimals: 4,
  tickStep: ticks(1),
  lotStep: lots(1),
  status: 'Active',
  quantumsPerTickLot: 10n,
  initialMarginPpm: ppm(50_000),
  maintenanceFractionPpm: ppm(600_000),
  minNotional: quantums(10_000_000n),
};

/** The middle of the books, in ticks: they jump within 640 of it, no two of 64 in a row alike. */
export const MIDDLE_TICKS = 670_000;

/** Ticks between two levels. */
const STEP = 5;

/** The text of book frame number `index`, with `levels` levels a side. */
export function bookFrame(levels: number, index: number, head: { seq: number; isSnapshot: boolean }): string {
  const random = seededRandom(`book ${index}`);
  const middle = MIDDLE_TICKS + (((index * 27) % 64) - 32) * 20;
  const side = (direction: 1 | -1) =>
    Array.from({ length: levels }, (_, depth) => [
      formatScaled(middle + direction * (depth + 1) * STEP, MARKET.priceDecimals),
      formatScaled(random.integer(1, 50_000), MARKET.sizeDecimals),
    ]);
  const { seq, isSnapshot } = head;
  const data = { symbol: MARKET.symbol, seq, ts: 1_790_000_000_000 + index, bids: side(-1), asks: side(1) };
  return JSON.stringify({ channel: 'book', isSnapshot, seq, data });
}

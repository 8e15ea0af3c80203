import { describe, expect, test } from 'vitest';
import { parseScaled } from '../../src/core/index.ts';
import { ticks } from '../../src/domain/index.ts';
import { hourlyRateE12, premiumE12 } from '../../src/exchange/engine/prices/funding.ts';
import { MarketState } from '../../src/exchange/engine/prices/market-state.ts';
import { hasShared, readSharedJson } from '../support/shared.ts';
import { aMarket } from '../unit/exchange/engine/desk.ts';

interface Vectors {
  hourly: { time: string; premium: string; rate: string }[];
  premiumFromBook: {
    index: string;
    impactNotional: string;
    bids: [string, string][];
    asks: [string, string][];
    premiumPpm: number;
  }[];
}

const isThere = hasShared('vectors', 'funding.json');
const vectors = isThere
  ? readSharedJson<Vectors>('vectors', 'funding.json')
  : { hourly: [], premiumFromBook: [] };
const e12 = (text: string) => parseScaled(text, 12) ?? 0n;
const scaled = (text: string, decimals: number) => Number(parseScaled(text, decimals));

describe.skipIf(!isThere)('funding of a real venue', () => {
  test.each(vectors.hourly)('the rate recorded at $time follows from its premium', ({ premium, rate }) => {
    const difference = hourlyRateE12(e12(premium)) - e12(rate);
    // Recorded rates and premiums are rounded at the tenth decimal.
    expect(difference <= 51n && difference >= -51n).toBe(true);
  });

  test.each(vectors.premiumFromBook)(
    'a book around an index of $index has a premium of $premiumPpm ppm',
    (book) => {
      const market = new MarketState(
        {
          market: aMarket({ priceDecimals: 1, sizeDecimals: 1, quantumsPerTickLot: 10_000n }),
          indexTicks: ticks(1),
        },
        0,
      );
      market.indexTicks = scaled(book.index, 1);
      let id = 0;
      for (const [price, size] of book.bids) market.book.rest(id++, 0, scaled(price, 1), scaled(size, 1));
      for (const [price, size] of book.asks) market.book.rest(id++, 1, scaled(price, 1), scaled(size, 1));
      const premium = premiumE12(market, BigInt(book.impactNotional) * 1_000_000n);
      expect(Number(premium / 1_000_000n)).toBe(book.premiumPpm);
    },
  );
});

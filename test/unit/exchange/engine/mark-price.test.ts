import { describe, expect, test } from 'vitest';
import { ticks } from '../../../../src/domain/index.ts';
import { markPrice } from '../../../../src/exchange/engine/prices/mark-price.ts';
import { aMarket, Desk, eventsOf } from './desk.ts';

describe('the formula', () => {
  test.each([
    [{ indexTicks: 1000, bookTicks: 1003, basisTicks: 5 }, 1003],
    [{ indexTicks: 1000, bookTicks: 1009, basisTicks: 5 }, 1005],
    [{ indexTicks: 1000, bookTicks: 990, basisTicks: 5 }, 1000],
    [{ indexTicks: 1000, bookTicks: 1500, basisTicks: 400 }, 1020],
    [{ indexTicks: 1000, bookTicks: 500, basisTicks: -400 }, 980],
    [{ indexTicks: 101, bookTicks: 50, basisTicks: -50 }, 99],
  ])('%o gives %i', (inputs, mark) => {
    expect(markPrice(inputs)).toBe(mark);
  });
});

describe('at the venue', () => {
  const desk = () => new Desk({ markets: [{ market: aMarket(), indexTicks: ticks(10_000) }] });

  test('mark changes only when the index is told', () => {
    const own = desk();
    const [a, b] = [own.trader(), own.trader()];
    own.mustPlace(a, 'buy', 10_050, 1);
    own.mustPlace(b, 'sell', 10_050, 1);
    expect(own.venue.marketView(0)).toMatchObject({ markTicks: 10_000, lastTicks: 10_050 });
    own.index(10_000);
    expect(own.venue.marketView(0).markTicks).toBe(10_000);
  });

  test('an empty market is marked at its index', () => {
    const own = desk();
    expect(eventsOf(own.index(12_345), 'OracleUpdated')).toMatchObject([
      { indexTicks: 12_345, markTicks: 12_345 },
    ]);
  });

  test('the basis follows the mid slowly and carries the mark with it', () => {
    const own = desk();
    const trader = own.trader();
    own.index(10_000);
    own.mustPlace(trader, 'buy', 10_098, 1);
    own.mustPlace(trader, 'sell', 10_102, 1);
    own.block(150_000);
    own.index(10_000);
    // Half of the distance of 100 after one time constant.
    expect(own.venue.marketView(0).markTicks).toBe(10_050);
  });
});

import { expect, test } from 'vitest';
import {
  BELOW_MIN_NOTIONAL,
  Grid,
  type GridOptions,
  type QuoteTarget,
  type Touch,
} from '../../../../src/bot/strategy/index.ts';
import type { Lots, Ticks } from '../../../../src/domain/index.ts';
import { scriptedMarket } from '../../../../src/testing/index.ts';

const OPTIONS: GridOptions = { stepPpm: 1_000, levels: 2, sizeLots: 10, maxLots: 30 };
const touch = (midTicks: number): Touch => ({
  ...{ bidTicks: (midTicks - 10) as Ticks, askTicks: (midTicks + 10) as Ticks, midTicks },
});
const pricesOf = (target: QuoteTarget | string) =>
  typeof target === 'string'
    ? target
    : [target.bids, target.asks].map((side) => side.map(({ priceTicks }) => priceTicks));

function aMarket(inventoryLots = 0) {
  const market = scriptedMarket();
  market.inventoryLots = inventoryLots as Lots;
  return market;
}

test('hangs at the first mid, and stays there while the price moves', () => {
  const grid = new Grid();
  expect(pricesOf(grid.quotes(aMarket(), touch(1_000_000), OPTIONS))).toEqual([
    [999_000, 998_000],
    [1_001_000, 1_002_000],
  ]);
  expect(pricesOf(grid.quotes(aMarket(), touch(1_000_500), OPTIONS))).toEqual([
    [999_000, 998_000],
    [1_001_000, 1_002_000],
  ]);
});

test('moves by what is held, and ends at its largest position', () => {
  const grid = new Grid();
  grid.quotes(aMarket(), touch(1_000_000), OPTIONS);
  expect(pricesOf(grid.quotes(aMarket(10), touch(999_000), OPTIONS))).toEqual([
    [998_000, 997_000],
    [1_000_000, 1_001_000],
  ]);
  expect(pricesOf(grid.quotes(aMarket(30), touch(997_000), OPTIONS))).toEqual([[], [998_000, 999_000]]);
});

test('finds its anchor again after a restart, unless one is given', () => {
  const before = new Grid();
  before.quotes(aMarket(), touch(1_000_000), OPTIONS);
  const after = new Grid();
  for (const odd of [null, 7, 'x', { 'BTC-USD': 'x' }, { 'BTC-USD': -1 }]) after.handlers.onLoad(odd);
  after.handlers.onLoad(JSON.parse(JSON.stringify(before.handlers.onSave())));
  expect(pricesOf(after.quotes(aMarket(), touch(1_000_500), OPTIONS))).toEqual([
    [999_000, 998_000],
    [1_001_000, 1_002_000],
  ]);
  const given = { ...OPTIONS, anchorTicks: 1_010_000 as Ticks };
  expect(pricesOf(after.quotes(aMarket(), touch(1_010_500), given))).toEqual([
    [1_008_990, 1_007_980],
    [1_011_010, 1_012_020],
  ]);
});

test('says so when the market takes no order so small', () => {
  const market = scriptedMarket({ minNotional: 1_000_000 });
  expect(new Grid().quotes(market, touch(1_000_000), OPTIONS)).toBe(BELOW_MIN_NOTIONAL);
});

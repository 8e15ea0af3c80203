import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/domain/index.ts';
import ladder from '../../../strategies/two-sided-ladder/index.ts';
import { type Level, ScriptedMarket, ScriptedRun } from '../../support/scripted-context.ts';
import { aFill, aMarket, aWorkingOrder, BTC, ETH } from '../../support/trading-builders.ts';

const BASE = { size: '0.010', maxInventory: '0.050', halfSpreadPpm: '100', touch: 'join' };

/** One market with others' orders at 99,990.0 and 100,010.0: 100 ppm from the middle. */
function aRun(parameters: Readonly<Record<string, unknown>> = {}) {
  const market = new ScriptedMarket();
  market.bids = [[999_900, 500]];
  market.asks = [[1_000_100, 500]];
  const run = new ScriptedRun(ladder, { ...BASE, ...parameters }, { markets: [market] });
  return { market, run };
}

/** Starts the strategy and gives its first quote as prices and sizes. */
function quoteOf({ run }: ReturnType<typeof aRun>) {
  run.handlers.onStart?.();
  return levelsOf(run);
}

function levelsOf(run: ScriptedRun) {
  const pairs = (side: 'bids' | 'asks') =>
    run.last?.[side].map(({ priceTicks, sizeLots }): Level => [priceTicks, sizeLots]);
  return { bids: pairs('bids'), asks: pairs('asks') };
}

const isQuoted = (run: ScriptedRun) => (run.wanted.get(BTC)?.bids.length ?? 0) > 0;

describe('prices', () => {
  test('joins the best orders of others', () => {
    expect(quoteOf(aRun())).toEqual({ bids: [[999_900, 10]], asks: [[1_000_100, 10]] });
  });

  test('stands one tick before the best orders of others', () => {
    expect(quoteOf(aRun({ touch: 'improve' }))).toEqual({ bids: [[999_901, 10]], asks: [[1_000_099, 10]] });
  });

  test('stays at its half-spread where the market is wider than that', () => {
    expect(quoteOf(aRun({ halfSpreadPpm: '40' }))).toEqual({
      bids: [[999_960, 10]],
      asks: [[1_000_040, 10]],
    });
  });

  test('goes no nearer to the middle than the smallest half-spread', () => {
    const quoted = quoteOf(aRun({ minHalfSpreadPpm: '200', halfSpreadPpm: '300' }));
    expect(quoted).toEqual({ bids: [[999_800, 10]], asks: [[1_000_200, 10]] });
  });

  test('keeps its half-spread and ignores the touch when told so', () => {
    const quoted = quoteOf(aRun({ touch: 'ignore', halfSpreadPpm: '250' }));
    expect(quoted).toEqual({ bids: [[999_750, 10]], asks: [[1_000_250, 10]] });
  });

  test('rounds away from the middle', () => {
    const { market, run } = aRun({ touch: 'ignore', halfSpreadPpm: '10' });
    market.bids = [[999_901, 5]];
    run.handlers.onStart?.();
    // The middle is 1,000,000.5 and the distance 10.000005.
    expect(levelsOf(run)).toEqual({ bids: [[999_990, 10]], asks: [[1_000_011, 10]] });
  });

  test('sets further levels apart by the spacing, at least by one tick', () => {
    const spaced = quoteOf(aRun({ levels: '3', levelSpacingPpm: '50' }));
    expect(spaced.bids?.map(([price]) => price)).toEqual([999_900, 999_850, 999_800]);
    expect(spaced.asks?.map(([price]) => price)).toEqual([1_000_100, 1_000_150, 1_000_200]);
    const tight = quoteOf(aRun({ levels: '3', levelSpacingPpm: '0' }));
    expect(tight.bids?.map(([price]) => price)).toEqual([999_900, 999_899, 999_898]);
  });

  test('does not cross a market that is one tick wide, and its sides do not meet', () => {
    for (const touch of ['join', 'improve', 'ignore']) {
      const { market, run } = aRun({ touch, halfSpreadPpm: '0' });
      market.bids = [[1_000_000, 5]];
      market.asks = [[1_000_001, 5]];
      run.handlers.onStart?.();
      expect(levelsOf(run)).toEqual({ bids: [[1_000_000, 10]], asks: [[1_000_001, 10]] });
    }
  });

  test('is priced by the book without its own orders', () => {
    const { market, run } = aRun({ touch: 'improve' });
    market.bids = [[999_901, 10], ...market.bids];
    market.asks = [[1_000_099, 10], ...market.asks];
    market.orders = [
      aWorkingOrder('1', { priceTicks: ticks(999_901) }),
      aWorkingOrder('2', { side: 'sell', priceTicks: ticks(1_000_099) }),
    ];
    run.handlers.onStart?.();
    // It does not chase itself one tick a round.
    expect(levelsOf(run)).toEqual({ bids: [[999_901, 10]], asks: [[1_000_099, 10]] });
  });

  test('blends the index price into its reference price', () => {
    const { market, run } = aRun({ touch: 'ignore', indexWeight: '0.25' });
    market.indexTicks = 1_000_400;
    run.handlers.onStart?.();
    // A quarter of the way from 1,000,000 to 1,000,400; the ask stays before the index, the bid behind the best ask.
    expect(levelsOf(run)).toEqual({ bids: [[999_999, 10]], asks: [[1_000_201, 10]] });
  });

  test('never quotes through the touch, wherever the index price is', () => {
    const { market, run } = aRun({ touch: 'ignore', indexWeight: '1' });
    market.indexTicks = 1_010_000;
    run.handlers.onStart?.();
    expect(levelsOf(run).bids).toEqual([[1_000_099, 10]]);
  });
});

describe('inventory', () => {
  test('moves both sides against what is held', () => {
    const shape = { touch: 'ignore', halfSpreadPpm: '100', skewPpm: '50' };
    const long = aRun(shape);
    long.market.inventoryLots = lots(25);
    expect(quoteOf(long)).toEqual({ bids: [[999_875, 10]], asks: [[1_000_075, 10]] });
    const short = aRun(shape);
    short.market.inventoryLots = lots(-25);
    expect(quoteOf(short)).toEqual({ bids: [[999_925, 10]], asks: [[1_000_125, 10]] });
  });

  test('leaves the touch with the side that would add to it and keeps the other there', () => {
    const run = aRun({ skewPpm: '300', halfSpreadPpm: '400' });
    run.market.inventoryLots = lots(25);
    expect(quoteOf(run)).toEqual({ bids: [[999_849, 10]], asks: [[1_000_100, 10]] });
  });

  test('cuts the side that would exceed the greatest inventory', () => {
    const run = aRun({ levels: '3' });
    run.market.inventoryLots = lots(35);
    const { bids, asks } = quoteOf(run);
    expect(bids?.map(([, size]) => size)).toEqual([10, 5]);
    expect(asks?.map(([, size]) => size)).toEqual([10, 10, 10]);
  });

  test('does not quote the side that is full, even beyond it', () => {
    for (const held of [50, 80]) {
      const run = aRun();
      run.market.inventoryLots = lots(held);
      expect(quoteOf(run)).toMatchObject({ bids: [], asks: [[1_000_100, 10]] });
    }
    const short = aRun();
    short.market.inventoryLots = lots(-50);
    expect(quoteOf(short)).toMatchObject({ bids: [[999_900, 10]], asks: [] });
  });

  test('leaves out what would be below the smallest notional', () => {
    const run = aRun();
    run.market.market = aMarket({ minNotional: 500_000_000n as never });
    run.market.inventoryLots = lots(46);
    // Four lots are worth 400.
    expect(quoteOf(run)).toMatchObject({ bids: [], asks: [[1_000_100, 10]] });
  });

  test('is answered at once after a fill, whenever the last quote was', () => {
    const { market, run } = aRun({ skewPpm: '100', touch: 'ignore' });
    run.handlers.onStart?.();
    market.inventoryLots = lots(50);
    run.handlers.onFill?.(aFill(), market);
    expect(run.quotes).toHaveLength(2);
    expect(levelsOf(run)).toEqual({ bids: [], asks: [[1_000_000, 10]] });
  });
});

describe('pulled quotes', () => {
  const reasons: readonly (readonly [string, (market: ScriptedMarket) => void])[] = [
    ['the market data is not fresh', (market) => Object.assign(market, { isFresh: false })],
    ['the market takes no orders', (market) => Object.assign(market, { isTradable: false })],
    ['one side of the book is empty', (market) => Object.assign(market, { bids: [] })],
    ['one side of the book is empty', (market) => Object.assign(market, { asks: [] })],
  ];

  test.each(reasons)('%s', (reason, change) => {
    const { market, run } = aRun();
    run.handlers.onStart?.();
    expect(isQuoted(run)).toBe(true);
    change(market);
    run.clock.advance(1_000);
    expect(run.pulls).toEqual([{ reason, symbol: BTC }]);
    expect(isQuoted(run)).toBe(false);
  });

  test('one side of the book is empty but for our own orders', () => {
    const { market, run } = aRun();
    market.orders = [aWorkingOrder('1', { priceTicks: ticks(999_900), sizeLots: lots(500) })];
    run.handlers.onStart?.();
    expect(run.pulls).toEqual([{ reason: 'one side of the book is empty', symbol: BTC }]);
  });

  test('the index price is not known although it is wanted', () => {
    const { run } = aRun({ indexWeight: '0.5' });
    run.handlers.onStart?.();
    expect(run.pulls).toEqual([{ reason: 'the index price is not known', symbol: BTC }]);
  });

  test('the size is below the smallest notional', () => {
    const { market, run } = aRun();
    market.market = aMarket({ minNotional: 2_000_000_000n as never });
    run.handlers.onStart?.();
    expect(run.pulls[0]?.reason).toBe('the size is below the smallest notional of the market');
  });

  test('come back on their own when the reason is gone', () => {
    const { market, run } = aRun();
    market.isFresh = false;
    run.handlers.onStart?.();
    expect(run.quotes).toEqual([]);
    market.isFresh = true;
    run.tellBook(market);
    expect(isQuoted(run)).toBe(true);
  });

  test('stay pulled while the account is degraded, and are stated again when all is known again', () => {
    const { market, run } = aRun();
    run.handlers.onStart?.();
    run.handlers.onDegraded?.({ symbol: undefined, reason: 'the private stream is behind' });
    run.clock.advance(1_000);
    run.tellBook(market);
    expect(run.pulls).toEqual([{ reason: 'the private stream is behind', symbol: BTC }]);
    expect(isQuoted(run)).toBe(false);
    run.handlers.onResumed?.(undefined);
    expect(isQuoted(run)).toBe(true);
  });

  test('of one degraded market leave the other quoted', () => {
    const [btc, eth] = [new ScriptedMarket(), new ScriptedMarket(aMarket({ symbol: ETH }))];
    for (const market of [btc, eth]) {
      market.bids = [[999_900, 5]];
      market.asks = [[1_000_100, 5]];
    }
    const run = new ScriptedRun(ladder, BASE, { markets: [btc, eth] });
    run.handlers.onStart?.();
    run.handlers.onDegraded?.({ symbol: ETH, reason: 'a frame is missing' });
    expect(run.pulls).toEqual([{ reason: 'a frame is missing', symbol: ETH }]);
    run.clock.advance(1_000);
    expect(run.last?.symbol).toBe(BTC);
    run.handlers.onResumed?.(ETH);
    expect(run.last?.symbol).toBe(ETH);
  });
});

describe('pace', () => {
  test('follows a book at once after a quiet time, and then not before the interval is over', () => {
    const { market, run } = aRun({ requoteInterval: '250ms' });
    run.handlers.onStart?.();
    run.clock.advance(100);
    market.bids = [[999_910, 500]];
    run.tellBook(market);
    expect(run.quotes).toHaveLength(1);
    run.clock.advance(150);
    expect(run.quotes).toHaveLength(2);
    expect(levelsOf(run).bids).toEqual([[999_910, 10]]);
  });

  test('does not wait for the clock to come back to where it was before it was set back', () => {
    const { market, run } = aRun({ requoteInterval: '250ms' });
    run.handlers.onStart?.();
    run.setClockBack(1_120_000);
    run.tellBook(market);
    expect(run.quotes).toHaveLength(2);
  });

  test('states the same target for the same book, so that nothing has to be written', () => {
    const { market, run } = aRun({ levels: '2' });
    run.handlers.onStart?.();
    run.clock.advance(1_000);
    run.tellBook(market);
    expect(run.quotes.length).toBeGreaterThanOrEqual(4);
    const [first, ...others] = run.quotes.map(({ atMs: _, ...quote }) => quote);
    for (const other of others) expect(other).toEqual(first);
  });

  test('lets orders stay that are near enough and large enough', () => {
    const { run } = aRun({ requoteTicks: '7', topUpBelow: '0.3' });
    run.handlers.onStart?.();
    expect(run.last?.options).toEqual({ priceToleranceTicks: 7, sizeToleranceLots: 7 });
  });

  test('tolerates no larger order than there is room for', () => {
    const { market, run } = aRun({ levels: '2' });
    market.inventoryLots = lots(45);
    run.handlers.onStart?.();
    expect(run.last?.options.sizeToleranceLots).toBe(0);
  });

  test('tolerates no price at which an old order could meet a new one', () => {
    const { market, run } = aRun({ requoteTicks: '50' });
    market.bids = [[1_000_000, 5]];
    market.asks = [[1_000_010, 5]];
    run.handlers.onStart?.();
    expect(run.last?.options.priceToleranceTicks).toBe(4);
  });
});

describe('parameters', () => {
  test('can be changed while it runs', () => {
    const { run } = aRun({ requoteInterval: '250ms' });
    run.handlers.onStart?.();
    const problems = run.instance.setParameters({ ...BASE, size: '0.020', requoteInterval: '2s' });
    expect(problems).toEqual([]);
    expect(levelsOf(run).bids).toEqual([[999_900, 20]]);
    const count = run.quotes.length;
    run.clock.advance(1_900);
    expect(run.quotes).toHaveLength(count);
    run.clock.advance(200);
    expect(run.quotes).toHaveLength(count + 1);
  });

  test.each([
    ['a missing size', { size: undefined }, 'size'],
    ['a size of zero', { size: '0' }, 'size'],
    ['a smallest half-spread above the greatest', { minHalfSpreadPpm: '101' }, 'minHalfSpreadPpm'],
    ['a weight above one', { indexWeight: '1.1' }, 'indexWeight'],
    ['an interval that floods the gateway', { requoteInterval: '10ms' }, 'requoteInterval'],
    ['a key that does not exist', { spread: '1' }, 'spread'],
  ])('error: %s is refused by its path', (_title, change, path) => {
    const checked = ladder.check({ ...BASE, ...change });
    expect(checked).toMatchObject({ isValid: false, problems: [{ path: [path] }] });
  });
});

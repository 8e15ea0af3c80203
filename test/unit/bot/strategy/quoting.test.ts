/** What every maker of the SDK shares: when it quotes, and how prices become orders. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defineStrategy,
  type MakerParameters,
  type MarketView,
  ParameterQuoter,
  param,
  Quoter,
  type QuoteTarget,
  quotesOf,
  rebalanceQuotes,
  requoteParams,
  sidesWithin,
  sizeParams,
  type Touch,
} from '../../../../src/bot/strategy/index.ts';
import { lots, notionalOf, ticks } from '../../../../src/domain/index.ts';
import { ScriptedMarket, ScriptedRun } from '../../../support/scripted-context.ts';
import { aFill, aMarket, BTC, ETH, usd } from '../../../support/trading-builders.ts';

const level = (price: number, size: number) => ({ priceTicks: ticks(price), sizeLots: lots(size) });

/** A strategy that wants what `wantedOf` says, on two markets with a touch of 999,900 and 1,000,100. */
function aRun(wantedOf: (view: MarketView, touch: Touch) => QuoteTarget | string) {
  const markets = [new ScriptedMarket(), new ScriptedMarket(aMarket({ symbol: ETH }))];
  for (const market of markets) {
    market.bids = [[999_900, 500]];
    market.asks = [[1_000_100, 500]];
  }
  const definition = defineStrategy({
    name: 'quoter-under-test',
    parameters: param.object({}),
    create: (context) => {
      const quoter = new Quoter(context, wantedOf);
      return { ...quoter.handlers, onStart: () => quoter.start(250) };
    },
  });
  const run = new ScriptedRun(definition, {}, { markets });
  const [btc = new ScriptedMarket()] = markets;
  return { run, btc };
}

const WANTED: QuoteTarget = { bids: [level(999_900, 10)], asks: [level(1_000_100, 10)] };

describe('Quoter', () => {
  test('asks nothing before it is started, then each market, at the interval and after fills', () => {
    const asked: string[] = [];
    const { run, btc } = aRun((view, touch) => {
      asked.push(`${view.symbol} ${touch.bidTicks} ${touch.midTicks} ${touch.askTicks}`);
      return WANTED;
    });
    run.tellBook(btc);
    expect(asked).toEqual([]);
    run.handlers.onStart?.();
    expect(asked).toEqual([BTC, ETH].map((symbol) => `${symbol} 999900 1000000 1000100`));
    run.clock.advance(100);
    run.tellBook(btc);
    expect(asked).toHaveLength(2);
    run.handlers.onFill?.(aFill(), btc);
    expect(asked).toHaveLength(3);
    run.clock.advance(150);
    expect(asked).toHaveLength(4);
    expect(run.wanted.get(BTC)).toMatchObject({ bids: WANTED.bids, asks: WANTED.asks });
  });

  test('pulls with the reason it is given, and says it once', () => {
    const { run } = aRun(() => 'nothing to do here');
    run.handlers.onStart?.();
    run.clock.advance(2_000);
    expect(run.pulls).toEqual([BTC, ETH].map((symbol) => ({ reason: 'nothing to do here', symbol })));
  });

  test.each([
    ['the market data is not fresh', { isFresh: false }],
    ['the market takes no orders', { isTradable: false }],
    ['one side of the book is empty', { bids: [] }],
  ])('quotes nothing while %s, and again afterwards', (reason, change) => {
    const { run, btc } = aRun(() => WANTED);
    run.handlers.onStart?.();
    const before = { isFresh: btc.isFresh, isTradable: btc.isTradable, bids: btc.bids };
    Object.assign(btc, change);
    run.clock.advance(1_000);
    expect(run.pulls).toEqual([{ reason, symbol: BTC }]);
    Object.assign(btc, before);
    run.clock.advance(1_000);
    expect(run.wanted.get(BTC)?.bids).toHaveLength(1);
  });

  test('quotes nothing in what is degraded, and states quotes again when it resumes', () => {
    const { run } = aRun(() => WANTED);
    run.handlers.onStart?.();
    run.handlers.onDegraded?.({ symbol: ETH, reason: 'a frame is missing' });
    expect([run.wanted.get(BTC)?.bids.length, run.wanted.get(ETH)?.bids.length]).toEqual([1, 0]);
    run.handlers.onDegraded?.({ symbol: undefined, reason: 'the journal is slow' });
    expect(run.wanted.get(BTC)?.bids).toHaveLength(0);
    run.handlers.onResumed?.(undefined);
    expect([run.wanted.get(BTC)?.bids.length, run.wanted.get(ETH)?.bids.length]).toEqual([1, 1]);
  });
});

const input = fc.record({
  tickStep: fc.constantFrom(1, 5, 50),
  lotStep: fc.constantFrom(1, 10),
  minNotional: fc.constantFrom(0, 10, 900),
  bid: fc.integer({ min: 3, max: 20_000 }),
  spread: fc.integer({ min: 1, max: 300 }),
  bids: fc.array(fc.double({ min: -500, max: 500, noNaN: true }), { maxLength: 6 }),
  asks: fc.array(fc.double({ min: -500, max: 500, noNaN: true }), { maxLength: 6 }),
  size: fc.integer({ min: 1, max: 300 }),
  room: fc.integer({ min: -100, max: 2_000 }),
  requoteTicks: fc.integer({ min: 0, max: 100 }),
});

describe('ParameterQuoter', () => {
  /** Quotes its size at the touch, by parameters that may change. */
  function aMaker() {
    const worked: number[] = [];
    const markets = [new ScriptedMarket()];
    const [market = new ScriptedMarket()] = markets;
    market.bids = [[999_900, 500]];
    market.asks = [[1_000_100, 500]];
    const definition = defineStrategy({
      name: 'maker-under-test',
      parameters: param.object({ ...sizeParams(), ...requoteParams() }),
      create: (context, initial) =>
        new ParameterQuoter<MakerParameters>(context, initial, ({ size, requoteInterval }) => {
          worked.push(requoteInterval);
          return (view, touch) => ({
            bids: [{ priceTicks: touch.bidTicks, sizeLots: view.lotsOf(size) }],
            asks: [],
          });
        }).handlers,
    });
    const run = new ScriptedRun(definition, { size: '0.10', maxInventory: '1' }, { markets });
    return { run, market, worked };
  }

  test('quotes by new parameters at once, and from then on at their interval', () => {
    const { run, market, worked } = aMaker();
    expect(run.wanted.size).toBe(0);
    run.handlers.onStart?.();
    const before = run.wanted.get(BTC)?.bids[0];
    run.tellBook(market);
    expect(worked).toEqual([250]);
    const next = { size: '0.20', maxInventory: '1', requoteInterval: '1s' };
    expect(run.instance.setParameters(next)).toEqual([]);
    expect(worked).toEqual([250, 1_000]);
    const after = run.wanted.get(BTC)?.bids[0];
    expect(before).toMatchObject({ sizeLots: 100 });
    expect(after).toMatchObject({ sizeLots: 200 });
  });

  test('error: refuses an interval below 50 ms and sizes of nothing', () => {
    const { run } = aMaker();
    expect(
      run.instance.setParameters({ size: '0', maxInventory: '1', requoteInterval: '49ms' }),
    ).toMatchObject([
      { path: ['size'], expected: 'a plain decimal above 0' },
      { path: ['requoteInterval'], expected: 'a duration from 50ms to 87600h' },
    ]);
  });
});

describe('sidesWithin', () => {
  test('leaves each side the way to the greatest inventory', () => {
    const sizes = { sizeLots: lots(10), maxLots: lots(100) };
    expect(sidesWithin(sizes, -30, { bids: [1], asks: [] })).toEqual({
      bids: { prices: [1], sizeLots: 10, maxLots: 130 },
      asks: { prices: [], sizeLots: 10, maxLots: 70 },
    });
  });
});

describe('quotesOf', () => {
  test('meets no order of others nor its own other side, fits the steps and stays within its room', () => {
    fc.assert(
      fc.property(input, (one) => {
        const { tickStep, lotStep, requoteTicks } = one;
        const market = new ScriptedMarket(
          aMarket({ tickStep: ticks(tickStep), lotStep: lots(lotStep), minNotional: usd(one.minNotional) }),
        );
        const [bid, ask] = [one.bid * tickStep, (one.bid + one.spread) * tickStep];
        const touch = { bidTicks: ticks(bid), askTicks: ticks(ask), midTicks: (bid + ask) / 2 };
        const side = (offsets: readonly number[], sign: number) => ({
          prices: offsets.map((offset) => touch.midTicks + offset).sort((a, b) => sign * (a - b)),
          sizeLots: one.size * lotStep,
          maxLots: one.room,
        });
        const { bids, asks, options } = quotesOf({
          ...{ market, touch, requoteTicks },
          ...{ bids: side(one.bids, -1), asks: side(one.asks, 1) },
        });
        for (const { priceTicks, sizeLots } of [...bids, ...asks]) {
          expect(priceTicks % tickStep).toBe(0);
          expect(sizeLots % lotStep).toBe(0);
          expect(notionalOf(market.market, priceTicks, sizeLots) >= market.minNotional).toBe(true);
        }
        const pricesOf = (levels: typeof bids) => levels.map(({ priceTicks }) => priceTicks as number);
        for (const price of pricesOf(bids)) expect(price).toBeLessThan(ask);
        for (const price of pricesOf(asks)) expect(price).toBeGreaterThan(bid);
        expect(pricesOf(bids)).toEqual([...new Set(pricesOf(bids))].sort((a, b) => b - a));
        expect(pricesOf(asks)).toEqual([...new Set(pricesOf(asks))].sort((a, b) => a - b));
        const [top, bottom] = [pricesOf(bids)[0], pricesOf(asks)[0]];
        if (top !== undefined && bottom !== undefined)
          expect(top + 2 * (options?.priceToleranceTicks ?? 0)).toBeLessThan(bottom);
        for (const levels of [bids, asks]) {
          const total = levels.reduce((sum, { sizeLots }) => sum + sizeLots, 0);
          expect(total).toBeLessThanOrEqual(Math.max(0, one.room));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('towards', () => {
  const market = new ScriptedMarket();
  const touch = { bidTicks: ticks(999_900), askTicks: ticks(1_000_100), midTicks: 1_000_000 };
  const wanted = (inventoryLots: number, targetLots: number) => {
    const { bids, asks } = rebalanceQuotes({ market, touch, inventoryLots, targetLots, sizeLots: 10 });
    return [bids, asks];
  };

  test('stands at the touch on the side that is missing, with a slice at most', () => {
    expect(wanted(0, 25)).toEqual([[level(999_900, 10)], []]);
    expect(wanted(20, 25)).toEqual([[level(999_900, 5)], []]);
    expect(wanted(5, -25)).toEqual([[], [level(1_000_100, 10)]]);
    expect(wanted(25, 25)).toEqual([[], []]);
  });
});

/** @module Scenarios of markets: what books, trades and prices of any market do one day. */
import type { Ppm } from '../../domain/index.ts';
import { type Scenario, scenesOf } from './scenario.ts';
import type { Stage } from './stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const market = scenesOf('market');

/** Shows a book that was changed by hand, for so long. */
function hold(stage: Stage, ms: number): void {
  for (let at = 0; at < ms; at += 1_000) {
    stage.wait(1_000);
    for (const one of stage.markets.values()) stage.book(one);
  }
}

/** Moves every market and shows it. */
function jump(stage: Stage, ppm: number): void {
  for (const one of stage.markets.values()) {
    one.move(ppm);
    stage.book(one);
  }
}

/** See the module. */
export const MARKET_SCENARIOS: readonly Scenario[] = [
  market('calm-market', 'A market on a quiet day, for ten minutes', (stage) => {
    stage.calm(10 * MINUTE_MS);
    if (stage.record.ended?.state === 'stopped' && stage.record.intentCount === 0)
      stage.fail(
        'a strategy that trades, or says why not',
        `it stopped itself: ${stage.record.ended.reason}`,
      );
  }),
  market('gap', 'The price moves by 5 % between two frames', (stage) => {
    jump(stage, 50_000);
    stage.calm(MINUTE_MS);
    jump(stage, -80_000);
  }),
  market('flash-crash', 'The price falls by 8 % and is back at once', (stage) => {
    for (const ppm of [-20_000, -40_000, -22_000]) jump(stage, ppm);
    stage.wait(500);
    for (const ppm of [40_000, 30_000, 14_000]) jump(stage, ppm);
  }),
  market('trend-up', 'The price rises by 10 % in five minutes', (stage) => trend(stage, 330)),
  market('trend-down', 'The price falls by 10 % in five minutes', (stage) => trend(stage, -330)),
  market('wild-market', 'The price moves ten times as fast as usual', (stage) => {
    stage.calm(2 * MINUTE_MS, { stepPpm: 150 });
  }),
  market('crossed-book', 'The best bid is above the best ask', (stage) => {
    for (const one of stage.markets.values()) {
      const [bid, ask] = [one.bids[0], one.asks[0]];
      if (bid === undefined || ask === undefined) continue;
      one.bids = [[ask[0] + 5 * one.market.tickStep, bid[1]], ...one.bids];
    }
    hold(stage, 10_000);
  }),
  market('locked-book', 'Best bid and best ask have one price', (stage) => {
    for (const one of stage.markets.values()) {
      const [bid, ask] = [one.bids[0], one.asks[0]];
      if (bid !== undefined && ask !== undefined) one.bids = [[ask[0], bid[1]], ...one.bids];
    }
    hold(stage, 10_000);
  }),
  market('no-asks', 'The book has bids only', (stage) => {
    for (const one of stage.markets.values()) one.asks = [];
    hold(stage, 30_000);
  }),
  market('no-bids', 'The book has asks only', (stage) => {
    for (const one of stage.markets.values()) one.bids = [];
    hold(stage, 30_000);
  }),
  market('empty-book', 'The book is empty, and prices come', (stage) => {
    for (const one of stage.markets.values()) [one.bids, one.asks] = [[], []];
    hold(stage, 30_000);
    for (const one of stage.markets.values()) stage.prices(one);
  }),
  market('one-tick-wide', 'The spread is one tick', (stage) => {
    for (const one of stage.markets.values()) one.halfSpreadPpm = 0;
    stage.calm(MINUTE_MS);
    for (const one of stage.markets.values()) one.halfSpreadPpm = 100;
  }),
  market('wide-spread', 'The spread is 3 % for a minute', (stage) => {
    for (const one of stage.markets.values()) one.halfSpreadPpm = 15_000;
    stage.calm(MINUTE_MS);
    for (const one of stage.markets.values()) one.halfSpreadPpm = 100;
  }),
  market('thin-book', 'Each side has one level of one lot', (stage) => {
    for (let at = 0; at < 30; at++) {
      for (const one of stage.markets.values()) {
        one.walk(stage.random, 15);
        one.bids = one.bids.slice(0, 1).map(([price]) => [price, one.market.lotStep]);
        one.asks = one.asks.slice(0, 1).map(([price]) => [price, one.market.lotStep]);
      }
      hold(stage, 1_000);
    }
  }),
  market('deep-book', 'Each side has a hundred levels', (stage) => {
    for (const one of stage.markets.values()) {
      const [bid = 0, ask = 0] = [one.bids[0]?.[0], one.asks[0]?.[0]];
      const levels = Array.from({ length: 100 }, (_, at) => at * one.market.tickStep);
      one.bids = levels.map((at) => [bid - at, 10]);
      one.asks = levels.map((at) => [ask + at, 10]);
    }
    hold(stage, 10_000);
  }),
  market('tick-change', 'The tick becomes ten times as large', (stage) => {
    for (const one of stage.markets.values())
      stage.redefine('the tick is ten times as large', one, {
        tickStep: (one.market.tickStep * 10) as typeof one.market.tickStep,
      });
    stage.calm(MINUTE_MS);
  }),
  market('lot-change', 'The lot becomes ten times as large', (stage) => {
    for (const one of stage.markets.values())
      stage.redefine('the lot is ten times as large', one, {
        lotStep: (one.market.lotStep * 10) as typeof one.market.lotStep,
      });
    stage.calm(MINUTE_MS);
  }),
  market('least-notional', 'The least notional rises to 100,000', (stage) => {
    const before = [...stage.markets.values()].map((one) => [one, one.market.minNotional] as const);
    for (const [one, notional] of before)
      stage.redefine('the least notional is 100,000', one, {
        minNotional: (notional * 10_000n) as typeof notional,
      });
    stage.calm(MINUTE_MS);
    for (const [one, minNotional] of before)
      stage.redefine('the least notional is as before', one, { minNotional });
  }),
  market(
    'low-price',
    'The price falls to a few ticks',
    (stage) => {
      for (const one of stage.markets.values()) one.midTicks = 7 * one.market.tickStep;
      jump(stage, 0);
      hold(stage, 10_000);
    },
    { isLast: true, stage: { areLimitsIgnored: true } },
  ),
  market(
    'high-price',
    'The price becomes fifty times as high',
    (stage) => {
      for (const one of stage.markets.values()) one.midTicks *= 50;
      jump(stage, 0);
      hold(stage, 10_000);
    },
    { isLast: true, stage: { areLimitsIgnored: true } },
  ),
  market('market-paused', 'The market takes no orders for a minute', (stage) => {
    for (const one of stage.markets.values()) stage.redefine('paused', one, { status: 'Paused' });
    for (const order of stage.ordersOf())
      stage.do('an order is canceled', () => stage.venue.end(order, 'canceled'));
    stage.calm(MINUTE_MS);
    for (const one of stage.markets.values()) stage.redefine('active again', one, { status: 'Active' });
  }),
  market('cancel-only', 'The market takes cancels only', (stage) => {
    for (const one of stage.markets.values()) stage.redefine('cancels only', one, { status: 'CancelOnly' });
    stage.calm(MINUTE_MS);
    for (const one of stage.markets.values()) stage.redefine('active again', one, { status: 'Active' });
  }),
  market(
    'market-end',
    'The market is settled for good',
    (stage) => {
      for (const one of stage.markets.values())
        stage.redefine('in final settlement', one, { status: 'FinalSettlement' });
      for (const order of stage.ordersOf())
        stage.do('an order is canceled', () => stage.venue.end(order, 'canceled'));
      stage.calm(MINUTE_MS);
    },
    { isLast: true },
  ),
  market('funding-spike', 'The funding rate goes to 1 % an hour, and -1 %', (stage) => {
    for (const ratePpm of [10_000, -10_000, 10]) {
      for (const one of stage.markets.values()) {
        one.fundingRatePpm = ratePpm;
        stage.prices(one);
        const funding = {
          symbol: one.symbol,
          ratePpm: ratePpm as Ppm,
          indexTicks: undefined,
          atMs: stage.clock.nowMs(),
        };
        stage.tell(`funding of ${ratePpm} ppm settled`, { type: 'FundingSettled', funding });
      }
      stage.calm(20_000);
    }
  }),
  market('no-prices', 'No mark, index or funding rate comes any more', (stage) => {
    for (const { symbol } of stage.markets.values())
      stage.tell(`no prices of ${symbol}`, {
        type: 'PricesUpdated',
        prices: {
          ...{ symbol, markTicks: undefined, indexTicks: undefined, lastTicks: undefined },
          ...{ fundingRatePpm: undefined, nextFundingAtMs: undefined, openInterestLots: undefined },
        },
      });
    hold(stage, 20_000);
  }),
  market('index-apart', 'The index is 3 % away from the book', (stage) => {
    for (let at = 0; at < 60; at++) {
      for (const one of stage.markets.values()) stage.prices(one, 30_000);
      hold(stage, 1_000);
    }
  }),
  market('hours-of-silence', 'No frame for three hours', (stage) => {
    stage.silence(3 * HOUR_MS);
  }),
  market('stale-market', 'The data of the market is not trusted', (stage) => {
    for (const { symbol } of stage.markets.values())
      stage.tell(`${symbol} is stale`, { type: 'MarketStale', symbol, reason: 'the stream was lost' });
    stage.silence(MINUTE_MS);
  }),
  market('lag', 'Frames are 2.5 seconds old when they come', (stage) => {
    for (let at = 0; at < 60; at++) {
      stage.wait(250);
      for (const one of stage.markets.values()) {
        one.walk(stage.random, 15);
        stage.book(one, 2_500);
      }
    }
  }),
  market('late-frames', 'Frames come in the wrong order', (stage) => {
    for (let at = 0; at < 40; at++) {
      stage.wait(250);
      for (const one of stage.markets.values()) stage.book(one, at % 2 === 0 ? 900 : 0);
    }
  }),
  market('burst', 'A thousand frames within one millisecond', (stage) => {
    for (let at = 0; at < 1_000; at++) {
      stage.market.walk(stage.random, 5);
      stage.book(stage.market);
    }
  }),
  market('trades-alone', 'Trades come, and no book', (stage) => {
    for (let at = 0; at < 60; at++) {
      stage.wait(500);
      for (const one of stage.markets.values()) stage.trade(at % 2 === 0 ? 'buy' : 'sell', one);
    }
  }),
  market('clock-leap', 'The clock leaps an hour ahead', (stage) => {
    stage.do('the clock leaps an hour ahead', () => stage.clock.moveTo(stage.clock.monotonicMs() + HOUR_MS));
    stage.wait(0);
  }),
];

/** Goes on by `stepPpm` each second for five minutes. */
function trend(stage: Stage, stepPpm: number): void {
  for (let at = 0; at < 300; at++) {
    for (const one of stage.markets.values()) one.move(stepPpm);
    hold(stage, 1_000);
    for (const one of stage.markets.values()) stage.prices(one);
  }
}

import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/core/index.ts';
import { type Quantums, quantums, type Side, type TimeInForce } from '../../../../src/domain/index.ts';
import type { VenueMarket } from '../../../../src/exchange/engine/index.ts';
import {
  createRecordedFlow,
  type RecordedFlowSettings,
} from '../../../../src/exchange/flow/recorded-flow.ts';
import type { RecordedFlowEvent } from '../../../../src/exchange/flow/recorded-source.ts';
import { TestFlowHost, totalCash } from '../../../support/flow-host.ts';
import {
  ListSource,
  RECORDED_START_MS,
  recordedBook,
  recordedGap,
  recordedMark,
  recordedTrade,
  recordedVenueMarket,
} from '../../../support/recorded-events.ts';

const CASH: Quantums = quantums(10n ** 15n);

/** An exchange on which a recording has just begun, and an account of the test's own. */
function play(
  events: readonly RecordedFlowEvent[],
  options: Partial<RecordedFlowSettings> & { venueMarket?: VenueMarket } = {},
) {
  const { venueMarket = recordedVenueMarket(), ...settings } = options;
  const host = new TestFlowHost({ markets: [venueMarket] });
  const flow = createRecordedFlow({ market: 0, source: new ListSource(events), ...settings });
  host.attach(flow);
  const user = host.createAccount(CASH);
  const order = (side: Side, price: number, lots: number, tif: TimeInForce = 'gtc') =>
    host.submit({
      kind: 'PlaceOrder',
      account: user,
      market: 0,
      side,
      price,
      lots: BigInt(lots),
      tif,
      reduceOnly: false,
      goodTilMs: 0,
      nowMs: host.nowMs(),
      router: 0,
      routerFeePpm: 0,
    });
  const position = () => host.positions(user)[0]?.lots ?? 0;
  return { host, flow, user, order, position };
}

const BOOK = recordedBook(0, [[990, 10]], [[1010, 10]]);

describe('recorded time', () => {
  test('begins with the first event when the flow is attached', () => {
    const { host, flow } = play([BOOK, recordedBook(250, [[991, 4]], [[1011, 4]])]);
    expect(host.book(0, 5)).toEqual({ bids: [[990, 10]], asks: [[1010, 10]] });
    host.run(200);
    expect(host.book(0, 5).bids).toEqual([[990, 10]]);
    host.run(100);
    expect(host.book(0, 5)).toEqual({ bids: [[991, 4]], asks: [[1011, 4]] });
    expect(flow.stats()).toMatchObject({ levelsApplied: 2, recordedAtMs: RECORDED_START_MS + 300 });
  });

  test('runs as many times as fast as it is told', () => {
    const { host } = play([BOOK, recordedBook(1_000, [[991, 4]], [[1011, 4]])], { speed: 10 });
    host.run(100);
    expect(host.book(0, 5).bids).toEqual([[991, 4]]);
  });

  test('ends with the source; the last levels stay', () => {
    const { host, flow } = play([BOOK]);
    host.run(5_000);
    expect(flow.stats()).toMatchObject({ ended: true });
    expect(host.book(0, 5)).toEqual({ bids: [[990, 10]], asks: [[1010, 10]] });
  });

  test('goes on through a gap, which is said and counted', () => {
    const warn = sinon.spy();
    const { host, flow, position, order } = play(
      [
        BOOK,
        recordedGap(0, 8_000),
        recordedTrade(8_000, { aggressor: 'sell', price: 990, size: 1 }),
        recordedBook(9_000, [[980, 1]], [[1010, 1]]),
      ],
      { log: { ...silentLog, warn } },
    );
    order('buy', 991, 1);
    host.run(7_900);
    expect(host.book(0, 5).bids).toEqual([
      [991, 1],
      [990, 10],
    ]);
    expect(position()).toBe(0);
    host.run(100);
    expect(position()).toBe(1);
    expect(flow.stats()).toMatchObject({ gaps: 1, gapsMs: 8_000 });
    sinon.assert.calledOnceWithMatch(warn, 'gap in the tape: levels and index are frozen');
  });
});

describe('recorded levels', () => {
  test('leave an order of somebody else at its place in the queue', () => {
    const { host, order, position } = play([
      BOOK,
      recordedBook(100, [[990, 6]], [[1010, 10]]),
      recordedBook(200, [[990, 12]], [[1010, 10]]),
      recordedTrade(400, { aggressor: 'sell', price: 990, size: 6 }),
      recordedTrade(600, { aggressor: 'sell', price: 990, size: 1 }),
    ]);
    order('buy', 990, 5);
    host.run(300);
    expect(host.book(0, 1).bids).toEqual([[990, 17]]);
    host.run(200);
    expect(position()).toBe(0);
    host.run(200);
    expect(position()).toBe(1);
  });

  test('take an order that the recorded market has moved through, at its price and as its taker', () => {
    const { host, user, flow, order, position } = play([BOOK, recordedBook(100, [[980, 10]], [[995, 10]])]);
    order('buy', 1_000, 3);
    host.run(200);
    expect(position()).toBe(3);
    expect(host.positions(user)[0]?.costBasis).toBe(3_000n * 10n);
    expect(host.book(0, 5)).toEqual({ bids: [[980, 10]], asks: [[995, 7]] });
    expect(flow.stats().bookCrossedLots).toBe(3);
    expect(flow.stats().bookCrossed).toBeGreaterThan(0);
  });

  test('are not there twice: what others took is missing until the recording shows less', () => {
    const { host, order } = play([
      BOOK,
      recordedBook(100, [[990, 10]], [[1010, 10]]),
      recordedBook(300, [[990, 10]], [[1010, 3]]),
      recordedBook(500, [[990, 10]], [[1010, 9]]),
      recordedBook(700, [[990, 10]], [[1011, 9]]),
      recordedBook(800, [[990, 10]], [[1010, 9]]),
    ]);
    order('buy', 1_010, 4, 'ioc');
    host.run(200);
    expect(host.book(0, 5).asks).toEqual([[1010, 6]]);
    host.run(200);
    expect(host.book(0, 5).asks).toEqual([]);
    host.run(200);
    expect(host.book(0, 5).asks).toEqual([[1010, 6]]);
    host.run(400);
    expect(host.book(0, 5).asks).toEqual([[1010, 9]]);
  });

  test('are not applied when they are locked in themselves', () => {
    const { host, flow } = play([BOOK, recordedBook(100, [[995, 1]], [[995, 1]])]);
    host.run(200);
    expect(host.book(0, 5).bids).toEqual([[990, 10]]);
    expect(flow.stats()).toMatchObject({ levelsApplied: 1, levelsUnusable: 1 });
  });

  test('below the minimum notional of the market are counted and do not rest', () => {
    const venueMarket = recordedVenueMarket({ minNotional: 50_000n });
    const { host, flow } = play([recordedBook(0, [[1_000, 4]], [[1_001, 6]])], { venueMarket });
    expect(host.book(0, 5)).toEqual({ bids: [], asks: [[1_001, 6]] });
    expect(flow.stats()).toMatchObject({ levelsBelowMin: 1, rejected: {} });
  });

  test('come back when a paused market opens again; each rejection is counted by its reason', () => {
    const { host, flow } = play([
      BOOK,
      recordedBook(100, [[991, 4]], [[1011, 4]]),
      recordedBook(300, [[991, 4]], [[1011, 4]]),
    ]);
    host.setMarketStatus(0, 'CancelOnly');
    host.run(200);
    expect(host.book(0, 5)).toEqual({ bids: [], asks: [] });
    expect(flow.stats().rejected).toEqual({ MarketNotTrading: 6 });
    host.setMarketStatus(0, 'Active');
    host.run(200);
    expect(host.book(0, 5)).toEqual({ bids: [[991, 4]], asks: [[1011, 4]] });
  });
});

describe('recorded trades', () => {
  test('take at their price or better, no matter who stands there', () => {
    const { host, user, order, position } = play([
      BOOK,
      recordedTrade(100, { aggressor: 'buy', price: 1_010, size: 5 }),
    ]);
    order('sell', 1_005, 2);
    host.run(200);
    expect(position()).toBe(-2);
    expect(host.positions(user)[0]?.costBasis).toBe(-2_010n * 10n);
    expect(host.book(0, 5).asks).toEqual([[1010, 7]]);
  });

  test('that find nobody at their price are counted with the lots left over', () => {
    const { host, flow } = play([
      BOOK,
      recordedTrade(100, { aggressor: 'sell', price: 990, size: 14 }),
      recordedTrade(100, { aggressor: 'sell', price: 990, size: 1 }),
      recordedTrade(100, { aggressor: 'buy', price: 1_010, size: 1 }),
    ]);
    host.run(200);
    expect(flow.stats()).toMatchObject({ tradesApplied: 3, tradesUnfilled: 2, unfilledLots: 5 });
  });

  test('do not make liquidity missing: the next levels already show them', () => {
    const { host } = play([
      BOOK,
      recordedTrade(100, { aggressor: 'sell', price: 990, size: 4 }),
      recordedBook(150, [[990, 10]], [[1010, 10]]),
    ]);
    host.run(300);
    expect(host.book(0, 5).bids).toEqual([[990, 10]]);
  });
});

describe('the index price', () => {
  test('is the recorded mid, told once per second, when the recording publishes none', () => {
    const { host } = play([
      recordedBook(0, [[1_990, 1]], [[2_010, 1]]),
      recordedBook(100, [[1_996, 1]], [[2_010, 1]]),
      recordedBook(60_000, [], []),
    ]);
    expect(host.marketView(0).indexTicks).toBe(2_000);
    host.run(900);
    expect(host.marketView(0).indexTicks).toBe(2_000);
    host.run(100);
    expect(host.marketView(0).indexTicks).toBe(2_003);
  });

  test('is the published one from the first on', () => {
    const { host, flow } = play([
      BOOK,
      recordedMark(200, 1_007),
      recordedBook(300, [[996, 1]], [[1_010, 1]]),
      recordedBook(60_000, [], []),
    ]);
    host.run(200);
    expect(host.marketView(0).indexTicks).toBe(1_007);
    host.run(5_000);
    expect(host.marketView(0).indexTicks).toBe(1_007);
    expect(flow.stats().marksApplied).toBe(1);
  });
});

test('an account of the recording that runs low is topped up by a deposit', () => {
  const { host, flow } = play(
    [
      BOOK,
      recordedTrade(100, { aggressor: 'sell', price: 990, size: 10 }),
      recordedBook(200, [[990, 10]], [[1010, 10]]),
      recordedBook(5_000, [[500, 1]], [[501, 1]]),
      recordedBook(60_000, [], []),
    ],
    { cash: quantums(20_000n) },
  );
  host.run(10_000);
  expect(flow.stats().topUps).toBeGreaterThan(0);
  expect(totalCash(host)).toBe(host.deposited);
});

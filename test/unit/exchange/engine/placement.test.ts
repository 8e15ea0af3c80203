import { describe, expect, test } from 'vitest';
import { lots, quantums, ticks } from '../../../../src/domain/index.ts';
import { aMarket, Desk, eventsOf, type OrderTerms } from './desk.ts';

describe('what is refused', () => {
  const strict = () =>
    new Desk({
      markets: [
        {
          market: aMarket({ tickStep: ticks(5), lotStep: lots(2), minNotional: quantums(1_000_000n) }),
          indexTicks: ticks(100),
        },
      ],
    });

  test.each([
    ['OrderNotAligned', 101, 20, {}],
    ['OrderNotAligned', 0, 20, {}],
    ['OrderNotAligned', 100, 21, {}],
    ['OrderNotAligned', 100, 0, {}],
    ['OrderTooLarge', 100, 2n ** 52n, {}],
    ['OrderTooLarge', 100, 2n ** 64n - 1n, {}],
    ['BelowMinNotional', 100, 8, {}],
    ['UnknownMarket', 100, 20, { market: 7 }],
    ['OrderExpired', 100, 20, { goodTilMs: 1_699_999_999_999 }],
    ['ReduceOnlyNoPosition', 100, 2, { reduceOnly: true }],
  ] satisfies [string, number, number | bigint, OrderTerms][])(
    '%s: %i x %i',
    (reason, price, size, terms) => {
      const desk = strict();
      const outcome = desk.place(desk.trader(), 'buy', price, size, terms);
      expect(outcome).toMatchObject({ status: 'rejected', reason, items: [], events: [] });
    },
  );

  test('UnknownAccount: the house and accounts that are not there cannot trade', () => {
    const desk = new Desk();
    expect(desk.place(0, 'buy', 100, 1).reason).toBe('UnknownAccount');
    expect(desk.place(9, 'buy', 100, 1).reason).toBe('UnknownAccount');
    expect([desk.venue.hasAccount(0), desk.venue.hasAccount(9)]).toEqual([false, false]);
  });

  test.each(['Paused', 'CancelOnly', 'FinalSettlement', 'SomethingNew'])(
    'MarketNotTrading: a market that is %s takes no orders but cancels them',
    (status) => {
      const desk = new Desk();
      const trader = desk.trader();
      const resting = desk.mustPlace(trader, 'buy', 99, 1);
      desk.keep(desk.venue.setMarketStatus(0, status, desk.at));
      expect(desk.place(trader, 'buy', 99, 1).reason).toBe('MarketNotTrading');
      expect(desk.cancel(trader, resting).status).toBe('executed');
      expect(desk.venue.marketView(0).market.status).toBe(status);
    },
  );

  test('EquityTierLimitExceeded: an account at its limit may still take', () => {
    const desk = new Desk({ openOrdersMax: 1 });
    const [maker, trader] = [desk.trader(), desk.trader()];
    desk.mustPlace(maker, 'sell', 101, 1);
    desk.mustPlace(trader, 'buy', 99, 1);
    expect(desk.place(trader, 'buy', 98, 1).reason).toBe('EquityTierLimitExceeded');
    expect(desk.place(trader, 'buy', 101, 1, { tif: 'ioc' }).status).toBe('executed');
  });
});

describe('time in force', () => {
  test('ioc is accepted with what it filled and never rests', () => {
    const desk = new Desk();
    const [maker, taker] = [desk.trader(), desk.trader()];
    desk.mustPlace(maker, 'sell', 100, 2);
    const outcome = desk.place(taker, 'buy', 100, 5, { tif: 'ioc' });
    expect(outcome.items[0]).toMatchObject({ state: 'accepted', lots: 5, filledLots: 2, isResting: false });
    const [fill] = eventsOf(outcome.events, 'Fill');
    expect(fill?.takerOrder).toMatchObject({ status: 'canceled', remainingLots: 3 });
    expect(desk.place(taker, 'buy', 100, 5, { tif: 'ioc' }).items[0]).toMatchObject({ filledLots: 0 });
    expect(desk.bookOf()).toEqual({ bids: [], asks: [] });
  });

  test('fok trades all or nothing', () => {
    const desk = new Desk();
    const [maker, taker] = [desk.trader(), desk.trader()];
    desk.mustPlace(maker, 'sell', 100, 2);
    desk.mustPlace(maker, 'sell', 101, 2);
    expect(desk.place(taker, 'buy', 101, 5, { tif: 'fok' }).reason).toBe('FokInsufficientLiquidity');
    expect(desk.place(taker, 'buy', 100, 3, { tif: 'fok' }).reason).toBe('FokInsufficientLiquidity');
    expect(desk.place(taker, 'buy', 101, 4, { tif: 'fok' }).items[0]).toMatchObject({ filledLots: 4 });
  });

  test('fok does not count what could not trade: own orders and reduce-only orders beyond their position', () => {
    const desk = new Desk();
    const [maker, taker] = [desk.trader(), desk.trader()];
    desk.mustPlace(taker, 'sell', 100, 2);
    desk.mustPlace(maker, 'buy', 100, 2);
    expect(desk.lotsOf(maker)).toBe(2);
    for (const price of [101, 102]) desk.mustPlace(maker, 'sell', price, 2, { reduceOnly: true });
    desk.mustPlace(taker, 'sell', 103, 9);
    expect(desk.place(taker, 'buy', 103, 3, { tif: 'fok' }).reason).toBe('FokInsufficientLiquidity');
    expect(desk.place(taker, 'buy', 103, 2, { tif: 'fok' }).items[0]).toMatchObject({ filledLots: 2 });
  });

  test('postOnly is refused, never repriced, also against an own order', () => {
    const desk = new Desk();
    const trader = desk.trader();
    desk.mustPlace(trader, 'sell', 100, 1);
    expect(desk.place(trader, 'buy', 100, 1, { tif: 'postOnly' }).reason).toBe('PostOnlyWouldCross');
    expect(desk.place(trader, 'buy', 99, 1, { tif: 'postOnly' }).items[0]).toMatchObject({ isResting: true });
  });

  test('an order is valid at its last instant and expires after it', () => {
    const desk = new Desk();
    const trader = desk.trader();
    const orderSeq = desk.mustPlace(trader, 'buy', 99, 3, { goodTilMs: desk.nowMs + 10 });
    desk.mustPlace(trader, 'buy', 98, 1, { goodTilMs: desk.nowMs + 11 });
    expect(eventsOf(desk.block(10), 'OrderExpired')).toEqual([]);
    const [expired, other] = eventsOf(desk.block(1), 'OrderExpired');
    expect(expired).toMatchObject({ canceledLots: 3, order: { orderSeq, status: 'expired' } });
    expect(other).toBeUndefined();
    expect(desk.bookOf().bids).toEqual([[98, 1]]);
  });

  test('the client clock counts for the end of validity when it is ahead of the block', () => {
    const desk = new Desk();
    const terms = { goodTilMs: desk.nowMs + 10, nowMs: desk.nowMs + 11 };
    expect(desk.place(desk.trader(), 'buy', 99, 1, terms).reason).toBe('OrderExpired');
  });
});

describe('reduce-only', () => {
  function longTwo() {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader()];
    desk.mustPlace(other, 'sell', 100, 2);
    desk.mustPlace(trader, 'buy', 100, 2);
    return { desk, other, trader };
  }

  test('is refused on the side that adds to the position', () => {
    const { desk, trader } = longTwo();
    expect(desk.place(trader, 'buy', 99, 1, { reduceOnly: true }).reason).toBe('ReduceOnlyWrongSide');
  });

  test('is cut down to the position', () => {
    const { desk, trader } = longTwo();
    const outcome = desk.place(trader, 'sell', 110, 9, { reduceOnly: true });
    expect(outcome.items[0]).toMatchObject({ lots: 2, isResting: true });
  });

  test('trades at most the position and leaves with it', () => {
    const { desk, other, trader } = longTwo();
    for (const price of [110, 111]) desk.mustPlace(trader, 'sell', price, 2, { reduceOnly: true });
    const outcome = desk.place(other, 'buy', 111, 4, { tif: 'ioc' });
    expect(outcome.items[0]).toMatchObject({ filledLots: 2 });
    expect(eventsOf(outcome.events, 'OrderCanceled')).toMatchObject([
      { reason: 'ReduceOnly', canceledLots: 2 },
    ]);
    expect(desk.lotsOf(trader)).toBe(0);
    expect(desk.bookOf().asks).toEqual([]);
  });

  test('trades only what is left of the position after it shrank', () => {
    const { desk, other, trader } = longTwo();
    desk.mustPlace(trader, 'sell', 110, 2, { reduceOnly: true });
    desk.mustPlace(other, 'buy', 99, 1);
    desk.mustPlace(trader, 'sell', 99, 1);
    expect(desk.bookOf().asks).toEqual([[110, 2]]);
    const outcome = desk.place(other, 'buy', 110, 2);
    expect(outcome.items[0]).toMatchObject({ filledLots: 1, isResting: true });
    expect([desk.lotsOf(trader), desk.bookOf().asks]).toEqual([0, []]);
  });

  test('is canceled when the position turns over', () => {
    const { desk, other, trader } = longTwo();
    desk.mustPlace(trader, 'sell', 110, 2, { reduceOnly: true });
    desk.mustPlace(other, 'buy', 99, 5);
    const outcome = desk.place(trader, 'sell', 99, 5);
    expect(eventsOf(outcome.events, 'OrderCanceled')).toMatchObject([{ reason: 'ReduceOnly' }]);
    expect(desk.lotsOf(trader)).toBe(-3);
  });
});

describe('self-trade', () => {
  test('the resting order in the way is canceled and the newer one goes on', () => {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader()];
    const own = desk.mustPlace(trader, 'sell', 100, 2);
    desk.mustPlace(other, 'sell', 101, 2);
    const outcome = desk.place(trader, 'buy', 101, 2);
    expect(eventsOf(outcome.events, 'OrderCanceled')).toMatchObject([
      { reason: 'SelfTrade', canceledLots: 2, order: { orderSeq: own, status: 'canceled' } },
    ]);
    expect(eventsOf(outcome.events, 'Fill')).toMatchObject([{ priceTicks: 101, lots: 2 }]);
    expect(desk.bookOf()).toEqual({ bids: [], asks: [] });
  });
});

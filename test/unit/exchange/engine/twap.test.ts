import { describe, expect, test } from 'vitest';
import type { CanonicalCommand } from '../../../../src/domain/index.ts';
import { lots, ticks } from '../../../../src/domain/index.ts';
import type { VenueSettings } from '../../../../src/exchange/engine/index.ts';
import { aMarket, Desk, eventsOf } from './desk.ts';

type Twap = Extract<CanonicalCommand, { kind: 'PlaceTwap' }>;

/** A trader who buys 10 lots in 3 slices, one per second, at most 2 % above the index of 100. */
function setUp(settings: Partial<VenueSettings> = {}) {
  const desk = new Desk(settings);
  const [trader, maker] = [desk.trader(), desk.trader()];
  const twap: Twap = {
    kind: 'PlaceTwap',
    account: trader,
    market: 0,
    side: 'buy',
    totalLots: 10n,
    slices: 3,
    intervalMs: 1_000,
    priceTolerancePpm: 20_000,
    reduceOnly: false,
    nowMs: 0,
  };
  return { desk, trader, maker, twap };
}

/** Lots of each slice that went out. */
const slicesOf = (desk: Desk) => eventsOf(desk.events, 'TwapSliced').map(({ filledLots }) => filledLots);

describe('a time-weighted order', () => {
  test('goes out in IOC slices at block boundaries, one per interval, and ends filled', () => {
    const { desk, trader, maker, twap } = setUp();
    desk.mustPlace(maker, 'sell', 101, 50);
    const placed = desk.execute(twap);
    expect(placed.events.map(({ kind }) => kind)).toEqual(['TwapPlaced']);
    expect(desk.lotsOf(trader)).toBe(0);
    desk.block(100);
    expect(desk.lotsOf(trader)).toBe(3);
    desk.block(800);
    expect(desk.lotsOf(trader)).toBe(3);
    desk.block(100);
    expect(desk.lotsOf(trader)).toBe(6);
    expect(desk.venue.waitingOrders(trader)).toMatchObject([
      { orderSeq: placed.items[0]?.orderSeq, lots: 10, remainingLots: 4, status: 'open' },
    ]);
    const last = desk.block(1_000);
    expect(last.map(({ kind }) => kind).filter((kind) => kind.startsWith('Twap'))).toEqual([
      'TwapSliced',
      'TwapEnded',
    ]);
    expect(eventsOf(last, 'TwapEnded')).toMatchObject([
      { reason: 'Filled', order: { status: 'filled', remainingLots: 0 } },
    ]);
    expect([slicesOf(desk), desk.lotsOf(trader)]).toEqual([[3, 3, 4], 10]);
    expect(desk.venue.waitingOrders(trader)).toEqual([]);
  });

  test('never trades beyond the index price and its tolerance, and gives what a slice leaves to the next', () => {
    const { desk, trader, maker, twap } = setUp();
    const dear = desk.mustPlace(maker, 'sell', 103, 50);
    desk.execute(twap);
    desk.block(100);
    expect(desk.lotsOf(trader)).toBe(0);
    desk.cancel(maker, dear);
    desk.mustPlace(maker, 'sell', 102, 50);
    desk.block(1_000);
    expect(desk.lotsOf(trader)).toBe(6);
    const slices = eventsOf(desk.events, 'OrderAccepted').filter(({ order }) => order.account === trader);
    expect(slices.map(({ order }) => [order.priceTicks, order.lots, order.tif])).toEqual([
      [102, 3, 'ioc'],
      [102, 6, 'ioc'],
    ]);
  });

  test('a seller takes the tolerance below the index, on the tick inside', () => {
    const { desk, trader, maker, twap } = setUp({
      markets: [{ market: aMarket({ tickStep: ticks(5), lotStep: lots(2) }), indexTicks: ticks(110) }],
    });
    desk.mustPlace(maker, 'buy', 105, 50);
    desk.mustPlace(maker, 'buy', 110, 2);
    desk.execute({ ...twap, side: 'sell', priceTolerancePpm: 50_000 });
    desk.block(100);
    // 110 less 5 % is 104.5: 105 is the lowest tick that is not below it; 10 lots are 5 steps of 2, a third of them is 1.
    expect([desk.lotsOf(trader), slicesOf(desk)]).toEqual([-2, [2]]);
    desk.block(1_000);
    desk.block(1_000);
    expect([desk.lotsOf(trader), slicesOf(desk)]).toEqual([-10, [2, 4, 4]]);
  });

  test('ends unfilled after its last slice', () => {
    const { desk, trader, twap } = setUp();
    desk.execute(twap);
    for (const _slice of [1, 2, 3]) desk.block(1_000);
    expect(eventsOf(desk.events, 'TwapEnded')).toMatchObject([
      { reason: 'SlicesDone', order: { status: 'canceled', remainingLots: 10 } },
    ]);
    expect(desk.venue.waitingOrders(trader)).toEqual([]);
  });

  test('stops when the collateral runs out', () => {
    const { desk, maker, twap } = setUp();
    const poor = desk.trader(30_000n);
    desk.mustPlace(maker, 'sell', 100, 50);
    desk.execute({ ...twap, account: poor });
    for (const _slice of [1, 2, 3]) desk.block(1_000);
    expect(eventsOf(desk.events, 'TwapEnded')).toMatchObject([{ reason: 'InsufficientMargin' }]);
    expect(desk.lotsOf(poor)).toBe(6);
  });

  test('a reduce-only one takes the position back and stops there', () => {
    const { desk, trader, maker, twap } = setUp();
    desk.mustPlace(maker, 'sell', 100, 5);
    desk.place(trader, 'buy', 100, 5);
    desk.mustPlace(maker, 'buy', 100, 50);
    desk.execute({ ...twap, side: 'sell', reduceOnly: true });
    for (const _slice of [1, 2, 3]) desk.block(1_000);
    expect(desk.lotsOf(trader)).toBe(0);
    expect(eventsOf(desk.events, 'TwapEnded')).toMatchObject([{ reason: 'ReduceOnlyNoPosition' }]);
  });

  test('leaves a slice out while the market does not trade, and goes on', () => {
    const { desk, trader, maker, twap } = setUp();
    desk.mustPlace(maker, 'sell', 100, 50);
    desk.execute(twap);
    desk.keep(desk.venue.setMarketStatus(0, 'Paused', desk.at));
    desk.block(1_000);
    desk.keep(desk.venue.setMarketStatus(0, 'Active', desk.at));
    desk.block(1_000);
    expect(desk.lotsOf(trader)).toBe(6);
  });

  test.each([
    ['cancel-all', (account: number) => ({ kind: 'CancelAll', account }) as const],
    [
      'its own cancel',
      (account: number, orderSeq: bigint) =>
        ({ kind: 'CancelTwap', account, orderId: { market: 0, orderSeq } }) as const,
    ],
    [
      'a cancel by number',
      (account: number, orderSeq: bigint) =>
        ({ kind: 'CancelOrder', account, orderId: { market: 0, orderSeq } }) as const,
    ],
  ])('is canceled by %s; nobody else can', (_name, cancel) => {
    const { desk, trader, maker, twap } = setUp();
    desk.mustPlace(maker, 'sell', 100, 50);
    const orderSeq = desk.execute(twap).items[0]?.orderSeq ?? 0n;
    desk.block(100);
    desk.execute(cancel(maker, orderSeq));
    expect(desk.venue.waitingOrder(0, orderSeq)?.remainingLots).toBe(7);
    const canceled = desk.execute(cancel(trader, orderSeq));
    expect(canceled.status).toBe('executed');
    expect(eventsOf(canceled.events, 'TwapEnded')).toMatchObject([
      { reason: 'Requested', order: { status: 'canceled', remainingLots: 7 } },
    ]);
    desk.block(1_000);
    expect(desk.lotsOf(trader)).toBe(3);
  });

  test('goes with the switch', () => {
    const { desk, trader, maker, twap } = setUp();
    desk.mustPlace(maker, 'sell', 100, 50);
    desk.execute(twap);
    desk.execute({ kind: 'ScheduleCancel', account: trader, triggerMs: desk.nowMs + 50, nowMs: 0 });
    expect(eventsOf(desk.block(100), 'TwapEnded')).toMatchObject([{ reason: 'ScheduleCancel' }]);
    expect(desk.lotsOf(trader)).toBe(0);
  });

  test.each([
    ['InvalidTwap', { slices: 0 }],
    ['InvalidTwap', { slices: 11 }],
    ['InvalidTwap', { intervalMs: 0 }],
    ['InvalidTwap', { priceTolerancePpm: 1_000_000 }],
    ['OrderNotAligned', { totalLots: 0n }],
    ['OrderTooLarge', { totalLots: 2n ** 60n }],
    ['UnknownMarket', { market: 7 }],
    ['EquityTierLimitExceeded', {}],
  ] satisfies [string, Partial<Twap>][])('is refused: %s (%#)', (reason, change) => {
    const { desk, twap } = setUp({ openOrdersMax: 1 });
    if (reason === 'EquityTierLimitExceeded') desk.execute(twap);
    expect(desk.execute({ ...twap, ...change })).toMatchObject({ status: 'rejected', reason, items: [] });
  });
});

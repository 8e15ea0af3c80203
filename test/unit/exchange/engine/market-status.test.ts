/** What a market's status lets through, and its end (exchange.md#market-rules). */
import { describe, expect, test } from 'vitest';
import { ticks } from '../../../../src/domain/index.ts';
import { aMarket, Desk, eventsOf } from './desk.ts';

function setUp() {
  const other = aMarket({ signingMarketId: 1 });
  const desk = new Desk({
    markets: [
      { market: aMarket(), indexTicks: ticks(100) },
      { market: other, indexTicks: ticks(100) },
    ],
  });
  const [long, short] = [desk.trader(), desk.trader()];
  desk.block(0);
  desk.mustPlace(short, 'sell', 100, 5);
  desk.place(long, 'buy', 100, 5);
  const become = (status: string) => desk.keep(desk.venue.setMarketStatus(0, status, desk.at));
  return { desk, long, short, become };
}
const pair = {
  kind: 'PlaceTpslPair',
  market: 0,
  closeSide: 'sell',
  lots: 0n,
  tpTrigger: 110,
  tpPrice: 90,
} as const;
const rest = { slTrigger: 90, slPrice: 80, positionTpsl: true, parentOrderId: undefined, nowMs: 0 } as const;
const twap = {
  kind: 'PlaceTwap',
  market: 0,
  side: 'buy',
  totalLots: 4n,
  slices: 2,
  intervalMs: 1_000,
  priceTolerancePpm: 0,
  reduceOnly: false,
  nowMs: 0,
} as const;

describe.each(['Paused', 'CancelOnly', 'FinalSettlement', 'Auction'])('a market that is %s', (status) => {
  test('takes no order of any kind, and lets orders be canceled and leverage be set', () => {
    const { desk, long, become } = setUp();
    const resting = desk.mustPlace(long, 'buy', 90, 1);
    const { items } = desk.execute({ ...pair, ...rest, account: long });
    become(status);
    const account = long;
    const orderId = { market: 0, orderSeq: resting };
    const stop = { market: 0, side: 'buy', price: 100, lots: 1n, tif: 'gtc', reduceOnly: false } as const;
    const times = { goodTilMs: 0, nowMs: 0 };
    expect(desk.place(long, 'sell', 100, 1, { reduceOnly: true }).reason).toBe('MarketNotTrading');
    for (const command of [
      { kind: 'PlaceConditional', account, ...stop, ...times, triggerPrice: 110, triggerAbove: true },
      { ...pair, ...rest, account },
      { ...twap, account },
    ] as const)
      expect(desk.execute(command).reason).toBe('MarketNotTrading');
    expect(desk.place(long, 'buy', 90, 1, { market: 1 }).status).toBe('executed');
    expect(desk.cancel(long, resting).status).toBe('executed');
    const legId = { market: 0, orderSeq: items[0]?.orderSeq ?? 0n };
    expect(desk.execute({ kind: 'CancelConditional', account, orderId: legId }).status).toBe('executed');
    expect(desk.execute({ kind: 'SetLeverage', account, market: 0, customImfPpm: 60_000 }).status).toBe(
      'executed',
    );
    // The cancel of a modification stands, its placement does not.
    const again = desk.execute({ kind: 'ModifyOrder', account, orderId, ...stop, ...times });
    expect(again.reason).toBe('UnknownOrder');
  });
});

describe('the end of a market', () => {
  test('settles every position in cash at the index price, with the funding that was not paid', () => {
    const { desk, long, short, become } = setUp();
    desk.index(107);
    desk.block(3_600_000);
    const funding = desk.venue.positions(long)[0]?.accruedFunding ?? 0n;
    const received = desk.venue.positions(short)[0]?.accruedFunding ?? 0n;
    // Rounded down on both sides: the house keeps the fraction.
    expect([funding, received]).toEqual([-7n, 6n]);
    const [before, beforeShort] = [desk.venue.account(long).equity, desk.venue.account(short).equity];
    become('FinalSettlement');
    expect(desk.lotsOf(long)).toBe(5);
    const events = desk.block(100);
    expect(eventsOf(events, 'FinalSettled')).toMatchObject([{ market: 0, indexTicks: 107, positions: 2 }]);
    expect(desk.venue.positions(long)).toEqual([]);
    expect(desk.venue.account(long)).toMatchObject({
      collateral: before,
      equity: before,
      maintenanceMargin: 0n,
    });
    expect(desk.venue.account(short).collateral).toBe(beforeShort);
    expect(desk.venue.marketView(0).openInterestLots).toBe(0);
    const entries = eventsOf(events, 'LedgerAppended').map(({ entryKind, amount }) => [entryKind, amount]);
    expect(entries).toEqual([
      ['funding', funding],
      ['funding', -funding],
      ['final_settlement', 535_000n],
      ['funding', received],
      ['funding', -received],
      ['final_settlement', -535_000n],
    ]);
    desk.index(120);
    expect(eventsOf(desk.block(100), 'FinalSettled')).toEqual([]);
  });

  test('cancels what rests and what waits there, and leaves the other market alone', () => {
    const { desk, long, become } = setUp();
    desk.mustPlace(long, 'buy', 90, 1);
    const kept = desk.mustPlace(long, 'buy', 90, 1, { market: 1 });
    desk.execute({ ...pair, ...rest, account: long });
    desk.execute({ ...twap, account: long });
    become('FinalSettlement');
    const events = desk.block(100);
    expect(eventsOf(events, 'OrderCanceled').map(({ reason }) => reason)).toEqual(['FinalSettlement']);
    expect(desk.venue.openOrders(long).map(({ orderSeq }) => orderSeq)).toEqual([kept]);
    expect(desk.venue.waitingOrders(long)).toEqual([]);
    const gone = [...eventsOf(events, 'ConditionalCanceled'), ...eventsOf(events, 'TwapEnded')];
    expect(gone.map(({ reason }) => reason)).toEqual(Array(3).fill('FinalSettlement'));
  });
});

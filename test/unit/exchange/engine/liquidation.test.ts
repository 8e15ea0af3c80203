import { describe, expect, test } from 'vitest';
import { ppm, quantums, ticks } from '../../../../src/domain/index.ts';
import type { VenueSettings } from '../../../../src/exchange/engine/index.ts';
import { aMarket, Desk, eventsOf } from './desk.ts';

/** A trader with 30,000 who is long 5 at 100: its maintenance margin is met down to 97, its money ends at 94. */
function setUp(settings: Partial<VenueSettings> = {}) {
  const desk = new Desk(settings);
  const [maker, other, trader] = [desk.trader(), desk.trader(), desk.trader(30_000n)];
  desk.block(0);
  desk.mustPlace(maker, 'sell', 100, 5);
  desk.place(trader, 'buy', 100, 5);
  const everybody = [0, maker, other, trader];
  const cash = () => everybody.reduce((sum, account) => sum + desk.venue.account(account).collateral, 0n);
  /** The block after the index price became `index`. */
  const at = (index: number) => {
    desk.index(index);
    return desk.block(100);
  };
  return { desk, maker, other, trader, cash, at };
}

const fundOf = (desk: Desk) => eventsOf(desk.events, 'InsuranceFundChanged').at(-1)?.fund;
const entries = (desk: Desk, kind: string) =>
  eventsOf(desk.events, 'LedgerAppended')
    .filter((entry) => entry.entryKind === kind)
    .map(({ account, amount }) => [account, amount]);

describe('liquidation', () => {
  test('begins where net collateral is below maintenance margin, and closes in the book', () => {
    const { desk, maker, trader, at, cash } = setUp();
    const before = cash();
    desk.mustPlace(maker, 'buy', 95, 10);
    expect(eventsOf(at(97), 'Liquidation')).toEqual([]);
    expect(desk.venue.account(trader)).toMatchObject({ netCollateral: 15_000n, maintenanceMargin: 14_550n });
    const events = at(96);
    expect(eventsOf(events, 'Liquidation')).toMatchObject([{ account: trader, side: 'sell', lots: 5 }]);
    const [taken] = eventsOf(events, 'OrderAccepted');
    expect(taken).toMatchObject({ order: { tif: 'ioc', reduceOnly: true, priceTicks: 94 }, filledLots: 5 });
    // 25,000 lost on the trade, 2,400 of 480,000 to the fund.
    expect(desk.venue.account(trader)).toMatchObject({ collateral: 2_600n, maintenanceMargin: 0n });
    expect([desk.lotsOf(trader), fundOf(desk), cash()]).toEqual([0, 2_400n, before]);
  });

  test('cancels the orders of the account first, those that wait too', () => {
    const { desk, maker, trader, at } = setUp({ sparesTriggerOrders: true });
    desk.mustPlace(maker, 'buy', 95, 10);
    desk.mustPlace(trader, 'sell', 120, 1);
    const legs = { tpTrigger: 120, tpPrice: 110, slTrigger: 80, slPrice: 70, lots: 5n, nowMs: 0 };
    const pair = { kind: 'PlaceTpslPair', market: 0, closeSide: 'sell', ...legs } as const;
    desk.execute({ ...pair, account: trader, positionTpsl: true, parentOrderId: undefined });
    const events = at(96);
    const gone = [...eventsOf(events, 'OrderCanceled'), ...eventsOf(events, 'ConditionalCanceled')];
    expect(gone.map(({ reason }) => reason)).toEqual(['Liquidation', 'Liquidation', 'Liquidation']);
  });

  test('waits while the book is empty and the account has something, and while the market does not trade', () => {
    const { desk, maker, trader, at } = setUp();
    expect(eventsOf(at(95), 'Deleverage')).toEqual([]);
    desk.mustPlace(maker, 'buy', 94, 10);
    desk.keep(desk.venue.setMarketStatus(0, 'Paused', desk.at));
    desk.block(100);
    expect(desk.lotsOf(trader)).toBe(5);
    desk.keep(desk.venue.setMarketStatus(0, 'Active', desk.at));
    desk.block(100);
    expect(desk.lotsOf(trader)).toBe(0);
  });

  test('closes what it must and no more: the position with the largest margin first', () => {
    const second = { market: aMarket({ signingMarketId: 1 }), indexTicks: ticks(100) };
    const { desk, maker, trader, at } = setUp({
      markets: [{ market: aMarket(), indexTicks: ticks(100) }, second],
    });
    desk.mustPlace(maker, 'sell', 100, 1, { market: 1 });
    desk.place(trader, 'buy', 100, 1, { market: 1 });
    desk.mustPlace(maker, 'buy', 96, 10);
    desk.mustPlace(maker, 'buy', 96, 10, { market: 1 });
    at(96);
    expect([desk.lotsOf(trader), desk.lotsOf(trader, 1)]).toEqual([0, 1]);
  });

  test('looks at the margin of the market, not at a leverage of the account’s own', () => {
    const { desk, trader, at } = setUp();
    desk.execute({ kind: 'SetLeverage', account: trader, market: 0, customImfPpm: 60_000 });
    expect(eventsOf(at(97), 'Liquidation')).toEqual([]);
    expect(desk.lotsOf(trader)).toBe(5);
  });

  test('reaches in the same block an account that fails by an old order of its own that a liquidation fills', () => {
    const desk = new Desk();
    // The one whose order is old comes first: it is looked at before the other is closed.
    const [stale, maker, trader] = [desk.trader(25_000n), desk.trader(), desk.trader(30_000n)];
    desk.block(0);
    desk.mustPlace(maker, 'sell', 100, 5);
    desk.place(trader, 'buy', 100, 5);
    desk.mustPlace(stale, 'buy', 98, 5);
    desk.index(93);
    const events = desk.block(100);
    expect(eventsOf(events, 'Liquidation').map(({ account }) => account)).toEqual([trader]);
    expect(eventsOf(events, 'Deleverage').map(({ account }) => account)).toEqual([stale]);
    expect([desk.lotsOf(trader), desk.lotsOf(stale), desk.lotsOf(maker)]).toEqual([0, 0, 0]);
    expect(desk.venue.account(stale).collateral).toBe(0n);
  });

  test('takes a short back from the offers', () => {
    const desk = new Desk();
    const [maker, trader] = [desk.trader(), desk.trader(30_000n)];
    desk.block(0);
    desk.mustPlace(maker, 'buy', 100, 5);
    desk.place(trader, 'sell', 100, 5);
    desk.mustPlace(maker, 'sell', 105, 10);
    desk.index(104);
    const [taken] = eventsOf(desk.block(100), 'OrderAccepted');
    expect(taken).toMatchObject({ order: { side: 'buy', priceTicks: 106 }, filledLots: 5 });
    expect(desk.venue.account(trader).collateral).toBeGreaterThanOrEqual(0n);
  });
});

describe('auto-deleverage', () => {
  test('closes an account that has nothing against the most profitable on the other side', () => {
    const { desk, maker, other, trader, at, cash } = setUp();
    const before = cash();
    // Another short, of 99: less profitable than the one of 100.
    const third = desk.trader();
    desk.mustPlace(third, 'buy', 99, 3);
    desk.place(other, 'sell', 99, 3);
    const events = at(93);
    expect(eventsOf(events, 'Deleverage')).toMatchObject([
      { account: trader, counterAccount: maker, side: 'sell', priceTicks: 93, lots: 5 },
    ]);
    expect([desk.lotsOf(trader), desk.lotsOf(maker), desk.lotsOf(other)]).toEqual([0, 0, -3]);
    expect(desk.venue.account(trader).collateral).toBe(0n);
    expect(cash() + desk.venue.account(third).collateral).toBe(before + 1_000_000_000_000n);
  });

  test('is done at mark, and the insurance fund pays the debt', () => {
    const { desk, trader, at } = setUp({ insuranceFund: quantums(7_000n) });
    expect(fundOf(desk)).toBe(7_000n);
    const events = at(93);
    expect(eventsOf(events, 'Deleverage')[0]).toMatchObject({ priceTicks: 93 });
    expect(entries(desk, 'insurance')).toEqual([
      [trader, 5_000n],
      [0, -5_000n],
    ]);
    expect([desk.venue.account(trader).collateral, fundOf(desk)]).toEqual([0n, 2_000n]);
  });
});

describe('a debt', () => {
  test('that the fund does not reach is paid by everybody who has money, to the last unit', () => {
    const { desk, maker, other, trader, at, cash } = setUp({ insuranceFund: quantums(2_000n) });
    const before = cash();
    desk.keep(desk.venue.setMarketStatus(0, 'FinalSettlement', desk.at));
    const events = at(93);
    expect(eventsOf(events, 'SocializedLoss')).toMatchObject([
      { account: trader, amount: 3_000n, payers: 2 },
    ]);
    const paid = entries(desk, 'socialized_loss');
    expect(paid.map(([account]) => account)).toEqual([maker, other, trader]);
    expect(paid.reduce((sum, [, amount]) => sum + BigInt(amount ?? 0), 0n)).toBe(0n);
    expect([desk.venue.account(trader).collateral, fundOf(desk), cash()]).toEqual([0n, 0n, before]);
  });

  test('of fees alone is paid too', () => {
    const { desk, maker, trader, at } = setUp({ takerFeePpm: ppm(5_000), insuranceFund: quantums(50_000n) });
    desk.mustPlace(maker, 'buy', 90, 10);
    at(93);
    expect([desk.lotsOf(trader), desk.venue.account(trader).collateral]).toEqual([0, 0n]);
  });
});

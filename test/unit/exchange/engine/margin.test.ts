import { describe, expect, test } from 'vitest';
import { ppm, ticks } from '../../../../src/domain/index.ts';
import { aMarket, Desk } from './desk.ts';

/** One lot at 100 ticks is 100,000 quantums, its initial margin 5,000, its maintenance margin 3,000. */
describe('figures', () => {
  test('initial margin is of the position, maintenance margin a fraction of it, both at mark', () => {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader(100_000n)];
    desk.mustPlace(other, 'sell', 100, 3);
    desk.mustPlace(trader, 'buy', 100, 3);
    expect(desk.venue.account(trader)).toMatchObject({
      collateral: -200_000n,
      equity: 100_000n,
      netCollateral: 100_000n,
      initialMargin: 15_000n,
      orderMargin: 0n,
      maintenanceMargin: 9000n,
      withdrawable: 85_000n,
    });
  });

  test('net collateral is at mark, equity at index', () => {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader(100_000n)];
    desk.mustPlace(other, 'sell', 100, 3);
    desk.mustPlace(trader, 'buy', 100, 3);
    desk.mustPlace(other, 'buy', 109, 1);
    desk.mustPlace(other, 'sell', 111, 1);
    desk.index(100);
    expect(desk.venue.account(trader)).toMatchObject({ netCollateral: 100_000n, withdrawable: 85_000n });
    desk.block(150_000);
    desk.index(100);
    expect(desk.venue.marketView(0)).toMatchObject({ indexTicks: 100, markTicks: 102 });
    expect(desk.venue.account(trader)).toMatchObject({
      equity: 100_000n,
      netCollateral: 106_000n,
      initialMargin: 15_300n,
      maintenanceMargin: 9180n,
      withdrawable: 90_700n,
    });
  });

  test('resting orders reserve the worst case, reduce-only orders nothing', () => {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader(100_000n)];
    desk.mustPlace(other, 'sell', 100, 2);
    desk.mustPlace(trader, 'buy', 100, 2);
    desk.mustPlace(trader, 'sell', 101, 3);
    expect(desk.venue.account(trader).orderMargin).toBe(0n);
    desk.mustPlace(trader, 'sell', 101, 2);
    expect(desk.venue.account(trader).orderMargin).toBe(5000n);
    desk.mustPlace(trader, 'sell', 102, 2, { reduceOnly: true });
    expect(desk.venue.account(trader).orderMargin).toBe(5000n);
    desk.mustPlace(trader, 'buy', 99, 4);
    expect(desk.venue.account(trader).orderMargin).toBe(20_000n);
  });

  test('an order at a worse price than mark reserves the difference until it is gone', () => {
    const desk = new Desk();
    const trader = desk.trader(100_000n);
    const orderSeq = desk.mustPlace(trader, 'buy', 110, 2);
    expect(desk.venue.account(trader).orderMargin).toBe(10_000n + 20_000n);
    desk.cancel(trader, orderSeq);
    expect(desk.venue.account(trader)).toMatchObject({ orderMargin: 0n, withdrawable: 100_000n });
  });
});

describe('InsufficientMargin', () => {
  test('an order may use all of the free margin and no more', () => {
    const desk = new Desk();
    const trader = desk.trader(15_000n);
    expect(desk.place(trader, 'buy', 100, 4).reason).toBe('InsufficientMargin');
    desk.mustPlace(trader, 'buy', 100, 3);
    expect(desk.place(trader, 'buy', 99, 1).reason).toBe('InsufficientMargin');
    // The other side does not add to the worst case.
    desk.mustPlace(trader, 'sell', 101, 3);
  });

  test('an order that trades is judged at the prices it gets, with its fee', () => {
    const desk = new Desk({ takerFeePpm: ppm(1000) });
    const [other, exact, poor] = [desk.trader(), desk.trader(5100n), desk.trader(5099n)];
    desk.mustPlace(other, 'sell', 100, 2);
    expect(desk.place(poor, 'buy', 150, 1, { tif: 'ioc' }).reason).toBe('InsufficientMargin');
    expect(desk.place(exact, 'buy', 150, 1, { tif: 'ioc' }).items[0]).toMatchObject({ filledLots: 1 });
  });

  test('the remainder that would rest is judged at its limit', () => {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader(30_000n)];
    desk.mustPlace(other, 'sell', 100, 1);
    expect(desk.place(trader, 'buy', 130, 2).reason).toBe('InsufficientMargin');
    expect(desk.place(trader, 'buy', 120, 2).items[0]).toMatchObject({ filledLots: 1, isResting: true });
  });

  test('below initial margin only what takes the position back is allowed', () => {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader(20_000n)];
    desk.mustPlace(other, 'sell', 100, 4);
    desk.mustPlace(trader, 'buy', 100, 4);
    desk.index(97);
    const { netCollateral, initialMargin } = desk.venue.account(trader);
    expect(netCollateral < initialMargin).toBe(true);
    expect(desk.place(trader, 'buy', 90, 1).reason).toBe('InsufficientMargin');
    expect(desk.place(trader, 'sell', 105, 9).reason).toBe('InsufficientMargin');
    desk.mustPlace(trader, 'sell', 105, 3);
    expect(desk.place(trader, 'sell', 105, 2).reason).toBe('InsufficientMargin');
    desk.mustPlace(trader, 'sell', 104, 4, { reduceOnly: true });
  });
});

describe('leverage', () => {
  const set = (desk: Desk, account: number, customImfPpm: number, market = 0) =>
    desk.execute({ kind: 'SetLeverage', account, market, customImfPpm });

  test.each([0, 5, 20, 49_999, 1_000_001])('InvalidLeverage: %i ppm against a base of 50,000', (rate) => {
    const desk = new Desk();
    expect(set(desk, desk.trader(), rate).reason).toBe('InvalidLeverage');
  });

  test('raises the initial margin only', () => {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader(100_000n)];
    desk.mustPlace(other, 'sell', 100, 2);
    desk.mustPlace(trader, 'buy', 100, 2);
    expect(set(desk, trader, 200_000).events).toMatchObject([{ kind: 'LeverageSet', customImfPpm: 200_000 }]);
    expect(desk.venue.account(trader)).toMatchObject({ initialMargin: 40_000n, maintenanceMargin: 6000n });
    expect(desk.venue.positions(trader)[0]?.initialMarginPpm).toBe(200_000);
  });

  test('InsufficientMargin: what is there already must fit under it', () => {
    const desk = new Desk();
    const trader = desk.trader(20_000n);
    desk.mustPlace(trader, 'buy', 100, 2);
    expect(desk.venue.account(trader).withdrawable).toBe(10_000n);
    expect(set(desk, trader, 100_001).reason).toBe('InsufficientMargin');
    expect(desk.venue.account(trader).withdrawable).toBe(10_000n);
    expect(set(desk, trader, 100_000).status).toBe('executed');
    expect(set(desk, trader, 50_000).status).toBe('executed');
  });

  test('UnknownMarket', () => {
    const desk = new Desk();
    expect(set(desk, desk.trader(), 100_000, 4).reason).toBe('UnknownMarket');
  });
});

describe('settings', () => {
  test('a venue without a funding interval or with two markets of one number is a mistake', () => {
    const twice = { market: aMarket(), indexTicks: ticks(1) };
    expect(() => new Desk({ fundingIntervalMs: 0 })).toThrow('funding interval');
    expect(() => new Desk({ markets: [twice, twice] })).toThrow('market numbers to differ');
  });
});

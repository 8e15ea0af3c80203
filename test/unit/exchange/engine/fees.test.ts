import { describe, expect, test } from 'vitest';
import { type Market, type MarketSymbol, ppm, quantums, ticks } from '../../../../src/domain/index.ts';
import type { VenueSettings } from '../../../../src/exchange/engine/index.ts';
import type { MarketDex, MarketFees } from '../../../../src/exchange/engine/types.ts';
import { aMarket, anOrder, Desk, eventsOf } from './desk.ts';

const marketOf = (told: { fees?: MarketFees; dex?: MarketDex } = {}, changes: Partial<Market> = {}) => ({
  market: aMarket(changes),
  indexTicks: ticks(100),
  ...told,
});

/** A desk of which the first account is a dex's deployer, the second a builder. */
function setUp(settings: Partial<VenueSettings> = {}) {
  const desk = new Desk({ takerFeePpm: ppm(500), ...settings });
  const [deployer, builder, maker, taker] = [desk.trader(), desk.trader(), desk.trader(), desk.trader()];
  return { desk, deployer, builder, maker, taker };
}

/** Takes 10 lots at 100: a notional of 1,000,000 quantums, in which a part per million is one quantum. */
function takeAMillion(
  desk: Desk,
  { maker, taker }: { maker: number; taker: number },
  router: readonly [number, number] = [0, 0],
) {
  desk.mustPlace(maker, 'sell', 100, 10);
  const [account, routerFeePpm] = router;
  const order = { ...anOrder('buy', 100, 10), goodTilMs: 0, nowMs: 0 };
  return desk.execute({ kind: 'PlaceOrder', account: taker, ...order, router: account, routerFeePpm });
}

const entry = (desk: Desk, kind: string) =>
  eventsOf(desk.events, 'LedgerAppended')
    .filter((one) => one.entryKind === kind)
    .map(({ account, amount }) => [account, amount]);
const sumOf = (desk: Desk) =>
  [0, 1, 2, 3, 4].reduce((sum, account) => sum + desk.venue.account(account).collateral, 0n);

describe('the taker total on a builder dex', () => {
  const sample = marketOf({
    fees: { takerFeePpm: ppm(600), makerFeePpm: ppm(-15) },
    dex: { feeScalePpm: ppm(500_000), deployerFeePpm: ppm(40), deployer: 1 },
  });

  test('is 940 ppm, and the maker gets 15', () => {
    const { desk, maker, taker, deployer } = setUp({ markets: [sample] });
    const before = sumOf(desk);
    takeAMillion(desk, { maker, taker });
    expect(entry(desk, 'taker_fee')).toEqual([[taker, -940n]]);
    expect(entry(desk, 'maker_rebate')).toEqual([[maker, 15n]]);
    expect(entry(desk, 'deployer_fee')).toEqual([[deployer, 40n]]);
    expect(entry(desk, 'dex_fee')).toEqual([[0, 300n]]);
    expect(entry(desk, 'fee_income')).toEqual([[0, 585n]]);
    expect(eventsOf(desk.events, 'Fill')[0]).toMatchObject({ taker: { fee: 940n }, maker: { fee: -15n } });
    expect(sumOf(desk)).toBe(before);
  });

  test('is 965 ppm with a builder, who gets 25', () => {
    const { desk, maker, taker, builder } = setUp({ markets: [sample] });
    takeAMillion(desk, { maker, taker }, [builder, 25]);
    expect(entry(desk, 'taker_fee')).toEqual([[taker, -965n]]);
    expect(entry(desk, 'builder_fee')).toEqual([[builder, 25n]]);
    expect(desk.venue.builder(builder)).toEqual({ feesEarned: 25n, volume: 1_000_000n });
  });

  test('truncates its parts one by one', () => {
    const { desk, maker, taker } = setUp({
      markets: [
        marketOf({ dex: sample.dex as MarketDex }, { symbol: 'A' as MarketSymbol, quantumsPerTickLot: 1n }),
      ],
    });
    // A notional of 30,000: 15 of 500 ppm, 7.5 of 250, 1.2 of 40.
    desk.mustPlace(maker, 'sell', 100, 300);
    desk.place(taker, 'buy', 100, 300);
    expect(entry(desk, 'taker_fee')).toEqual([[taker, -23n]]);
    expect(entry(desk, 'deployer_fee')).toEqual([[1, 1n]]);
  });

  test('spreads over the fills of an order, to the last unit', () => {
    const { desk, maker, taker, builder } = setUp({ markets: [sample] });
    for (const [price, size] of [
      [99, 3],
      [100, 4],
      [101, 7],
    ] as const)
      desk.mustPlace(maker, 'sell', price, size);
    const order = { ...anOrder('buy', 101, 14), goodTilMs: 0, nowMs: 0 };
    desk.execute({ kind: 'PlaceOrder', account: taker, ...order, router: builder, routerFeePpm: 333 });
    const shown = eventsOf(desk.events, 'Fill').reduce((sum, fill) => sum + fill.taker.fee, 0n);
    expect(entry(desk, 'taker_fee')).toEqual([[taker, -shown]]);
  });
});

describe('a builder', () => {
  test('is paid for what an order takes, not for what it leaves resting', () => {
    const { desk, maker, taker, builder } = setUp();
    desk.mustPlace(maker, 'sell', 100, 4);
    const order = { ...anOrder('buy', 100, 10), goodTilMs: 0, nowMs: 0 };
    desk.execute({ kind: 'PlaceOrder', account: taker, ...order, router: builder, routerFeePpm: 100 });
    desk.place(maker, 'sell', 100, 6);
    expect(desk.venue.builder(builder)).toEqual({ feesEarned: 40n, volume: 400_000n });
  });

  test('counts in the margin check', () => {
    const { desk, maker, builder } = setUp();
    const poor = desk.trader(50_500n);
    expect(takeAMillion(desk, { maker, taker: poor }, [builder, 1]).reason).toBe('InsufficientMargin');
    expect(takeAMillion(desk, { maker, taker: poor }, [builder, 0]).status).toBe('executed');
  });

  test.each([
    [9, 10],
    [0, 10],
    [2, 1_001],
  ])('InvalidBuilder: router %i at %i ppm', (router, feePpm) => {
    const { desk, maker, taker } = setUp();
    expect(takeAMillion(desk, { maker, taker }, [router, feePpm]).reason).toBe('InvalidBuilder');
  });
});

describe('tiers', () => {
  const feeTiers = [
    { tier: 1, volume: quantums(1_000_000n), takerFeePpm: ppm(400), makerFeePpm: ppm(-10) },
    { tier: 2, volume: quantums(3_000_000n), takerFeePpm: ppm(350), makerFeePpm: ppm(-20) },
  ];

  test('follow what was traded within 30 days of UTC: tier 2 is 350 / -20', () => {
    const { desk, maker, taker } = setUp({ feeTiers });
    const rates = () => {
      const { feeTier, takerFeePpm, makerFeePpm } = desk.venue.account(taker);
      return [feeTier, takerFeePpm, makerFeePpm];
    };
    desk.block(0);
    expect(rates()).toEqual([0, 500, 0]);
    takeAMillion(desk, { maker, taker });
    expect(rates()).toEqual([1, 400, -10]);
    takeAMillion(desk, { maker, taker });
    takeAMillion(desk, { maker, taker });
    expect(rates()).toEqual([2, 350, -20]);
    takeAMillion(desk, { maker, taker });
    expect(entry(desk, 'taker_fee').map(([, amount]) => amount)).toEqual([-500n, -400n, -400n, -350n]);
    expect(entry(desk, 'maker_rebate').map(([, amount]) => amount)).toEqual([10n, 10n, 20n]);
    desk.block(29 * 86_400_000);
    expect(rates()[0]).toBe(2);
    desk.block(86_400_000);
    expect(rates()).toEqual([0, 500, 0]);
  });

  test('are unknown where there are none', () => {
    const { desk, taker } = setUp();
    expect(desk.venue.account(taker).feeTier).toBeUndefined();
  });
});

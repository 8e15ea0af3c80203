import { describe, expect, test } from 'vitest';
import { type Fact, lots, ppm, quantums } from '../../../../src/domain/index.ts';
import { LocalRig, type RigOptions } from '../../../support/local-rig.ts';
import { aMarket } from '../../exchange/engine/desk.ts';

const HOUR_US = 3_600_000_000;

/** A book around 1,000 and a mark of 1,000. One lot at 1,000 is 1,000,000 quantums. */
function aRig(options: RigOptions = {}): LocalRig {
  const rig = new LocalRig(options);
  return rig.frame(['index', 1000], ['mark', 1000]).book(
    [
      [999, 100],
      [990, 500],
    ],
    [
      [1001, 100],
      [1010, 500],
    ],
  );
}

function entries(rig: LocalRig): [string, bigint][] {
  return rig.facts.flatMap((fact) =>
    fact.type === 'LedgerRecorded' ? [[fact.entry.kind, fact.entry.amount] as [string, bigint]] : [],
  );
}

function last<K extends Fact['type']>(rig: LocalRig, type: K): Extract<Fact, { type: K }> | undefined {
  return rig.facts.findLast((fact): fact is Extract<Fact, { type: K }> => fact.type === type);
}

describe('fees', () => {
  test('a taker is charged once for its order, its fills share the charge', () => {
    const rig = aRig({
      fees: { makerPpm: ppm(0), takerPpm: ppm(333) },
      markets: [aMarket({ quantumsPerTickLot: 1n })],
    });
    rig.place({ side: 'buy', price: 1010, size: 103 });
    // 100 x 1001 and 3 x 1010: trunc(100,100 x 333 ppm) = 33, trunc(103,130 x 333 ppm) = 34.
    const fees = rig.facts.flatMap((fact) => (fact.type === 'FillRecorded' ? [fact.fill.fee] : []));
    expect(fees).toEqual([33n, 1n]);
    expect(entries(rig).filter(([kind]) => kind === 'taker_fee')).toEqual([['taker_fee', -34n]]);
  });

  test('a maker with a negative rate gets a rebate', () => {
    const rig = aRig({ fees: { makerPpm: ppm(-25), takerPpm: ppm(0) } });
    rig.rest('buy', 1000, 4);
    rig.frame(['sellTrade', 998, 4]).tick();
    expect(entries(rig).slice(1)).toEqual([
      ['trade', -4_000_000n],
      ['maker_rebate', 100n],
    ]);
    expect(last(rig, 'FillRecorded')?.fill).toMatchObject({ role: 'maker', fee: -100n });
  });

  test('who has traded enough pays by the tier', () => {
    const tier = { volumeMin: quantums(50_000_000n), makerPpm: ppm(0), takerPpm: ppm(100) };
    const rig = aRig({ fees: { makerPpm: ppm(0), takerPpm: ppm(500) }, feeTiers: [tier] });
    rig.place({ side: 'buy', price: 1001, size: 50, tif: 'ioc' });
    rig.place({ side: 'sell', price: 999, size: 50, tif: 'ioc' });
    const fees = entries(rig).filter(([kind]) => kind === 'taker_fee');
    expect(fees.map(([, amount]) => amount)).toEqual([-25_025n, -4_995n]);
    expect(last(rig, 'AccountUpdated')?.account.takerFeePpm).toBe(100);
  });
});

describe('funding', () => {
  test('a settlement of the tape moves cash at its price', () => {
    const rig = aRig();
    rig.place({ side: 'buy', price: 1001, size: 10, tif: 'ioc' });
    rig.frame(['fundingSettled', 1000, 12_500]).tick();
    // 10 lots x 1,000 ticks x 1,000 quantums x 0.0000125.
    expect(entries(rig).at(-1)).toEqual(['funding', -125n]);
    expect(rig.account.pnl(() => undefined).funding).toBe(-125n);
  });

  test('without settlements the rate in force is settled at its boundary, once', () => {
    const rig = aRig();
    rig.place({ side: 'sell', price: 999, size: 10, tif: 'ioc' });
    const boundaryUs = (Math.floor(rig.us / HOUR_US) + 1) * HOUR_US;
    rig.frame(['fundingRate', 0, 12_500, boundaryUs / 1000]);
    expect(rig.venue.dueUs).toBe(boundaryUs);
    rig.tick(boundaryUs - rig.us - 1);
    expect(entries(rig).filter(([kind]) => kind === 'funding')).toEqual([]);
    rig.tick(1);
    expect(entries(rig).filter(([kind]) => kind === 'funding')).toEqual([['funding', 125n]]);
    // The settlement that the tape names a moment later is the same one; from here on those count alone.
    rig.frame(['fundingSettled', 1000, 12_500]).tick(3 * HOUR_US);
    expect(entries(rig).filter(([kind]) => kind === 'funding')).toHaveLength(1);
    rig.frame(['fundingSettled', 1000, -12_500]).tick();
    expect(entries(rig).at(-1)).toEqual(['funding', -125n]);
  });

  test('the next boundary is an interval of so many hours later', () => {
    const rig = aRig({ fundingIntervalMs: 8 * 3_600_000 });
    rig.frame(['fundingRate', 0, 100_000]);
    rig.place({ side: 'buy', price: 1001, size: 10, tif: 'ioc' });
    const first = rig.venue.dueUs;
    expect(first % (8 * HOUR_US)).toBe(0);
    rig.tick(first - rig.us);
    expect(rig.venue.dueUs).toBe(first + 8 * HOUR_US);
    expect(entries(rig).at(-1)).toEqual(['funding', -1000n]);
  });
});

describe('margin', () => {
  const poor = { collateral: quantums(2_000_000n), markets: [aMarket({ lotStep: lots(1) })] };

  test('an order beyond the margin is refused, one that closes is not', () => {
    const rig = aRig(poor);
    // 5 % of 1,000,000 a lot: 40 lots need all of it.
    expect(rig.place({ side: 'buy', price: 1000, size: 41, tif: 'postOnly' })).toEqual([
      'InsufficientMargin',
    ]);
    const id = rig.rest('buy', 1000, 38);
    rig.frame(['sellTrade', 998, 38]).tick();
    expect(rig.filledOf(id)).toBe(38);
    expect(rig.place({ side: 'buy', price: 1000, size: 5 })).toEqual(['InsufficientMargin']);
    expect(rig.place({ side: 'sell', price: 999, size: 38, tif: 'ioc' })[0]).toMatch(/^\d+$/);
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(0);
  });

  test('below maintenance everything is canceled and closed at mark, with the fee of the fund', () => {
    const rig = aRig(poor);
    rig.rest('buy', 1000, 38);
    rig.frame(['sellTrade', 998, 38]).tick();
    const other = rig.rest('sell', 1005, 3);
    // Net collateral 2,000,000 - 38 x 22 x 1,000 = 1,164,000 against 38 x 978 x 1,000 x 3 % = 1,114,920.
    rig.frame(['mark', 978]).tick();
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(38);
    rig.frame(['mark', 975]).tick();
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(0);
    expect(rig.account.endOf(other)).toBe('canceled');
    const told = last(rig, 'FillRecorded')?.fill;
    // 5,000 ppm of 37,050,000.
    expect(told).toMatchObject({ priceTicks: 975, sizeLots: 38, role: 'taker', fee: 185_250n });
    expect(entries(rig).at(-1)).toEqual(['liquidation_fee', -185_250n]);
    expect(rig.venue.balance()).toEqual({ collateral: 864_750n, equity: 864_750n });
  });

  test('a price at which less was kept says nothing of a position that has grown', () => {
    const rig = aRig(poor);
    rig.rest('buy', 1000, 1);
    rig.rest('buy', 1000, 37);
    // One lot is kept from a fiftieth below this mark on.
    rig.frame(['mark', 970]).frame(['sellTrade', 998, 1]).tick();
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(1);
    rig.frame(['mark', 990]).frame(['sellTrade', 998, 37]).tick();
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(38);
    rig.frame(['mark', 975]).tick();
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(0);
  });

  test('a debt that is left is paid by the fund, so that the ledger is the cash', () => {
    const rig = aRig(poor);
    rig.rest('buy', 1000, 38);
    rig.frame(['sellTrade', 998, 38]).tick();
    rig.frame(['mark', 900]).tick();
    expect(entries(rig).at(-1)).toEqual(['insurance', 1_800_000n]);
    expect(rig.venue.balance().equity).toBe(0n);
    expect(last(rig, 'AccountUpdated')?.account.collateral).toBe(0n);
  });

  test('without a published mark the middle of the book judges', () => {
    const rig = new LocalRig(poor);
    rig.book([[999, 100]], [[1001, 100]]);
    expect(rig.place({ side: 'buy', price: 1000, size: 41, tif: 'postOnly' })).toEqual([
      'InsufficientMargin',
    ]);
    rig.rest('buy', 1000, 38);
    rig.frame(['sellTrade', 998, 38]).tick();
    rig
      .book([[969, 5]], [[971, 5]])
      .frame(['sellTrade', 969, 1])
      .tick();
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(0);
  });

  test('leverage raises what a position needs, and cannot be above the market', () => {
    const rig = aRig(poor);
    rig.leverage(10);
    expect(rig.place({ side: 'buy', price: 1000, size: 21, tif: 'postOnly' })).toEqual([
      'InsufficientMargin',
    ]);
    expect(rig.place({ side: 'buy', price: 1000, size: 20, tif: 'postOnly' })[0]).toMatch(/^\d+$/);
    expect(rig.leverage(50)).toBe('rejected');
  });
});

describe('rules of placement', () => {
  test('reduce-only orders are clamped, refused without a position, and leave with it', () => {
    const rig = aRig();
    const reduce = (side: 'buy' | 'sell', price: number, size: number) =>
      rig.place({ side, price, size, reduceOnly: true, tif: 'gtc' })[0];
    expect(reduce('sell', 1005, 5)).toBe('ReduceOnlyNoPosition');
    rig.place({ side: 'buy', price: 1001, size: 6, tif: 'ioc' });
    expect(reduce('buy', 990, 5)).toBe('ReduceOnlyWrongSide');
    const id = reduce('sell', 1005, 50);
    expect(last(rig, 'OrderAccepted')?.acceptedLots).toBe(6);
    rig.place({ side: 'sell', price: 999, size: 6, tif: 'ioc' });
    expect(rig.account.endOf(id as never)).toBe('canceled');
  });

  test('an order ends behind its last valid instant', () => {
    const rig = aRig();
    const endMs = rig.us / 1000 + 10;
    const [id] = rig.place({ side: 'buy', price: 995, size: 5, expiresAtMs: endMs });
    rig.tick((endMs + 1) * 1000 - rig.us - 1);
    expect(rig.account.endOf(id as never)).toBeUndefined();
    rig.tick(1);
    expect(rig.account.endOf(id as never)).toBe('expired');
    expect(rig.place({ side: 'buy', price: 995, size: 5, expiresAtMs: rig.us / 1000 - 1 })).toEqual([
      'OrderExpired',
    ]);
  });

  test('steps, smallest notional and status of the market are held', () => {
    const market = aMarket({ tickStep: 5 as never, lotStep: lots(2), minNotional: quantums(10_000_000n) });
    const rig = aRig({ markets: [market] });
    expect(rig.place({ side: 'buy', price: 901, size: 20 })).toEqual(['OrderNotAligned']);
    expect(rig.place({ side: 'buy', price: 900, size: 21 })).toEqual(['OrderNotAligned']);
    expect(rig.place({ side: 'buy', price: 900, size: 2 })).toEqual(['BelowMinNotional']);
    rig.frame(['marketStatus', 0, 1]);
    expect(rig.place({ side: 'buy', price: 900, size: 20 })).toEqual(['MarketNotTrading']);
  });

  test('a cancel of an order that is gone is refused', () => {
    const rig = aRig();
    const id = rig.rest('buy', 995, 5);
    rig.cancel(id).cancel(id);
    expect(rig.account.endOf(id)).toBe('canceled');
    expect(last(rig, 'CancelRejected')).toMatchObject({ reason: 'UnknownOrder' });
    expect(last(rig, 'WriteResolved')?.outcome).toBe('rejected');
  });
});

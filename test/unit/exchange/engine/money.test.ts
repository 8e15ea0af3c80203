import { describe, expect, test } from 'vitest';
import { ppm, quantums, ticks } from '../../../../src/domain/index.ts';
import { HOUSE_ACCOUNT } from '../../../../src/exchange/engine/index.ts';
import { aMarket, Desk, eventsOf } from './desk.ts';

describe('fees', () => {
  test('a taker order pays once on the sum of its legs, its fills show parts of that', () => {
    const perTick = aMarket({ quantumsPerTickLot: 1n });
    const desk = new Desk({
      markets: [{ market: perTick, indexTicks: ticks(100) }],
      takerFeePpm: ppm(500),
      makerFeePpm: ppm(-20),
    });
    const [maker, taker] = [desk.trader(), desk.trader()];
    for (let i = 0; i < 3; i++) desk.mustPlace(maker, 'sell', 101, 9);
    const { events } = desk.place(taker, 'buy', 101, 27);
    // One leg: 909 x 500 ppm = 0.4545; all three: 1.3635, truncated 1. Each rebate: 0.018, truncated 0.
    expect(eventsOf(events, 'Fill').map((fill) => [fill.taker.fee, fill.maker.fee])).toEqual([
      [0n, 0n],
      [0n, 0n],
      [1n, 0n],
    ]);
    const charged = eventsOf(events, 'LedgerAppended').filter(({ entryKind }) => entryKind === 'taker_fee');
    expect(charged).toMatchObject([{ account: taker, amount: -1n }]);
    expect(desk.venue.account(HOUSE_ACCOUNT).collateral).toBe(1n);
  });

  test.each([
    [-20, 'maker_rebate', 200n],
    [150, 'maker_fee', -1500n],
  ])('a maker rate of %i ppm is a %s', (rate, kind, amount) => {
    const desk = new Desk({ makerFeePpm: ppm(rate) });
    const [maker, taker] = [desk.trader(), desk.trader()];
    desk.mustPlace(maker, 'sell', 100, 100);
    const { events } = desk.place(taker, 'buy', 100, 100);
    const entries = eventsOf(events, 'LedgerAppended').filter(({ account }) => account === maker);
    expect(entries.map((entry) => [entry.entryKind, entry.amount])).toEqual([
      ['trade', 10_000_000n],
      [kind, amount],
    ]);
  });
});

describe('positions', () => {
  test('cost basis goes with the closed part and starts again when the position turns over', () => {
    const desk = new Desk();
    const [other, trader] = [desk.trader(), desk.trader()];
    const trade = (side: 'buy' | 'sell', price: number, size: number) => {
      desk.mustPlace(other, side === 'buy' ? 'sell' : 'buy', price, size);
      desk.mustPlace(trader, side, price, size);
      return desk.venue.positions(trader)[0];
    };
    expect(trade('buy', 100, 3)).toMatchObject({ lots: 3, costBasis: 300_000n });
    expect(trade('buy', 103, 3)).toMatchObject({ lots: 6, costBasis: 609_000n });
    expect(trade('sell', 110, 2)).toMatchObject({ lots: 4, costBasis: 406_000n });
    expect(trade('sell', 110, 6)).toMatchObject({ lots: -2, costBasis: -220_000n });
    expect(desk.venue.marketView(0)).toMatchObject({ openInterestLots: 2, lastTicks: 110 });
    expect(trade('buy', 100, 2)).toBeUndefined();
    expect(desk.venue.account(trader).collateral).toBe(1_000_000_000_000n + 220_000n + 660_000n - 809_000n);
  });
});

describe('transfers', () => {
  test('move cash up to what is withdrawable', () => {
    const desk = new Desk();
    const [from, to] = [desk.trader(10_000n), desk.trader()];
    desk.mustPlace(from, 'buy', 100, 1);
    expect(desk.venue.account(from).withdrawable).toBe(5000n);
    expect(desk.venue.transfer({ from, to, amount: quantums(5001n) }, desk.at)).toBe(false);
    expect(desk.venue.transfer({ from, to, amount: quantums(0n) }, desk.at)).toBe(false);
    const events = desk.venue.transfer({ from, to, amount: quantums(5000n) }, desk.at) || [];
    expect(events.map(({ kind }) => kind)).toEqual(['Transferred', 'LedgerAppended', 'LedgerAppended']);
    expect(desk.venue.account(from)).toMatchObject({ collateral: 5000n, withdrawable: 0n });
  });
});

describe('withdrawals', () => {
  test('take cash out up to what is withdrawable', () => {
    const desk = new Desk();
    const trader = desk.trader(10_000n);
    desk.mustPlace(trader, 'buy', 100, 1);
    expect(desk.venue.withdraw(trader, quantums(5001n), desk.at)).toBe(false);
    expect(desk.venue.withdraw(trader, quantums(0n), desk.at)).toBe(false);
    const events = desk.venue.withdraw(trader, quantums(5000n), desk.at) || [];
    expect(events).toMatchObject([{ kind: 'LedgerAppended', entryKind: 'withdrawal', amount: -5000n }]);
    expect(desk.venue.account(trader)).toMatchObject({ collateral: 5000n, withdrawable: 0n });
  });
});

describe('funding', () => {
  const HOUR_MS = 3_600_000;

  function longAndShort() {
    const desk = new Desk();
    const [long, short] = [desk.trader(), desk.trader()];
    desk.block(0);
    desk.mustPlace(short, 'sell', 100, 1000);
    desk.mustPlace(long, 'buy', 100, 1000);
    desk.index(100);
    return { desk, long, short };
  }

  test('without a premium longs pay 0.0001 / 8 of the notional at index each hour, in integer ppm', () => {
    const { desk, long, short } = longAndShort();
    expect(desk.venue.marketView(0)).toMatchObject({ fundingRatePpm: 12 });
    expect(eventsOf(desk.block(HOUR_MS), 'FundingSettled')).toMatchObject([
      { market: 0, ratePpm: 12, indexTicks: 100 },
    ]);
    // 1000 lots x 100 ticks x 1000 quantums x 0.000012
    expect(desk.venue.positions(long)).toMatchObject([{ accruedFunding: -1200n }]);
    expect(desk.venue.positions(short)).toMatchObject([{ accruedFunding: 1200n }]);
    // What 12 left of 12.5 goes into the next one.
    expect(eventsOf(desk.block(HOUR_MS), 'FundingSettled')).toMatchObject([{ ratePpm: 13 }]);
    expect(desk.venue.positions(long)).toMatchObject([{ accruedFunding: -2500n }]);
  });

  test('cash moves when the position is touched, not when funding settles', () => {
    const { desk, long, short } = longAndShort();
    const before = desk.venue.account(long);
    desk.block(HOUR_MS);
    const settled = desk.venue.account(long);
    expect([settled.collateral, settled.equity - before.equity]).toEqual([before.collateral, -1200n]);
    expect(settled.netCollateral - before.netCollateral).toBe(-1200n);
    desk.mustPlace(short, 'sell', 100, 1);
    const { events } = desk.place(long, 'buy', 100, 1);
    const entries = eventsOf(events, 'LedgerAppended').filter(({ entryKind }) => entryKind === 'funding');
    expect(entries.map(({ account, amount }) => [account, amount])).toEqual([
      [long, -1200n],
      [HOUSE_ACCOUNT, 1200n],
      [short, 1200n],
      [HOUSE_ACCOUNT, -1200n],
    ]);
    expect(desk.venue.positions(long)).toMatchObject([{ accruedFunding: 0n }]);
    expect(desk.venue.account(long).equity).toBe(settled.equity);
  });

  test('settles at boundaries of the interval, also when a block comes late', () => {
    const { desk, long } = longAndShort();
    const next = desk.venue.marketView(0).nextFundingAtMs;
    expect(next % HOUR_MS).toBe(0);
    expect(eventsOf(desk.block(next - desk.nowMs - 1), 'FundingSettled')).toEqual([]);
    expect(eventsOf(desk.block(1), 'FundingSettled')).toHaveLength(1);
    expect(eventsOf(desk.block(2 * HOUR_MS), 'FundingSettled')).toMatchObject([
      { ratePpm: 13, settledAtMs: next + HOUR_MS },
      { ratePpm: 12, settledAtMs: next + 2 * HOUR_MS },
    ]);
    expect(desk.venue.positions(long)).toMatchObject([{ accruedFunding: -3700n }]);
  });

  test('a book above the index raises the rate', () => {
    const { desk, short } = longAndShort();
    desk.mustPlace(short, 'buy', 102, 1000);
    desk.index(100);
    // Samples 0 and 0.02: mean 0.01, (0.01 - 0.0005) / 8.
    expect(desk.venue.marketView(0).fundingRatePpm).toBe(1187);
  });

  test('each interval has its own samples', () => {
    const { desk, short } = longAndShort();
    const orderSeq = desk.mustPlace(short, 'buy', 102, 1000);
    desk.index(100);
    desk.cancel(short, orderSeq);
    desk.block(HOUR_MS);
    desk.index(100);
    // A mean premium of 0.01 left nothing of 1187.5 but a half, and 12.5 with it is 13.
    expect(desk.venue.marketView(0).fundingRatePpm).toBe(13);
    expect(eventsOf(desk.block(HOUR_MS), 'FundingSettled')).toMatchObject([{ ratePpm: 13 }]);
    desk.mustPlace(short, 'buy', 102, 1000);
    desk.index(100);
    // One sample of 0.02, not one of many: (0.02 - 0.0005) / 8.
    expect(desk.venue.marketView(0).fundingRatePpm).toBe(2437);
  });

  test('a shorter interval pays in proportion', () => {
    const desk = new Desk({ fundingIntervalMs: HOUR_MS / 4 });
    desk.index(100);
    expect(desk.venue.marketView(0).fundingRatePpm).toBe(3);
  });
});

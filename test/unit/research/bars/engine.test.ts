/** @module Runs over a few bars, worked out by hand: one tick times one lot is 100 quantums, the fee 400 ppm. */
import { describe, expect, test } from 'vitest';
import type { BarExit, BarRule } from '../../../../src/bot/strategy/index.ts';
import { ppm, quantums, totalOf } from '../../../../src/domain/index.ts';
import { type BarRun, runBars } from '../../../../src/research/bars/index.ts';
import { FILL_REASONS } from '../../../../src/research/bars/trades.ts';
import { BAR_US, type BarRow, barsOf, settlementsOf, targetsAt, termsOf } from '../../../support/bars.ts';
import { aMarket, usd } from '../../../support/trading-builders.ts';

const MARKET = aMarket({ minNotional: quantums(0n) });
const START = Number(usd(10_000));

/** Bars that stand still at a price. */
const still = (count: number, price = 1_000): BarRow[] =>
  Array.from({ length: count }, () => [price, price, price, price]);

function fillsOf({ fills }: BarRun) {
  return Array.from(fills.lots, (lots, at) => [
    fills.bar[at],
    lots,
    fills.priceTicks[at],
    FILL_REASONS[fills.reason[at] ?? 0],
  ]);
}

describe('what is decided at a close', () => {
  test('is filled at the next open, worse by the slippage, and costs the fee', () => {
    const bars = barsOf([
      [1_000, 1_010, 990, 1_005],
      [1_006, 1_025, 1_000, 1_020],
      [1_021, 1_030, 1_010, 1_025],
      [1_024, 1_024, 1_000, 1_002],
    ]);
    const run = runBars({
      market: MARKET,
      bars,
      rule: targetsAt([10, -5]),
      terms: termsOf({ slippageTicks: 1 }),
    });
    expect(fillsOf(run)).toEqual([
      [1, 10, 1_007, 'rule'],
      [2, -15, 1_020, 'rule'],
    ]);
    // 1,007 x 10 x 100 x 400 ppm = 402.8, 1,020 x 15 x 100 x 400 ppm = 612, each truncated.
    expect([...run.fills.fee]).toEqual([402n, 612n]);
    expect([...run.heldLots]).toEqual([0, 10, -5, -5]);
    expect([...run.wantedLots]).toEqual([10, -5, -5, -5]);
    expect([...run.equity]).toEqual([
      START,
      START - 402 + 10 * 13 * 100,
      START - 402 - 612 + 13_000 - 5 * 5 * 100,
      START - 402 - 612 + 13_000 + 5 * 18 * 100,
    ]);
    expect(run.pnl).toEqual({ realized: 13_000n, unrealized: 9_000n, fees: 1_014n, funding: 0n });
    expect(run.equityEnd - run.equityStart).toBe(totalOf(run.pnl));
    expect(run.residual).toBe(0n);
    expect(run.turnover).toBe(1_007_000n + 1_530_000n);
  });

  test('at the last close is never filled', () => {
    const run = runBars({
      market: MARKET,
      bars: barsOf(still(2)),
      rule: targetsAt([0, 10]),
      terms: termsOf(),
    });
    expect(fillsOf(run)).toEqual([]);
  });

  test('is in whole steps of the lot, and below the smallest notional is not done', () => {
    const market = aMarket({ lotStep: 10 as typeof MARKET.lotStep, minNotional: quantums(2_000_000n) });
    const rule = targetsAt([19, 29, 29.9, -0.5]);
    const run = runBars({ market, bars: barsOf(still(5)), rule, terms: termsOf() });
    // 10 lots at 1,000 ticks are 1,000,000 quantums: too small. To close is never too small.
    expect([...run.wantedLots]).toEqual([10, 20, 20, 0, 0]);
    expect(fillsOf(run)).toEqual([
      [2, 20, 1_000, 'rule'],
      [4, -20, 1_000, 'rule'],
    ]);
    expect(run.tooSmall).toBe(1);
  });

  test('error: what is no number is refused with its bar', () => {
    const rule: BarRule = { targetLots: (bars, at) => bars.close[at + 1] ?? Number.NaN };
    const run = () => runBars({ market: MARKET, bars: barsOf(still(3)), rule, terms: termsOf() });
    expect(run).toThrow(
      'expected a number of lots from the rule at bar 0 (2027-01-15T08:00:00.000Z), got NaN',
    );
  });
});

describe('a rule', () => {
  test('sees no bar but those that have closed', () => {
    const seen: (readonly number[])[] = [];
    const rule: BarRule = {
      targetLots: (bars, at) => {
        seen.push([
          at,
          ...[bars.openUs, bars.open, bars.high, bars.low, bars.close, bars.volume].flatMap((one) => [
            ...one.subarray(at),
          ]),
        ]);
        return 0;
      },
    };
    const bars = barsOf(still(3));
    runBars({ market: MARKET, bars, rule, terms: termsOf() });
    for (const [at = 0, ...values] of seen)
      expect(values.filter((value) => !Number.isNaN(value)).length).toBe(at < 3 ? 6 : 0);
  });
});

describe('limits', () => {
  test('cut a target to the position limit and to what the margin carries, and leave what is held', () => {
    // Initial margin 5 %: 10,000 carry a notional of 200,000 = 2,000,000 lots at 1,000 ticks.
    const bars = barsOf(still(4));
    const byMargin = runBars({
      market: MARKET,
      bars,
      rule: targetsAt([3_000_000]),
      terms: termsOf({ takerPpm: ppm(0) }),
    });
    expect(byMargin.heldLots[1]).toBe(2_000_000);
    const limited = termsOf({ positionNotionalMax: quantums(7_999n * 100n) });
    const byLimit = runBars({ market: MARKET, bars, rule: targetsAt([10, -10, -10]), terms: limited });
    expect([...byLimit.heldLots]).toEqual([0, 7, -7, -7]);
    expect(byLimit.cut).toBe(3);
  });

  test('take a position that its margin does not carry any more, at the level where it is gone', () => {
    // 2,000,000 lots at 1,000: maintenance margin 3 %. 10,000 - 200 x fall = 0.03 x 200 x price: at 979 ticks.
    const bars = barsOf([...still(1), [1_000, 1_000, 980, 990], [990, 990, 900, 950], [950, 950, 950, 950]]);
    const run = runBars({
      market: MARKET,
      bars,
      rule: targetsAt([2_000_000, 2_000_000, 0]),
      terms: termsOf({ takerPpm: ppm(0) }),
    });
    expect(fillsOf(run)).toEqual([
      [1, 2_000_000, 1_000, 'rule'],
      [2, -2_000_000, 979, 'liquidation'],
    ]);
    expect(run.residual).toBe(0n);
  });

  test('take a short position as the price rises', () => {
    const bars = barsOf([
      ...still(1),
      [1_000, 1_010, 1_000, 1_010],
      [1_010, 1_200, 1_010, 1_100],
      ...still(1),
    ]);
    const rule = targetsAt([-2_000_000, -2_000_000, 0]);
    const run = runBars({ market: MARKET, bars, rule, terms: termsOf({ takerPpm: ppm(0) }) });
    // 10,000 - 200 x rise = 0.03 x 200 x price: 1,019.4 ticks, so it is gone at 1,020.
    expect(fillsOf(run).at(-1)).toEqual([2, 2_000_000, 1_020, 'liquidation']);
  });

  test('do not take what is paid in full', () => {
    const market = aMarket({ initialMarginPpm: ppm(1_000_000), maintenanceFractionPpm: ppm(1_000_000) });
    const bars = barsOf([...still(1), [1_000, 1_000, 1, 1], [1, 1, 1, 1]]);
    const run = runBars({ market, bars, rule: targetsAt([100_000]), terms: termsOf({ takerPpm: ppm(0) }) });
    expect(fillsOf(run)).toEqual([[1, 100_000, 1_000, 'rule']]);
    expect(run.equityEnd).toBe(10n ** 10n - 999n * 100_000n * 100n);
  });
});

describe('inside a bar', () => {
  /** Wants 10 lots once, with levels that are so far from the average price. */
  const bracket = (stop: number, take: number, exits: BarExit[] = []): BarRule => ({
    targetLots: (_bars, at, heldLots) => (at === 0 ? 10 : heldLots),
    stopTicks: (_bars, _at, _lots, average) => average - stop,
    takeTicks: (_bars, _at, _lots, average) => average + take,
    onExit: (why) => exits.push(why),
  });
  const runOf = (row: BarRow, rule: BarRule) =>
    runBars({
      market: MARKET,
      bars: barsOf([...still(1), ...still(1), row]),
      rule,
      terms: termsOf({ slippageTicks: 2 }),
    });

  test.each<[string, BarRow, readonly (number | string)[]]>([
    // Entry at 1,002: the stop at 992, the take-profit at 1,012.
    ['the stop at its level and slippage', [1_000, 1_005, 992, 1_000], [2, -10, 990, 'stop']],
    ['the stop at an open beyond it', [980, 985, 970, 984], [2, -10, 978, 'stop']],
    ['the stop first where both are reached', [1_000, 1_050, 950, 1_000], [2, -10, 990, 'stop']],
    ['the take-profit at its level, without slippage', [1_000, 1_012, 993, 1_000], [2, -10, 1_012, 'take']],
    [
      'the take-profit at its level where the open is better',
      [1_020, 1_030, 1_015, 1_020],
      [2, -10, 1_012, 'take'],
    ],
  ])('%s', (_title, row, expected) => {
    const exits: BarExit[] = [];
    const run = runOf(row, bracket(10, 10, exits));
    expect(fillsOf(run).at(-1)).toEqual(expected);
    expect(exits).toEqual([expected[3]]);
    expect(run.residual).toBe(0n);
  });

  test('nothing where no level is reached', () => {
    expect(fillsOf(runOf([1_000, 1_011, 993, 1_000], bracket(10, 10)))).toHaveLength(1);
  });

  test('the levels of a short position are the other way round', () => {
    const rule: BarRule = {
      targetLots: (_bars, at, heldLots) => (at === 0 ? -10 : heldLots),
      stopTicks: (_bars, _at, _lots, average) => average + 9.5,
      takeTicks: (_bars, _at, _lots, average) => average - 9.5,
    };
    // Sold at 998: out at 1,008 (1,007.5 rounded up) and slippage, or at 988 (988.5 rounded down).
    expect(fillsOf(runOf([1_000, 1_008, 988, 1_000], rule)).at(-1)).toEqual([2, 10, 1_010, 'stop']);
    expect(fillsOf(runOf([1_000, 1_007, 988, 1_000], rule)).at(-1)).toEqual([2, 10, 988, 'take']);
  });

  test('levels are asked with the average price of what is held, from its first bar on', () => {
    const asked: (readonly number[])[] = [];
    const rule: BarRule = {
      targetLots: (_bars, at) => [10, 30, 30][at] ?? 0,
      stopTicks: (_bars, at, lots, average) => {
        asked.push([at, lots, average]);
        return Number.NaN;
      },
    };
    const bars = barsOf([...still(1), ...still(1, 1_000), ...still(1, 1_006), ...still(2, 1_000)]);
    runBars({ market: MARKET, bars, rule, terms: termsOf() });
    expect(asked).toEqual([
      [0, 10, 1_000],
      [1, 30, 1_004],
      [2, 30, 1_004],
    ]);
  });
});

describe('funding', () => {
  test('is settled on what is held at its instant: at an open before what is done there', () => {
    const settlements = settlementsOf([
      [BAR_US, 1_000_000, 1_000], // before the buy: nothing is held
      [2 * BAR_US - 1, 1_000_000, 0], // inside bar 1, at its open: 10 x 1,000 x 100 x 0.001
      [3 * BAR_US, -1_500_000, 0], // at the open of bar 3, before the sale, at the close of bar 2
      [4 * BAR_US, 1_000_000, 1_000], // nothing is held
    ]);
    const bars = barsOf([...still(2), [1_000, 1_010, 1_000, 1_007], ...still(2)]);
    const run = runBars({
      market: MARKET,
      bars,
      settlements,
      rule: targetsAt([10, 10, 0, 0]),
      terms: termsOf({ takerPpm: ppm(0) }),
    });
    // 10 x 1,007 x 100 x 0.0015 = 1,510.5, rounded down.
    expect(run.pnl.funding).toBe(-1_000n + 1_510n);
    expect(run.equity[1]).toBe(START - 1_000);
    expect(run.residual).toBe(0n);
  });
});

describe('trades', () => {
  test('are from flat to flat, and their profit adds up to what was booked', () => {
    const bars = barsOf([1_000, 1_000, 1_010, 1_020, 1_030, 1_000].map((at): BarRow => [at, at, at, at]));
    const run = runBars({ market: MARKET, bars, rule: targetsAt([10, 20, -5, 0, 4]), terms: termsOf() });
    const { trades } = run;
    expect([...trades.openBar]).toEqual([1, 3, 5]);
    expect([...trades.closeBar]).toEqual([3, 4, Number.NaN]);
    expect([...trades.lots]).toEqual([20, -5, 4]);
    expect([...trades.openTicks]).toEqual([1_000, 1_020, 1_000]);
    expect([...trades.closeTicks]).toEqual([1_020, 1_030, Number.NaN]);
    // 10 x 20 + 10 x 10 ticks; fees of 400, 404 and 816 for the closing 20 of 25 lots.
    expect([...trades.pnl]).toEqual([30_000n - 1_620n, -5_000n - 204n - 206n, -160n]);
    const { realized, funding, fees } = run.pnl;
    expect(trades.pnl.reduce((sum, one) => sum + one, 0n)).toBe(realized + funding - fees);
  });
});

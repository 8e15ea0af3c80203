import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BarRule } from '../../src/bot/strategy/index.ts';
import { ppm, quantums, totalOf } from '../../src/domain/index.ts';
import { type BarRun, runBars } from '../../src/research/bars/index.ts';
import { FILL_REASONS } from '../../src/research/bars/trades.ts';
import { BAR_US, type BarRow, barsOf, settlementsOf } from '../support/bars.ts';
import { type BarScript, slowRun } from '../support/slow-bars.ts';
import { aMarket } from '../support/trading-builders.ts';

const ROWS_MAX = 25;

/** Near 1,000 ticks, with wicks, now and then a jump. */
const barRow = fc
  .tuple(fc.integer({ min: 940, max: 1_060 }), fc.integer({ min: -40, max: 40 }), fc.nat(30), fc.nat(30))
  .map(([open, move, up, down]): BarRow => {
    const close = open + move;
    return [open, Math.max(open, close) + up, Math.min(open, close) - down, close];
  });

/** Positions that a margin of 1,000 at 5 % carries, and some that it does not. */
const target = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -300_000, max: 300_000 }),
  fc.double({ min: -1_000_000, max: 1_000_000, noNaN: true }),
);
const level = fc.oneof(
  fc.constant(Number.NaN),
  fc.integer({ min: 900, max: 1_100 }),
  fc.integer({ min: 9_000, max: 11_000 }).map((tenths) => tenths / 10),
);

const scene = fc.record({
  rows: fc.array(barRow, { minLength: 1, maxLength: ROWS_MAX }),
  targets: fc.array(target, { minLength: ROWS_MAX, maxLength: ROWS_MAX }),
  stop: fc.array(level, { minLength: ROWS_MAX, maxLength: ROWS_MAX }),
  take: fc.array(level, { minLength: ROWS_MAX, maxLength: ROWS_MAX }),
  settlements: fc.array(
    fc.tuple(
      fc.oneof(
        fc.integer({ min: 0, max: ROWS_MAX }).map((bar) => bar * BAR_US),
        fc.integer({ min: 0, max: ROWS_MAX * BAR_US }),
      ),
      fc.integer({ min: -5_000_000, max: 5_000_000 }),
      fc.oneof(fc.constant(0), fc.integer({ min: 950, max: 1_050 })),
    ),
    { maxLength: 12 },
  ),
  takerPpm: fc.integer({ min: 0, max: 1_000 }),
  slippageTicks: fc.nat(3),
  positionNotionalMax: fc.option(fc.bigInt({ min: 0n, max: 25_000_000_000n }), { nil: undefined }),
  minNotional: fc.constantFrom(0n, 50_000_000n),
});

function ruleOf(script: BarScript): BarRule {
  return {
    targetLots: (_bars, at) => script.targets[at] ?? 0,
    stopTicks: (_bars, at) => script.stop[at + 1] ?? Number.NaN,
    takeTicks: (_bars, at) => script.take[at + 1] ?? Number.NaN,
  };
}

function bothOf({ rows, settlements, takerPpm, positionNotionalMax, minNotional, ...rest }: Scene) {
  const { slippageTicks, ...script } = rest;
  const parts = {
    market: aMarket({ minNotional: quantums(minNotional) }),
    bars: barsOf(rows),
    settlements: settlementsOf(settlements.toSorted(([a], [b]) => a - b)),
    terms: {
      ...{ collateral: quantums(1_000_000_000n), takerPpm: ppm(takerPpm), slippageTicks },
      ...(positionNotionalMax === undefined ? {} : { positionNotionalMax: quantums(positionNotionalMax) }),
    },
  };
  return {
    slow: slowRun({ ...parts, script }),
    fast: () => runBars({ ...parts, rule: ruleOf(script) }),
  };
}

type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

function fillsOf({ fills }: BarRun) {
  return Array.from(fills.lots, (lots, at) => [
    ...[fills.bar[at], BigInt(lots), BigInt(fills.priceTicks[at] ?? 0)],
    FILL_REASONS[fills.reason[at] ?? 0],
  ]);
}

test('a run over bars does what a plain slow model does, fill by fill and close by close', () => {
  fc.assert(
    fc.property(scene, (values) => {
      const { slow, fast } = bothOf(values);
      const run = fast();
      expect(fillsOf(run)).toEqual(slow.fills);
      expect([...run.equity].map(BigInt)).toEqual(slow.equity);
      expect([run.pnl.fees, run.pnl.funding]).toEqual([slow.fees, slow.funding]);
    }),
    { numRuns: 500 },
  );
});

test('a change of equity is realized, unrealized and funding less fees, to the last quantum (obligations I3)', () => {
  fc.assert(
    fc.property(scene, (values) => {
      const run = bothOf(values).fast();
      expect(run.residual).toBe(0n);
      expect(run.equityEnd - run.equityStart).toBe(totalOf(run.pnl));
      expect(BigInt(run.equity.at(-1) ?? 0)).toBe(run.equityEnd);
      const { realized, funding, fees } = run.pnl;
      expect(run.trades.pnl.reduce((sum, one) => sum + one, 0n)).toBe(realized + funding - fees);
    }),
    { numRuns: 300 },
  );
});

test('the same bars and the same rule give the same run', () => {
  fc.assert(
    fc.property(scene, (values) => {
      const { fast } = bothOf(values);
      expect(fast()).toEqual(fast());
    }),
    { numRuns: 50 },
  );
});

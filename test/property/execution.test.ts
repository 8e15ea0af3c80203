/**
 * Execution components under random fills, denials, rejections, late fills and restarts: what is filled and what is out is
 * never more than the whole, nothing is counted twice or forgotten, nothing is left in the book.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  almgrenChriss,
  almgrenChrissPlanOf,
  chaser,
  defineStrategy,
  fillScheduleOf,
  iceberg,
  type ParentOrder,
  type ParentOrderOptions,
  type ParentOrderReport,
  param,
  type StrategyContext,
  twap,
} from '../../src/bot/strategy/index.ts';
import { seededRandom } from '../../src/core/index.ts';
import { type Side, ticks } from '../../src/domain/index.ts';
import { ExecutionVenue, NO_TROUBLE } from '../support/execution-venue.ts';
import { BTC } from '../support/trading-builders.ts';

type Maker = (context: StrategyContext, options: ParentOrderOptions) => ParentOrder;

const plan = almgrenChrissPlanOf({
  ...{ total: 1, time: 8, stretches: 8, sigma: 1, epsilon: 0, gamma: 0, eta: 1, lambda: 0.1 },
});

const MAKERS: readonly (readonly [string, Maker])[] = [
  [
    'TWAP that rests and takes what is left',
    (context, options) =>
      twap(context, { ...options, slices: 7, intervalMs: 1_000, style: 'join', finish: 'take' }),
  ],
  [
    'TWAP that takes',
    (context, options) =>
      twap(context, { ...options, slices: 5, intervalMs: 1_000, style: 'take', finish: 'take' }),
  ],
  [
    'Almgren-Chriss',
    (context, options) =>
      almgrenChriss(context, { ...options, plan, intervalMs: 1_000, style: 'join', finish: 'take' }),
  ],
  [
    'chaser',
    (context, options) =>
      chaser(context, { ...options, sliceLots: 60, toleranceTicks: 20, takeAfterMs: 20_000 }),
  ],
  [
    'iceberg',
    (context, options) =>
      iceberg(context, {
        ...options,
        priceTicks: ticks(options.side === 'buy' ? 999_900 : 1_000_100),
        displayLots: 30,
      }),
  ],
];

/** A strategy that works one order, and what the newest life says of it. */
function aStrategy(make: Maker, options: ParentOrderOptions) {
  const seen: { order?: ParentOrder; ends: ParentOrderReport[] } = { ends: [] };
  const definition = defineStrategy({
    name: 'executes',
    parameters: param.object({}),
    create(context) {
      let saved: unknown;
      let order: ParentOrder | undefined;
      return {
        onLoad: (state) => {
          saved = state;
        },
        onStart() {
          order = make(context, { ...options, onEnd: (report) => void seen.ends.push(report) });
          seen.order = order;
          order.start(saved);
        },
        onSave: () => order?.save(),
        onBook: (view, book) => order?.handlers.onBook(view, book),
        onFill: (fill, view) => order?.handlers.onFill(fill, view),
        onOrder: (update) => order?.handlers.onOrder(update),
        onDenied: (denial) => order?.handlers.onDenied(denial),
        onTimer: (timer) => order?.handlers.onTimer(timer),
      };
    },
  });
  return { definition, seen };
}

const cases = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  side: fc.constantFrom<Side>('buy', 'sell'),
  totalLots: fc.integer({ min: 1, max: 400 }),
  denied: fc.constantFrom(0, 0.2),
  rejected: fc.constantFrom(0, 0.2),
  late: fc.constantFrom(0, 0.5),
  crash: fc.constantFrom(0, 0.05, 0.2),
});

const STEPS = 60;
const CALM_STEPS_MAX = 600;

describe.each(MAKERS)('%s', (_name, make) => {
  test('sums to the parent exactly, through denials, late fills and restarts', () => {
    fc.assert(
      fc.property(cases, ({ seed, side, totalLots, ...trouble }) => {
        const random = seededRandom(seed);
        const { definition, seen } = aStrategy(make, { symbol: BTC, side, totalLots });
        const venue = new ExecutionVenue(definition, { random, trouble });
        const executed = () => (side === 'buy' ? venue.executedLots : -venue.executedLots);
        for (let step = 0; step < STEPS; step++) {
          venue.step();
          venue.moveTo(1_000_000 + 10 * random.integer(-10, 10));
          expect(executed()).toBeLessThanOrEqual(totalLots);
          expect(seen.order?.report().filledLots).toBeLessThanOrEqual(executed());
        }
        venue.trouble = NO_TROUBLE;
        venue.moveTo(1_000_000);
        for (let step = 0; step < CALM_STEPS_MAX && seen.order?.report().state !== 'ended'; step++)
          venue.step();
        venue.settle();
        venue.step();
        const report = seen.order?.report();
        expect(report).toMatchObject({
          state: 'ended',
          filledLots: executed(),
          remainingLots: totalLots - executed(),
        });
        expect(venue.resting).toBe(0);
        expect(executed()).toBe(totalLots);
        for (const draft of venue.accepted) expect(draft.side).toBe(side);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the slices of a whole', () => {
  test('rise to the whole, each on the lot', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.constantFrom(1, 7, 100),
        (shares, steps, lotStep) => {
          const totalLots = steps * lotStep;
          const due = fillScheduleOf(
            shares.sort((a, b) => a - b),
            { totalLots, lotStep },
          );
          expect(due.at(-1)).toBe(totalLots);
          for (const [at, lots] of due.entries()) {
            expect(lots % lotStep).toBe(0);
            expect(lots).toBeGreaterThanOrEqual(due[at - 1] ?? 0);
          }
        },
      ),
    );
  });
});

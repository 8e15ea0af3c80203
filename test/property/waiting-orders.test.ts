/** Properties of orders that wait outside the book. A failing run prints its seed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Side } from '../../src/domain/index.ts';
import { Desk, eventsOf } from '../unit/exchange/engine/desk.ts';

const side = fc.constantFrom<Side>('buy', 'sell');

/** What a maker and the world do while somebody's order waits. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      side,
      price: fc.integer({ min: 95, max: 105 }),
      size: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('block' as const),
      passedMs: fc.integer({ min: 1, max: 2_500 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('index' as const), price: fc.integer({ min: 95, max: 105 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

function run(desk: Desk, maker: number, one: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
  if (one.kind === 'quote') desk.place(maker, one.side, one.price, one.size);
  else if (one.kind === 'block') desk.block(one.passedMs);
  else if (one.kind === 'index') desk.index(one.price);
  else desk.execute({ kind: 'CancelAll', account: maker });
}

describe('a time-weighted order', () => {
  test('never exceeds its total, its limit, or one slice per interval', () => {
    fc.assert(
      fc.property(
        fc.record({
          side,
          totalLots: fc.integer({ min: 1, max: 60 }),
          slices: fc.integer({ min: 1, max: 8 }),
          intervalMs: fc.integer({ min: 1, max: 3_000 }),
          priceTolerancePpm: fc.integer({ min: 0, max: 60_000 }),
        }),
        fc.array(step, { maxLength: 60 }),
        (draft, steps) => {
          const desk = new Desk();
          const [trader, maker] = [desk.trader(), desk.trader()];
          const totalLots = BigInt(draft.totalLots);
          const terms = { account: trader, market: 0, reduceOnly: false, nowMs: 0 };
          const outcome = desk.execute({ kind: 'PlaceTwap', ...draft, ...terms, totalLots });
          expect(outcome.status).toBe(draft.totalLots < draft.slices ? 'rejected' : 'executed');
          const sliceTimes: number[] = [];
          for (const one of steps) {
            const from = desk.events.length;
            const index = desk.venue.marketView(0).indexTicks;
            run(desk, maker, one);
            const accepted = eventsOf(desk.events.slice(from), 'OrderAccepted').filter(
              ({ order }) => order.account === trader,
            );
            for (const { order } of accepted) {
              sliceTimes.push(desk.nowMs);
              const away = draft.side === 'buy' ? order.priceTicks - index : index - order.priceTicks;
              expect(away * 1_000_000).toBeLessThanOrEqual(index * draft.priceTolerancePpm);
            }
            expect(Math.abs(desk.lotsOf(trader))).toBeLessThanOrEqual(draft.totalLots);
          }
          expect(sliceTimes.length).toBeLessThanOrEqual(draft.slices);
          expect(new Set(sliceTimes).size).toBe(sliceTimes.length);
          const [ended] = eventsOf(desk.events, 'TwapEnded');
          const traded = Math.abs(desk.lotsOf(trader));
          if (ended !== undefined) expect(ended.order.remainingLots).toBe(draft.totalLots - traded);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a take-profit and a stop-loss', () => {
  const closing = fc.record({
    isLong: fc.boolean(),
    size: fc.integer({ min: 1, max: 9 }),
    profit: fc.integer({ min: 1, max: 4 }),
    loss: fc.integer({ min: 1, max: 4 }),
    hasParent: fc.boolean(),
  });

  test('never both fire, and never turn the position over', () => {
    fc.assert(
      fc.property(closing, fc.array(step, { maxLength: 60 }), (draft, steps) => {
        const desk = new Desk();
        const [trader, maker] = [desk.trader(), desk.trader()];
        const sign = draft.isLong ? 1 : -1;
        const [openSide, closeSide] = draft.isLong ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
        const parent = draft.hasParent ? desk.mustPlace(trader, openSide, 100, draft.size) : undefined;
        desk.place(maker, closeSide, 100, draft.size - (draft.hasParent ? 1 : 0) || 1);
        if (parent === undefined) desk.place(trader, openSide, 100, draft.size);
        const outcome = desk.execute({
          kind: 'PlaceTpslPair',
          account: trader,
          market: 0,
          closeSide,
          lots: BigInt(draft.size),
          tpTrigger: 100 + sign * draft.profit,
          tpPrice: draft.isLong ? 1 : 200,
          slTrigger: 100 - sign * draft.loss,
          slPrice: draft.isLong ? 1 : 200,
          positionTpsl: parent === undefined,
          parentOrderId: parent === undefined ? undefined : { market: 0, orderSeq: parent },
          nowMs: 0,
        });
        // A parent of one lot is filled by then.
        if (outcome.status === 'rejected') return;
        for (const one of steps) {
          run(desk, maker, one);
          expect(desk.lotsOf(trader) * sign).toBeGreaterThanOrEqual(0);
          expect(eventsOf(desk.events, 'ConditionalFired').length).toBeLessThanOrEqual(1);
        }
        const fired = eventsOf(desk.events, 'ConditionalFired').map(({ order }) => order.orderSeq);
        if (fired.length === 0) return;
        expect(desk.venue.waitingOrders(trader)).toEqual([]);
        const gone = eventsOf(desk.events, 'ConditionalCanceled').filter(
          ({ reason }) => reason === 'OtherLegFired',
        );
        expect(gone.map(({ order }) => order.orderSeq)).not.toContain(fired[0]);
        expect(gone).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});

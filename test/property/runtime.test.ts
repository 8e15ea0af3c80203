/**
 * @module
 * The bot against any history: it never writes to a busy lane, never places while it may not, stays within its limits,
 * and comes to rest with exactly the orders its strategy wants.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TargetQuotes } from '../../src/bot/strategy/index.ts';
import { longestLots, lots, notionalOf, type OrderId, shortestLots, ticks } from '../../src/domain/index.ts';
import { aRig, keepArmed, type Rig, strategyOf } from '../support/bot-rig.ts';
import { aMarket, BTC, LANE, usd } from '../support/trading-builders.ts';

interface Quotes {
  readonly bids: readonly (readonly [number, number])[];
  readonly asks: readonly (readonly [number, number])[];
}

const side = fc.uniqueArray(fc.tuple(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 1, max: 15 })), {
  maxLength: 3,
  selector: ([distance]) => distance,
});
const quotes = fc.record({ bids: side, asks: side });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('quotes' as const), quotes }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reject' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fill' as const), at: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('safety' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('degrade' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stale' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pull' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 900 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const POSITION_MAX = usd(4_000);

/** A strategy that wants what the test asks for, and a rig whose venue answers when it is told to. */
function aScriptedRig(): { readonly rig: Rig; want(next: Quotes | undefined): void } {
  let wanted: Quotes | undefined;
  const levels = (from: readonly (readonly [number, number])[], sign: 1 | -1) =>
    from.map(([distance, size]) => ({
      priceTicks: ticks(1_000_000 + sign * distance),
      sizeLots: lots(size),
    }));
  const rig = aRig(
    strategyOf((context) => ({
      onBook: (view) => {
        if (view.symbol !== BTC || wanted === undefined) return;
        const target: TargetQuotes = { bids: levels(wanted.bids, -1), asks: levels(wanted.asks, 1) };
        context.quote(BTC, target);
      },
      onTimer: () => context.pullQuotes('enough'),
    })),
    { limits: { positionNotionalMax: POSITION_MAX, openOrdersPerSideMax: 20, duplicateWindowMs: 0 } },
  );
  rig.venue.isInstant = false;
  return {
    rig,
    want: (next) => {
      wanted = next;
    },
  };
}

function isLaneBusy(rig: Rig): boolean {
  return !rig.venue.isReady(LANE);
}

const safetyDone = new WeakMap<Rig, number>();

function runSafety(rig: Rig): void {
  const done = safetyDone.get(rig) ?? 0;
  const waiting = rig.venue.safety.slice(done);
  safetyDone.set(rig, rig.venue.safety.length);
  for (const command of waiting) rig.venue.runSafety(command);
}

function play(rig: Rig, want: (next: Quotes | undefined) => void, action: Step): void {
  switch (action.kind) {
    case 'quotes':
      want(action.quotes);
      rig.book(999_999, 1_000_001);
      break;
    case 'answer':
      if (isLaneBusy(rig)) rig.venue.answer();
      break;
    case 'reject':
      if (isLaneBusy(rig)) rig.venue.reject('PostOnlyWouldCross');
      break;
    case 'fill': {
      const orders = rig.bot.account.workingOrders(BTC);
      const order = orders[action.at];
      if (order !== undefined) rig.fill(order.orderId as OrderId);
      break;
    }
    case 'safety':
      runSafety(rig);
      break;
    case 'degrade':
      rig.feed({ type: 'AccountDegraded', reason: 'lagged' });
      break;
    case 'resume':
      keepArmed(rig);
      break;
    case 'stale':
      rig.feed({ type: 'MarketStale', symbol: BTC, reason: 'gap' });
      break;
    case 'pull':
      rig.feed({ type: 'TimerFired', intentOwner: 'maker', name: 'x', atMs: rig.clock.nowMs() });
      break;
    case 'wait':
      rig.clock.advance(action.ms);
      break;
  }
}

describe('the bot', () => {
  test('places only while it may, within its limits, through a lane that is free', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { rig, want } = aScriptedRig();
        for (const action of steps) {
          const before = rig.venue.submitted.length;
          const isSynced = rig.bot.account.sync.kind === 'synced';
          play(rig, want, action);
          // A step that does not change the sync itself must not place while the account has a gap.
          const mayNotPlace = !isSynced && action.kind !== 'resume';
          if (mayNotPlace) expect(rig.venue.submitted.length).toBe(before);
          const exposure = rig.bot.account.exposure(BTC);
          const worst = Math.max(longestLots(exposure), -shortestLots(exposure));
          // The position is valued at the mark, 1,000,000 ticks.
          expect(notionalOf(aMarket(), ticks(1_000_000), lots(worst))).toBeLessThanOrEqual(POSITION_MAX);
        }
        expect(rig.audit.typesOf('KernelCrashed', 'StrategyFailed')).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('comes to rest with exactly the orders that are wanted, or none for a reason it names', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), quotes, (steps, last) => {
        const { rig, want } = aScriptedRig();
        for (const action of steps) play(rig, want, action);
        keepArmed(rig, 60_000);
        want(last);
        for (let i = 0; i < 12; i++) {
          rig.book(999_999, 1_000_001);
          if (isLaneBusy(rig)) rig.venue.answer();
          runSafety(rig);
        }
        const orders = rig.bot.account.workingOrders(BTC);
        const there = orders.map(
          ({ side: of, priceTicks, remainingLots }) => `${of} ${priceTicks} ${remainingLots}`,
        );
        const wanted = [
          ...last.bids.map(([distance, size]) => `buy ${1_000_000 - distance} ${size}`),
          ...last.asks.map(([distance, size]) => `sell ${1_000_000 + distance} ${size}`),
        ];
        const denied = rig.audit.typesOf('IntentDenied').length > 0;
        if (denied) expect(there.every((order) => wanted.includes(order))).toBe(true);
        else expect([...there].sort()).toEqual([...wanted].sort());
      }),
      { numRuns: 150 },
    );
  });

  test('at a stop no order is left, whatever was on its way (I23, I27)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { rig, want } = aScriptedRig();
        for (const action of steps) play(rig, want, action);
        const stopped = rig.bot.stop('test');
        const placed = rig.venue.submitted.length;
        for (let i = 0; i < 5; i++) {
          if (isLaneBusy(rig)) rig.venue.answer();
          runSafety(rig);
          rig.book(999_999, 1_000_001);
          rig.clock.advance(1_000);
        }
        expect(rig.venue.submitted.length).toBe(placed);
        expect(await stopped).toEqual({ isEmpty: true, workingOrders: 0, openIntents: 0 });
      }),
      { numRuns: 80 },
    );
  });
});

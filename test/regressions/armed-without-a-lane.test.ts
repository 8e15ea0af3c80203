/**
 * @module
 * A run whose only trading lane has halted says so and is not ready: it said `armed`, told its strategies that all was
 * well, and took their quotes in forever (invariant I13, outcomes-and-receipts.md).
 */
import { describe, expect, test } from 'vitest';
import { isRunLost } from '../../src/bot/live/start/fatal-halts.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { aRig, keepArmed, strategyOf } from '../support/bot-rig.ts';
import { BTC, LANE } from '../support/trading-builders.ts';

describe('a run whose only trading lane has halted', () => {
  test('is degraded by name, and its strategy is not told to go on', () => {
    const told: string[] = [];
    const rig = aRig(
      strategyOf((context) => ({
        onBook: () =>
          context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] }),
        onDegraded: ({ reason }) => {
          told.push(reason);
        },
        onResumed: () => {
          told.push('resumed');
        },
      })),
    );
    const halt = { lane: LANE, code: 'EXECUTION_LANE_BLOCKED', reason: 'a write is unresolved' } as const;
    rig.feed({ type: 'LaneHalted', ...halt });
    rig.feed({ type: 'AccountDegraded', reason: 'disconnected' });
    keepArmed(rig);
    rig.book(999_990, 1_000_010);
    expect(rig.bot.status()).toMatchObject({
      state: 'degraded',
      reasons: [expect.stringContaining('EXECUTION_LANE_BLOCKED')],
    });
    expect(told).not.toContain('resumed');
    rig.feed({ type: 'LaneReady', lane: LANE });
    expect(rig.bot.status().reasons).toEqual([]);
    expect(told.at(-1)).toBe('resumed');
  });

  test('ends when a new start fixes it, and only when no other trading lane is left', () => {
    const trading = new Set([LANE]);
    const lane = { lane: LANE, haltCode: 'EXECUTION_LANE_BLOCKED', busyMs: 60_001 };
    const safety = { lane: 'safety' as typeof LANE, haltCode: undefined, busyMs: 0 };
    const other = { lane: 'other' as typeof LANE, haltCode: undefined, busyMs: 0 };
    expect(isRunLost('EXECUTION_LANE_BLOCKED', [lane, safety], trading)).toBe(true);
    expect(isRunLost('EXECUTION_LANE_BLOCKED', [lane, other, safety], new Set([LANE, other.lane]))).toBe(
      false,
    );
    expect(isRunLost('EXECUTION_GRANT_INVALID', [lane, safety], trading)).toBe(true);
    expect(isRunLost('EXECUTION_GRANT_INVALID', [{ ...lane, haltCode: undefined }, safety], trading)).toBe(
      false,
    );
  });

  test.each([
    'EXECUTION_GRANT_INVALID',
    'EXECUTION_NONCE_AHEAD',
    'EXECUTION_REPEATED_REJECTS',
    'EXECUTION_SIGNATURE_REFUSED',
  ])(
    'ends when a lane has halted with %s and its nonce is open, which nothing can close: the health stays red',
    (haltCode) => {
      const trading = { lane: LANE, haltCode: undefined, busyMs: 0 };
      const lost = { lane: 'safety' as typeof LANE, haltCode };
      const own = new Set([LANE]);
      expect(isRunLost(haltCode, [trading, { ...lost, busyMs: 1 }], own)).toBe(true);
      expect(isRunLost(haltCode, [trading, { ...lost, busyMs: 0 }], own)).toBe(false);
    },
  );
});

import { describe, expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import type { Address } from '../../src/domain/index.ts';
import {
  DISTURBANCES,
  DISTURBED_SETTINGS,
  disturb,
  type ObservedRun,
  problemsOf,
  runWholeBot,
  startOf,
} from '../support/whole-bot.ts';

/** Did the bot place an order in this part of the run? */
function placedBetween({ observed, world }: ObservedRun, fromMs: number, toMs: number): boolean {
  const startMs = startOf(world);
  return observed.placedAtMs.some((atMs) => atMs >= startMs + fromMs && atMs < startMs + toMs);
}

describe('a whole bot that is disturbed', () => {
  test.each(DISTURBANCES)('%s: goes on quoting and ends proven', async (kind) => {
    const run = await runWholeBot({
      seed: 3,
      forMs: 75_000,
      settings: DISTURBED_SETTINGS,
      prepare: (world) =>
        disturb(world, [
          { kind, atMs: 10_000, forMs: 12_000, strength: 0.4 },
          { kind, atMs: 30_000, forMs: 3_000, strength: 0.9 },
        ]),
    });
    expect(problemsOf(run)).toEqual([]);
    expect(placedBetween(run, 60_000, 75_000)).toBe(true);
  });

  test('is the same twice, disturbances included (I19)', async () => {
    const once = () =>
      runWholeBot({
        seed: 8,
        forMs: 40_000,
        settings: DISTURBED_SETTINGS,
        prepare: (world) =>
          disturb(world, [
            { kind: 'answers lost after commit', atMs: 3_000, forMs: 20_000, strength: 0.3 },
            { kind: 'replica lag', atMs: 6_000, forMs: 9_000, strength: 0.3 },
            { kind: 'streams cut', atMs: 9_000, forMs: 0, strength: 1 },
            { kind: 'new epoch', atMs: 18_000, forMs: 0, strength: 0.2 },
          ]),
      });
    const first = await once();
    expect(first.trafficHash).toBe((await once()).trafficHash);
    expect(problemsOf(first)).toEqual([]);
  });

  test('without its trading wallet: all orders are gone at once, none is placed again (O49)', async () => {
    const revokedAtMs = 15_000;
    const open: number[] = [];
    const run = await runWholeBot({
      seed: 5,
      forMs: 40_000,
      prepare: ({ clock, exchange, address, accountId }, { agents }) => {
        clock.after(revokedAtMs, () => {
          const agent = must(agents[0], 'the trading wallet');
          exchange.control.revoke({ account: address as Address, agent });
          open.push(exchange.control.venue.openOrders(accountId).length);
        });
        // The run ends soon after, since nothing is left that may trade.
        clock.after(revokedAtMs + 400, () => open.push(exchange.control.venue.openOrders(accountId).length));
      },
    });
    const [before, after] = open;
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(0);
    expect(placedBetween(run, revokedAtMs + 200, 40_000)).toBe(false);
    expect(problemsOf(run)).toEqual([expect.stringContaining('EXECUTION_GRANT_INVALID')]);
  });
});

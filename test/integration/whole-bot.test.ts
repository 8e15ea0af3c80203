import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/core/index.ts';
import { standxHour } from '../support/imported-flow.ts';
import { hasShared } from '../support/shared.ts';
import { type ObservedRun, problemsOf, runWholeBot, startOf } from '../support/whole-bot.ts';

const MINUTE_MS = 60_000;
const RECORDING = ['data', 'standx-btcusd-20260106'] as const;

/** Everything of a run that must be the same each time. */
function contentOf({ report, fills, orders, trafficHash, journalHead }: ObservedRun) {
  return { report, fills, orders, trafficHash, journalHead };
}

describe('a whole bot in process, on the virtual clock', () => {
  test.each([1])(
    'sends, receives, places and fills the same twice from the same seed (seed %i, I19)',
    async (seed) => {
      const first = await runWholeBot({ seed, forMs: MINUTE_MS });
      const second = await runWholeBot({ seed, forMs: MINUTE_MS });
      expect(first.fills.length).toBeGreaterThan(50);
      expect(first.orders.length).toBeGreaterThan(200);
      expect(contentOf(second)).toEqual(contentOf(first));
      expect(problemsOf(first)).toEqual([]);
    },
  );

  test.skipIf(!hasShared(...RECORDING))(
    'gives the same fills twice from the same seed and recording',
    async () => {
      const options = { seed: 7, forMs: 2 * MINUTE_MS, tape: await standxHour() };
      const first = await runWholeBot(options);
      const second = await runWholeBot(options);
      expect(first.fills.length).toBeGreaterThan(10);
      expect(first.report.market).toBe('recorded');
      expect(contentOf(second)).toEqual(contentOf(first));
      expect(problemsOf(first)).toEqual([]);
    },
  );

  test('does other things from another seed', async () => {
    const first = await runWholeBot({ seed: 1, forMs: 20_000 });
    const second = await runWholeBot({ seed: 2, forMs: 20_000 });
    expect(second.trafficHash).not.toBe(first.trafficHash);
    expect(second.fills).not.toEqual(first.fills);
  });

  test('proves ten minutes of the demo, the switch renewed each 5 s and never fired (I11)', async () => {
    const run = await runWholeBot({ seed: 7, forMs: 10 * MINUTE_MS });
    const { observed, report, world } = run;
    expect(problemsOf(run)).toEqual([]);
    expect(report.strategies['ladder']).toMatchObject({ state: 'stopped' });
    expect(report.fills).toBeGreaterThan(500);
    expect(observed.fired).toBe(0);
    const { armedAtMs, placedAtMs } = observed;
    const gaps = armedAtMs.slice(1).map((atMs, at) => atMs - (armedAtMs[at] ?? 0));
    // The heartbeat, a block by which it is rounded, and the way there.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(5_000 + 2 * world.exchange.settings.blockMs);
    expect(armedAtMs[0]).toBeLessThanOrEqual(placedAtMs[0] ?? 0);
    const quiet = placedAtMs.slice(1).map((atMs, at) => atMs - (placedAtMs[at] ?? 0));
    expect(Math.max(...quiet)).toBeLessThan(MINUTE_MS);
  });

  test.each(['avellaneda-stoikov', 'two-strategies'])('proves two minutes of %s', async (config) => {
    const run = await runWholeBot({ config, seed: 7, forMs: 2 * MINUTE_MS });
    expect(problemsOf(run)).toEqual([]);
    const { pnl, strategies, position } = run.report;
    // A position, so that the price at which it is valued matters.
    expect(Object.values(position)).not.toEqual(['0']);
    const own = Object.values(strategies).map((strategy) => new Decimal(strategy.pnl));
    expect(Decimal.sum(...own).toFixed()).toBe(new Decimal(pnl).toFixed());
    expect(run.fills.length).toBeGreaterThan(20);
    expect(run.observed.placedAtMs.at(-1)).toBeGreaterThan(startOf(run.world) + MINUTE_MS);
  });
});

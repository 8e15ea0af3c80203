/** @module Facts of the local venue that are given together are those that are given one by one; no fill is among them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/core/index.ts';
import type { Fact, FactsSink } from '../../src/domain/index.ts';
import { LANE, LocalRig } from '../support/local-rig.ts';

const TIFS = ['gtc', 'ioc', 'postOnly'] as const;

/** Orders of ours in a market that walks, canceled and placed by both lanes, with the switch armed now and then. */
function randomRun(seed: number, sinkAll?: (rig: () => LocalRig) => FactsSink): readonly Fact[] {
  const random = seededRandom(seed);
  const rig: LocalRig = new LocalRig({
    model: 'queue-power',
    seed,
    latency: {
      entry: { kind: 'sampled', us: [100, 900, 5_000] },
      response: { kind: 'sampled', us: [0, 300, 2_500] },
    },
    ...(sinkAll === undefined ? {} : { sinkAll: sinkAll(() => rig) }),
  });
  let mid = 1_000;
  for (let step = 0; step < 120; step++) {
    mid += random.integer(-4, 4);
    rig.book([[mid - 1, random.integer(1, 20)]], [[mid + 1, random.integer(1, 20)]]);
    rig.frame([random.chance(0.5) ? 'buyTrade' : 'sellTrade', mid + random.integer(-2, 2), 20, step]);
    if (random.chance(0.7) && rig.venue.isReady(LANE))
      rig.place({
        side: random.chance(0.5) ? 'buy' : 'sell',
        price: mid + random.integer(-3, 3),
        size: random.integer(1, 30),
        tif: TIFS[random.integer(0, 2)] ?? 'gtc',
      });
    if (random.chance(0.2)) rig.venue.submitSafety({ kind: 'cancelAll' });
    if (random.chance(0.1))
      rig.venue.submitSafety({ kind: 'scheduleCancel', triggerAtMs: (rig.us / 1_000 + 20) as never });
  }
  return rig.tick(10_000_000).facts;
}

test('the bot hears the same in the same order', () => {
  const seen = { batches: 0, fills: 0, firings: 0 };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
      const together = randomRun(seed, (rig) => (facts, from, to) => {
        const batch = facts.slice(from, to);
        if (batch.length > 1) seen.batches++;
        expect(batch.some(({ type }) => type === 'FillRecorded')).toBe(false);
        for (const fact of batch) {
          rig().facts.push(fact);
          rig().account.fold(fact);
        }
      });
      seen.fills += together.filter(({ type }) => type === 'FillRecorded').length;
      seen.firings += together.filter(({ type }) => type === 'SwitchFired').length;
      expect(together).toEqual(randomRun(seed));
    }),
    { numRuns: 20 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});

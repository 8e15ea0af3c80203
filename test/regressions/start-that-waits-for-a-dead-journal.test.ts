import { describe, expect, test } from 'vitest';
import { planOf } from '../simulation/plan.ts';
import { openWorld } from '../simulation/world.ts';

describe('a journal that fails while the bot starts', () => {
  test.each([1, 2, 3])('from commit %i on: the start ends at once, by its name (F55)', async (commit) => {
    const plan = { ...planOf(commit, []), faults: {}, signatures: 'keyed' as const, config: 'calm' };
    const world = await openWorld(plan);
    world.disk.failFrom(commit, 'ENOSPC: no space left on device');
    const startedAtMs = world.clock.monotonicMs();
    world.bot.start();
    for (let i = 0; i < 300 && world.bot.life.state !== 'over'; i++) await world.clock.advanceAsync(100);
    const { state, failure } = world.bot.life;
    const tookMs = world.clock.monotonicMs() - startedAtMs;
    world.close();
    expect(state).toBe('over');
    expect(`${(failure as { code?: string } | undefined)?.code}`).toMatch(/JOURNAL_FAILED$/);
    expect(tookMs).toBeLessThan(10_000);
  });
});

import { describe, expect, test } from 'vitest';
import { Watchman } from '../../../../src/bot/guardian/watchman.ts';
import { VirtualClock } from '../../../../src/core/index.ts';

/** A watchman on virtual time, and what it did. */
function watch() {
  const clock = new VirtualClock(0);
  const did: string[] = [];
  const watchman = new Watchman({
    clock,
    kill: () => did.push('kill'),
    takeOver: (why) => did.push(why),
    leave: () => did.push('leave'),
  });
  return { clock, did, watchman };
}

describe('a guardian', () => {
  test('ends a bot that stands still, then empties its book, once', () => {
    const { clock, did, watchman } = watch();
    watchman.arm();
    clock.advance(1_150);
    expect(did).toEqual([]);
    clock.advance(100);
    expect(did).toEqual(['kill']);
    watchman.gone();
    watchman.gone();
    clock.advance(5_000);
    expect(did).toEqual(['kill', 'its main loop stood still for 1200 ms']);
  });

  test('does not wait for a process that cannot be ended', () => {
    const { clock, did, watchman } = watch();
    watchman.arm();
    clock.advance(2_000);
    expect(did).toEqual(['kill', 'its main loop stood still for 1200 ms']);
  });

  test('ends a bot that a person gives up, once, however alive it is', () => {
    const { clock, did, watchman } = watch();
    expect(watchman.ask('ann')).toBe(false);
    watchman.arm();
    watchman.beat();
    expect(watchman.ask('ann')).toBe(true);
    expect(watchman.ask('bob')).toBe(true);
    expect(did).toEqual(['kill']);
    watchman.gone();
    expect(watchman.ask('bob')).toBe(true);
    clock.advance(5_000);
    expect(did).toEqual(['kill', 'ann']);
  });

  test('has nothing to do for a person once the bot has proven its end', () => {
    const { did, watchman } = watch();
    watchman.arm();
    watchman.release();
    expect(watchman.ask('ann')).toBe(false);
    expect(did).toEqual(['leave']);
  });

  test('lets a bot live that gives a sign of life', () => {
    const { clock, did, watchman } = watch();
    watchman.arm();
    for (let at = 0; at < 50; at++) {
      clock.advance(1_000);
      watchman.beat();
    }
    expect(did).toEqual([]);
  });

  test('empties the book of a bot whose process is gone', () => {
    const { did, watchman } = watch();
    watchman.arm();
    watchman.gone();
    expect(did).toEqual(['its process is gone']);
  });

  test.each(['released', 'never armed'])('leaves when the bot that ends was %s', (how) => {
    const { clock, did, watchman } = watch();
    if (how === 'released') {
      watchman.arm();
      watchman.release();
    }
    clock.advance(10_000);
    watchman.gone();
    expect(did).toEqual(['leave']);
  });

  test('counts no time in which it did not wake up itself', () => {
    const { clock, did, watchman } = watch();
    watchman.arm();
    // A suspended machine: the next look is an hour late, and the sign of life is read after it.
    const before = clock.monotonicMs.bind(clock);
    clock.monotonicMs = () => before() + 3_600_000;
    clock.advance(100);
    expect(did).toEqual([]);
    watchman.beat();
    clock.advance(1_000);
    expect(did).toEqual([]);
  });
});

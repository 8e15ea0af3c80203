import { describe, expect, test } from 'vitest';
import type { StrategyContext } from '../../src/bot/strategy/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { MAKER, START_MS } from '../support/trading-builders.ts';

/** Timers of a machine that waited for longer than 2^31 ms were due at once, again and again. */
describe('a timer of a strategy', () => {
  test.each([3.2e11, 1e15, Number.POSITIVE_INFINITY, '5'])(
    'of %s ms is the fault of its author (F64)',
    (ms) => {
      for (const start of ['startTimer', 'startInterval'] as const) {
        const rig = aRig(
          strategyOf((context) => ({ onTimer: () => context[start]('t', ms as never) as undefined })),
          {
            restartDelaysMs: [],
          },
        );
        rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'now', atMs: START_MS });
        expect(rig.bot.status().strategies[0]?.state).toBe('failed');
      }
    },
  );

  test('is not started for one whose time is over (F67)', () => {
    const contexts: StrategyContext[] = [];
    const fired: string[] = [];
    const rig = aRig(
      strategyOf((context) => {
        contexts.push(context);
        return {
          onTimer: ({ name }) => {
            fired.push(name);
            throw new Error('on purpose');
          },
        };
      }),
      { restartDelaysMs: [] },
    );
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'now', atMs: START_MS });
    const before = rig.clock.nextAtMs();
    contexts[0]?.startTimer('ghost', 0.5);
    expect(rig.clock.nextAtMs()).toBe(before);
    expect(fired).toEqual(['now']);
  });
});

/**
 * Symptom: a strategy whose handlers are accessors that throw, or that throws an error which throws when it is read, ended
 * the run of all others; one that caught STRATEGY_FLOOD in a change of its parameters went on.
 */
import { describe, expect, test } from 'vitest';
import type { StrategyHandlers } from '../../src/bot/strategy/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';

/** An object of which every property that `names` lists throws. */
function throwing<T extends object>(object: T, ...names: readonly string[]): T {
  for (const name of names)
    Object.defineProperty(object, name, {
      enumerable: true,
      get() {
        throw object;
      },
    });
  return object;
}

const ERRORS: readonly (readonly [string, () => unknown])[] = [
  ['an error whose stack throws', () => throwing(new Error('x'), 'stack')],
  ['an error whose message throws', () => throwing(new Error('x'), 'message', 'name')],
  ['an object that no text can be made of', () => Object.create(null)],
  ['a function whose text throws', () => Object.assign(() => 0, { toString: () => throwing({}) })],
  ['a symbol', () => Symbol('x')],
  ['nothing', () => undefined],
];

describe('a strategy takes nothing down but itself', () => {
  test.each(ERRORS)('when it throws %s', (_what, make) => {
    const rig = aRig(
      strategyOf(() => ({
        onBook: () => {
          throw make();
        },
      })),
    );
    rig.book(999_990, 1_000_010);
    expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'failed' });
    expect(rig.bot.status().state).not.toBe('stopped');
  });

  test('when its handlers are accessors that change or throw later', () => {
    let looks = 0;
    const handlers: StrategyHandlers = {
      get onBook() {
        if (++looks > 1) throw new Error('looked at twice');
        return () => undefined;
      },
    };
    const rig = aRig(strategyOf(() => handlers));
    rig.book(999_990, 1_000_010);
    rig.book(999_980, 1_000_020);
    expect(looks).toBe(1);
    expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'running' });
  });

  test('keeps what it has in the object of its handlers', () => {
    const seen: number[] = [];
    class Counting implements StrategyHandlers {
      #count = 0;
      onBook(): void {
        seen.push(++this.#count);
      }
    }
    const rig = aRig(strategyOf(() => new Counting()));
    rig.book(999_990, 1_000_010);
    rig.book(999_980, 1_000_020);
    expect(seen).toEqual([1, 2]);
  });
});

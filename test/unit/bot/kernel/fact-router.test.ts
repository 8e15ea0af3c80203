import { describe, expect, test } from 'vitest';
import { createFactRouter, type FactListener, listenerFor } from '../../../../src/bot/kernel/fact-router.ts';
import { FACT_TYPES, type Fact, type FactType, type LaneId } from '../../../../src/domain/index.ts';

const READY: Fact = { type: 'LaneReady', lane: 'a' as LaneId };
const HELD: Fact = { type: 'SwitchHeld', reasons: [] };

/** Listeners that write down what they take. */
function listening(...asked: readonly (readonly [string, FactListener['facts']])[]) {
  const taken: string[] = [];
  const listeners = asked.map(([name, facts]): FactListener => {
    return { name, facts, take: ({ type }) => void taken.push(`${name} ${type}`) };
  });
  return { taken, listeners };
}

describe('the fact router', () => {
  test('hands a fact to the listeners in the order of the list', () => {
    const { taken, listeners } = listening(['first', 'all'], ['second', ['LaneReady']], ['third', 'all']);
    createFactRouter(listeners)(READY);
    expect(taken).toEqual(['first LaneReady', 'second LaneReady', 'third LaneReady']);
  });

  test('hands a listener the types that it asked for, and no others', () => {
    const { taken, listeners } = listening(['halts', ['LaneHalted', 'SwitchHeld']], ['all', 'all']);
    const route = createFactRouter(listeners);
    for (const type of FACT_TYPES) route({ type } as Fact);
    expect(taken.filter((line) => line.startsWith('halts'))).toEqual([
      'halts LaneHalted',
      'halts SwitchHeld',
    ]);
    expect(taken.filter((line) => line.startsWith('all'))).toHaveLength(FACT_TYPES.length);
  });

  test('gives a listener the very fact that came', () => {
    const taken: Fact[] = [];
    createFactRouter([listenerFor('lanes', ['LaneReady'], (fact) => void taken.push(fact))])(READY);
    expect(taken[0]).toBe(READY);
  });

  test('does nothing with a fact that no listener asked for', () => {
    const { taken, listeners } = listening(['lanes', ['LaneReady']]);
    createFactRouter(listeners)(HELD);
    expect(taken).toEqual([]);
  });

  test('takes no listener that asks for a type that no fact has', () => {
    const { listeners } = listening(['typo', ['LaneRaedy' as FactType]]);
    expect(() => createFactRouter(listeners)).toThrow('a type of fact for listener typo, got LaneRaedy');
  });

  test('takes no two listeners of one name', () => {
    const { listeners } = listening(['bot', 'all'], ['bot', 'all']);
    expect(() => createFactRouter(listeners)).toThrow('names of their own');
  });

  test('lets what a listener throws reach the caller that handed the fact in, and goes on with the next fact', () => {
    const { taken, listeners } = listening(['before', 'all'], ['after', 'all']);
    const [before, after] = listeners as [FactListener, FactListener];
    const broken = listenerFor('broken', ['LaneReady'], () => {
      throw new RangeError('broken');
    });
    const route = createFactRouter([before, broken, after]);
    expect(() => route(READY)).toThrow('broken');
    route(HELD);
    expect(taken).toEqual(['before LaneReady', 'before SwitchHeld', 'after SwitchHeld']);
  });

  test('hands out at once what a listener says to a fact, before the listeners after it', () => {
    const { taken, listeners } = listening(['last', 'all']);
    const route = createFactRouter([listenerFor('answers', ['LaneReady'], () => route(HELD)), ...listeners]);
    route(READY);
    expect(taken).toEqual(['last SwitchHeld', 'last LaneReady']);
  });
});

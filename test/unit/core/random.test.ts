import { describe, expect, test } from 'vitest';
import {
  AssertionError,
  assert,
  BotError,
  BoundedQueue,
  messageOf,
  must,
  secureBytes,
  seededRandom,
} from '../../../src/core/index.ts';

describe('seededRandom', () => {
  test('gives the same numbers for the same seed, for good', () => {
    const random = seededRandom(7);
    expect([random.integer(0, 1e9), random.integer(0, 1e9), random.integer(0, 1e9)]).toMatchInlineSnapshot(`
      [
        212206519,
        530009750,
        461616695,
      ]
    `);
  });

  test('forks streams that do not depend on what was drawn', () => {
    const one = seededRandom(7);
    one.next();
    expect(one.fork('flow').next()).toBe(seededRandom(7).fork('flow').next());
    expect(one.fork('flow').next()).not.toBe(one.fork('index').next());
  });

  test('draws what the distributions promise', () => {
    const random = seededRandom('moments');
    const draws = 20_000;
    let sum = 0;
    let squares = 0;
    let waits = 0;
    const dice = new Set<number>();
    for (let i = 0; i < draws; i++) {
      const normal = random.normal();
      sum += normal;
      squares += normal * normal;
      waits += random.exponential(3);
      dice.add(random.integer(1, 6));
    }
    expect(Math.abs(sum / draws)).toBeLessThan(0.03);
    expect(Math.abs(squares / draws - 1)).toBeLessThan(0.05);
    expect(Math.abs(waits / draws - 3)).toBeLessThan(0.1);
    expect([...dice].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('secureBytes', () => {
  test('gives other bytes each time', () => {
    expect(secureBytes(16)).not.toEqual(secureBytes(16));
  });
});

describe('BoundedQueue', () => {
  test('is first in, first out, and says no when full', () => {
    const queue = new BoundedQueue<number>(2);
    expect([queue.push(1), queue.push(2), queue.push(3)]).toEqual([true, true, false]);
    expect(queue.shift()).toBe(1);
    expect(queue.push(4)).toBe(true);
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([2, 4, undefined]);
    expect(queue.size).toBe(0);
  });
});

describe('errors', () => {
  test('assert throws what should have held', () => {
    expect(() => assert(false, 'a size above zero, got 0')).toThrow(AssertionError);
    expect(() => assert(false, 'a size above zero, got 0')).toThrow('expected a size above zero, got 0');
    expect(() => must(undefined, 'the market')).toThrow('expected the market to be present');
    expect(must(0, 'a number')).toBe(0);
  });

  test('describe themselves with facts and remedy', () => {
    const error = new BotError({
      code: 'X_Y',
      message: 'expected a, got b',
      remedy: 'Do c.',
      details: { status: 404 },
    });
    expect(error.describe()).toBe('X_Y: expected a, got b\n  status: 404\n  remedy: Do c.');
    expect(error.effect).toBe('none');
    expect([messageOf(error), messageOf(new Error('x')), messageOf('y')]).toEqual([
      'X_Y: expected a, got b',
      'x',
      'y',
    ]);
  });
});

/** @module What `create` of a strategy threw ended as a bug of ballast, and a strategy without handlers crashed the run. */
import { expect, test } from 'vitest';
import type { StrategyHandlers } from '../../src/bot/strategy/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';

test.each([
  ['throws', () => JSON.parse('no JSON') as StrategyHandlers],
  ['returns nothing', () => undefined as unknown as StrategyHandlers],
  ['returns a promise', () => Promise.resolve({}) as unknown as StrategyHandlers],
  ['returns a number', () => 7 as unknown as StrategyHandlers],
])('a strategy whose create %s is named', (_what, create) => {
  expect(() => aRig(strategyOf(create))).toThrow(
    expect.objectContaining({
      code: 'STRATEGY_CREATE_FAILED',
      message: expect.stringContaining('expected strategy maker to be made'),
    }),
  );
});

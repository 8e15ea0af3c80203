/** @module A continuous control that stays broken is said once, however its figures move (denials.md M4, M10). */
import { describe, expect, test } from 'vitest';
import { TradingStates } from '../../src/bot/risk/index.ts';

describe('a control that finds the same again', () => {
  test('is no news while its state is the one it asked for, and is after it has let go', () => {
    const states = new TradingStates();
    const scope = { kind: 'account' } as const;
    const reducing = (loss: number) => ({ state: 'reducing', reason: `a loss of ${loss}` }) as const;
    expect(states.set(scope, 'M4', reducing(5))).toBe(true);
    expect(states.set(scope, 'M4', reducing(6))).toBe(false);
    expect(states.ofScope(scope).reason).toBe('a loss of 6');
    expect(states.set(scope, 'M10', { state: 'halted', reason: 'order 7' })).toBe(true);
    expect(states.set(scope, 'M4', { state: 'active', reason: '' })).toBe(true);
    expect(states.set(scope, 'M4', { state: 'active', reason: '' })).toBe(false);
    expect(states.set(scope, 'M4', reducing(7))).toBe(true);
  });
});

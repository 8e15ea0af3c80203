/** @module Limits from capital. */
import { describe, expect, test } from 'vitest';
import { riskLimits, TradingStates } from '../../../../src/bot/risk/index.ts';
import { type Ppm, quantums } from '../../../../src/domain/index.ts';
import { BTC, ETH, MAKER, usd } from '../../../support/trading-builders.ts';

describe('riskLimits', () => {
  test('makes the defaults of denials.md from the capital', () => {
    const limits = riskLimits({ capital: usd(1_000), symbols: [BTC] });
    expect(limits.orderNotionalMax).toBe(usd(100));
    expect(limits.positionNotionalMax).toBe(usd(500));
    expect(limits.grossNotionalMax).toBe(usd(2_000));
    expect(limits.netNotionalMax).toBe(usd(1_000));
    expect([limits.openOrdersPerSideMax, limits.openOrdersMax]).toEqual([5, 50]);
    expect([...limits.allowedSymbols]).toEqual([BTC]);
  });

  test('takes what the configuration sets in place of a default', () => {
    const overrides = { collarPpm: 200_000 as Ppm };
    const limits = riskLimits({ capital: usd(1_000), symbols: [BTC], overrides });
    expect([limits.collarPpm, limits.crossingPpm]).toEqual([200_000, 5_000]);
  });

  test('error: refuses a capital of nothing', () => {
    expect(() => riskLimits({ capital: quantums(0n), symbols: [] })).toThrow(/capital above zero/);
  });
});

describe('TradingStates', () => {
  test('the strictest state of account, market and strategy applies, until each holder lets go', () => {
    const states = new TradingStates();
    states.set({ kind: 'account' }, 'monitor', { state: 'reducing', reason: 'loss' });
    states.set({ kind: 'market', symbol: BTC }, 'audit', { state: 'halted', reason: 'M3' });
    states.set({ kind: 'strategy', strategyId: MAKER }, 'operator', { state: 'reducing', reason: 'by hand' });
    expect(states.of(MAKER, BTC)).toEqual({ state: 'halted', reason: 'M3' });
    expect(states.of(MAKER, ETH).state).toBe('reducing');
    states.set({ kind: 'market', symbol: BTC }, 'audit', { state: 'active', reason: '' });
    states.set({ kind: 'account' }, 'monitor', { state: 'active', reason: '' });
    expect(states.of(MAKER, BTC)).toEqual({ state: 'reducing', reason: 'by hand' });
    states.clear({ kind: 'strategy', strategyId: MAKER });
    expect(states.of(MAKER, BTC).state).toBe('active');
  });

  test('two holders of one scope do not undo each other', () => {
    const states = new TradingStates();
    states.set({ kind: 'account' }, 'operator', { state: 'reducing', reason: 'by hand' });
    states.set({ kind: 'account' }, 'monitor', { state: 'halted', reason: 'M2' });
    states.set({ kind: 'account' }, 'operator', { state: 'active', reason: '' });
    expect(states.ofScope({ kind: 'account' }).reason).toBe('M2');
  });
});

/** Halts whose grounds are fills that never were: which of them a store keeps. */
import { describe, expect, test } from 'vitest';
import { inMemoryStrategyStore } from '../../../../../src/bot/kernel/index.ts';
import { GoneGrounds } from '../../../../../src/bot/live/watch/gone-grounds.ts';
import { type FilledGround, TradingStates } from '../../../../../src/bot/risk/index.ts';
import { formatJson, parseJson } from '../../../../../src/core/index.ts';
import type { Fill, OrderId, StrategyId } from '../../../../../src/domain/index.ts';
import { aFill } from '../../../../support/trading-builders.ts';

const KEY = '_halts' as StrategyId;
const ACCOUNT = { kind: 'account' } as const;
const OWN: FilledGround = { kind: 'overfill', orderId: 'own' as OrderId };
const FOREIGN: FilledGround = { kind: 'fillWithoutOrder', orderId: 'foreign' as OrderId };
const filled = (orderId: string): Fill => ({ ...aFill(), orderId: orderId as OrderId });

/** How many halts are stored after each of `halts`, and after fills that never were are gone. */
function storedAfter(
  halts: readonly { readonly grounds?: readonly FilledGround[] }[],
  { gone, left = [] }: { readonly gone: readonly string[]; readonly left?: readonly string[] },
): number {
  const memory = inMemoryStrategyStore();
  const grounds = new GoneGrounds();
  const store = grounds.over(memory);
  const states = new TradingStates();
  for (const { grounds: of } of halts)
    states.set(ACCOUNT, 'M2', { state: 'halted', reason: 'a reason', grounds: of });
  const save = () => store.save(KEY, formatJson(states.held()));
  save();
  const booked = gone.map((orderId) => ({ booked: filled(orderId) }));
  grounds.take(booked, left.map(filled));
  const reviewed = (parseJson(memory.load(KEY) ?? '[]') as readonly unknown[]).length;
  save();
  expect((parseJson(memory.load(KEY) ?? '[]') as readonly unknown[]).length).toBe(reviewed);
  return reviewed;
}

describe('a halt because of fills', () => {
  test('goes with them', () => {
    expect(storedAfter([{ grounds: [OWN] }], { gone: ['own'] })).toBe(0);
    expect(storedAfter([{ grounds: [FOREIGN] }], { gone: ['foreign'] })).toBe(0);
    expect(storedAfter([{ grounds: [OWN] }, { grounds: [FOREIGN] }], { gone: ['own', 'foreign'] })).toBe(0);
  });

  test('of our own order goes, although the order has other fills', () => {
    expect(storedAfter([{ grounds: [OWN] }], { gone: ['own'], left: ['own'] })).toBe(0);
  });

  test('stays while one of its grounds stands', () => {
    expect(storedAfter([{ grounds: [OWN] }], { gone: [] })).toBe(1);
    expect(storedAfter([{ grounds: [OWN] }], { gone: ['another'] })).toBe(1);
    expect(storedAfter([{ grounds: [FOREIGN] }], { gone: ['foreign'], left: ['foreign'] })).toBe(1);
    expect(storedAfter([{ grounds: [OWN] }, { grounds: [FOREIGN] }], { gone: ['own'] })).toBe(1);
  });

  test('stays where it rests on something else as well', () => {
    expect(storedAfter([{ grounds: [OWN] }, {}], { gone: ['own'] })).toBe(1);
    expect(storedAfter([{}, { grounds: [OWN] }], { gone: ['own'] })).toBe(1);
  });
});

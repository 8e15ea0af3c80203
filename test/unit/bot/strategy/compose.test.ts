import { expect, test } from 'vitest';
import { compose, defineStrategy, param, type StrategyHandlers } from '../../../../src/bot/strategy/index.ts';
import { scriptedMarket, scriptedRun } from '../../../../src/testing/index.ts';
import { aRig, strategyOf } from '../../../support/bot-rig.ts';

const definitionOf = (make: () => StrategyHandlers) =>
  defineStrategy({ name: 'composed', parameters: param.object({}), create: make });

test('each part gets each call, in the order in which parts are given', () => {
  const calls: string[] = [];
  const part = (name: string): StrategyHandlers => ({
    onStart: () => void calls.push(`${name} start`),
    onBook: (view) => void calls.push(`${name} ${view.symbol}`),
  });
  const component = { handlers: { onBook: () => void calls.push('component') } };
  const run = scriptedRun(
    definitionOf(() => compose(part('a'), component, part('b'))),
    {},
    scriptedMarket(),
  ).start();
  run.play({ book: 'BTC-USD', bids: [], asks: [] });
  expect(calls).toEqual(['a start', 'b start', 'a BTC-USD', 'component', 'b BTC-USD']);
});

test('there are no handlers that no part has: the kernel makes no call for nothing', () => {
  expect(Object.keys(compose({ onBook: () => undefined }, { onFill: () => undefined }))).toEqual([
    'onBook',
    'onFill',
  ]);
});

test('methods of a class keep their object', () => {
  class Counter implements StrategyHandlers {
    #count = 0;
    onStart(): undefined {
      this.#count++;
    }
    onSave(): number {
      return this.#count;
    }
  }
  const handlers = compose(new Counter(), { onStart: () => undefined });
  handlers.onStart?.();
  expect(handlers.onSave?.()).toBe(1);
});

test('what one part saves is saved as it is; several find their own again', () => {
  const loaded: unknown[] = [];
  const keeps = (state: unknown): StrategyHandlers => ({
    onSave: () => state,
    onLoad: (saved) => void loaded.push(saved),
  });
  expect(compose(keeps({ a: 1 }), { onStart: () => undefined }).onSave?.()).toEqual({ a: 1 });
  const two = compose(keeps({ a: 1 }), keeps(undefined), keeps('c'));
  const saved: unknown = JSON.parse(JSON.stringify(two.onSave?.()));
  two.onLoad?.(saved);
  expect(loaded).toEqual([{ a: 1 }, 'c']);
  for (const other of [null, 7, 'x', {}, { a: 1 }, { composedParts: ['of two', 'only'] }])
    two.onLoad?.(other);
  expect(loaded).toHaveLength(2);
  expect(compose(keeps(undefined), keeps(undefined)).onSave?.()).toBeUndefined();
});

test('a promise of one part is seen, and ends the strategy as ever', () => {
  const rig = aRig(
    strategyOf(() => compose({ onBook: (async () => undefined) as never }, { onBook: () => undefined })),
  );
  rig.book(999_990, 1_000_010);
  expect(rig.bot.status().strategies[0]?.state).toBe('failed');
});

test('a misspelt handler of a part is refused', () => {
  expect(() => compose({ onBok: () => undefined } as StrategyHandlers)).toThrow('did you mean onBook?');
});

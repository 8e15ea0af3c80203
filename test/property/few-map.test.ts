/** @module A map of few holds what a Map holds, in the same order, however many come and go. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FewMap } from '../../src/core/index.ts';

/** Keys that are few and many in turn. */
const key = fc.nat(20).map(String);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), key }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), key }) },
);

test('a map of few is a map', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), (steps, isShared) => {
      const few = new FewMap<string, object>();
      const model = new Map<string, object>();
      const shared = {};
      for (const { kind, key: at } of steps) {
        if (kind === 'set' || kind === 'add') {
          // One value may stand under several keys.
          const value = isShared ? shared : { at };
          if (kind === 'add' && !model.has(at)) few.add(at, value);
          else few.set(at, value);
          model.set(at, value);
        } else if (kind === 'delete') {
          expect(few.delete(at)).toBe(model.get(at));
          model.delete(at);
        } else {
          few.clear();
          model.clear();
        }
        expect(few.size).toBe(model.size);
        expect(few.get(at)).toBe(model.get(at));
      }
      expect(few.values).toEqual([...model.values()]);
      for (let one = 0; one <= 20; one++) expect(few.get(String(one))).toBe(model.get(String(one)));
    }),
  );
});

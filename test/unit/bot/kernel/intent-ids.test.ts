/** @module Names of intents count without a gap, whatever they are put together of. */
import { expect, test } from 'vitest';
import { IntentIds } from '../../../../src/bot/kernel/intent-ids.ts';

test('names each intent by its run and its number, over thousands', () => {
  const ids = new IntentIds('run-7');
  for (let number = 1; number <= 12_345; number++) expect(ids.next()).toBe(`run-7-${number}`);
});

test('counts those whose name nobody asks for', () => {
  const ids = new IntentIds('run-7');
  for (let number = 1; number <= 3_000; number++) {
    ids.advance();
    if (number % 7 === 0) expect(ids.newest).toBe(`run-7-${number}`);
  }
  expect(ids.newest).toBe('run-7-3000');
  expect(ids.next()).toBe('run-7-3001');
});

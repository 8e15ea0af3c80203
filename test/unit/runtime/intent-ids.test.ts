/** @module Names of intents count without a gap, whatever they are put together of. */
import { expect, test } from 'vitest';
import { IntentIds } from '../../../src/runtime/intent-ids.ts';

test('names each intent by its run and its number, over thousands', () => {
  const ids = new IntentIds('run-7');
  for (let number = 1; number <= 12_345; number++) expect(ids.next()).toBe(`run-7-${number}`);
});

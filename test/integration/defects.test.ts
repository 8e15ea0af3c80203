/**
 * The judging of wrong exchanges: one that is wrong is caught by the check of its rule, one that is not wrong is not. All
 * of them: `npm run prove -- defects`.
 */
import { describe, expect, test } from 'vitest';
import type { Defect } from '../defects/defect.ts';
import { DEFECTS } from '../defects/index.ts';
import { judge } from '../defects/judge.ts';

const OPTIONS = { workers: 2, say: () => undefined };

const HARMLESS: Defect = {
  id: 'harmless',
  check: 'GW-ORDER-2',
  what: 'says the same in another way',
  file: 'src/exchange/engine/orders/placement.ts',
  find: "if (tif === 'postOnly' && crosses) return 'PostOnlyWouldCross';",
  replace: "if (crosses && tif === 'postOnly') return 'PostOnlyWouldCross';",
};
const BROKEN: Defect = { ...HARMLESS, id: 'broken', find: 'not there' };

describe('judge', () => {
  test('catches a wrong exchange by the check of its rule, lets a right one pass, says what it cannot judge', async () => {
    const wrong = DEFECTS.filter(({ id }) => id === 'any-signature-passes' || id === 'post-only-crosses');
    const verdicts = await judge([...wrong, HARMLESS, BROKEN], OPTIONS);
    const of = (id: string) => verdicts.find((verdict) => verdict.id === id);
    expect(of('any-signature-passes')?.isCaught).toBe(true);
    expect(of('post-only-crosses')).toMatchObject({ isCaught: true, check: 'GW-ORDER-2' });
    expect(of('post-only-crosses')?.detail).toContain('A post-only order that would cross is rejected');
    expect(of('harmless')).toMatchObject({ isCaught: false, detail: 'passed with it' });
    expect(of('broken')?.detail).toContain('expected this once in src/exchange/engine/orders/placement.ts');
  }, 90_000);
});

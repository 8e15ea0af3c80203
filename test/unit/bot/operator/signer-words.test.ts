/** What is said of a signer that does not answer: whose it is, since when, and what to do. */
import { expect, test } from 'vitest';
import { PROBLEMS } from '../../../../src/bot/operator/problems.ts';
import { someFigures } from '../../../support/run-figures.ts';

const SIGNER = { wallet: 'maker', lane: 'main', p50Ms: 1, p99Ms: 2, signed: 9, failed: 2 };

test('a signer that does not answer is told with its lane, since when, and what to do', () => {
  const of = (kind: 'down' | 'slow') => {
    const down = { ...SIGNER, kind, why: 'no signature within 300 ms', sinceMs: 1_767_700_000_000 };
    const figures = someFigures({ signers: () => [down] });
    return PROBLEMS['signer-down'].find({ figures } as never);
  };
  expect(of('slow')).toEqual([]);
  const [found] = of('down');
  expect(found?.about).toBe('maker');
  for (const words of [
    'wallet maker',
    'since 2026-01-06T11:46:40.000Z',
    'no signature within 300 ms',
    'Lane main',
    'see to the signer',
  ])
    expect(found?.text).toContain(words);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openResults } from '../../../../src/research/sweep/sweep-results.ts';

const NO_COURSE = { denials: {}, rejections: {}, halts: {}, haltedSeconds: {}, noQuoteSeconds: {} };

const JOB = { parameters: {}, window: { fromUs: 0, toUs: 1 }, part: 'train' } as never;

test('a sweep that goes on runs what failed again, and nothing that succeeded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-sweep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { keep } = openResults(folder);
  keep(
    {
      key: 'good',
      statistics: { pnl: 1 },
      annualReason: null,
      failure: null,
      course: NO_COURSE,
      decisionHash: 'a',
    },
    JOB,
  );
  keep({ key: 'bad', error: 'out of memory' }, JOB);
  keep({ key: 'first bad', error: 'out of memory' }, JOB);
  keep(
    {
      key: 'first bad',
      statistics: { pnl: 2 },
      annualReason: null,
      failure: null,
      course: NO_COURSE,
      decisionHash: 'b',
    },
    JOB,
  );
  expect([...openResults(folder).known.keys()]).toEqual(['good', 'first bad']);
});

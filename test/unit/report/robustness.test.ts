/** @module A study of robustness in the report: bands beside the run, the section of the page, the table of the terminal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeRun, htmlOfRun, jsonOfRun, loadRun, saveRun } from '../../../src/report/index.ts';
import { aDay, aRunRecord, aStudy } from '../../support/run-records.ts';

describe('a study of robustness', () => {
  const robustness = aStudy();
  const record = { ...aDay({ hours: 1 }), robustness };
  const document = jsonOfRun(record).robustness;

  test('has the quantiles of its runs, exactly, and the share that lost', () => {
    const [kind] = document?.kinds ?? [];
    // Profits of -4 to 15 USDC: of twenty the first, the fifth, the tenth, the fifteenth and the nineteenth.
    expect(kind?.pnl).toEqual({
      ...{ p5: '-4.000001', p25: '0.000000', median: '4.999999', p75: '9.999999', p95: '13.999999' },
    });
    // One of 0 lost nothing.
    expect(kind?.lossProbability).toBe(0.2);
    expect(kind?.drawdown).toEqual({ p5: 0.001, p25: 0.005, median: 0.01, p75: 0.015, p95: 0.019 });
    expect(kind?.runs[0]).toEqual({
      ...{ pnl: '-4.000001', parameters: { 'maker.size': '0.01' }, drawdown: 0.001, fills: 10 },
      ...{ failure: null, decisionHash: 'a'.repeat(64) },
    });
    expect(document?.actual.pnl).toBe(jsonOfRun(record).pnl.total);
    expect(document?.seed).toBe(7);
    expect(jsonOfRun(aRunRecord()).robustness).toBeNull();
  });

  test('counts a run that did not run as a failure and in no band', () => {
    const failed = document?.kinds[2];
    expect(failed).toMatchObject({ pnl: null, drawdown: null, lossProbability: null, failures: 20 });
    expect(describeRun(record)).toContain('missed fills: 20 runs; run 1: no market');
  });

  test('is kept in the folder of the run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ballast-robust-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    saveRun(folder, record);
    expect(loadRun(folder).robustness).toEqual(robustness);
  });

  test('is a table of 80 columns', () => {
    const lines = describeRun(record).split('\n');
    const from = lines.findIndex((line) => line.startsWith('robustness'));
    const table = lines.slice(from, from + 9);
    expect(table.every((line) => line.length <= 80)).toBe(true);
    expect(table.join('\n')).toMatch(
      /^ {2}parameters +-4\.00 +0 +\+5\.00 +\+10\.00 +\+14\.00 +20 % +1\.90 %$/m,
    );
    expect(table.join('\n')).toContain('not moved   maker.levels (a tenth of 2 is less than one step)');
    expect(describeRun(aDay({ hours: 1 }))).not.toContain('robustness');
  });

  test('is a section with a chart of each, a table, and no name that leaves its place', () => {
    const page = htmlOfRun(record);
    expect(page).toContain('<a href="#robustness">');
    // Of profit and of drawdown, the two kinds that ran.
    expect(page.match(/<g class="band">/g)).toHaveLength(4);
    expect(page.match(/<path class="actual"/g)).toHaveLength(2);
    expect(page).toContain('maker.levels (a tenth of 2 is less than one step), maker.&lt;b&gt; (it is 0)');
    expect(htmlOfRun(aDay({ hours: 1 }))).not.toContain('id="robustness"');
    expect(htmlOfRun(record)).toBe(page);
  });
});

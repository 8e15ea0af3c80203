/** @module Bands by bootstrap, several runs side by side, and the page of a sweep. */
import { describe, expect, test } from 'vitest';
import {
  describeRuns,
  htmlOfRuns,
  htmlOfSweep,
  jsonOfRun,
  jsonOfRuns,
  paretoFrontOf,
} from '../../../src/report/index.ts';
import { aDay, aRunRecord } from '../../support/run-records.ts';
import { aSweep } from '../../support/sweep-document.ts';

describe('bootstrap', () => {
  test('of equal profits every resampled run is the run; the same record gives the same bands', () => {
    const record = aRunRecord();
    const rows = 101;
    const atMs = Float64Array.from({ length: rows }, (_, at) => record.fromMs + at * 1_000);
    const equity = Float64Array.from({ length: rows }, (_, at) => 1e9 + at * 2_000);
    const blank = new Float64Array(rows);
    const samples = { periodMs: 1_000, atMs, equity, midTicks: [blank], inventoryLots: [blank] };
    expect(jsonOfRun({ ...record, samples }).bootstrap).toEqual({
      ...{ method: 'circular block bootstrap', resamples: 1_000, blockLength: 10 },
      ...{ p5: '0.200000', p25: '0.200000', median: '0.200000', p75: '0.200000', p95: '0.200000' },
      lossProbability: 0,
    });
    const day = aDay({ hours: 3 });
    const { bootstrap, pnl } = jsonOfRun(day);
    expect(jsonOfRun(aDay({ hours: 3 })).bootstrap).toEqual(bootstrap);
    expect(Number(bootstrap?.p5)).toBeLessThan(Number(pnl.total));
    expect(Number(bootstrap?.p95)).toBeGreaterThan(Number(pnl.total));
    expect(jsonOfRun({ ...day, seed: 8 }).bootstrap).not.toEqual(bootstrap);
  });

  test('says nothing of ten periods', () => expect(jsonOfRun(aRunRecord()).bootstrap).toBeNull());
});

describe('several runs', () => {
  const records = [
    { ...aDay({ hours: 1 }), runId: 'one', parameters: { size: '1', same: 'x' } },
    { ...aDay({ hours: 1, seed: 8 }), runId: '<two>', parameters: { size: '2', same: 'x', more: 'y' } },
  ];

  test('have the figures of their reports, and what differs in their configurations', () => {
    const { runs, parameters } = jsonOfRuns(records);
    expect(runs.map(({ total }) => total)).toEqual(records.map((record) => jsonOfRun(record).pnl.total));
    expect(parameters).toEqual([
      { name: 'size', values: ['1', '2'] },
      { name: 'more', values: [null, 'y'] },
    ]);
    expect(describeRuns(jsonOfRuns(records))).toContain(`size: 1, 2`);
  });

  test('are one page with a line each, and no name leaves its place', () => {
    const page = htmlOfRuns(records);
    expect(page.match(/<polyline class="line"/g)).toHaveLength(2);
    expect(page).not.toContain('<two>');
    expect(page).not.toMatch(/<script|https?:/);
  });
});

describe('a sweep', () => {
  const document = aSweep();

  test('has on its front what no other row of its window beats; a failed row beats none', () => {
    expect(paretoFrontOf(document).map(({ key }) => key)).toEqual(['1', '2', '5', '6']);
  });

  test('is a page with front, parallel coordinates and each window in training and test', () => {
    const page = htmlOfSweep(document);
    expect(page.match(/class="front"/g)).toHaveLength(4);
    expect(page.match(/<polyline/g)).toHaveLength(6);
    expect(page).toContain('<td>10</td><td>-7.25</td>');
  });
});

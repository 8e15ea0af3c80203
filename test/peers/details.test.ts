/** @module Drawdowns, rolling statistics, beta and quantiles of a run by QuantStats, pandas and numpy. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { told } from '../../bench/engines/environment.ts';
import { jsonOfRun } from '../../src/report/index.ts';
import { folderOf } from '../support/import-text.ts';
import { pythonOfPeers } from '../support/python.ts';
import { aYear } from '../support/run-records.ts';

const python = pythonOfPeers();
const DAY_MS = 86_400_000;

interface Theirs {
  readonly drawdowns: readonly (readonly [begin: string, trough: string, end: string, percent: number])[];
  readonly sharpe: readonly number[];
  readonly volatility: readonly number[];
  readonly beta: number;
  readonly correlation: number;
  readonly quantiles: readonly number[];
}

test.skipIf(python === undefined)('three hundred days', () => {
  const record = aYear();
  const { samples } = record;
  const { drawdowns, rolling, benchmark, distributions, returns } = jsonOfRun(record);
  const [mids = new Float64Array()] = samples.midTicks;
  const given = {
    ...{ atMs: [...samples.atMs], equity: [...samples.equity], mids: [...mids] },
    window: rolling?.window,
  };
  const folder = folderOf({
    'days.json': JSON.stringify({ ...given, periodsPerYear: returns.periodsPerYear }),
  });
  const script = join(import.meta.dirname, 'details.py');
  const theirs = told<Theirs>(python ?? '', [script, join(folder, 'days.json')]);
  const short = (value: number | null | undefined) => (value == null ? null : Number(value.toPrecision(9)));
  const before = (iso: string) => new Date(Date.parse(iso) - DAY_MS).toISOString().slice(0, 10);
  const last = new Date(record.toMs).toISOString().slice(0, 10);
  expect(
    drawdowns.map(({ begin, trough, recovery, depth }) => [
      ...[begin.slice(0, 10), trough.slice(0, 10), recovery === null ? last : before(recovery)],
      short((depth ?? 0) * 100),
    ]),
  ).toEqual(theirs.drawdowns.map(([begin, trough, end, percent]) => [begin, trough, end, short(percent)]));
  const points = rolling?.points ?? [];
  expect(points.length).toBeGreaterThan(200);
  expect(points.map(({ sharpe }) => short(sharpe))).toEqual(theirs.sharpe.map(short));
  expect(points.map(({ volatility }) => short(volatility))).toEqual(theirs.volatility.map(short));
  expect([benchmark[0]?.beta, benchmark[0]?.correlation].map(short)).toEqual(
    [theirs.beta, theirs.correlation].map(short),
  );
  const own = distributions.find(({ name }) => name === 'returns');
  expect([own?.p5, own?.p25, own?.median, own?.p75, own?.p95].map(short)).toEqual(
    theirs.quantiles.map(short),
  );
});

/** @module Drawdowns, rolling statistics, beta and quantiles of a run by QuantStats, pandas and numpy. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { told } from '../../bench/engines/environment.ts';
import { seededRandom, unixMs } from '../../src/core/index.ts';
import { jsonOfRun } from '../../src/report/index.ts';
import { folderOf } from '../support/import-text.ts';
import { pythonOfPeers } from '../support/python.ts';
import { aRunRecord } from '../support/run-records.ts';

const python = pythonOfPeers();
const DAY_MS = 86_400_000;
const ROWS = 301;

interface Theirs {
  readonly drawdowns: readonly (readonly [begin: string, trough: string, end: string, percent: number])[];
  readonly sharpe: readonly number[];
  readonly volatility: readonly number[];
  readonly beta: number;
  readonly correlation: number;
  readonly quantiles: readonly number[];
}

test.skipIf(python === undefined)('three hundred days', () => {
  const random = seededRandom('days');
  const walk = (from: number, step: number) => {
    let value = from;
    return Float64Array.from({ length: ROWS }, () => {
      value += random.integer(-step, step);
      return value;
    });
  };
  const fromMs = Date.UTC(2025, 0, 1);
  const atMs = Float64Array.from({ length: ROWS }, (_, at) => fromMs + at * DAY_MS);
  const [mids, noise] = [walk(1_000_000, 20_000), walk(0, 5_000_000)];
  const equity = noise.map((value, at) => 1_000_000_000 + value + ((mids[at] ?? 0) - 1_000_000) * 300);
  const base = aRunRecord();
  const samples = {
    periodMs: DAY_MS,
    atMs,
    equity,
    midTicks: [mids],
    inventoryLots: [new Float64Array(ROWS)],
  };
  const span = { fromMs: unixMs(fromMs), toMs: unixMs(fromMs + (ROWS - 1) * DAY_MS) };
  const { drawdowns, rolling, benchmark, distributions, returns } = jsonOfRun({ ...base, ...span, samples });
  const given = { atMs: [...atMs], equity: [...equity], mids: [...mids], window: rolling?.window };
  const folder = folderOf({
    'days.json': JSON.stringify({ ...given, periodsPerYear: returns.periodsPerYear }),
  });
  const script = join(import.meta.dirname, 'details.py');
  const theirs = told<Theirs>(python ?? '', [script, join(folder, 'days.json')]);
  const short = (value: number | null | undefined) => (value == null ? null : Number(value.toPrecision(9)));
  const before = (iso: string) => new Date(Date.parse(iso) - DAY_MS).toISOString().slice(0, 10);
  const last = new Date(span.toMs).toISOString().slice(0, 10);
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

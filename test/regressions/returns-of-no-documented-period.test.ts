/**
 * Days that begin at 16:00 were one return of the whole run, samples of 32 s gave returns of 32 s, missing bars did not
 * count as time, and 13 seconds had a Sharpe of 2,050.
 */
import { describe, expect, test } from 'vitest';
import type { RunSamples } from '../../src/domain/index.ts';
import { describeDiff, describeRun, diffRuns, htmlOfRun, jsonOfRun } from '../../src/report/index.ts';
import { returnsOf } from '../../src/report/series.ts';
import { aRunRecord } from '../support/run-records.ts';

const S = 1_000;
const MIN = 60 * S;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2024, 0, 1);

/** Equity of 1,000 at the first of these times, then a walk by formula. */
function samplesAt(times: readonly number[], periodMs: number): RunSamples {
  const equity = times.map((_, at) => 1e9 * (1 + 0.02 * Math.sin(at * 0.7) + 0.00001 * at));
  const none = [new Float64Array(times.length)];
  return {
    ...{ periodMs, atMs: Float64Array.from(times), equity: Float64Array.from(equity) },
    ...{ midTicks: none, inventoryLots: none },
  };
}

function every(stepMs: number, count: number, fromMs = MONDAY) {
  return Array.from({ length: count + 1 }, (_, at) => fromMs + at * stepMs);
}

function figuresOf(samples: RunSamples) {
  return jsonOfRun(aRunRecord({ samples })).returns;
}

describe('bars that never end at a round time', () => {
  const round = figuresOf(samplesAt(every(DAY, 365), DAY));

  test.each([16 * HOUR, 16 * HOUR + 30 * MIN, 13 * S, DAY - 1])(
    'days that begin %d ms after midnight',
    (offsetMs) => {
      expect(figuresOf(samplesAt(every(DAY, 365, MONDAY + offsetMs), DAY))).toEqual({
        ...round,
        maxDrawdownAt: expect.any(String) as string,
      });
      expect(round).toMatchObject({ count: 365, periodMs: DAY, periodsPerYear: 365 });
    },
  );

  test('hours that begin at half past are hours, four-hour bars from 02:00 make days', () => {
    const hours = figuresOf(samplesAt(every(HOUR, 240, MONDAY + 30 * MIN), HOUR));
    expect(hours).toMatchObject({ periodMs: HOUR, count: 240, periodsPerYear: 8_760 });
    const parts = figuresOf(samplesAt(every(4 * HOUR, 6 * 120, MONDAY + 2 * HOUR), 4 * HOUR));
    expect(parts).toMatchObject({ periodMs: DAY, count: 121 });
    expect(parts.periodsPerYear).toBeCloseTo((121 / 120) * 365, 6);
  });

  test('weeks, longer than any period, count as weeks', () => {
    const weeks = figuresOf(samplesAt(every(7 * DAY, 52, MONDAY + 16 * HOUR), 7 * DAY));
    expect(weeks).toMatchObject({ periodMs: 7 * DAY, count: 52, annualReason: null });
    expect(weeks.periodsPerYear).toBeCloseTo(365 / 7, 9);
  });
});

describe('missing bars and samples', () => {
  test('count as time: growth by the time that passed, returns that there are in a year', () => {
    const days = every(DAY, 365).filter(
      (ms) => ms === MONDAY || ![0, 6].includes(new Date(ms - DAY).getUTCDay()),
    );
    const samples = samplesAt(days, DAY);
    const { count, periodsPerYear, annualizedReturn, sharpe } = figuresOf(samples);
    const [first = 0, last = 0] = [samples.equity[0], samples.equity.at(-1)];
    expect({ count, periodsPerYear }).toEqual({ count: 261, periodsPerYear: 261 });
    expect(annualizedReturn).toBeCloseTo(last / first - 1, 10);
    const { values } = returnsOf(samples);
    const mean = values.reduce((sum, one) => sum + one, 0) / 261;
    const deviation = Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 260);
    expect(sharpe).toBeCloseTo((mean / deviation) * Math.sqrt(261), 9);
  });

  test('a hole of half the run leaves growth as it is', () => {
    const times = every(S, 200 * 3_600).filter(
      (ms) => (ms - MONDAY) / HOUR <= 50 || (ms - MONDAY) / HOUR >= 150,
    );
    const samples = samplesAt(times, S);
    const { count, periodMs, annualizedReturn } = figuresOf(samples);
    expect({ count, periodMs }).toEqual({ count: 101, periodMs: HOUR });
    const growth = (samples.equity.at(-1) ?? 0) / (samples.equity[0] ?? 0);
    expect(Math.log1p(annualizedReturn ?? 0)).toBeCloseTo((Math.log(growth) * 8_760) / 200, 6);
  });
});

describe('the period is a documented one', () => {
  test.each([
    [20, 4 * S, HOUR],
    [33, 32 * S, HOUR],
    [40, 32 * S, HOUR],
    [99, 64 * S, HOUR],
    [100, 64 * S, DAY],
    [33, 7 * S, HOUR],
    [1, 7 * S, MIN],
    [30, 90 * MIN, DAY],
  ])('%d days of samples every %d ms', (days, stepMs, periodMs) => {
    expect(returnsOf(samplesAt(every(stepMs, Math.floor((days * DAY) / stepMs)), stepMs)).periodMs).toBe(
      periodMs,
    );
  });

  test('of samples closer than a second it is the second', () => {
    expect(returnsOf(samplesAt(every(100, 50), 100))).toMatchObject({
      periodMs: S,
      periodsPerYear: 31_536_000,
    });
  });
});

describe('annual figures', () => {
  const NONE = {
    annualizedReturn: null,
    annualizedVolatility: null,
    sharpe: null,
    sortino: null,
    calmar: null,
  };

  test.each([
    [every(S, 13), S, '13 returns of 1 s'],
    [every(S, 29 * 3_600), S, '1,740 returns of 1 min'],
    [every(HOUR, 29), HOUR, '29 returns of 1 h'],
    [every(DAY, 19), DAY, '19 returns of 1 d'],
    [every(4 * HOUR, 30), 4 * HOUR, '5 returns of 1 d'],
    // Two samples an hour apart are no month.
    [[MONDAY, MONDAY + S, MONDAY + 30 * DAY], S, '2 returns of 1 s'],
  ])('are not there for a short run: %#', (times, periodMs, found) => {
    expect(figuresOf(samplesAt(times, periodMs))).toMatchObject({
      ...NONE,
      annualReason: `${found}, expected at least 30 returns of 1 h or 20 of 1 d`,
    });
  });

  test.each([
    [every(S, 30 * 3_600), S],
    [every(HOUR, 30), HOUR],
    [every(DAY, 20), DAY],
  ])('are there from 30 hours or 20 days on: %#', (times, periodMs) => {
    const { annualReason, sharpe, calmar } = figuresOf(samplesAt(times, periodMs));
    expect({ annualReason, sharpe, calmar }).toEqual({
      annualReason: null,
      sharpe: expect.any(Number) as number,
      calmar: expect.any(Number) as number,
    });
  });

  test('that are not there are a dash with the reason, in text, page and diff', () => {
    const short = aRunRecord({ samples: samplesAt(every(S, 13), S) });
    const reason = '13 returns of 1 s, expected at least 30 returns of 1 h or 20 of 1 d';
    const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
    expect(oneLine(describeRun(short))).toContain('Sharpe –, Sortino –, Calmar –');
    expect(oneLine(describeRun(short))).toContain(`no annual figures: ${reason}`);
    expect(htmlOfRun(short)).toContain(`No annual figures: ${reason}`);
    const diff = diffRuns(short, aRunRecord({ samples: samplesAt(every(HOUR, 50), HOUR) }));
    expect(diff.annualReasons).toEqual([reason, null]);
    expect(diff.statistics.find(({ statistic }) => statistic === 'Sharpe')).toMatchObject({
      a: null,
      difference: null,
    });
    expect(describeDiff(diff)).toContain(`no annual figures of a: ${reason}`);
  });
});

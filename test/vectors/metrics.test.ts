/** @module Figures of returns against the vectors of empyrical, and over ten months of recorded candles. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  type Annual,
  annualizedReturn,
  annualizedVolatility,
  calmar,
  downsideRisk,
  omega,
  sharpe,
  sortino,
} from '../../src/report/metrics.ts';
import { maxDrawdown } from '../support/equity.ts';
import { hasShared, readSharedJson, sharedPath } from '../support/shared.ts';

const METRICS: Readonly<Record<string, (returns: readonly number[], annual: Annual) => number>> = {
  max_drawdown: maxDrawdown,
  annual_return: annualizedReturn,
  annual_volatility: annualizedVolatility,
  calmar: (returns, annual) => calmar(returns, annual, maxDrawdown(returns)),
  sharpe,
  downside_risk: downsideRisk,
  sortino,
  omega,
};

interface Vectors {
  readonly tolerance: number;
  readonly series: Readonly<Record<string, readonly (number | null)[]>>;
  readonly cases: readonly {
    readonly metric: string;
    readonly series: string;
    readonly params: { readonly annualisation?: number; readonly required_return?: number };
    readonly expected: number;
  }[];
  readonly realSeries: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const isThere = hasShared('vectors', 'metrics.json');

describe.skipIf(!isThere)('the vectors of metrics.json', () => {
  const vectors = isThere ? readSharedJson<Vectors>('vectors', 'metrics.json') : undefined;

  test('hold case by case', () => {
    expect(vectors?.cases).toHaveLength(14);
    for (const { metric, series, params, expected } of vectors?.cases ?? []) {
      const returns = (vectors?.series[series] ?? []).map((value) => value ?? Number.NaN);
      const annual = {
        periodsPerYear: params.annualisation ?? 252,
        ...(params.required_return === undefined ? {} : { required: params.required_return }),
      };
      const was = METRICS[metric]?.(returns, annual);
      expect(was, `${metric} of ${series}`).toBeCloseTo(expected, 8);
    }
  });

  test.skipIf(!hasShared('data', 'candles-hyperliquid-2025'))('hold over recorded candles', () => {
    for (const [name, figures] of Object.entries(vectors?.realSeries ?? {})) {
      const file = sharedPath('data', name.split(' ')[0] ?? '');
      const rows = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n').slice(1);
      const closes = rows.map((row) => Number(row.split(',')[4]));
      const returns = closes.slice(1).map((close, at) => close / (closes[at] ?? Number.NaN) - 1);
      expect([rows.length, returns.length]).toEqual([figures['rows'], figures['returns']]);
      const annual = { periodsPerYear: figures['annualisation'] ?? 0 };
      for (const metric of Object.keys(METRICS)) {
        if (figures[metric] === undefined) continue;
        expect(METRICS[metric]?.(returns, annual), `${metric} of ${name}`).toBeCloseTo(figures[metric], 8);
      }
    }
  });
});

test('say NaN where nothing can be said', () => {
  const annual = { periodsPerYear: 252 };
  for (const metric of [annualizedReturn, annualizedVolatility, sharpe, sortino, omega])
    expect(metric([], annual)).toBeNaN();
  expect(calmar([], annual, 0)).toBeNaN();
  expect(sharpe([0, 0, 0], annual)).toBeNaN();
  expect(maxDrawdown([])).toBe(0);
});

/**
 * @module
 * The report of three hundred days against QuantStats 0.0.86 over the same daily returns, as numbers: `equity.pct_change()`,
 * 365 periods a year. test/peers asks QuantStats itself where Python is.
 */
import { expect, test } from 'vitest';
import { jsonOfRun } from '../../src/report/index.ts';
import { aYear } from '../support/run-records.ts';

const report = jsonOfRun(aYear());
const { returns, drawdowns } = report;

test.each([
  ['sharpe', returns.sharpe, 0.21031971156014515],
  ['sortino', returns.sortino, 0.29987083418184246],
  ['volatility', returns.annualizedVolatility, 0.07739773380465331],
  ['cagr', returns.annualizedReturn, 0.01338166888182779],
  ['calmar', returns.calmar, 0.16384358285155376],
  ['max_drawdown', returns.maxDrawdown, -0.08167343907482727],
  ['drawdown_details', drawdowns[0]?.depth, -0.08167343907482727],
  ['omega, and profit_factor of returns', returns.omega, 1.02783980193015],
  ['exposure', returns.exposure, 1],
])('%s of QuantStats', (_name, was, expected) => {
  expect(was).toBeCloseTo(expected, 11);
});

test('the days of QuantStats: the deepest fall', () => {
  expect(drawdowns[0]?.begin).toBe('2025-02-25T00:00:00.000Z');
  expect(returns.maxDrawdownAt).toBe('2025-10-20T00:00:00.000Z');
});

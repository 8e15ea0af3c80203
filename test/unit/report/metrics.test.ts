/**
 * @module Statistics of returns against constants: empyrical-reloaded 0.7.1 (sharpe_ratio, sortino_ratio, calmar_ratio,
 * max_drawdown, annual_return, annual_volatility) and QuantStats 0.0.86 (exposure, before it rounds up) gave them.
 */
import { describe, expect, test } from 'vitest';
import {
  annualizedReturn,
  annualizedVolatility,
  calmar,
  exposure,
  sharpe,
  sortino,
} from '../../../src/report/metrics.ts';
import { maxDrawdown } from '../../support/equity.ts';

const CASES = [
  {
    returns: [0.01, -0.02, 0.015, 0.003, -0.007, 0.012, -0.001, 0.004],
    periodsPerYear: 365,
    expected: {
      ...{ sharpe: 3.3475573708119164, sortino: 5.094659513211413, calmar: 51.53996891714235 },
      ...{ maxDrawdown: -0.02, annualizedReturn: 1.030799378342845, exposure: 1 },
      annualizedVolatility: 0.21806945158431915,
    },
  },
  {
    returns: [0.1, -0.9, 9, -0.5, 1, 0.02, -0.01],
    periodsPerYear: 252,
    expected: {
      ...{ sharpe: 5.69283860459592, sortino: 50.75700502490467, calmar: 47.68299262843813 },
      ...{ maxDrawdown: -0.9, annualizedReturn: 42.91469336559432, exposure: 1 },
      annualizedVolatility: 55.079727668172076,
    },
  },
  {
    returns: [0.001, Number.NaN, 0.002, -0.0005, 0, 0.0007],
    periodsPerYear: 8_760,
    expected: {
      ...{ sharpe: 62.349241794342305, sortino: 267.8841540666413, calmar: 210929.57140406128 },
      ...{ maxDrawdown: -0.0005, annualizedReturn: 105.46478570202267, exposure: 4 / 6 },
      annualizedVolatility: 0.08991929715027804,
    },
  },
];

describe('statistics of returns', () => {
  test.each(CASES)('are those of empyrical and QuantStats: %#', ({ returns, periodsPerYear, expected }) => {
    const annual = { periodsPerYear };
    const deepest = maxDrawdown(returns);
    const figures = {
      sharpe: sharpe(returns, annual),
      sortino: sortino(returns, annual),
      calmar: calmar(returns, annual, deepest),
      maxDrawdown: deepest,
      annualizedReturn: annualizedReturn(returns, annual),
      exposure: exposure(returns),
      annualizedVolatility: annualizedVolatility(returns, annual),
    };
    for (const [name, value] of Object.entries(expected))
      expect(Math.abs(figures[name as keyof typeof figures] / value - 1), name).toBeLessThan(1e-9);
  });

  test('of returns that are all the same have no Sharpe: the spread that is left is rounding', () => {
    expect(sharpe(Array<number>(50).fill(0.001), { periodsPerYear: 365 })).toBeNaN();
    expect(sharpe(Array<number>(7).fill(0.1), { periodsPerYear: 365 })).toBeNaN();
  });
});

/** @module The document of a sweep with two windows: a front, ties, a failed row. */
import type { SweepDocument } from '../../src/report/index.ts';

/** Makes it. */
export function aSweep(): SweepDocument {
  const row = (key: string, pnl: number, maxDrawdown: number, changes = {}) => ({
    ...{ key, window: 0, parameters: { 'a.size': key }, statistics: { pnl, maxDrawdown, fills: 1 } },
    ...{ annualReason: null, failure: null, course: null, error: null, decisionHash: null },
    ...changes,
  });
  const rows = [
    row('1', 10, 0.1),
    row('2', 5, 0.05),
    row('3', 4, 0.06),
    row('4', 99, 0.01, { failure: 'neverQuoted' }),
    row('5', 10, 0.1),
    row('6', 1, 0.5, { window: 1 }),
  ];
  return {
    ...{ schema: 'ballast-sweep', version: 1, tape: { name: 'tape', hash: '' }, method: 'grid' },
    axes: [{ path: 'a.size', values: ['1', '2', '3', '4', '5', '6'] }],
    objectives: [
      { statistic: 'pnl', better: 'higher' },
      { statistic: 'maxDrawdown', better: 'lower' },
    ],
    rows,
    windows: [
      {
        ...{ window: 0, train: { fromMs: 0, toMs: 1 }, test: { fromMs: 1, toMs: 2 } },
        ...{ best: rows[0] ?? null, outOfSample: row('1', -7.25, 0.2) },
      },
    ],
  };
}

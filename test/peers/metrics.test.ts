/** @module Sharpe, Sortino, Calmar, drawdown and exposure of thirty series, odd ones among them, by empyrical and QuantStats. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { told } from '../../bench/engines/environment.ts';
import { seededRandom } from '../../src/core/index.ts';
import {
  annualizedReturn,
  annualizedVolatility,
  calmar,
  exposure,
  sharpe,
  sortino,
} from '../../src/report/metrics.ts';
import { maxDrawdown } from '../support/equity.ts';
import { folderOf } from '../support/import-text.ts';
import { pythonOfPeers } from '../support/python.ts';

const python = pythonOfPeers();

type Series = readonly [name: string, returns: readonly number[], periodsPerYear: number];
type Figures = Readonly<Record<string, Readonly<Record<string, number | null>>>>;

/** Twenty random walks and ten odd series. */
function thirtySeries(): readonly Series[] {
  const random = seededRandom('series of returns');
  const between = (low: number, high: number) =>
    low + (random.integer(0, 1_000_000) / 1_000_000) * (high - low);
  const walks = Array.from({ length: 20 }, (_, at): Series => {
    const size = 10 ** -(1 + (at % 5));
    const returns = Array.from({ length: 20 + 37 * at }, () => between(-size, size * 1.1));
    return [`walk ${at}`, returns, [252, 365, 8_760, 525_600, 261.3][at % 5] ?? 365];
  });
  const made = (length: number, of: (at: number) => number) => Array.from({ length }, (_, at) => of(at));
  return [
    ...walks,
    ['only gains', made(40, (at) => 0.001 * ((at % 3) + 1)), 365],
    ['only losses', made(40, (at) => -0.001 * ((at % 3) + 1)), 365],
    ['all nothing', made(40, () => 0), 365],
    ['mostly nothing', made(60, (at) => (at % 20 === 7 ? 0.02 : 0)), 365],
    ['gains, losses and nothing', made(90, (at) => [0.01, 0, -0.008][at % 3] ?? 0), 8_760],
    ['with holes', made(50, (at) => (at % 7 === 3 ? Number.NaN : 0.004 * Math.sin(at))), 365],
    ['a total loss', [...made(30, (at) => 0.01 * Math.sin(at)), -1, ...made(5, () => 0)], 365],
    ['a crash and a recovery', [0.1, -0.9, 9, -0.5, 1, ...made(30, (at) => 0.01 * Math.cos(at))], 252],
    ['two returns', [0.01, -0.02], 365],
    ['one loss at the first', [-0.3, ...made(40, (at) => 0.002 * ((at % 4) + 1))], 365],
  ];
}

/** What is no number has no value in a report. */
function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

describe.skipIf(python === undefined)('thirty series of returns', () => {
  const series = thirtySeries();
  let peers: readonly Figures[] | undefined;
  /** Asked for once, within the first test. */
  const peerOf = (at: number): Figures | undefined => {
    const folder = folderOf({ 'series.json': JSON.stringify(series.map(([, ...rest]) => rest)) });
    const script = join(import.meta.dirname, 'metrics.py');
    peers ??= told<readonly Figures[]>(python ?? '', [script, join(folder, 'series.json')]);
    return peers[at];
  };

  test.each(series.map(([name], at) => [name, at] as const))('%s', (_name, at) => {
    const [, returns = [], periodsPerYear = 0] = series[at] ?? [];
    const annual = { periodsPerYear };
    const deepest = maxDrawdown(returns);
    const ours: Readonly<Record<string, number | null>> = {
      sharpe: known(sharpe(returns, annual)),
      sortino: known(sortino(returns, annual)),
      calmar: known(calmar(returns, annual, deepest)),
      maxDrawdown: known(deepest),
      annualizedReturn: known(annualizedReturn(returns, annual)),
      annualizedVolatility: known(annualizedVolatility(returns, annual)),
      // QuantStats rounds up to whole percents.
      exposure: known(Math.ceil(exposure(returns) * 100) / 100),
    };
    const short = (value: number | null | undefined) => (value == null ? null : Number(value.toPrecision(9)));
    const theirs = Object.entries(peerOf(at) ?? {}).flatMap(([library, figures]) =>
      Object.entries(figures).map(([name, value]) => [`${name} of ${library}`, name, value] as const),
    );
    expect(theirs).toHaveLength(10);
    expect(theirs.map(([label, name]) => [label, short(ours[name])])).toEqual(
      theirs.map(([label, , value]) => [label, short(value)]),
    );
  });

  test('are thirty', () => expect(series).toHaveLength(30));
});

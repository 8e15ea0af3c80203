/** @module The section sweep over bars: the same windows, statistics and document as over a tape. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../../src/config/index.ts';
import { seededRandom } from '../../../../src/core/index.ts';
import { jsonOfRun } from '../../../../src/report/index.ts';
import { runConfiguredBars } from '../../../../src/research/bars/index.ts';
import { sweepBars } from '../../../../src/research/sweep/index.ts';
import { ROOT } from '../../../tidy/source.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'ballast-bars-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const FROM_S = 1_767_657_600;
const BARS = 400;

/** Hours of a price that wanders. */
function hours(): string {
  const random = seededRandom('hours');
  const lines = ['time,open,high,low,close,volume'];
  let price = 60_000;
  for (let at = 0; at < BARS; at++) {
    const open = price;
    price += random.integer(-400, 400);
    lines.push(
      [FROM_S + at * 3_600, open, Math.max(open, price) + 50, Math.min(open, price) - 50, price, '1.25'].join(
        ',',
      ),
    );
  }
  const path = join(FOLDER, 'hours.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function configOf(fastBars: string, sweep = '') {
  const text = `environment:
  name: sim
markets:
  - symbol: BTC-USD
    leverage: 5
strategies:
  - name: trend
    module: ../strategies/trend-following/index.ts
    markets: [BTC-USD]
    parameters: { position: 0.05, slice: 0.05, bar: 1h, fastBars: ${fastBars}, slowBars: 20 }
risk:
  capital: 10000
  maxPositionNotional: 100%
${sweep}`;
  return parseConfig(text, join(ROOT, 'configs', 'bars.yaml'));
}

const SWEEP = `sweep:
  parameters:
    trend.fastBars: { values: [2, 5, 10] }
    trend.bandPpm: { values: [0, 2000] }
  objectives: [pnl]
  windows: 2
  trainFraction: 0.5
`;

describe('a sweep over bars', () => {
  const csv = hours();

  test('tries each combination on the training part of each window, and the best one on its test part', async () => {
    const document = await sweepBars({ source: configOf('5', SWEEP), csv });
    expect(document).toMatchObject({ schema: 'ballast-sweep', version: 1, tape: { name: 'hours.csv' } });
    expect(document.rows.map(({ window }) => window)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
    expect(document.rows.every(({ error }) => error === null)).toBe(true);
    for (const { best, outOfSample, window } of document.windows) {
      const profits = document.rows
        .filter((row) => row.window === window)
        .map(({ statistics }) => statistics?.['pnl'] ?? 0);
      expect(best?.statistics?.['pnl']).toBe(Math.max(...profits));
      expect(outOfSample?.parameters).toEqual(best?.parameters);
    }
  });

  test('has the statistics of a run with the same parameters over the same bars', async () => {
    const { rows, windows } = await sweepBars({ source: configOf('5', SWEEP), csv });
    const train = windows[1]?.train;
    const { record } = await runConfiguredBars({
      source: configOf('10'),
      csv,
      fromMs: train?.fromMs,
      toMs: train?.toMs,
    });
    const row = rows.find(
      ({ window, parameters }) =>
        window === 1 && parameters['trend.fastBars'] === '10' && parameters['trend.bandPpm'] === '0',
    );
    const { pnl, returns, fills } = jsonOfRun(record);
    expect(row?.statistics).toMatchObject({
      ...{ pnl: Number(pnl.total), turnover: Number(pnl.turnover), sharpe: returns.sharpe },
      fills: fills.taker.fills,
    });
    expect(row?.statistics?.['fills']).toBeGreaterThan(2);
  });

  test('gives the same document twice, and says how far it is', async () => {
    const told: (readonly number[])[] = [];
    const options = { source: configOf('5', SWEEP), csv };
    const first = await sweepBars({ ...options, onProgress: (done, total) => void told.push([done, total]) });
    expect(await sweepBars(options)).toEqual(first);
    expect(told.at(-1)).toEqual([14, 14]);
  });

  test('error: without a section, or with a value that the strategy does not take', async () => {
    await expect(sweepBars({ source: configOf('5'), csv })).rejects.toMatchObject({ code: 'SWEEP_MISSING' });
    const wrong = configOf('5', SWEEP.replace('[2, 5, 10]', '[2, 0]'));
    await expect(sweepBars({ source: wrong, csv })).rejects.toMatchObject({ code: 'SWEEP_VALUE_INVALID' });
  });

  test('what one combination does wrong is its own result', async () => {
    const other = configOf(
      '5',
      SWEEP.replace('trend.bandPpm: { values: [0, 2000] }', 'trend.bar: { values: [1h, 2h] }'),
    );
    const { rows } = await sweepBars({ source: other, csv });
    expect(rows.map(({ error }) => error?.slice(0, 19) ?? null).slice(0, 4)).toEqual([
      ...[null, 'STRATEGY_BAR_LENGTH', null, 'STRATEGY_BAR_LENGTH'],
    ]);
  });
});

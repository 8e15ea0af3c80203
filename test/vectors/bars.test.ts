/** @module Recorded candles over bars: from the files and from a tape of them the same run, to the last quantum. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { totalOf } from '../../src/domain/index.ts';
import { jsonOfRun } from '../../src/report/index.ts';
import { runConfiguredBars } from '../../src/research/bars/index.ts';
import { importTape } from '../../src/tape/importers/index.ts';
import { hasShared, readSharedJson, sharedPath } from '../support/shared.ts';
import { ROOT } from '../tidy/source.ts';

const DATA = ['data', 'candles-hyperliquid-2025'] as const;
const FOLDER = mkdtempSync(join(tmpdir(), 'ballast-bars-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

describe.skipIf(!hasShared(...DATA))('hours of a recorded year', () => {
  const source = loadConfig(join(ROOT, 'backtest', 'bars-hyperliquid.yaml'));
  const csv = sharedPath(...DATA, 'BTC_1h.csv.gz');
  const funding = sharedPath(...DATA, 'BTC_funding_1h.csv.gz');

  test('are read whole, and the books of the run add up', async () => {
    const { bars, run, record } = await runConfiguredBars({ source, csv, funding });
    const expected = readSharedJson<
      Record<string, { rows: number; firstMs: number; lastMs: number; stepMs: number }>
    >(...DATA, 'expected.json')['BTC_1h.csv.gz'];
    expect({
      rows: bars.rows,
      firstMs: (bars.openUs[0] ?? 0) / 1_000,
      lastMs: (bars.openUs.at(-1) ?? 0) / 1_000,
      stepMs: bars.barUs / 1_000,
    }).toEqual({
      rows: expected?.rows,
      firstMs: expected?.firstMs,
      lastMs: expected?.lastMs,
      stepMs: expected?.stepMs,
    });
    expect(run.residual).toBe(0n);
    expect(run.equityEnd - run.equityStart).toBe(totalOf(run.pnl));
    expect(run.trades.openBar.length).toBeGreaterThan(50);
    expect(record.pnl.funding).not.toBe(0n);
  });

  test('give the same run from the files and from a tape of them', async () => {
    const out = join(FOLDER, 'tape');
    await importTape({ format: 'hyperliquid', paths: [sharedPath(...DATA)], out, locked: 'separate' });
    const ofFiles = await runConfiguredBars({ source, csv, funding });
    const ofTape = await runConfiguredBars({ source, tape: out });
    expect(ofTape.bars).toEqual(ofFiles.bars);
    const figures = ({ record }: typeof ofFiles) => {
      const { run: _run, ...rest } = jsonOfRun(record);
      return rest;
    };
    expect(figures(ofTape)).toEqual(figures(ofFiles));
  });
});

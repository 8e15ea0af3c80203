/** @module Cases of bars, figures and exports that were wrong without a word: each command gives what its page expects. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aCase, type CaseFolder } from '../support/case-folder.ts';
import { hasShared } from '../support/shared.ts';
import { ROOT } from '../tidy/source.ts';

interface Returns {
  readonly count: number;
  readonly annualizedReturn: number;
  readonly sharpe: number;
  readonly calmar: number;
}

/** A case whose configuration and strategy have the names of today. */
function aBarCase(name: string): CaseFolder {
  const scene = aCase(name);
  const path = join(scene.folder, 'hold.yaml');
  const names = {
    'positionMaxOfCapital: 3': 'maxPositionNotional: 300%',
    takerFee: 'takerFeeBps',
    makerFee: 'makerFeeBps',
  };
  const text = Object.entries(names).reduce(
    (text, pair) => text.replace(...pair),
    readFileSync(path, 'utf8'),
  );
  rewrite(path, text);
  const strategy = join(scene.folder, 'scripted.ts');
  rewrite(strategy, readFileSync(strategy, 'utf8').replace('sizeOf', 'lotsOf'));
  return scene;
}

/** Replaces a file that may not be written. */
function rewrite(path: string, text: string): void {
  rmSync(path);
  writeFileSync(path, text);
}

/** The returns of a run over the bars of `csv`. */
async function returnsOf({ run }: CaseFolder, csv: string, ...more: readonly string[]): Promise<Returns> {
  const ended = await run('bars', 'hold.yaml', '--csv', csv, '--size-decimals', '4', '--json', ...more);
  expect(ended.stderr).toBe('');
  return (JSON.parse(ended.stdout) as { readonly returns: Returns }).returns;
}

describe.skipIf(!hasShared('cases'))('cases of bars, figures and exports', () => {
  test('F5: days that begin at 16:00 are days', async () => {
    const scene = aBarCase('F5');
    for (const csv of ['year00.csv', 'year16.csv']) {
      const { count, annualizedReturn, sharpe, calmar } = await returnsOf(scene, csv);
      expect(count).toBe(365);
      expect(annualizedReturn).toBeCloseTo(0.0001001, 7);
      expect(sharpe).toBeCloseTo(1.2477, 4);
      expect(calmar).toBeCloseTo(24.416, 3);
    }
  });

  test('F6: missing bars count as time', async () => {
    const { annualizedReturn, sharpe } = await returnsOf(aBarCase('F6'), 'yearwk.csv', '--allow-gaps');
    expect(annualizedReturn).toBeCloseTo(0.0001, 6);
    expect(sharpe).toBeCloseTo(1.47, 2);
  });

  test('F8: a bar that ends before its last part has closed is refused', async () => {
    const { run } = aBarCase('F8');
    const joined = ['bars', 'hold.yaml', '--csv', 'h4_2.csv', '--size-decimals', '4', '--interval', '24h'];
    const refused = await run(...joined, '--funding', 'funding.csv');
    expect(refused.exitCode).toBe(64);
    expect(refused.stderr).toMatch(
      /BARS_OFFSET_INVALID: .* 2024-01-02T00:00:00[\s\S]*--bar-offset[\s\S]*7200s/,
    );
    const { stdout } = await run(...joined, '--funding', 'funding.csv', '--bar-offset', '2h', '--json');
    const { pnl } = JSON.parse(stdout) as { readonly pnl: { readonly funding: string } };
    expect(pnl.funding).toBe('0.000000');
  });

  test.each(['20', '33'])('F7: returns of an hour where the guide promises hours, %s days', (days) => {
    const { folder } = aCase('F7');
    const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, BALLAST: ROOT } } as const;
    const { stdout } = spawnSync(process.execPath, [join(folder, 'days.mjs'), days], options);
    expect(stdout.trim()).toBe(`${days} days: returns of 3600000 ms, documented 3600000`);
  });

  test('N3: prices of settlements and executed orders leave as decimals', async () => {
    const { folder, run } = aCase('N3');
    const day = 'AAPL_2012-06-21_34200000_37800000_message_1.csv';
    await run('import', 'binance-candles', 'candles', '--out', 'tape');
    await run('import', 'lobster', day, '--out', 'l3');
    for (const [tape, kind, price] of [
      ['tape', 'fundingSettled', '16537.6'],
      ['l3', 'orderExecuted', '585.7400'],
    ] as const) {
      await run('tape', 'export', tape, '--csv', '--out', `${tape}.csv`);
      const rows = readFileSync(join(folder, `${tape}.csv`), 'utf8').split('\n');
      expect(rows.find((row) => row.includes(kind))?.split(',')[5]).toBe(price);
      await run('tape', 'export', tape, '--jsonl', '--out', `${tape}.jsonl`);
      const lines = readFileSync(join(folder, `${tape}.jsonl`), 'utf8').split('\n');
      expect(lines.find((line) => line.includes(kind))).toContain(`"price":"${price}"`);
    }
  });

  test('N2: the latency of rows that were received too early is said to be unknown', async () => {
    const { run } = aCase('N2');
    await run('import', 'csv', 'trades', '--mapping', 'seen.yaml', '--out', 'tape');
    const { stdout } = await run('backtest', 'see.yaml', '--tape', 'tape', '--json');
    const { assumptions } = (
      JSON.parse(stdout) as { readonly run: { readonly assumptions: readonly string[] } }
    ).run;
    expect(assumptions.join('\n')).toMatch(
      /feed latency: not known of 300 of 300 rows .*feedClockOffset: 1300ms/,
    );
  });
});

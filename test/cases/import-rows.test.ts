/** @module Cases of recordings whose rows became wrong numbers: each command of a case gives what its page expects. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EVENT, openTape } from '../../src/tape/format/index.ts';
import type { ImportResult } from '../../src/tape/importers/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';
import { aCase, type CaseFolder } from '../support/case-folder.ts';
import { hasShared } from '../support/shared.ts';

const US = 1_000_000;
const AT_US = Date.UTC(2026, 0, 6) * 1_000;

/** The document of an import that is well. */
async function imported({ run }: CaseFolder, paths: string, mapping: string, ...more: readonly string[]) {
  const { exitCode, stdout, stderr } = await run(
    ...['import', 'csv', paths, '--mapping', mapping, '--out', `tape-${paths}`, '--json', ...more],
  );
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as ImportResult;
}

function tradesOf({ folder }: CaseFolder, tape: string) {
  const rows = [...rowsOf(openTape(join(folder, tape)).batches())];
  return rows.filter(({ kind }) => kind === EVENT.buyTrade || kind === EVENT.sellTrade);
}

describe.skipIf(!hasShared('cases'))('cases of imported rows', () => {
  test('F1: full books one after the other replace each other', async () => {
    const scene = aCase('F1');
    const fall = await imported(scene, 'fall', 'levels.yaml');
    expect(fall.counts).toEqual({ resets: 2 });
    expect(fall.kinds).toEqual({ 'BTC-USD': { bidLevel: 3, askLevel: 3, bookReset: 3 } });
    const between = await imported(scene, 'between', 'levels.yaml');
    expect(between.counts).toEqual({ resets: 2 });
    const { stdout, stderr } = await scene.run('backtest', 'see.yaml', '--tape', 'tape-fall', '--verbose');
    const seen = [...`${stdout}${stderr}`.matchAll(/bid (\d+) ask (\d+) fresh true/g)];
    expect(seen.map(([, bid, ask]) => `${bid}/${ask}`)).toEqual(['100/101', '98/99', '97/98']);
  });

  test('F2: trades without an id are no duplicates', async () => {
    const scene = aCase('F2');
    for (const name of ['empty', 'zero'])
      expect(await imported(scene, name, 'trades.yaml')).toMatchObject({
        rows: 50,
        counts: { idsMissing: 50 },
      });
    expect((await imported(scene, 'repeated', 'trades.yaml')).counts).toEqual({ duplicatesDropped: 50 });
  });

  test('F4: rows out of order are refused or sorted, never moved', async () => {
    const scene = aCase('F4');
    for (const name of ['falling', 'shuffled']) {
      const refused = await scene.run('import', 'csv', name, '--mapping', 'trades.yaml', '--out', 'refused');
      expect(refused.exitCode).toBe(65);
      expect(refused.stderr).toMatch(/TAPE_ORDER_INVALID: .*t\.csv:\d+, got[\s\S]*--sort/);
      await imported(scene, name, 'trades.yaml', '--sort');
      const times = tradesOf(scene, `tape-${name}`).map(({ exchangeUs }) => (exchangeUs - AT_US) / US);
      expect(times).toEqual(Array.from({ length: 200 }, (_, second) => second));
    }
    const swapped = await imported(scene, 'swapped', 'trades.yaml');
    expect(swapped).toMatchObject({ rows: 200, counts: {}, fromUs: AT_US, toUs: AT_US + 199 * US });
  });

  test('F13: a unit one step too fine is refused with the one that fits', async () => {
    const { run } = aCase('F13');
    const { exitCode, stderr } = await run(
      'import',
      'csv',
      'trades',
      '--mapping',
      'us.yaml',
      '--out',
      'tape',
    );
    expect(exitCode).toBe(65);
    expect(stderr).toMatch(/TAPE_TIME_INVALID: .*t\.csv:2, .* in ms it is 2026-01-06[\s\S]*unit: ms/);
  });

  test('F23: days of other decimals are merged at the finer scale', async () => {
    const scene = aCase('F23');
    await imported(scene, 'one', 'trades.yaml');
    await imported(scene, 'two', 'trades.yaml');
    const { exitCode, stderr } = await scene.run('tape', 'merge', 'tape-one', 'tape-two', '--out', 'both');
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(openTape(join(scene.folder, 'both')).markets[0]?.priceDecimals).toBe(2);
    expect(tradesOf(scene, 'both').map(({ price }) => price)).toEqual([10_050, 10_025]);
  });

  test('N2: a recorder whose clock ran behind is told by the import and by the tape', async () => {
    const scene = aCase('N2');
    const { quality } = await imported(scene, 'trades', 'seen.yaml');
    expect(quality.clock).toMatchObject({ negativeFraction: 1, medianMs: -1_300, feedClockOffset: '1300ms' });
    expect(quality.meaning[0]).toContain('paper.feedClockOffset: 1300ms');
    const { stdout } = await scene.run('tape', 'info', 'tape-trades');
    expect(stdout).toContain('below zero 100 %, paper.feedClockOffset: 1300ms puts it right');
  });
});

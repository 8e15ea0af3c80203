/**
 * @module
 * Recorded sets beside the project as tapes: every figure of their expected.json, from the import and from the rows. The
 * whole of all sets is held by `npm run prove -- import-check`; here are those that take little time, and one hour of StandX.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import { EVENT, type EventRow, openTape } from '../../src/tape/format/index.ts';
import { importTape } from '../../src/tape/importers/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';
import { checkImport, RECORDED_SETS } from '../support/import-check.ts';
import { hasShared, readSharedJson, sharedPath } from '../support/shared.ts';
import { marketFigures } from '../support/tape-figures.ts';

const SET_NAMES = ['hyperliquid-20250904', 'candles-hyperliquid-2025'];
const sets = RECORDED_SETS.filter(({ folder }) => SET_NAMES.includes(folder));
const binance = 'binance-um-btcusdt-20230404';
const standx = 'standx-btcusd-20260106';

function aTapeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'imported-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('importTape', () => {
  test.each(sets)('reproduces every figure of $folder', { timeout: 60_000 }, async (set) => {
    if (!hasShared('data', set.folder)) return;
    const { differences, fromTape } = await checkImport(set);
    expect(differences).toEqual([]);
    expect(fromTape).toBeGreaterThan(10);
  });

  test.skipIf(!hasShared('data', binance))(
    'settles funding once, at the boundary, with the rate that was named last',
    { timeout: 60_000 },
    async () => {
      const set = RECORDED_SETS.filter(({ folder }) => folder === binance);
      let settled: readonly EventRow[] = [];
      const check = await checkImport(must(set[0], 'the set'), (tape) => {
        settled = [...rowsOf(tape.batches())].filter(({ kind }) => kind === EVENT.fundingSettled);
      });
      expect(check.differences).toEqual([]);
      expect(check.fromTape).toBe(13);
      expect(check.result.counts).toEqual({ tradesOffBook: 1, settlementsInferred: 1, pricesRounded: 739 });
      // 0.00002760 at 28155.1, received 91 ms after 2023-04-05 00:00.
      const row = { exchangeUs: 1680652800000000, receivedUs: 1680652800091265, price: 281551, size: 27600 };
      expect(settled).toEqual([expect.objectContaining(row)]);
    },
  );

  test.skipIf(!hasShared('data', standx))(
    'separates the locked books of StandX and keeps its trades as they were',
    { timeout: 60_000 },
    async () => {
      const hour = '2026-01-06_17';
      const paths = [`book_${hour}.csv.gz`, `trades_${hour}.csv.gz`].map((n) =>
        sharedPath('data', standx, n),
      );
      const out = aTapeFolder();
      const { counts, statistics } = await importTape({ format: 'standx', paths, out, locked: 'separate' });
      const expected = readSharedJson<Record<string, unknown>>('data', standx, 'expected.json');
      expect(statistics).toEqual({ [hour]: expected[hour] });
      expect(counts).toMatchObject({ duplicatesDropped: 10_736, lockedBooks: 4_455, booksSeparated: 4_455 });
      const [market] = marketFigures(openTape(out));
      expect(market).toMatchObject({ locked: 0, crossed: 0, bookTimes: 10_736, trades: 6_558 });
      expect(market?.holes).toBe(counts.gaps);
      expect((counts.aggressorsByQuote ?? 0) + (counts.aggressorsByTick ?? 0)).toBe(6_558);
    },
  );
});

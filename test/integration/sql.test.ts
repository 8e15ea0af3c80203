/** @module `ballast sql` as a user types it, where their project holds DuckDB. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonOfRun, saveRun } from '../../src/report/index.ts';
import { createTapeWriter, EVENT } from '../../src/tape/format/index.ts';
import { ballast, ENVIRONMENT } from '../support/ballast-process.ts';
import { aDay } from '../support/run-records.ts';
import { ROOT } from '../tidy/source.ts';

const IN_ROOT = join(ROOT, 'node_modules');
// 70 MB: it is no package of this repository.
const places = [IN_ROOT, join(homedir(), '.cache', 'ballast', 'sql', 'node_modules')];
const modules = places.find((place) => existsSync(join(place, '@duckdb', 'node-api')));
if (modules === undefined)
  console.warn(
    `skipped: npm install --prefix ~/.cache/ballast/sql @duckdb/node-api@1.5.6-r.1, for ballast sql`,
  );

const FOLDER = mkdtempSync(join(tmpdir(), 'sql-test-'));
const record = aDay({ hours: 1, symbols: ['BTC-PERP', 'ETH-PERP'] });

beforeAll(() => {
  const tmp = join(FOLDER, 'tmp');
  mkdirSync(tmp);
  if (modules !== undefined && modules !== IN_ROOT) symlinkSync(modules, join(FOLDER, 'node_modules'));
  saveRun(join(FOLDER, 'runs', 'day'), record);
  const rest = { tickStep: 1, lotStep: 1, depth: 'none' } as const;
  const writer = createTapeWriter({
    folder: join(FOLDER, "the user's tape"),
    markets: [{ symbol: 'BTC-PERP', priceDecimals: 1, sizeDecimals: 4, ...rest }],
    source: { kind: 'import', description: 'made by hand' },
  });
  const row = { flags: 1, market: 0, exchangeUs: 1_767_657_600_000_001, receivedUs: 1_767_657_600_000_007 };
  writer.write({ ...row, kind: EVENT.buyTrade, price: 165_376, size: 20_500, id: 1 });
  writer.write({ ...row, kind: EVENT.bestBid, price: 165_370, size: 1, id: 0 });
  writer.write({ ...row, kind: EVENT.bidLevel, price: 165_370, size: 1, id: 0 });
  writer.close();
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const asked = (select: string, ...more: readonly string[]) =>
  ballast(['sql', select, '--run', 'runs', '--tape', "the user's tape", ...more], {
    cwd: FOLDER,
    env: { ...ENVIRONMENT, TMPDIR: join(FOLDER, 'tmp') },
  });

async function rowsOf(select: string): Promise<readonly (readonly unknown[])[]> {
  const { stdout, stderr, exitCode } = await asked(select, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return (JSON.parse(stdout) as { readonly rows: readonly (readonly unknown[])[] }).rows;
}

test('a folder without a run is refused with the one that was meant', async () => {
  for (const [folder, why] of [
    ['run', 'did you mean runs?'],
    ['tmp', 'neither it nor a folder in it holds record.json or run.json'],
  ] as const) {
    const { exitCode, stderr } = await ballast(['sql', 'SELECT 1', '--run', folder], { cwd: FOLDER });
    expect({ folder, exitCode, stderr }).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining(why),
    });
    expect(stderr).toContain('SQL_RUN_MISSING');
  }
});

test.skipIf(modules !== undefined)('without DuckDB the command says what to install', async () => {
  const { exitCode, stderr } = await asked('SELECT 1');
  expect(exitCode).toBe(78);
  expect(stderr).toContain('SQL_DUCKDB_MISSING');
  expect(stderr).toContain('npm install @duckdb/node-api');
});

describe.skipIf(modules === undefined)('with DuckDB', () => {
  test('sums over fills, orders and samples are those of the report', async () => {
    const report = jsonOfRun(record);
    const orders = new Set(record.quotes.map(({ orderId, symbol }) => `${orderId} ${symbol}`));
    const select = `WITH mine AS (SELECT * FROM fills) SELECT
      (SELECT count(*) FROM mine),
      (SELECT CAST(sum(price * size) AS DOUBLE) FROM mine),
      (SELECT CAST(sum(fee) AS DOUBLE) FROM mine),
      (SELECT count(*) FROM orders), (SELECT count(*) FROM equity), (SELECT count(*) FROM inventory)`;
    const [row = []] = await rowsOf(select);
    expect(row[0]).toBe(record.fills.length);
    const turnover = report.fills.maker.turnover;
    expect(Number(row[1])).toBeCloseTo(Number(turnover) + Number(report.fills.taker.turnover), 6);
    expect(Number(row[2])).toBeCloseTo(Number(report.pnl.fees), 6);
    expect(row.slice(3)).toEqual([orders.size, record.samples.atMs.length, 2 * record.samples.atMs.length]);
  });

  test('a run is a row with its statistics and its whole report', async () => {
    const { pnl, returns } = jsonOfRun(record);
    const [row] = await rowsOf(
      `SELECT run, CAST(pnl AS DOUBLE), max_drawdown, report->>'$.pnl.total' FROM runs`,
    );
    expect(row).toEqual([record.runId, Number(pnl.total), returns.maxDrawdown, pnl.total]);
  });

  test('rows of a tape are exact, by kind', async () => {
    expect(await rowsOf('SELECT symbol, side, price, size FROM trades')).toEqual([
      ['BTC-PERP', 'buy', '16537.6', '2.05'],
    ]);
    expect(await rowsOf('SELECT side, price FROM bbo UNION ALL SELECT side, price FROM book')).toEqual([
      ['bid', '16537'],
      ['bid', '16537'],
    ]);
    expect(await rowsOf('SELECT count(*) FROM tape')).toEqual([[3]]);
  });

  test('every view has columns where there is nothing to read', async () => {
    for (const view of ['runs', 'fills', 'orders', 'equity', 'inventory', 'ledger', 'journal', 'tape']) {
      const { exitCode, stdout } = await ballast(['sql', `SELECT * FROM ${view}`, '--csv'], {
        cwd: FOLDER,
        env: { XDG_STATE_HOME: join(FOLDER, 'tmp') },
      });
      expect({ view, exitCode }).toEqual({ view, exitCode: 0 });
      expect(stdout.trim().split('\n')).toEqual([expect.stringContaining(',')]);
    }
  });

  test('people read 80 columns, other tools CSV', async () => {
    const { stdout } = await asked('SELECT * FROM fills LIMIT 2');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const csv = (await asked("SELECT '=1+1' AS a, 'b,c' AS d", '--csv')).stdout;
    expect(csv).toBe('a,d\n"\'=1+1","b,c"\n');
  });

  test('what would write, and what is no SQL, is refused; nothing is left behind', async () => {
    for (const writes of [
      "COPY fills TO 'out.csv'",
      "EXPLAIN ANALYZE COPY fills TO 'out.csv'",
      'DROP VIEW fills',
      'SELECT 1; SELECT 2',
      "ATTACH 'a.db'",
    ]) {
      const { exitCode, stderr } = await asked(writes);
      expect({ writes, exitCode }).toEqual({ writes, exitCode: 64 });
      expect(stderr).toContain('SQL_NOT_A_QUESTION');
    }
    expect((await rowsOf('EXPLAIN SELECT * FROM fills')).length).toBeGreaterThan(0);
    const wrong = await asked('SELECT foo FROM fills');
    expect(wrong.exitCode).toBe(64);
    expect(wrong.stderr).toContain('SQL_INVALID');
    expect(readdirSync(FOLDER).sort()).toEqual(
      ['node_modules', 'runs', "the user's tape", 'tmp'].filter((name) => existsSync(join(FOLDER, name))),
    );
    expect(readdirSync(join(FOLDER, 'tmp')).filter((name) => name.startsWith('ballast-sql-'))).toEqual([]);
  });
});

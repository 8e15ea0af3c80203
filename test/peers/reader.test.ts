/** @module A reader in Python that knows exported files only: its figures of three backtests are those of the report. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { told } from '../../bench/engines/environment.ts';
import { parseConfig } from '../../src/config/index.ts';
import type { RunRecord } from '../../src/domain/index.ts';
import { jsonOfRun, saveRun } from '../../src/report/index.ts';
import { runConfiguredBacktest } from '../../src/research/backtest/index.ts';
import { runConfiguredBars } from '../../src/research/bars/index.ts';
import { createTapeWriter, EVENT } from '../../src/tape/format/index.ts';
import { exportTape } from '../../src/tape/tools/index.ts';
import { folderOf } from '../support/import-text.ts';
import { pythonOfPeers } from '../support/python.ts';
import { ROOT } from '../tidy/source.ts';

const python = pythonOfPeers();
const FROM_US = Date.UTC(2026, 0, 6) * 1_000;
const STEP_US = 5_000_000;
const HOUR_US = 3_600_000_000;
const HOURS = 40;
const MARKET = {
  ...{ symbol: 'BTC-USD', priceDecimals: 1, sizeDecimals: 3, tickStep: 1, lotStep: 1 },
  depth: 'levels',
} as const;

/** The mid in ticks after so many steps: waves of an hour and of minutes around 60,000.0. */
function midAt(step: number): number {
  return 600_000 + Math.round(3_000 * Math.sin(step / 57) + 400 * Math.sin(step / 3.7));
}

/** Forty hours: each five seconds a book of one level a side, a mark, and a trade through one side; funding each hour. */
function tapeIn(folder: string): string {
  const tape = join(folder, 'tape');
  const source = { kind: 'import', description: 'made by formula' } as const;
  const writer = createTapeWriter({ folder: tape, markets: [MARKET], source });
  const { bookReset, bidLevel, askLevel, buyTrade, sellTrade, mark, fundingSettled } = EVENT;
  for (let step = 0; step * STEP_US < HOURS * HOUR_US; step++) {
    const mid = midAt(step);
    const at = (afterUs: number) => {
      const exchangeUs = FROM_US + step * STEP_US + afterUs;
      return { market: 0, flags: 1, exchangeUs, receivedUs: exchangeUs, price: 0, size: 0, id: 0 };
    };
    writer.write({ ...at(0), kind: mark, price: mid });
    writer.write({ ...at(0), kind: bookReset, flags: 0 });
    writer.write({ ...at(0), kind: bidLevel, flags: 0, price: mid - 300, size: 400 });
    writer.write({ ...at(0), kind: askLevel, price: mid + 300, size: 400 });
    const isBuy = step % 2 === 0;
    const price = isBuy ? mid + 300 : mid - 300;
    writer.write({ ...at(2_000_000), kind: isBuy ? buyTrade : sellTrade, price, size: 900, id: step + 1 });
    if (step % 720 === 360)
      writer.write({ ...at(3_000_000), kind: fundingSettled, price: mid, size: 12_345 * ((step % 7) - 2) });
  }
  writer.close();
  return tape;
}

function configOf(folder: string, name: string, parameters: string, paper: string) {
  const text = `environment: { name: sim }
markets: [{ symbol: BTC-USD, leverage: 5 }]
strategies:
  - name: ${name}
    module: ${ROOT}/strategies/${name}/index.ts
    markets: [BTC-USD]
    parameters: { ${parameters} }
risk: { capital: 10000, maxPositionNotional: 200%, maxMarketDataAge: 10s }
paper: { ${paper} }
`;
  return parseConfig(text, join(folder, 'a.yaml'));
}

/** The figures of the report that the reader recomputes. */
function reported(record: RunRecord) {
  const { pnl, returns, fills, orders } = jsonOfRun(record);
  const role = ({ fills: count, turnover, fees, markouts }: (typeof fills)['maker']) => ({
    ...{ fills: count, turnover, fees },
    markouts: markouts.map(({ horizonMs, fills: known, bps }) => ({ horizonMs, fills: known, bps })),
  });
  return {
    ...{ pnl: pnl.total, fees: pnl.fees, funding: pnl.funding, turnover: pnl.turnover },
    ...{ periodMs: returns.periodMs, count: returns.count, sharpe: returns.sharpe },
    ...{ maxDrawdown: returns.maxDrawdown, maxDrawdownAmount: returns.maxDrawdownAmount },
    ...{ ordersWithFill: orders.ordersWithFill, maker: role(fills.maker), taker: role(fills.taker) },
  };
}

/** Numbers with eleven digits: of the twelve that a report prints the last one may be rounded the other way. */
function printed(figures: unknown): unknown {
  return JSON.parse(JSON.stringify(figures), (_key, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  );
}

/** What the reader says of the record and of what was exported beside it. */
function read(folder: string, record: RunRecord, source: string): unknown {
  const out = join(folder, 'record');
  saveRun(out, record);
  return told(python ?? '', [join(import.meta.dirname, 'reader.py'), out, source]);
}

describe.skipIf(python === undefined)('figures from exported files alone', () => {
  test.each([
    ['two-sided-ladder', 'levels: 2, size: 0.01, maxInventory: 0.05, halfSpreadPpm: 400', 'makerFeeBps: 1.5'],
    ['ping-pong', 'size: 0.01, maxInventory: 0.03, halfSpreadPpm: 300', 'makerFeeBps: -0.5, takerFeeBps: 3'],
  ])('of %s over a tape', async (name, parameters, paper) => {
    const folder = folderOf({});
    const tape = tapeIn(folder);
    const source = configOf(folder, name, parameters, `feedLatency: 0us, ${paper}`);
    const { record } = await runConfiguredBacktest({ source, tape });
    const rows = join(folder, 'rows.parquet');
    exportTape({ tape, format: 'parquet', out: rows });
    const figures = reported(record);
    expect(printed(read(folder, record, rows))).toEqual(printed(figures));
    expect(figures.maker.fills).toBeGreaterThan(20);
    expect(figures.sharpe).not.toBeNull();
    expect(Number(figures.funding)).not.toBe(0);
  });

  test('of a rule over bars', async () => {
    const hour = (at: number) => new Date(Date.UTC(2025, 0, 1) + at * 3_600_000).toISOString();
    const bars = Array.from({ length: 3_000 }, (_, at) => {
      const [open, close] = [midAt(at) / 10, midAt(at + 1) / 10];
      return [hour(at), open, Math.max(open, close) + 5, Math.min(open, close) - 5, close, 10].join(',');
    });
    const rates = Array.from({ length: 300 }, (_, at) => `${hour(8 * at + 8)},${((at % 5) - 1) / 1e4}`);
    const folder = folderOf({
      'bars.csv': `time,open,high,low,close,volume\n${bars.join('\n')}\n`,
      'funding.csv': `time,funding_rate\n${rates.join('\n')}\n`,
    });
    const parameters = 'position: 0.05, slice: 0.05, bar: 1h, fastBars: 5, slowBars: 20';
    const source = configOf(folder, 'trend-following', parameters, 'takerFeeBps: 4');
    const funding = join(folder, 'funding.csv');
    const { record } = await runConfiguredBars({
      source,
      csv: join(folder, 'bars.csv'),
      funding,
      sizeDecimals: 3,
    });
    const figures = reported(record);
    expect(printed(read(folder, record, funding))).toEqual(printed(figures));
    expect(figures.taker.fills).toBeGreaterThan(20);
    expect(Number(figures.funding)).not.toBe(0);
  });
});

/** @module A run's record in its folder: back as it was, the same bytes each time, and no damage that goes unseen. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type IntentId, quantums, type StrategyId } from '../../../src/domain/index.ts';
import { loadRun, saveRun } from '../../../src/report/index.ts';
import { aDay, aRecordedFill, aRunRecord } from '../../support/run-records.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'run-folder-'));
afterAll(() => rmSync(ROOT, { recursive: true }));

let folders = 0;
function saved(record = aDay({ hours: 1 })): string {
  const folder = join(ROOT, `run-${folders++}`);
  saveRun(folder, record);
  return folder;
}
const codeOf = (path: string) => {
  try {
    loadRun(path);
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return 'none';
};

describe('a saved run', () => {
  test('comes back as it was', () => {
    const record = aDay({ hours: 1, symbols: ['BTC-PERP', 'ETH-PERP'] });
    expect(loadRun(saved(record))).toEqual(record);
  });

  test('comes back with what was not known, and with names that hold commas and quotes', () => {
    const band = { low: quantums(-5n), high: quantums(7n), basis: 'a, "band"' };
    const odd = 'a,"b"\nc' as StrategyId;
    const record = aRunRecord({
      band,
      runId: '12n',
      equityEnd: quantums(123_456_789_012_345_678_901n),
      fills: [
        aRecordedFill({ fee: null, strategyId: odd, intentId: undefined, midTicks: 1_000_000.5 }),
        aRecordedFill({ strategyId: undefined, intentId: 'x,y' as IntentId, queueAheadLots: 3.25 }),
      ],
    });
    expect(loadRun(saved(record))).toEqual(record);
  });

  test('is the same bytes each time', () => {
    const [one, two] = [saved(), saved()];
    for (const name of readdirSync(one))
      expect(readFileSync(join(one, name)).equals(readFileSync(join(two, name)))).toBe(true);
    expect(readdirSync(one)).toHaveLength(4);
  });
});

describe('what is not a whole run is named', () => {
  test.each(['record.json', 'samples.csv.gz', 'fills.csv.gz', 'quotes.csv.gz'])(
    'one flipped byte in %s',
    (name) => {
      const folder = saved();
      const bytes = readFileSync(join(folder, name));
      for (const part of [0.3, 0.6, 0.9]) {
        const flipped = Buffer.from(bytes);
        const at = Math.floor(bytes.length * part);
        flipped[at] = (flipped[at] ?? 0) ^ 1;
        writeFileSync(join(folder, name), flipped);
        expect(codeOf(folder)).toBe('REPORT_RUN_DAMAGED');
      }
    },
  );

  test('a truncated document, a column file that is gone', () => {
    const truncated = saved();
    const file = join(truncated, 'record.json');
    writeFileSync(file, readFileSync(file).subarray(0, -40));
    expect(codeOf(truncated)).toBe('REPORT_RUN_DAMAGED');
    const gone = saved();
    rmSync(join(gone, 'fills.csv.gz'));
    expect(() => loadRun(gone)).toThrow('fills.csv.gz is not beside it');
    const longer = saved();
    appendFileSync(join(longer, 'quotes.csv.gz'), 'x');
    expect(codeOf(longer)).toBe('REPORT_RUN_DAMAGED');
  });

  test('another document, another version, nothing at all', () => {
    const file = join(ROOT, 'other.json');
    writeFileSync(file, '{"schema":"something"}');
    expect(codeOf(file)).toBe('REPORT_RUN_NOT_RECOGNIZED');
    writeFileSync(file, 'at,price\n1,2\n');
    expect(codeOf(file)).toBe('REPORT_RUN_NOT_RECOGNIZED');
    writeFileSync(file, '{"schema":"ballast-run","version":99}');
    expect(() => loadRun(file)).toThrow("expected version 2 of a run's record, got 99");
    expect(codeOf(join(ROOT, 'nowhere'))).toBe('REPORT_RUN_MISSING');
    expect(codeOf(ROOT)).toBe('REPORT_RUN_MISSING');
  });
});

/** @module The lines of docs/guides/python.md read a tape and a result, and prices are what was recorded. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { told } from '../../bench/engines/environment.ts';
import { saveRun } from '../../src/report/index.ts';
import { createTapeWriter, EVENT } from '../../src/tape/format/index.ts';
import { exportTape } from '../../src/tape/tools/index.ts';
import { folderOf } from '../support/import-text.ts';
import { pythonOfPeers } from '../support/python.ts';
import { aRecordedFill, aRunRecord } from '../support/run-records.ts';
import { ROOT } from '../tidy/source.ts';

const python = pythonOfPeers();
const page = readFileSync(join(ROOT, 'docs', 'guides', 'python.md'), 'utf8');
const blocks = [...page.matchAll(/## (\w+)\n\n```python\n(.*?)```/gs)].map(
  ([, name = '', lines = '']) => [name, lines] as const,
);
const rest = { tickStep: 1, lotStep: 1, depth: 'none' } as const;

function folderWithDay(): string {
  const folder = folderOf({});
  mkdirSync(join(folder, 'runs'));
  const tape = join(folder, 'tape');
  const writer = createTapeWriter({
    folder: tape,
    markets: [
      { symbol: 'BTC-USD', priceDecimals: 1, sizeDecimals: 4, ...rest },
      { symbol: 'SHIB-USD', priceDecimals: 9, sizeDecimals: 0, ...rest },
    ],
    source: { kind: 'import', description: 'made by hand' },
  });
  const row = { flags: 1, exchangeUs: 1_767_657_600_000_001, receivedUs: 1_767_657_600_000_007 };
  writer.write({ ...row, kind: EVENT.buyTrade, market: 0, price: 165_376, size: 20_500, id: 1 });
  writer.write({
    ...row,
    kind: EVENT.sellTrade,
    market: 1,
    price: 8_123,
    size: 9_007_199_254_740_991,
    id: 2,
  });
  writer.write({ ...row, kind: EVENT.fundingSettled, market: 0, price: 165_377, size: -12_345, id: 0 });
  writer.write({ ...row, kind: EVENT.fundingRate, market: 0, price: 0, size: 100, id: 0 });
  writer.close();
  exportTape({ tape, format: 'parquet', out: join(folder, 'day.parquet') });
  saveRun(
    join(folder, 'runs', 'day'),
    aRunRecord({ fills: [aRecordedFill({}), aRecordedFill({ side: 'sell' })] }),
  );
  return folder;
}

const ROWS: Readonly<Record<string, string>> = {
  pandas:
    'rows[["price", "size"]].astype(object).where(rows[["price", "size"]].notna(), None).values.tolist()',
  polars: 'rows.select("price", "size").rows()',
  DuckDB: 'rows.select("price", "size").fetchall()',
};
const FILLS: Readonly<Record<string, string>> = {
  pandas: 'fills["side"].tolist()',
  polars: 'fills["side"].to_list()',
  DuckDB: '[one for one, in fills.select("side").fetchall()]',
};

test('the page has a block for each of the three', () => {
  expect(blocks.map(([name]) => name)).toEqual(['pandas', 'polars', 'DuckDB']);
});

test.skipIf(python === undefined).each(blocks)(
  '%s reads a tape and a result in one line each',
  (name, lines) => {
    const script = `import json, os
os.chdir(${JSON.stringify(folderWithDay())})
${lines}
print(json.dumps([[[None if x is None else format(x, "f") for x in row] for row in ${ROWS[name]}], ${FILLS[name]}]))`;
    expect(lines.trim().split('\n')).toHaveLength(3);
    expect(told(python ?? '', ['-c', script])).toEqual([
      [
        ['16537.600000000', '2.0500'],
        ['0.000008123', '9007199254740991.0000'],
        ['16537.700000000', '-12345.0000'],
        [null, '100.0000'],
      ],
      ['buy', 'sell'],
    ]);
  },
);

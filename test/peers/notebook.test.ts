/** @module examples/notebook.ipynb runs from its first line to its last, over a tape, a result and a sweep. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { told } from '../../bench/engines/environment.ts';
import { type SweepDocument, saveRun, sweepCsv } from '../../src/report/index.ts';
import { createTapeWriter, EVENT } from '../../src/tape/format/index.ts';
import { exportTape } from '../../src/tape/tools/index.ts';
import { folderOf } from '../support/import-text.ts';
import { pythonOfPeers } from '../support/python.ts';
import { aRecordedFill, aRunRecord } from '../support/run-records.ts';
import { ROOT } from '../tidy/source.ts';

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
}

const python = pythonOfPeers();
const notebook = JSON.parse(readFileSync(join(ROOT, 'examples', 'notebook.ipynb'), 'utf8')) as Notebook;
const cells = notebook.cells.filter((cell) => cell.cell_type === 'code').map(({ source }) => source.join(''));

/** A folder with what the first cell of the notebook asks the reader to make. */
function folderOfReader(): string {
  const folder = folderOf({});
  const tape = join(folder, 'tape');
  const market = { symbol: 'BTC-USD', priceDecimals: 1, sizeDecimals: 4 };
  const writer = createTapeWriter({
    folder: tape,
    markets: [{ ...market, tickStep: 1, lotStep: 1, depth: 'none' }],
    source: { kind: 'import', description: 'made by hand' },
  });
  const row = { flags: 1, market: 0, exchangeUs: 1_767_657_600_000_001, receivedUs: 1_767_657_600_000_007 };
  writer.write({ ...row, kind: EVENT.buyTrade, price: 165_376, size: 20_500, id: 1 });
  writer.write({ ...row, kind: EVENT.sellTrade, price: 165_370, size: 1, id: 2 });
  writer.close();
  exportTape({ tape, format: 'parquet', out: join(folder, 'day.parquet') });
  mkdirSync(join(folder, 'runs'));
  saveRun(
    join(folder, 'runs', 'day'),
    aRunRecord({ fills: [aRecordedFill({}), aRecordedFill({ side: 'sell' })] }),
  );
  mkdirSync(join(folder, 'sweep'));
  const rowOf = (value: string, pnl: number) => ({
    window: 0,
    parameters: { 'a.b': value },
    statistics: { pnl },
  });
  const rows = [rowOf('1', -2.5), rowOf('2', 7)];
  const document = { axes: [{ path: 'a.b', values: ['1', '2'] }], rows } as unknown as SweepDocument;
  writeFileSync(join(folder, 'sweep', 'sweep.csv'), sweepCsv(document));
  return folder;
}

test('each cell of the notebook is one line', () => {
  expect(cells.length).toBeGreaterThan(9);
  expect(cells.filter((cell) => cell.includes('\n'))).toEqual([]);
});

test.skipIf(python === undefined)('the notebook runs from its first cell to its last', () => {
  const script = `import json, os
os.chdir(${JSON.stringify(folderOfReader())})
shown, names = [], {}
for cell in json.loads(${JSON.stringify(JSON.stringify(cells))}):
  try:
    code = compile(cell, "cell", "eval")
  except SyntaxError:
    exec(cell, names)
  else:
    shown.append([[None if one is None else float(one) if hasattr(one, "as_tuple") else one for one in row] for row in eval(code, names).rows()])
print(json.dumps(shown))`;
  const [counts, prices, fills, markouts, best, sameBest] = told<readonly (readonly unknown[])[][]>(
    python ?? '',
    ['-c', script],
  );
  expect(counts).toEqual([
    ['BTC-USD', 'buyTrade', 1, 2.05],
    ['BTC-USD', 'sellTrade', 1, 0.0001],
  ]);
  expect(prices).toEqual([['BTC-USD', 16537, 16537.6, 2.0501]]);
  expect(fills?.map(([, side, , count]) => [side, count])).toEqual([
    ['buy', 1],
    ['sell', 1],
  ]);
  expect(markouts?.map(([, side, count]) => [side, count])).toEqual([
    ['buy', 1],
    ['sell', 1],
  ]);
  expect(best?.map(([, value, pnl]) => [value, pnl])).toEqual([
    [2, 7],
    [1, -2.5],
  ]);
  expect(sameBest).toEqual(best);
});

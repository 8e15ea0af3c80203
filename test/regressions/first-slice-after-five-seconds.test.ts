import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';
import { aMapping, aTemporaryFolder, BEGIN_MS, importSmall } from '../support/small-import.ts';

/** A TWAP waited for the save of each five seconds, and sent what had come due until then at once. */
const STRATEGY = `
import { defineStrategy, param, twap, type ParentOrder } from 'ballast/strategy';
export default defineStrategy({
  name: 'slices',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create(context, { size }) {
    let entry: ParentOrder | undefined;
    let bookAtMs = 0;
    return {
      onSave: () => ({ entry: entry?.save() }),
      onStart() {
        const [symbol] = context.symbols;
        if (context.market(symbol).isFresh) bookAtMs = context.now();
        const totalLots = 5 * context.market(symbol).lotsOf(size);
        entry = twap(context, { symbol, side: 'buy', totalLots, slices: 5, intervalMs: 1000, style: 'join', toleranceTicks: 1e6 });
        entry.start();
      },
      onBook(view, book) {
        bookAtMs ||= context.now();
        entry?.handlers.onBook(view, book);
      },
      onFill: (fill, view) => entry?.handlers.onFill(fill, view),
      onOrder(update) {
        entry?.handlers.onOrder(update);
        if (update.status === 'working') context.log.info('order ' + update.order.sizeLots + ' ' + (context.now() - bookAtMs));
      },
      onDenied: (denial) => {
        context.log.info(denial.code + denial.message);
        entry?.handlers.onDenied(denial);
      },
      onTimer: (timer) => entry?.handlers.onTimer(timer),
      onResumed: (symbol) => entry?.handlers.onResumed(symbol),
    };
  },
});
`;

/** A book each 100 ms over ten seconds. */
const BOOKS = [
  'time,bp0,bq0,ap0,aq0',
  ...Array.from({ length: 100 }, (_, at) => `${BEGIN_MS + at * 100},50000.0,5.001,50000.1,5.001`),
];

/** A folder with a tape, the strategy and its configuration. */
async function aScene(): Promise<string> {
  const folder = aTemporaryFolder();
  mkdirSync(join(folder, 'market'));
  writeFileSync(join(folder, 'market', 'books.csv'), `${BOOKS.join('\n')}\n`);
  writeFileSync(join(folder, 'slices.ts'), STRATEGY);
  writeFileSync(
    join(folder, 'slices.yaml'),
    `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies: [{ name: slices, module: ./slices.ts, markets: [BTC-USD], parameters: { size: 0.001 } }]
risk: { capital: 10000 }
log: { level: info }
`,
  );
  const mapping = aMapping('books', 'ms', '    levels: 1');
  const { out } = await importSmall({ format: 'csv', paths: [join(folder, 'market')], mapping });
  renameSync(out, join(folder, 'tape'));
  return folder;
}

/** The orders that came to rest: size in lots, and ms since the first book. */
function restedIn(output: string): readonly { readonly lots: number; readonly afterMs: number }[] {
  return [...output.matchAll(/"msg":"order (?<lots>\d+) (?<after>[\d.]+)"/g)].map(({ groups }) => ({
    lots: Number(groups?.['lots']),
    afterMs: Number(groups?.['after']),
  }));
}

describe('five slices of a second leave when they are due', () => {
  test.each<[string, readonly string[]]>([
    ['backtest', ['backtest', 'slices.yaml', '--tape', 'tape', '--verbose']],
    ['paper', ['paper', 'slices.yaml', '--tape', 'tape', '--speed', 'max']],
    ['sim', ['run', 'slices.yaml', '--duration', '14s']],
  ])('%s', async (_mode, args) => {
    const folder = await aScene();
    const { stdout, stderr, exitCode } = await ballast(args, { cwd: folder });
    const rested = restedIn(`${stdout}${stderr}`);
    expect([exitCode, rested.length, stderr]).toEqual([0, 5, expect.any(String)]);
    expect(new Set(rested.map(({ lots }) => lots)).size).toBe(1);
    const dueMs = rested.map(({ afterMs }) => Math.round(afterMs / 1_000));
    expect(dueMs).toEqual([0, 1, 2, 3, 4]);
  });
});

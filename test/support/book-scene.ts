/** @module A folder with ten seconds of books as a tape, a strategy made in the test, and ballast in it. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ballast, type Ended } from './ballast-process.ts';
import { aMapping, aRecording, BEGIN_MS, importSmall } from './small-import.ts';

/** See the module. */
export interface BookScene {
  readonly folder: string;
  run(...args: readonly string[]): Promise<Ended>;
}

/** The price of the best bid at book `at`, and the ask ten cents above it. */
type BidAt = (at: number) => number;

/** A scene whose strategy is `create(context, parameters)` of this text. */
export async function aBookScene(
  create: string,
  { bidAt = () => 50_000, more = '' }: { readonly bidAt?: BidAt; readonly more?: string } = {},
): Promise<BookScene> {
  const rows = Array.from({ length: 100 }, (_, at) => {
    const [bid, ask] = [bidAt(at).toFixed(1), (bidAt(at) + 0.1).toFixed(1)];
    return `${BEGIN_MS + at * 100},${bid},5.001,${ask},5.001`;
  });
  const market = aRecording({ 'books.csv': ['time,bp0,bq0,ap0,aq0', ...rows] });
  const folder = join(market, '..');
  const mapping = aMapping('books', 'ms', '    levels: 1');
  const { out } = await importSmall({ format: 'csv', paths: [market], mapping });
  renameSync(out, join(folder, 'tape'));
  writeFileSync(
    join(folder, 'one.ts'),
    `import { defineStrategy, param } from 'ballast/strategy';
export default defineStrategy({ name: 'one', parameters: param.object({ offset: param.integer().prefault(10) }), create: ${create} });
`,
  );
  writeFileSync(
    join(folder, 'one.yaml'),
    `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies: [{ name: one, module: ./one.ts, markets: [BTC-USD] }]
risk: { capital: 10000, maxReplacesPerSecond: 100 }
${more}`,
  );
  return { folder, run: (...args) => ballast(args, { cwd: folder }) };
}

/** A strategy that quotes a bid `offset` ticks below the best one, and does `extra` beside it. */
export function aBidder(extra = ''): string {
  return `(context, { offset }) => ({
    onBook(view) {
      if (view.bestBidTicks === undefined) return;
      context.quote(view.symbol, { bids: [{ priceTicks: view.floorTicks(view.bestBidTicks - offset), sizeLots: view.lotsOf('0.001') }], asks: [] });
    },
    ${extra}
  })`;
}

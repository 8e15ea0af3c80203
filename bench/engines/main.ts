/**
 * @module
 * `npm run bench:peers`: one recorded market and one quoting rule through hftbacktest, NautilusTrader and ballast, in
 * turns; rows a second of each, and what came of it; and one cross over bars through backtrader and ballast. `--only
 * market`, `--only bars`: one of the two. Python packages go into environments of their own, in the user's cache.
 * docs/concepts/comparison-with-other-engines.md explains each difference.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, someOf, whole } from '../../scripts/options.ts';
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { openTape } from '../../src/tape/format/index.ts';
import { rounded } from '../measure.ts';
import { say, showTable } from '../show.ts';
import { compareBars } from './bars.ts';
import { environment, must, told as toldBy } from './environment.ts';
import { commonRows, writeColumns } from './market.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const RECORDING = join(ROOT, '..', 'shared', 'data', 'binance-um-20240808');
const PYTHON = {
  folder: 'venv',
  packages: ['hftbacktest==2.4.4', 'nautilus_trader==1.221.0'],
  modules: ['hftbacktest', 'nautilus_trader'],
};

/** What one engine tells of its runs. */
interface Told {
  readonly engine: string;
  readonly rows: number;
  /** Of each run of one process, the replay alone; the first ones warm up. */
  readonly seconds: readonly number[];
  readonly orders: number;
  readonly fills: number;
  readonly volumeLots: number;
  readonly positionLots: number;
}

const { json, only, rounds } = readOptions({
  json: jsonOption,
  rounds: whole('Rounds of each engine', { min: 1, otherwise: 3 }),
  only: someOf('Only these comparisons', ['market', 'bars']),
});
const market = only.includes('market') ? measure(rounds) : undefined;
const bars = only.includes('bars') ? compareBars(rounds) : undefined;
if (json) process.stdout.write(`${JSON.stringify({ ...market, bars })}\n`);
for (const skipped of [market?.skipped, bars?.skipped]) if (skipped !== undefined) say(skipped);
if (bars?.ratio !== undefined) {
  say(`bars a second to backtrader's: ${bars.ratio}, limit ${bars.limit}`);
  if (bars.ratio < bars.limit) process.exitCode = 1;
}

function measure(rounds: number): { readonly engines: readonly object[]; readonly skipped?: string } {
  if (!existsSync(RECORDING)) return { engines: [], skipped: 'skipped: the recording is not there' };
  const python = environment(PYTHON);
  const folder = mkdtempSync(join(tmpdir(), 'ballast-engines-'));
  try {
    const tape = join(folder, 'tape');
    const imported = ['import', 'binance-um', RECORDING, '--symbol', 'BTCUSDT', '--out', tape];
    must(process.execPath, [join(ROOT, 'bin', 'ballast.mjs'), ...imported]);
    const columns = join(folder, 'columns');
    writeColumns(columns, commonRows(openTape(tape)));
    const rule = join(HERE, 'rule.json');
    const ours = [...process.execArgv, '--max-semi-space-size=64', join(HERE, 'ours.ts'), tape];
    const cases: (readonly [command: string, args: readonly string[]])[] = [[process.execPath, ours]];
    if (python.path !== undefined)
      for (const script of ['hft.py', 'nautilus.py'])
        cases.push([python.path, [join(HERE, script), columns, rule]]);
    const told = new Map<string, Told[]>();
    for (let round = 0; round < rounds; round++) {
      for (const [command, args] of cases) {
        const one = toldBy<Told>(command, args);
        told.set(one.engine, [...(told.get(one.engine) ?? []), one]);
      }
    }
    const engines = [...told.values()].map(rowOf);
    showTable(
      'One market, one rule',
      engines.map(({ engine, ...row }) => ({ case: engine, ...row })),
    );
    return python.reason === undefined ? { engines } : { engines, skipped: python.reason };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The best run of all: what a busy machine takes away is no engine's fault. */
function rowOf(told: readonly Told[]) {
  const [first] = told;
  if (first === undefined) throw new Error('expected a run');
  const { engine, rows, orders, fills, volumeLots, positionLots } = first;
  const best = Math.min(...told.flatMap(({ seconds }) => seconds));
  const isSame = told.every((one) => one.fills === fills && one.positionLots === positionLots);
  return {
    engine,
    rows,
    'rows/s, best': rounded(rows / best),
    'rows/s, first run': rounded(rows / Math.min(...told.map(({ seconds }) => seconds[0] ?? Number.NaN))),
    orders,
    fills,
    volumeLots,
    positionLots,
    'same each time': isSame ? 'yes' : 'no',
  };
}

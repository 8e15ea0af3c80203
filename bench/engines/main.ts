/**
 * @module
 * `npm run bench:peers`: one recorded market and one quoting rule through hftbacktest, NautilusTrader and ballast, in
 * turns; rows a second of each, and what came of it. Python packages are installed into an environment of their own, in
 * the user's cache. docs/concepts/beside-other-engines.md explains each difference.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openTape } from '../../src/tape/index.ts';
import { rounded } from '../measure.ts';
import { say, showTable } from '../show.ts';
import { commonRows, writeColumns } from './market.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const RECORDING = join(ROOT, '..', 'shared', 'data', 'binance-um-20240808');
const CACHE = join(homedir(), '.cache', 'ballast', 'bench-engines');
const PACKAGES = ['hftbacktest==2.4.4', 'nautilus_trader==1.221.0'];
const INSTALL_MS_MAX = 600_000;
const RUN_MS_MAX = 300_000;

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

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '3' } },
});
const document = measure(Number(values.rounds));
if (values.json) process.stdout.write(`${JSON.stringify(document)}\n`);
if (document.skipped !== undefined) say(document.skipped);

function measure(rounds: number): { readonly engines: readonly object[]; readonly skipped?: string } {
  if (!existsSync(RECORDING)) return { engines: [], skipped: 'skipped: the recording is not there' };
  const python = environment();
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
        const one = JSON.parse(must(command, args).trim().split('\n').at(-1) ?? '') as Told;
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

/** The environment with the packages, made when it is not there; without it, why. */
function environment(): { readonly path?: string; readonly reason?: string } {
  const path = join(CACHE, 'venv', 'bin', 'python');
  const probe = ['-c', 'import hftbacktest, nautilus_trader'];
  if (existsSync(path) && spawnSync(path, probe).status === 0) return { path };
  say(`bench:peers: installing ${PACKAGES.join(', ')} into ${CACHE}`);
  const made = spawnSync('python3', ['-m', 'venv', join(CACHE, 'venv')], { encoding: 'utf8' });
  if (made.status !== 0)
    return { reason: `skipped: no Python environment (${made.error?.message ?? made.stderr})` };
  const install = ['-m', 'pip', 'install', '--quiet', ...PACKAGES];
  const { status, stderr } = spawnSync(path, install, { encoding: 'utf8', timeout: INSTALL_MS_MAX });
  if (status === 0) return { path };
  return {
    reason: `skipped: ${PACKAGES.join(', ')} cannot be had (${stderr.trim().split('\n').at(-1) ?? ''})`,
  };
}

function must(command: string, args: readonly string[]): string {
  const ended = spawnSync(command, args, { encoding: 'utf8', timeout: RUN_MS_MAX, maxBuffer: 1 << 28 });
  if (ended.status === 0) return ended.stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${ended.status}: ${ended.stderr.slice(-800)}`);
}

/**
 * @module
 * One recorded market and one quoting rule through hftbacktest, NautilusTrader and ballast, in turns. First what a person
 * waits for: whole processes, from the command to the result. Then loops in a process that is warm: the replay alone,
 * again and again, with the market in memory.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTape } from '../../src/tape/format/index.ts';
import { median, rounded } from '../measure.ts';
import { showTable } from '../show.ts';
import { environment, must, told } from './environment.ts';
import { makeCommonTape, wholeBatch, writeColumns } from './market.ts';
import { type Rule, writeStudy } from './study.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const RECORDING = join(ROOT, '..', 'shared', 'data', 'binance-um-20240808');
const SYMBOL = 'BTCUSDT';
const PYTHON = {
  folder: 'replay',
  packages: ['hftbacktest==2.4.4', 'nautilus_trader==1.231.0'],
  modules: ['hftbacktest', 'nautilus_trader'],
  // The first Python that nautilus_trader 1.231 takes.
  minor: 12,
};
/** Runs of one warm process. Of ballast and hftbacktest 25: the compiler of ballast works for a dozen of them. */
const WARM_RUNS = { ballast: 25, hftbacktest: 25, nautilus_trader: 3 } as const;
const MS_PER_S = 1_000;

type Engine = keyof typeof WARM_RUNS;

/** What a process of one engine prints. */
interface Told {
  readonly rows: number;
  /** Of each run of the process, the replay alone. */
  readonly seconds: readonly number[];
  readonly orders: number;
  readonly fills: number;
  readonly volumeLots: number;
  readonly positionLots: number;
}

/** A command with its arguments. */
type Command = readonly [command: string, args: readonly string[]];

/** How an engine is run. */
interface Case {
  readonly engine: Engine;
  /** One run and its result, as a person would type it. */
  readonly cold: Command;
  /** {@link WARM_RUNS} runs in one process. */
  readonly warm: Command;
}

/** What came of it, one row an engine. */
export interface ReplayComparison {
  readonly processes: readonly object[];
  readonly loops: readonly object[];
  readonly skipped?: string;
}

/** Runs every engine `rounds` times, each way. @throws Error when one fails or gives another result in another run. */
export function compareReplays(rounds: number): ReplayComparison {
  if (!existsSync(RECORDING))
    return { processes: [], loops: [], skipped: 'skipped: no recording in ../shared/data' };
  const python = environment(PYTHON);
  const folder = mkdtempSync(join(tmpdir(), 'ballast-engines-'));
  try {
    const cases = prepare(folder, python.path);
    const colds = new Map<Engine, number[]>(cases.map(({ engine }) => [engine, []]));
    const warms = new Map<Engine, Told[]>(cases.map(({ engine }) => [engine, []]));
    for (let round = 0; round < rounds; round++) {
      for (const { engine, cold } of inTurn(cases, round)) colds.get(engine)?.push(secondsOf(cold));
      for (const { engine, warm } of inTurn(cases, round)) warms.get(engine)?.push(told<Told>(...warm));
    }
    const processes = cases.map(({ engine }) => processRow(engine, colds.get(engine) ?? []));
    const loops = cases.map(({ engine }) => loopRow(engine, warms.get(engine) ?? []));
    showTable('Whole processes, from command to result', processes);
    showTable('Loops in one process, the replay alone', loops);
    return { processes, loops, ...(python.reason === undefined ? {} : { skipped: python.reason }) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The market in the format of each engine, and the commands. What is prepared once is not measured. */
function prepare(folder: string, python: string | undefined): readonly Case[] {
  const [imported, tape, columns, study] = ['imported', 'tape', 'columns', 'study.yaml'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const rule = join(HERE, 'rule.json');
  const ballast = join(ROOT, 'bin', 'ballast.mjs');
  must(process.execPath, [ballast, 'import', 'binance-um', RECORDING, '--symbol', SYMBOL, '--out', imported]);
  makeCommonTape(imported, tape);
  writeStudy(study, SYMBOL, JSON.parse(readFileSync(rule, 'utf8')) as Rule);
  const loop = [...process.execArgv, '--max-semi-space-size=64', join(HERE, 'ours.ts'), tape];
  const ours: Case = {
    engine: 'ballast',
    cold: [process.execPath, [ballast, 'backtest', study, '--tape', tape]],
    warm: [process.execPath, [...loop, String(WARM_RUNS.ballast)]],
  };
  if (python === undefined) return [ours];
  writeColumns(columns, wholeBatch(openTape(tape)));
  const peerOf = (engine: Engine, script: string, file: string): Case => {
    const [path, market] = [join(HERE, script), join(folder, file)];
    must(python, [path, 'make', columns, rule, market]);
    const runs = (count: number): Command => [python, [path, 'run', market, rule, String(count)]];
    return { engine, cold: runs(1), warm: runs(WARM_RUNS[engine]) };
  };
  return [
    ours,
    peerOf('hftbacktest', 'hft.py', 'market.npz'),
    peerOf('nautilus_trader', 'nautilus.py', 'catalog'),
  ];
}

/** Forward and backward in turn: a machine that slows down slows all. */
function inTurn(cases: readonly Case[], round: number): readonly Case[] {
  return round % 2 === 0 ? cases : cases.toReversed();
}

/** Wall time of a whole process. */
function secondsOf([command, args]: Command): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr.slice(-800)}`);
  return (performance.now() - began) / MS_PER_S;
}

function processRow(engine: Engine, seconds: readonly number[]) {
  return {
    case: engine,
    's, median': rounded(median(seconds)),
    's, fastest': rounded(Math.min(...seconds)),
    's, slowest': rounded(Math.max(...seconds)),
  };
}

function loopRow(engine: Engine, all: readonly Told[]) {
  const [first] = all;
  if (first === undefined) throw new Error(`expected a run of ${engine}`);
  const { rows, orders, fills, volumeLots, positionLots } = first;
  const isSame = all.every((one) => one.fills === fills && one.positionLots === positionLots);
  if (!isSame) throw new Error(`expected the same result of ${engine} in each process`);
  const seconds = all.flatMap((one) => one.seconds);
  return {
    case: engine,
    'rows/s, first run': rounded(rows / median(all.map((one) => one.seconds[0] ?? Number.NaN))),
    'rows/s, median': rounded(rows / median(seconds)),
    'rows/s, best': rounded(rows / Math.min(...seconds)),
    orders,
    fills,
    volumeLots,
    positionLots,
  };
}

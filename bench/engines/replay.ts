/**
 * @module
 * Recorded markets and one quoting rule through hftbacktest, NautilusTrader and ballast, in turns. First what a person waits
 * for: whole processes, from the command to the result, over 345 s of a busy market, ten hours of another, and 20 million
 * rows. Then loops in a process that is warm: the replay of the first alone, again and again, with the market in memory.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTape } from '../../src/tape/format/index.ts';
import { YOUNG_AT_ONCE } from '../groups.ts';
import { median, rounded } from '../measure.ts';
import { say, showTable } from '../show.ts';
import { environment, must, told } from './environment.ts';
import { installBallast } from './installed.ts';
import { makeCommonTape, writeColumns } from './market.ts';
import { type Rule, writeStudy } from './study.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const DATA = join(ROOT, '..', 'shared', 'data');
const MARKETS = [
  {
    name: 'market',
    what: '345 s of a busy market',
    ...{ folder: 'binance-um-20240808', format: 'binance-um', symbol: 'BTCUSDT', times: 1 },
    peers: ['hftbacktest', 'nautilus_trader'],
    ...{ limit: 9, peakMbMax: undefined, roundsMax: 9 },
  },
  {
    name: 'hours',
    what: 'ten recorded hours',
    ...{ folder: 'standx-btcusd-20260106', format: 'standx', symbol: 'BTC-USD', times: 1 },
    peers: ['hftbacktest', 'nautilus_trader'],
    ...{ limit: 4.5, peakMbMax: 250, roundsMax: 5 },
  },
  {
    name: 'long',
    what: '20 million rows: the busy market again and again',
    ...{ folder: 'binance-um-20240808', format: 'binance-um', symbol: 'BTCUSDT', times: 43 },
    // An object of Python for each row: NautilusTrader would take minutes and more memory than most machines have.
    peers: ['hftbacktest'],
    ...{ limit: 3, peakMbMax: undefined, roundsMax: 3 },
  },
] as const;
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
const KB_PER_MB = 1_024;
const MEMORY_LOOK_MS = 10;

type Engine = keyof typeof WARM_RUNS;
type Market = (typeof MARKETS)[number];

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

/** A whole process: seconds, and the most memory that it had. 0: this system does not say. */
interface Ended {
  readonly seconds: number;
  readonly peakMb: number;
}

/** What came of one market. */
export interface MarketComparison {
  readonly market: string;
  readonly rows: number;
  readonly processes: readonly object[];
  /** Seconds of the faster peer to those of ballast, in the same round, median. Absent: no peer ran. */
  readonly ratio?: number;
  readonly limit: number;
  readonly peakMb: number;
  readonly peakMbMax: number | undefined;
}

/** What came of all. */
export interface ReplayComparison {
  readonly markets: readonly MarketComparison[];
  readonly loops: readonly object[];
  readonly skipped?: string;
}

/** The names of the markets. */
export const MARKET_NAMES = MARKETS.map(({ name }) => name);

/** Runs every engine `rounds` times, each way. @throws Error when one fails or gives another result in another run. */
export async function compareReplays(
  rounds: number,
  names: readonly string[],
): Promise<ReplayComparison | undefined> {
  const chosen = MARKETS.filter(({ name }) => names.includes(name));
  if (chosen.length === 0) return undefined;
  if (chosen.some(({ folder }) => !existsSync(join(DATA, folder))))
    return { markets: [], loops: [], skipped: 'skipped: no recordings in ../shared/data' };
  const python = environment(PYTHON);
  const markets: MarketComparison[] = [];
  let loops: readonly object[] = [];
  const place = mkdtempSync(join(tmpdir(), 'ballast-engines-'));
  try {
    const ballast = installBallast(ROOT, place);
    for (const market of chosen) {
      const folder = join(place, market.name);
      mkdirSync(folder);
      const { cases, rows } = prepare(market, folder, { ballast, python: python.path });
      markets.push(await compareProcesses(market, rows, cases, rounds));
      if (market.name === 'market') loops = compareLoops(cases, rounds);
      rmSync(folder, { recursive: true });
    }
  } finally {
    rmSync(place, { recursive: true });
  }
  return { markets, loops, ...(python.reason === undefined ? {} : { skipped: python.reason }) };
}

async function compareProcesses(
  market: Market,
  rows: number,
  cases: readonly Case[],
  rounds: number,
): Promise<MarketComparison> {
  const { name, what, limit, peakMbMax, roundsMax } = market;
  const ended = new Map<Engine, Ended[]>(cases.map(({ engine }) => [engine, []]));
  for (let round = 0; round < Math.min(rounds, roundsMax); round++)
    for (const { engine, cold } of inTurn(cases, round)) ended.get(engine)?.push(await endOf(cold));
  const of = (engine: Engine): readonly Ended[] => ended.get(engine) ?? [];
  const processes = cases.map(({ engine }) => processRow(engine, of(engine)));
  showTable(
    `Whole processes, from command to result: ${what}, ${rows.toLocaleString('en-US')} rows`,
    processes,
  );
  const peers = cases.filter(({ engine }) => engine !== 'ballast');
  const ratios = of('ballast').map(
    ({ seconds }, round) =>
      Math.min(...peers.map(({ engine }) => of(engine)[round]?.seconds ?? Number.NaN)) / seconds,
  );
  const peakMb = Math.max(...of('ballast').map(({ peakMb }) => peakMb));
  return {
    ...{ market: name, rows, processes, limit, peakMb: rounded(peakMb), peakMbMax },
    ...(peers.length === 0 ? {} : { ratio: rounded(median(ratios)) }),
  };
}

function compareLoops(cases: readonly Case[], rounds: number): readonly object[] {
  const warms = new Map<Engine, Told[]>(cases.map(({ engine }) => [engine, []]));
  for (let round = 0; round < rounds; round++)
    for (const { engine, warm } of inTurn(cases, round)) warms.get(engine)?.push(told<Told>(...warm));
  const loops = cases.map(({ engine }) => loopRow(engine, warms.get(engine) ?? []));
  showTable('Loops in one process, the replay alone', loops);
  return loops;
}

/** Says what holds, and whether all does. */
export function judgeReplays({ markets }: ReplayComparison): boolean {
  let holds = true;
  for (const { market, ratio, limit, peakMb, peakMbMax } of markets) {
    const isSlow = ratio !== undefined && !(ratio >= limit);
    const isLarge = peakMbMax !== undefined && peakMb > peakMbMax;
    if (ratio !== undefined) say(`${market}: ${ratio} times as fast as the faster peer, limit ${limit}`);
    if (peakMbMax !== undefined) say(`${market}: ${peakMb} MB at most, limit ${peakMbMax}`);
    if (isSlow || isLarge) holds = false;
  }
  return holds;
}

/** The market in the format of each engine, and the commands. What is prepared once is not measured. */
function prepare(
  market: Market,
  folder: string,
  { ballast, python }: { readonly ballast: string; readonly python: string | undefined },
): { readonly cases: readonly Case[]; readonly rows: number } {
  const { format, symbol, times } = market;
  const [imported, path, columns, study, rule] = [
    ...['imported', 'tape', 'columns', 'study.yaml', 'rule.json'],
  ].map((name) => join(folder, name)) as [string, string, string, string, string];
  const source = join(DATA, market.folder);
  must(process.execPath, [ballast, 'import', format, source, '--symbol', symbol, '--out', imported]);
  makeCommonTape(imported, path, times);
  const tape = openTape(path);
  const [{ priceDecimals = 0, sizeDecimals = 0 } = {}] = tape.markets;
  const base = JSON.parse(readFileSync(join(HERE, 'rule.json'), 'utf8')) as Rule;
  writeFileSync(rule, JSON.stringify({ ...base, priceDecimals, sizeDecimals }));
  writeStudy(study, symbol, base);
  const loop = [...process.execArgv, ...YOUNG_AT_ONCE, join(HERE, 'ours.ts'), path];
  const ours: Case = {
    engine: 'ballast',
    cold: [process.execPath, [ballast, 'backtest', study, '--tape', path]],
    warm: [process.execPath, [...loop, String(WARM_RUNS.ballast)]],
  };
  if (python === undefined) return { cases: [ours], rows: tape.rows };
  writeColumns(columns, tape);
  const scripts = {
    hftbacktest: ['hft.py', 'market.npz'],
    nautilus_trader: ['nautilus.py', 'catalog'],
  } as const;
  const peers = market.peers.map((engine): Case => {
    const [script, file] = scripts[engine];
    const [code, data] = [join(HERE, script), join(folder, file)];
    must(python, [code, 'make', columns, rule, data]);
    const runs = (count: number): Command => [python, [code, 'run', data, rule, String(count)]];
    return { engine, cold: runs(1), warm: runs(WARM_RUNS[engine]) };
  });
  return { cases: [ours, ...peers], rows: tape.rows };
}

/** Forward and backward in turn: a machine that slows down slows all. */
function inTurn(cases: readonly Case[], round: number): readonly Case[] {
  return round % 2 === 0 ? cases : cases.toReversed();
}

/** Runs a whole process. */
async function endOf([command, args]: Command): Promise<Ended> {
  const began = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-800);
  });
  let peakMb = 0;
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, peakMbOf(child.pid) ?? 0);
  }, MEMORY_LOOK_MS);
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearInterval(look);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${complaint}`);
  return { seconds: (performance.now() - began) / MS_PER_S, peakMb };
}

/** The most memory that a process, or one that it has started, has had, as Linux says it. */
function peakMbOf(pid: number | string | undefined): number | undefined {
  try {
    const kb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return Math.max(Number(kb) / KB_PER_MB, ...children.map((child) => peakMbOf(child) ?? 0));
  } catch {
    return undefined;
  }
}

function processRow(engine: Engine, ended: readonly Ended[]) {
  const seconds = ended.map((one) => one.seconds);
  return {
    case: engine,
    's, median': rounded(median(seconds)),
    's, fastest': rounded(Math.min(...seconds)),
    's, slowest': rounded(Math.max(...seconds)),
    'MB, peak': Math.round(Math.max(...ended.map((one) => one.peakMb))),
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

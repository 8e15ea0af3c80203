/**
 * @module
 * One cross over the same bars through ballast's bar engine and backtrader, in turns: bars a second of each, the trades
 * and their profit held against each other, the ratio held against its limit.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBars, WINDOW } from '../goals/backtest/bar-cross.ts';
import { rounded } from '../measure.ts';
import { showTable } from '../show.ts';
import { environment, told } from './environment.ts';

const BARS = 20_000;
const RATIO_MIN = 50;
const PYTHON = { folder: 'backtrader', packages: ['backtrader==1.9.78.123'], modules: ['backtrader'] };

/** What one engine tells of its runs. */
interface Told {
  readonly engine: string;
  readonly bars: number;
  readonly seconds: readonly number[];
  readonly trades: number;
  readonly profitTicks: number;
}

/** What came of it. */
export interface BarComparison {
  readonly engines: readonly object[];
  /** Bars a second to backtrader's, each at its best; absent: not measured. */
  readonly ratio?: number;
  readonly limit: number;
  readonly skipped?: string;
}

/** Runs both. @throws Error when they do not make the same trades. */
export function compareBars(rounds: number): BarComparison {
  const python = environment(PYTHON);
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bars-'));
  try {
    writeBars(folder);
    const ours: Told[] = [];
    const theirs: Told[] = [];
    for (let round = 0; round < rounds; round++) {
      const script = join(import.meta.dirname, 'our-bars.ts');
      ours.push(told<Told>(process.execPath, [...process.execArgv, script, String(BARS)]));
      if (python.path === undefined) continue;
      const peer = join(import.meta.dirname, 'backtrader-bars.py');
      theirs.push(told<Told>(python.path, [peer, folder, String(WINDOW)]));
    }
    const rows = [ours, theirs].flatMap((runs) => (runs.length === 0 ? [] : [rowOf(runs)]));
    showTable(
      `One cross over ${BARS} bars`,
      rows.map(({ engine, ...row }) => ({ case: engine, ...row })),
    );
    if (theirs.length === 0) return { engines: rows, limit: RATIO_MIN, skipped: python.reason ?? 'skipped' };
    checkSame([...ours, ...theirs]);
    return { engines: rows, ratio: rounded(bestOf(theirs) / bestOf(ours)), limit: RATIO_MIN };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeBars(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const bars = randomBars(BARS);
  for (const name of ['openUs', 'open', 'high', 'low', 'close', 'volume'] as const)
    writeFileSync(join(folder, `${name}.bin`), new Uint8Array(bars[name].buffer));
}

/** The best run of all: what a busy machine takes away is no engine's fault. */
function bestOf(runs: readonly Told[]): number {
  return Math.min(...runs.flatMap(({ seconds }) => seconds));
}

function rowOf(runs: readonly Told[]) {
  const [first] = runs;
  if (first === undefined) throw new Error('expected a run');
  const { engine, bars, trades, profitTicks } = first;
  return { engine, 'bars/s, best': rounded(bars / bestOf(runs)), trades, profitTicks };
}

function checkSame(runs: readonly Told[]): void {
  const kinds = new Set(runs.map(({ trades, profitTicks }) => `${trades} trades with ${profitTicks} ticks`));
  if (kinds.size > 1) throw new Error(`expected the same of all engines, got ${[...kinds].join('; ')}`);
}

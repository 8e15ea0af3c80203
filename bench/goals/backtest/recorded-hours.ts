/**
 * @module
 * G10.hours: `ballast backtest` over the ten recorded hours of the issue, as a person starts it, where the recording is
 * there: seconds beyond the start of the process, the same bytes each time.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, median, rounded } from '../../measure.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const RECORDING = join(ROOT, '..', 'shared', 'data', 'standx-btcusd-20260106');
const LIMIT: Limit = {
  id: 'G10.hours',
  what: 'seconds of `ballast backtest` over ten recorded hours, beyond the start of the process',
  limit: 3,
  better: 'lower',
};
/** One says nothing of whether the next gives the same bytes. */
const ROUNDS_MIN = 2;
const ROUNDS_MAX = 3;
const COMMAND_MS_MAX = 180_000;

/** Measures G10.hours: less what the same command takes to say its version. */
export async function recordedHours({ rounds }: Effort): Promise<GroupResult> {
  if (!existsSync(RECORDING)) return { goals: [missed(LIMIT, 'the recording is not there')], figures: {} };
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bench-'));
  try {
    const tape = join(folder, 'standx');
    ballast('import', 'standx', RECORDING, '--out', tape);
    const config = join(ROOT, 'backtest', 'maker-standx.yaml');
    const outputs = new Set<string>();
    const seconds: number[] = [];
    const count = Math.max(ROUNDS_MIN, Math.min(rounds, ROUNDS_MAX));
    for (let round = 0; round < count; round++) {
      const start = ballast('--version').seconds;
      const run = ballast('backtest', config, '--tape', tape, '--json');
      outputs.add(run.output);
      seconds.push(run.seconds - start);
    }
    const { pnl } = JSON.parse([...outputs][0]!) as { pnl: { residual: string } };
    if (outputs.size !== 1 || Number(pnl.residual) !== 0)
      return { goals: [missed(LIMIT, 'other bytes, or a residual')], figures: {} };
    return {
      goals: [reached(LIMIT, median(seconds))],
      figures: { 'G10 ten hours, s': rounded(median(seconds)) },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ballast(...args: readonly string[]): { readonly output: string; readonly seconds: number } {
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'bin', 'ballast.mjs'), ...args],
    {
      encoding: 'utf8',
      timeout: COMMAND_MS_MAX,
      maxBuffer: 1 << 28,
    },
  );
  if (status !== 0) throw new Error(`ballast ${args[0]} ended with ${status}: ${stderr.slice(-400)}`);
  return { output: stdout, seconds: (performance.now() - began) / 1_000 };
}

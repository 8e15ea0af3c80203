/**
 * @module
 * Whether a debugger can look into this process: with access to its port one reads the keys, and may have the bot sign.
 */
import { url } from 'node:inspector';
import { readEnvironment } from '../../core/environment/index.ts';
import { BotError, type Clock, type Timer } from '../../core/index.ts';
import type { StopSignal } from './stop-signal.ts';

const CODE = 'PREFLIGHT_DEBUGGER_OPEN';
/** Options of Node that open an inspector or write memory to a file; either dash is the same to Node. */
const OPENING = /^["']?--(?:inspect(?![-_]port)|debug(?![-_]port)|heap[-_]?snapshot|heapsnapshot)/;

/** What is open, in words; `undefined`: nothing. */
function openDebugger(): string | undefined {
  const at = url();
  if (at !== undefined) return `an inspector that listens on ${new URL(at).host}`;
  const option = [...process.execArgv, ...readEnvironment().nodeOptions.split(/\s+/)].find((word) =>
    OPENING.test(word),
  );
  return option === undefined ? undefined : `the option ${option.replace(/=.*/, '')} of Node`;
}

/** Ends what would load keys where a debugger is open. @throws BotError `PREFLIGHT_DEBUGGER_OPEN`. */
export function refuseDebugger(): void {
  const open = openDebugger();
  if (open === undefined) return;
  throw new BotError({
    code: CODE,
    message: `expected no debugger in a process that holds keys, got ${open}`,
    remedy:
      'Start it without the inspect option of Node, also in NODE_OPTIONS; debug a strategy with --mode sim or a backtest.',
  });
}

/** Looks for a debugger with each heartbeat: one that is opened later ends the run in order. */
export function watchDebugger(clock: Clock, heartbeatMs: number, stop: StopSignal): Timer {
  return clock.every(heartbeatMs, () => {
    const open = openDebugger();
    if (open !== undefined) stop.request({ by: 'halt', code: CODE, why: `a debugger was opened: ${open}` });
  });
}

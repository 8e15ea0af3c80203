/**
 * @module
 * The metrics of the health vector that come from outside the kernel (dead-mans-switch.md): stream, journal, clock,
 * event loop, grants.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock, Timer } from '../../../core/index.ts';
import { BUFFERED_MAX, overloadText, type Stream } from '../../../wire/stream/index.ts';
import type { Journal } from '../../journal/index.ts';
import type { OutsideInputs } from '../../kernel/index.ts';
import type { Environment } from '../connect/environment.ts';

/** What the metrics are read from. */
export interface HealthSources {
  readonly clock: Clock;
  readonly environment: Environment;
  /** The journal; `undefined` before it is open. */
  readonly journal: () => Journal | undefined;
  /** The stream; `undefined` before it is open. */
  readonly stream: () => Stream | undefined;
  /** When the first of the grants ends by exchange time; 0: none ever ends. */
  readonly grantUntilMs: () => number;
  readonly switchTimeoutMs: number;
  /** What keeps the tape of the run; absent: nothing does. */
  readonly recording?: { trouble(): string | undefined } | undefined;
  /** Virtual time waits for the event loop, so nothing can be late in it (H8). */
  readonly isOnVirtualTime: boolean;
}

/** The metrics, kept up to date until {@link HealthInputs.stop}. */
export interface HealthFiguresReader {
  /** The metrics now. */
  read(): OutsideInputs;
  /** Stops the updates. */
  stop(): void;
}

/** Resolution of the event-loop delay, and the window of its percentile (H8: the last 5 s). */
const LOOP_RESOLUTION_MS = 20;
const LOOP_WINDOW_MS = 5_000;
/** A jump of the clock offset counts as present for this long; afterwards new readings have taken its place. */
const JUMP_MEMORY_MS = 5_000;

/** Starts watching. */
export function watchHealth(sources: HealthSources): HealthFiguresReader {
  const loop = sources.isOnVirtualTime ? NO_LOOP : watchLoop(sources.clock);
  return {
    read: () => ({
      ...streamFigures(sources),
      journalProblem: journalProblem(sources.journal()),
      recording: sources.recording?.trouble(),
      clockJumpMs: clockJump(sources),
      loopDelayP99Ms: loop.p99Ms(),
      grantLeftMs: grantLeft(sources),
      switchTimeoutMs: sources.switchTimeoutMs,
    }),
    stop: () => loop.stop(),
  };
}

function grantLeft({ grantUntilMs, environment }: HealthSources): number | 'none' {
  const untilMs = grantUntilMs();
  return untilMs === 0 ? 'none' : untilMs - environment.gateway.serverClock.serverNowMs();
}

interface LoopWatch {
  p99Ms(): number | 'none';
  stop(): void;
}

const NO_LOOP: LoopWatch = { p99Ms: () => 'none', stop: () => undefined };

function watchLoop(clock: Clock): LoopWatch {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  let lastWindowMs = 0;
  const window: Timer = clock.every(LOOP_WINDOW_MS, () => {
    lastWindowMs = delayOf(loop);
    loop.reset();
  });
  return {
    p99Ms: () => Math.max(lastWindowMs, delayOf(loop)),
    stop: () => {
      window.cancel();
      loop.disable();
    },
  };
}

/** The delay beyond the histogram's own period, 99th percentile, in milliseconds. */
function delayOf(loop: ReturnType<typeof monitorEventLoopDelay>): number {
  const p99Ms = loop.percentile(99) / 1e6;
  return Math.max(0, p99Ms - LOOP_RESOLUTION_MS);
}

function streamFigures({
  stream,
}: HealthSources): Pick<OutsideInputs, 'privateStreamAgeMs' | 'backfillingMs' | 'queues' | 'overload'> {
  const current = stream();
  if (current === undefined) return { privateStreamAgeMs: undefined, backfillingMs: 0, queues: [] };
  const { account, load } = current.state();
  const { backfillMs, bufferedFrames } = account;
  return {
    privateStreamAgeMs: current.lastActivityMs(),
    backfillingMs: backfillMs,
    queues: [{ name: 'frames that wait for the join', size: bufferedFrames, sizeMax: BUFFERED_MAX }],
    overload: overloadText(load),
  };
}

function journalProblem(journal: Journal | undefined): string | undefined {
  if (journal === undefined) return 'not open';
  const status = journal.status();
  if (status.failure !== undefined) return status.failure.message;
  return status.isBelowReserve
    ? `${status.freeBytes} bytes are free on its disk, less than the reserve`
    : undefined;
}

function clockJump({ environment, clock }: HealthSources): number | undefined {
  const state = environment.gateway.serverClock.state();
  if (!state.isKnown) return undefined;
  if (state.lastJumpAtMs === undefined || clock.monotonicMs() - state.lastJumpAtMs > JUMP_MEMORY_MS) return 0;
  return state.lastJumpMs;
}

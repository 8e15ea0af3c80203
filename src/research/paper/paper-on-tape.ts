/**
 * @module
 * A paper run over a tape, at recorded speed, at a multiple of it, or as fast as it goes. The result is a function of
 * tape, configuration, seed and code; the speed is only for who watches. No key is loaded and nothing is signed.
 */

import { join } from 'node:path';
import type { RunReport } from '../../bot/live/index.ts';
import {
  bandTextOf,
  describeStop,
  keepTidy,
  type RunOptions,
  runIdOf,
  runStatusOf,
} from '../../bot/live/index.ts';
import type { KeptLog } from '../../bot/replay/index.ts';
import { openRunLog, RUN_LOG_FILE, type RunLogWriter } from '../../bot/replay/index.ts';
import {
  limitsOf,
  monitorLimitsOf,
  type PreparedStrategy,
  prepareStrategies,
} from '../../bot/setup/index.ts';
import { messageOf } from '../../core/index.ts';
import type { Fill, RunRecord } from '../../domain/index.ts';
import { writeLogLines } from '../../tape/recorder/index.ts';
import type { BacktestOptions } from '../backtest/index.ts';
import {
  backtestOptionsOf,
  bandedRecord,
  type ConfiguredBacktest,
  readCalibration,
} from '../backtest/index.ts';
import { PaperBooks } from './paper-books.ts';
import { paperReportOf } from './paper-report.ts';
import { PaperWorld } from './paper-world.ts';

/** What a paper run is started with. */
export interface TapePaperOptions
  extends Pick<RunOptions, 'source' | 'clock' | 'log' | 'stop' | 'beganAtMs' | 'show' | 'recordFolder'>,
    Pick<ConfiguredBacktest, 'tape' | 'fromMs' | 'toMs' | 'seed' | 'calibration' | 'onClock'> {
  /** How many seconds of the tape pass in one. */
  readonly speed: number | 'max';
  /** Folder of the user's state; `undefined`: the user's own. */
  readonly lockFolder?: string | undefined;
  /** Shown the world before time passes in it. */
  readonly onWorld?: (world: PaperWorld) => void;
}

/** What a paper run leaves. */
export interface PaperRun {
  /** Report of the run. */
  readonly report: RunReport;
  /** Record of the run. */
  readonly record: RunRecord;
  /** Fills in order. */
  readonly fills: readonly Fill[];
  /** Of all decisions and fills; see `DecisionHash`. */
  readonly decisionHash: string;
  /** Id of the run. */
  readonly runId: string;
}

/** Time of the tape that passes at a stretch, so that the machine's own timers are not late. */
const STRETCH_US_MAX = 10_000_000;
const PACE_MS = 20;
/** This many entries of the log may wait before the run waits for the disk. */
const LOG_WAITING_MAX = 20_000;

/** Runs until the tape or the time is over. @throws what keeps a run from starting. */
export async function paperOnTape(options: TapePaperOptions): Promise<PaperRun> {
  const { source, clock, stop } = options;
  const strategies = await prepareStrategies(source);
  const calibrated = readCalibration(options.calibration);
  const parts = backtestOptionsOf({ ...options, calibrated }, strategies);
  const runId = runIdOf(clock, parts.seed);
  const runLog = openPaperLog(options, runId);
  const endKeeping = keepTidy(options, runId);
  const books = new PaperBooks(clock);
  const limits = limitsOf(source.config, parts.collateralDecimals);
  const { heartbeat, timeout } = source.config.deadMansSwitch;
  const world = new PaperWorld({
    ...parts,
    // The switch is there as on a gateway, and nothing rests without it.
    limits,
    monitor: monitorLimitsOf(source.config, limits, {
      venue: 'paper',
      collateralDecimals: parts.collateralDecimals,
    }),
    identity: { ...parts.identity, runId },
    books,
    switch: { periodMs: heartbeat, timeoutMs: timeout },
    keptLog: runLog && keptLogOf(options, { runLog, strategies, parts }),
    onNoStrategyLeft: ({ code, message }) => stop.request({ by: 'halt', why: message, code }),
    onCrash: (thrown) => stop.request({ by: 'halt', why: `a bug in the kernel: ${messageOf(thrown)}` }),
  });
  options.onWorld?.(world);
  world.start();
  const takeDown = options.show(() => runStatusOf(world.bot, world.clock.monotonicMs()));
  try {
    const isThrough = await play(world, options, runLog);
    const reason = stop.reason;
    const why = isThrough || reason === undefined ? 'end of the tape' : describeStop(reason);
    const isEmpty = await world.stop(why);
    const report = paperReportOf({
      ...{ config: source.config, bot: world.bot, venue: world.venue, books, isEmpty, stopReason: why },
      ...{ markets: parts.tape.markets, collateralDecimals: parts.collateralDecimals, seed: parts.seed },
      market: 'recorded',
      durationMs: world.clock.monotonicMs(),
      beganAtMs: options.beganAtMs,
    });
    const { decisionHash } = world;
    const record = bandedRecord(world.finish(), calibrated);
    return { report: { ...report, ...bandTextOf(record) }, record, fills: books.fills, decisionHash, runId };
  } finally {
    takeDown();
    endKeeping();
    await runLog?.close();
  }
}

/** Lets the tape pass; true: it is through. */
async function play(
  world: PaperWorld,
  { clock, stop, speed }: TapePaperOptions,
  runLog: RunLogWriter | undefined,
): Promise<boolean> {
  const beganAtMs = clock.monotonicMs();
  let us = world.startUs;
  while (stop.reason === undefined) {
    const dueUs =
      speed === 'max'
        ? Number.POSITIVE_INFINITY
        : world.startUs + (clock.monotonicMs() - beganAtMs) * speed * 1_000;
    us = Math.min(dueUs, us + STRETCH_US_MAX);
    if (!world.advanceTo(us)) return true;
    if (runLog !== undefined && runLog.waiting > LOG_WAITING_MAX) await runLog.flush();
    await new Promise<void>((resolve) => {
      if (us < dueUs) clock.soon(resolve);
      else clock.after(PACE_MS, resolve);
    });
  }
  return false;
}

/** The log of a run over a tape, unless nothing is recorded. Nothing waits for this thread, so it writes it. */
function openPaperLog(
  { source, recordFolder, clock, log }: TapePaperOptions,
  runId: string,
): RunLogWriter | undefined {
  if (!source.config.record.enabled || recordFolder === undefined) return undefined;
  return openRunLog(writeLogLines({ folder: join(recordFolder, runId), name: RUN_LOG_FILE, clock, log }));
}

/** What the header of a paper run's log says. */
export function keptLogOf(
  { source }: Pick<TapePaperOptions, 'source'>,
  parts: {
    readonly runLog: RunLogWriter;
    readonly strategies: readonly PreparedStrategy[];
    readonly parts: Pick<BacktestOptions, 'seed' | 'collateralDecimals'>;
  },
): KeptLog {
  const { seed, collateralDecimals } = parts.parts;
  const config = { file: source.config.file, text: source.text };
  const about = { mode: 'paper', seed: `${seed}/bot`, collateralDecimals, config } as const;
  return { writer: parts.runLog, strategies: parts.strategies, about };
}

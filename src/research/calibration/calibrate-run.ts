/**
 * @module
 * `ballast calibrate`: from the log of a run and a tape of its market to the fill model and the latencies with which a
 * backtest of the same rules gives what the run had. The rules are those of the run: its configuration and strategies.
 */

import { type RunCode, type RunLogReader, readRunLog, sourceOfRun } from '../../bot/replay/index.ts';
import { prepareStrategies } from '../../bot/setup/index.ts';
import { BotError, must, silentLog } from '../../core/index.ts';
import { type Fill, MARKOUT_HORIZONS_MS, type RunRecord } from '../../domain/index.ts';
import { type BacktestOptions, backtestOptionsOf, type HeldErrors, runBacktest } from '../backtest/index.ts';
import type { FillModelSettings } from '../venue/index.ts';
import {
  type ComparedFill,
  calibrateQueue,
  errorsOf,
  type QueueCalibration,
  type RunSpan,
} from './calibrate.ts';
import { drawnFrom, type LatencyFigures, LatencyProbe, latencyFigures } from './latency-probe.ts';

/** One component of latency: its statistics, and the values that a backtest draws from. */
export interface CalibratedLatency extends LatencyFigures {
  /** Sample values, us. */
  readonly us: readonly number[];
}

/** What a calibration leaves, as a document. */
export interface CalibrationDocument extends QueueCalibration {
  /** Name of the document. */
  readonly schema: 'ballast-calibration';
  /** Version of the document. */
  readonly version: 1;
  /** Id of the run. */
  readonly runId: string;
  /** Path of the tape. */
  readonly tape: string;
  /** `null`: the run had no write to measure it; the backtest's own settings were used. */
  readonly entry: CalibratedLatency | null;
  /** Latency of responses; `null`: not measured. */
  readonly response: CalibratedLatency | null;
  /** Out-of-sample errors of these models, from which bands are made. */
  readonly errors: HeldErrors;
}

/** What is calibrated. */
export interface CalibrateOptions extends Omit<RunCode, 'config'> {
  /** Folder of the tape; default: that of the run. */
  readonly tape?: string | undefined;
  /** Called for each backtest that begins. */
  readonly onStep?: (model: FillModelSettings) => void;
}

const US_PER_MS = 1_000;
/** Fewer say nothing of a queue. */
const FILLS_MIN = 20;
/** Fine enough for a markout at 1 s. */
const SAMPLE_PERIOD_MS = 100;

/** Calibrates. @throws BotError `RUN_LOG_...`, `REPLAY_CODE_...`, `TAPE_...`, `CALIBRATION_FILLS_TOO_FEW`; ConfigError for the run's configuration. */
export async function calibrateRun(options: CalibrateOptions): Promise<CalibrationDocument> {
  const { folder, tape = folder, onStep } = options;
  const reader = readRunLog(folder);
  const { header } = reader;
  const source = sourceOfRun(header, options);
  const strategies = await prepareStrategies(source);
  const heard = hear(reader);
  const { entryUs, responseUs } = heard.probe.samples();
  const plan = backtestOptionsOf({ source, tape, log: silentLog }, strategies);
  const span = withinTape(heard.span, plan);
  const [entry, response] = [latencyOf(entryUs), latencyOf(responseUs)];
  const { latency } = plan;
  const simulate = (fillModel: FillModelSettings, { fromMs, toMs }: RunSpan): RunRecord => {
    onStep?.(fillModel);
    return runBacktest({
      ...plan,
      fillModel,
      latency: {
        entry: entry === null ? latency.entry : { kind: 'sampled', us: entry.us },
        response: response === null ? latency.response : { kind: 'sampled', us: response.us },
      },
      samplePeriodMs: SAMPLE_PERIOD_MS,
      fromUs: fromMs * US_PER_MS,
      toUs: toMs * US_PER_MS,
    }).record;
  };
  const makers = heard.fills.filter(
    ({ role, atMs }) => role === 'maker' && atMs !== null && atMs >= span.fromMs && atMs < span.toMs,
  );
  if (makers.length < FILLS_MIN) throw tooFewFills(folder, makers.length);
  // What a price was later does not depend on our orders: any backtest has seen it.
  const seen = simulate({ name: 'queue-risk-averse' }, span);
  const calibration = calibrateQueue({
    span,
    fills: makers.map((fill) => withLater(fill, seen)),
    simulate: (fillModel, part) => simulate(fillModel, part).fills,
  });
  const { runId } = header;
  const errors = errorsOf(calibration.held);
  return {
    ...{ schema: 'ballast-calibration', version: 1, runId, tape: plan.tape.name, entry, response },
    ...calibration,
    errors,
  };
}

/** What the log of a run says of its own orders. */
function hear(reader: RunLogReader): {
  readonly probe: LatencyProbe;
  readonly fills: readonly Fill[];
  readonly span: RunSpan;
} {
  const { nowMs, monotonicMs } = reader.header.madeAt;
  const probe = new LatencyProbe();
  const fills: Fill[] = [];
  let heardMs: number = nowMs;
  for (const { at, event } of reader.entries()) {
    if (at !== undefined) heardMs = nowMs + at.monotonicMs - monotonicMs;
    if (event.kind !== 'fact') continue;
    probe.take(event.fact, heardMs * US_PER_MS);
    if (event.fact.type === 'FillRecorded') fills.push(event.fact.fill);
  }
  return { probe, fills, span: { fromMs: nowMs, toMs: Math.ceil(heardMs) } };
}

/** @throws BotError `TAPE_TIME_MISMATCH` when tape and run have no time in common. */
function withinTape({ fromMs, toMs }: RunSpan, { tape }: BacktestOptions): RunSpan {
  const span = {
    fromMs: Math.max(fromMs, Math.ceil(tape.fromUs / US_PER_MS)),
    toMs: Math.min(toMs, Math.floor(tape.toUs / US_PER_MS)),
  };
  if (span.fromMs < span.toMs) return span;
  throw new BotError({
    code: 'TAPE_TIME_MISMATCH',
    message: `expected a tape of the time of the run, got ${tape.name} of another time`,
    remedy: 'Name the tape that was recorded during the run.',
  });
}

function latencyOf(us: readonly number[]): CalibratedLatency | null {
  const figures = latencyFigures(us);
  return figures === undefined ? null : { ...figures, us: drawnFrom(us) };
}

/** A fill with the mids that came later, from the samples of a record. */
function withLater(fill: Fill, { samples, markets }: RunRecord): ComparedFill {
  const { side, role, priceTicks, sizeLots, symbol } = fill;
  const atMs = must(fill.atMs, 'the time of a fill');
  const mids = samples.midTicks[markets.findIndex((market) => market.symbol === symbol)];
  const first = samples.atMs[0] ?? 0;
  const laterMidTicks = MARKOUT_HORIZONS_MS.map((horizonMs) => {
    const place = Math.round((atMs + horizonMs - first) / samples.periodMs);
    return mids?.[place] ?? Number.NaN;
  });
  return { atMs, side, role, priceTicks, sizeLots, laterMidTicks };
}

function tooFewFills(folder: string, count: number): BotError {
  return new BotError({
    code: 'CALIBRATION_FILLS_TOO_FEW',
    message: `expected at least ${FILLS_MIN} fills as maker in the run in ${folder}, got ${count}`,
    remedy: 'Calibrate with a run that was filled more often.',
  });
}

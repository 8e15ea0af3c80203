/**
 * @module
 * A backtest from a configuration and a tape: strategies loaded, markets and limits made, hashes of everything that the
 * result depends on. The result is a function of these; nothing is read from the network.
 */

import {
  hashesOf,
  limitsOf,
  monitorLimitsOf,
  type PreparedStrategy,
  prepareStrategies,
  setupsOf,
} from '../../bot/setup/index.ts';
import type { Config, ConfigSource } from '../../config/index.ts';
import { BotError, type Log, sha256, silentLog } from '../../core/index.ts';
import type { LaneId } from '../../domain/index.ts';
import { describeQuality, openTape, type Tape } from '../../tape/format/index.ts';
import { bandedRecord, type Calibrated, calibratedModels, readCalibration } from './calibration-file.ts';
import { runBacktest } from './engine.ts';
import { collateralDecimalsOf, latencyOf, localMarketsOf, localModelsOf } from './paper-settings.ts';
import type { BacktestOptions, BacktestRun, FeedLatency } from './types.ts';

/** What a backtest of a configuration is made of. */
export interface ConfiguredBacktest {
  /** The configuration and its file. */
  readonly source: ConfigSource;
  /** Folder of the tape. */
  readonly tape: string;
  /** Default: that of the environment. */
  readonly seed?: number | undefined;
  /** Start of the exchange time, Unix ms; `undefined`: from the beginning. */
  readonly fromMs?: number | undefined;
  /** End, Unix ms; `undefined`: to the end. */
  readonly toMs?: number | undefined;
  /** File of a calibration: its models instead of the configured ones, and a band around the PnL. */
  readonly calibration?: string | undefined;
  /** Receives the clock of the tape, Unix ms, before the first line is logged. */
  readonly onClock?: ((nowMs: () => number) => void) | undefined;
  /** Receives log lines; absent: none are written. */
  readonly log?: Log;
  /** Called with the rows done and the rows of the tape; absent: no progress. */
  readonly onProgress?: (rows: number, ofRows: number) => void;
}

/** A backtest whose calibration was read. */
export interface PlannedBacktest extends Omit<ConfiguredBacktest, 'calibration'> {
  readonly calibrated?: Calibrated | undefined;
}

/** The one lane of a run without a gateway, for a wallet that is not named. */
const FIRST_LANE = 'local' as LaneId;
const US_PER_MS = 1_000;

/** Runs the strategies of a configuration over a tape. @throws ConfigError, ProtocolError `TAPE_...`, BotError `TAPE_...`. */
export async function runConfiguredBacktest(options: ConfiguredBacktest): Promise<BacktestRun> {
  const strategies = await prepareStrategies(options.source);
  const calibrated = readCalibration(options.calibration);
  const run = runBacktest(backtestOptionsOf({ ...options, calibrated }, strategies));
  return { ...run, record: bandedRecord(run.record, calibrated) };
}

/** The options of a backtest, whole: for those who change one of them. */
export function backtestOptionsOf(
  planned: PlannedBacktest,
  strategies: readonly PreparedStrategy[],
): BacktestOptions {
  const { source, tape: folder, seed, fromMs, toMs, calibrated, log = silentLog, onProgress } = planned;
  const { config } = source;
  const tape = openTape(folder);
  if (tape.rows === 0) throw emptyTape(tape);
  checkSpan(tape, { fromMs, toMs });
  const collateralDecimals = collateralDecimalsOf(tape.markets);
  // No exchange outlives a backtest: its switch never fires (P15).
  const limits = { ...limitsOf(config, collateralDecimals), isSwitchRequired: false };
  const { configHash, codeHash, parameters } = hashesOf(source, strategies, 'paper');
  const seedOfRun = seed ?? config.environment.seed;
  const { sampleInterval } = config.paper;
  const madeOf = [configHash, codeHash, tape.hash, seedOfRun, fromMs, toMs];
  if (calibrated !== undefined) madeOf.push(JSON.stringify(calibrated));
  return {
    tape: {
      ...{ name: tape.name, hash: tape.hash, rows: tape.rows, fromUs: tape.fromUs, toUs: tape.toUs },
      markets: localMarketsOf(config, tape, collateralDecimals),
      undelayed: tape.markets.filter(({ hasOneTime }) => hasOneTime).map(({ symbol }) => symbol),
      quality: tape.manifest.quality && describeQuality(tape.manifest.quality),
      feeds: tape.feeds,
      feedLine: (id) => tape.feedLine(id),
      batches: () => tape.batches(),
    },
    strategies: setupsOf(strategies, { byWallet: lanesOf(config), first: FIRST_LANE }),
    limits,
    monitor: monitorLimitsOf(config, limits, { venue: 'paper', collateralDecimals }),
    seed: seedOfRun,
    ...calibratedModels(localModelsOf(config, collateralDecimals), calibrated),
    feed: feedOf(config),
    collateralDecimals,
    identity: {
      // A function of what goes in, so that the same backtest has the same name.
      runId: `backtest-${sha256(madeOf.join(' ')).slice(0, 12)}`,
      configHash,
      codeHash,
      parameters,
    },
    ...(fromMs === undefined ? {} : { fromUs: fromMs * US_PER_MS }),
    ...(toMs === undefined ? {} : { toUs: toMs * US_PER_MS }),
    samplePeriodMs: sampleInterval,
    onClock: planned.onClock,
    log,
    ...(onProgress === undefined ? {} : { onProgress: (rows) => onProgress(rows, tape.rows) }),
  };
}

/** A lane for each trading wallet, as live: their names, no keys. */
function lanesOf(config: Config): ReadonlyMap<string, LaneId> {
  const trading = config.wallets.filter(({ role }) => role === 'trading');
  return new Map(trading.map(({ name }) => [name, name as string as LaneId] as const));
}

function feedOf({ paper }: Config): FeedLatency {
  const { feedLatency, feedClockOffset } = paper;
  if (feedLatency.kind === 'in-data') return { kind: 'in-data', shiftUs: feedClockOffset * US_PER_MS };
  return latencyOf(feedLatency);
}

/** @throws BotError `TAPE_SPAN_OUTSIDE` when nothing of the tape is in the span. */
function checkSpan(tape: Tape, span: { fromMs: number | undefined; toMs: number | undefined }): void {
  const [beginMs, endMs] = [tape.fromUs / US_PER_MS, tape.toUs / US_PER_MS];
  const { fromMs = beginMs, toMs = endMs } = span;
  if (fromMs <= endMs && toMs >= beginMs && fromMs < toMs) return;
  const text = (ms: number) => new Date(ms).toISOString();
  throw new BotError({
    code: 'TAPE_SPAN_OUTSIDE',
    message: `expected --from before --to within tape ${tape.name}, which is from ${text(beginMs)} to ${text(endMs)}, got ${text(fromMs)} to ${text(toMs)}`,
    remedy: 'Choose a span that the tape covers: `ballast tape info` says what it holds.',
  });
}

function emptyTape(tape: Tape): BotError {
  return new BotError({
    code: 'TAPE_EMPTY',
    message: `expected rows on tape ${tape.name}, got none`,
    remedy: 'Import or record it again: `ballast tape info` says what it holds.',
  });
}

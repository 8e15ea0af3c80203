/**
 * @module A sweep from a configuration and a tape: its axes checked against the strategies before anything runs, jobs
 * on threads of this machine or on workers of a queue, results on disk as they come, and the outcome of it as a plain
 * document.
 */
import { availableParallelism } from 'node:os';
import { hashesOf, type PreparedStrategy, prepareStrategies } from '../../bot/setup/index.ts';
import type { Config, ConfigSource, SweepStatistic } from '../../config/index.ts';
import { ConfigError, ownModule, sha256 } from '../../core/index.ts';
import type { SweepDocument, SweepDocumentRow } from '../../report/index.ts';
import { openTape } from '../../tape/format/index.ts';
import { collateralDecimalsOf, localMarketsOf, readCalibration } from '../backtest/index.ts';
import { keepBest } from './best-runs.ts';
import { type Axis, GRID_POINTS_MAX, pointCount, stepsOf } from './space.ts';
import { type Objective, runSweep, type SweepOutcome, type SweepRow, type SweepSettings } from './sweep.ts';
import { assigned, type SweepSetup } from './sweep-job.ts';
import { openResults } from './sweep-results.ts';
import { createThreadPool } from './thread-pool.ts';
import type { JobRunner, SweepJob } from './types.ts';

/** What a sweep is made of. */
export interface SweepOptions {
  /** The configuration and its file. */
  readonly source: ConfigSource;
  /** Folder of the tape. */
  readonly tape: string;
  /** Folder of its results; one that has some is resumed. */
  readonly out: string;
  /** Random seed; `undefined`: one is drawn. */
  readonly seed: number | undefined;
  /** File of a calibration: its models instead of the configured ones, and a band around each PnL. */
  readonly calibration?: string | undefined;
  /** Threads; default one a core. */
  readonly workers: number | undefined;
  /** Where jobs run instead of threads of this machine. */
  readonly runnerOf?: (setup: SweepSetup) => Promise<JobRunner>;
  /** Jobs with a result, of those that are asked for so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Statistics of which less is better. */
const LOWER: ReadonlySet<SweepStatistic> = new Set(['maxDrawdown', 'meanInventory']);

/** Runs the section `sweep` of a configuration. @throws ConfigError `SWEEP_...`; BotError for the tape or the results. */
export async function sweepConfiguration(options: SweepOptions): Promise<SweepDocument> {
  const { source, out, onProgress } = options;
  const strategies = await prepareStrategies(source);
  const settings = settingsOf(source.config);
  checkAxes(settings, strategies);
  const tape = openTape(options.tape);
  // What would fail every combination alike is reported before the first, and not stored as theirs: a market that the
  // tape does not hold, a tape that is damaged (it is proven as it is read).
  localMarketsOf(source.config, tape, collateralDecimalsOf(tape.markets));
  for (const _batch of tape.batches());
  const seed = options.seed ?? source.config.environment.seed;
  const { codeHash } = hashesOf(source, strategies, 'paper');
  const calibrated = readCalibration(options.calibration);
  const common: unknown[] = [codeHash, configHashOf(source.config), tape.hash, seed];
  if (calibrated !== undefined) common.push(calibrated);
  const results = openResults(out);
  let planned = 0;
  let done = 0;
  const runner = await openRunner(options, { seed, codeHash, tapeHash: tape.hash, calibrated });
  try {
    const outcome = await runSweep(settings, {
      span: { fromMs: Math.floor(tape.fromUs / 1_000), toMs: Math.ceil(tape.toUs / 1_000) },
      runner,
      known: results.known,
      keyOf: (job) => keyOf(common, job),
      onResult: (result, job) => {
        results.keep(result, job);
        onProgress?.(++done, planned);
      },
      onPlan: (jobs) => {
        planned = jobs;
      },
    });
    const document = documentOf(settings, outcome, tape);
    keepBest({ source, strategies, tape: options.tape, out, seed, calibrated }, document);
    return document;
  } finally {
    await runner.close();
  }
}

async function openRunner(
  options: SweepOptions,
  known: Pick<SweepSetup, 'seed' | 'codeHash' | 'tapeHash' | 'calibrated'>,
): Promise<JobRunner> {
  const { source, tape, workers, runnerOf } = options;
  const setup: SweepSetup = { configText: source.text, configFile: source.config.file, tape, ...known };
  if (runnerOf !== undefined) return await runnerOf(setup);
  return createThreadPool({
    url: ownModule('research/sweep/sweep-worker'),
    data: setup,
    workers: workers ?? availableParallelism(),
  });
}

/** What the section sweep of a configuration asks for. @throws ConfigError `SWEEP_MISSING`, `SWEEP_GRID_TOO_LARGE`. */
export function settingsOf(config: Config): SweepSettings {
  const { sweep } = config;
  if (sweep === undefined) throw noSection(config.file);
  const { method, trials, seed, population, windows, trainFraction } = sweep;
  const axes = Object.entries(sweep.parameters).map(
    ([path, given]): Axis => ({
      path,
      values: 'values' in given ? [...new Set(given.values)] : stepsOf(given),
    }),
  );
  if (method === 'grid' && pointCount(axes) > GRID_POINTS_MAX) throw tooLarge(axes);
  return {
    ...{ axes, method, trials, population, seed, windows },
    objectives: sweep.objectives.map(
      (statistic): Objective => ({ statistic, better: LOWER.has(statistic) ? 'lower' : 'higher' }),
    ),
    trainFraction: trainFraction.toNumber(),
  };
}

/** Each value separately, before the first run: a wrong one is named at once. @throws what {@link assigned} throws. */
export function checkAxes({ axes }: SweepSettings, strategies: readonly PreparedStrategy[]): void {
  for (const { path, values } of axes) for (const value of values) assigned(strategies, { [path]: value });
}

/** Of everything but the sweep itself: with more trials or another method known results stay known. */
function configHashOf({ sweep: _sweep, file: _file, tape: _tape, ...rest }: Config): string {
  return sha256(JSON.stringify(rest));
}

function keyOf(common: readonly unknown[], { parameters, fromMs, toMs }: Omit<SweepJob, 'key'>): string {
  const values = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([...common, values, fromMs, toMs])).slice(0, 32);
}

/** Outcome of a sweep, as a plain document. */
export function documentOf(
  { method, axes, objectives }: SweepSettings,
  { rows, windows }: SweepOutcome,
  tape: { readonly name: string; readonly hash: string },
): SweepDocument {
  const isTrained = rows.filter(({ job }) => job.part !== 'test');
  return {
    schema: 'ballast-sweep',
    version: 1,
    tape: { name: tape.name, hash: tape.hash },
    method,
    axes: axes.map(({ path, values }) => ({ path, values: [...values] })),
    objectives: [...objectives],
    rows: isTrained.map(rowOf),
    windows: windows.map(({ window, train, test, best, outOfSample }) => ({
      window,
      train,
      test: test ?? null,
      best: best === undefined ? null : rowOf(best),
      outOfSample: outOfSample === undefined ? null : rowOf(outOfSample),
    })),
  };
}

function rowOf({ job, result }: SweepRow): SweepDocumentRow {
  const { key, parameters, window } = job;
  return 'error' in result
    ? {
        key,
        window,
        parameters,
        statistics: null,
        annualReason: null,
        failure: null,
        course: null,
        error: result.error,
        decisionHash: null,
      }
    : {
        key,
        window,
        parameters,
        statistics: result.statistics,
        annualReason: result.annualReason,
        failure: result.failure,
        course: result.course,
        error: null,
        decisionHash: result.decisionHash,
      };
}

function noSection(file: string): ConfigError {
  return new ConfigError({
    code: 'SWEEP_MISSING',
    message: `expected a section sweep in ${file}, got none`,
    remedy: 'Say which parameters are tried: docs/guides/sweeps.md has an example.',
  });
}

function tooLarge(axes: readonly Axis[]): ConfigError {
  return new ConfigError({
    code: 'SWEEP_GRID_TOO_LARGE',
    message: `expected at most ${GRID_POINTS_MAX} combinations, got ${pointCount(axes)}`,
    remedy: 'Take fewer values, or method random or nsga2.',
  });
}

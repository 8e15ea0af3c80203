/**
 * @module
 * The same backtest many times, each with one thing a little worse or a little different: parameters moved, answers later,
 * fills that another participant has. On threads of this machine; every draw is a function of the seed of the run. What
 * this does not do: judge. Reports make bands of the runs.
 *
 * The first job changes nothing: where it decides otherwise than the actual run, no difference would mean a thing.
 */
import { availableParallelism } from 'node:os';
import { hashesOf, type PreparedStrategy, prepareStrategies } from '../../bot/setup/index.ts';
import { ConfigError, Decimal, ownModule, parseScaled, seededRandom } from '../../core/index.ts';
import { type DisturbedRun, quantums, type RobustnessKind, type RunRobustness } from '../../domain/index.ts';
import { openTape } from '../../tape/format/index.ts';
import {
  type BacktestRun,
  type ConfiguredBacktest,
  collateralDecimalsOf,
  type Disturbance,
  localMarketsOf,
  readCalibration,
} from '../backtest/index.ts';
import { drawNoise, type NoiseSpace, noiseSpaceOf } from './noise.ts';
import { createThreadPool } from './thread-pool.ts';
import type { SweepJob, SweepResult } from './types.ts';

/** What a study of robustness is made of: those of the actual run, and the run. */
export interface RobustnessOptions
  extends Pick<ConfiguredBacktest, 'source' | 'tape' | 'fromMs' | 'toMs' | 'calibration'> {
  /** The actual run. */
  readonly actual: BacktestRun;
  /** Runs of each kind. */
  readonly runs: number;
  /** Threads; default one a core. */
  readonly workers: number | undefined;
  /** Backtests done, of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The largest delay of an answer or a report, us. */
const LATER_US_MAX = 500_000;
/** The chance that a fill is missed, ppm. */
const MISSED_PPM = 100_000;
const US_PER_MS = 1_000;

const ASSUMPTIONS: Readonly<Record<RobustnessKind, string>> = {
  parameters: 'each number of the strategies moved within 10 % of its value, evenly',
  delays: 'each packet of answers and reports 0 to 500 ms later, evenly, in its order',
  missedFills:
    '10 % of the fills of resting orders go to another participant, and the orders stay where they are',
};

/** What is run of one kind. */
interface Plan {
  readonly kind: RobustnessKind;
  readonly jobs: readonly SweepJob[];
}

/**
 * The strategies of a study and what noise can do to them: to be asked before the actual run.
 * @throws ConfigError `ROBUSTNESS_NO_PARAMETER` where no parameter can be moved; as a backtest.
 */
export async function prepareRobustness({
  source,
  tape: folder,
}: Pick<ConfiguredBacktest, 'source' | 'tape'>) {
  const strategies = await prepareStrategies(source);
  const tape = openTape(folder);
  const markets = localMarketsOf(source.config, tape, collateralDecimalsOf(tape.markets));
  const space = noiseSpaceOf(strategies, markets);
  if (space.movable.length === 0) throw nothingToMove(space);
  return { strategies, tape, space };
}

/**
 * Runs a study. @throws ConfigError `ROBUSTNESS_NOT_REPEATABLE` when the backtest is not the same twice; as
 * {@link prepareRobustness}.
 */
export async function robustnessOf(options: RobustnessOptions): Promise<RunRobustness> {
  const { source, runs, actual } = options;
  const { strategies, tape, space } = await prepareRobustness(options);
  const { seed, collateralDecimals } = actual.record;
  const calibrated = readCalibration(options.calibration);
  const span = {
    fromMs: options.fromMs ?? Math.floor(tape.fromUs / US_PER_MS),
    toMs: options.toMs ?? Math.ceil(tape.toUs / US_PER_MS),
  };
  const plans = plansOf({ strategies, space, seed, runs }, { ...span, window: 0, part: 'whole' });
  const same: SweepJob = { ...span, key: 'actual', parameters: {}, window: 0, part: 'whole' };
  const jobs = [same, ...plans.flatMap((plan) => plan.jobs)];
  const results = new Map<string, SweepResult>();
  const pool = createThreadPool({
    url: ownModule('research/sweep/sweep-worker'),
    data: {
      ...{ configText: source.text, configFile: source.config.file, tape: options.tape, seed, calibrated },
      ...{ codeHash: hashesOf(source, strategies, 'paper').codeHash, tapeHash: tape.hash },
    },
    workers: options.workers ?? availableParallelism(),
  });
  try {
    await pool.run(jobs, (result) => {
      results.set(result.key, result);
      options.onProgress?.(results.size, jobs.length);
    });
  } finally {
    await pool.close();
  }
  checkSame(actual, results.get(same.key));
  return {
    seed,
    kinds: plans.map(({ kind, jobs: own }) => ({
      ...{ kind, assumption: ASSUMPTIONS[kind] },
      runs: own.map((job) => runOf(job, results.get(job.key), collateralDecimals)),
    })),
    unmoved: space.unmoved,
  };
}

function plansOf(
  given: {
    readonly strategies: readonly PreparedStrategy[];
    readonly space: NoiseSpace;
    readonly seed: number;
    readonly runs: number;
  },
  common: Omit<SweepJob, 'key' | 'parameters'>,
): readonly Plan[] {
  const { strategies, space } = given;
  const random = seededRandom(`robustness ${given.seed}`);
  const numbers = Array.from({ length: given.runs }, (_, at) => at + 1);
  const disturbed = (kind: RobustnessKind, disturbance: Omit<Disturbance, 'seed'>) =>
    numbers.map((number) => {
      const key = `${kind} ${number}`;
      return { ...common, key, parameters: {}, disturbance: { seed: key, ...disturbance } };
    });
  return [
    {
      kind: 'parameters',
      jobs: numbers.map((number) => {
        const key = `parameters ${number}`;
        return { ...common, key, parameters: drawNoise(strategies, space.movable, random.fork(key)) };
      }),
    },
    { kind: 'delays', jobs: disturbed('delays', { laterUsMax: LATER_US_MAX }) },
    { kind: 'missedFills', jobs: disturbed('missedFills', { missedPpm: MISSED_PPM }) },
  ];
}

function runOf({ parameters }: SweepJob, result: SweepResult | undefined, decimals: number): DisturbedRun {
  if (result === undefined || 'error' in result) {
    const failure = result?.error ?? 'no result';
    return { parameters, profit: null, drawdown: null, fills: 0, failure, decisionHash: null };
  }
  const { statistics, failure, decisionHash } = result;
  // Decimal text went in: with 15 digits the shortest text of the number is that again.
  const profit = parseScaled(new Decimal(statistics['pnl'] ?? 0).toFixed(), decimals);
  return {
    ...{ parameters, profit: profit === undefined ? null : quantums(profit) },
    ...{ drawdown: statistics['maxDrawdown'] ?? null, fills: statistics['fills'] ?? 0 },
    ...{ failure, decisionHash },
  };
}

function checkSame(actual: BacktestRun, result: SweepResult | undefined): void {
  if (result !== undefined && 'decisionHash' in result && result.decisionHash === actual.decisionHash) return;
  const found =
    result === undefined || 'error' in result
      ? `a failure: ${result?.error ?? 'no result'}`
      : `decisions ${result.decisionHash.slice(0, 12)}`;
  throw new ConfigError({
    code: 'ROBUSTNESS_NOT_REPEATABLE',
    message: `expected the same backtest again to decide the same, ${actual.decisionHash.slice(0, 12)}, got ${found}`,
    remedy:
      'A strategy that reads the clock, random numbers or files decides otherwise each time: `ballast examine` finds what it reads.',
  });
}

function nothingToMove({ unmoved }: NoiseSpace): ConfigError {
  const listed = unmoved.map(({ parameter, why }) => `${parameter}: ${why}`).join('; ');
  return new ConfigError({
    code: 'ROBUSTNESS_NO_PARAMETER',
    message: `expected a number among the parameters of the strategies that can be moved, got none${listed === '' ? '' : ` (${listed})`}`,
    remedy: 'Leave --robustness out, or make what the strategy depends on a parameter.',
  });
}

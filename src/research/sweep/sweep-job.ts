/**
 * @module
 * One job of a sweep: the backtest of a configuration with some parameters replaced, and its statistics. The same function
 * runs in the threads of this machine and in workers on others, so that both give the same result.
 */

import {
  codeHashOf,
  hashOfStrategy,
  type PreparedStrategy,
  prepareStrategies,
} from '../../bot/setup/index.ts';
import { describeProblem } from '../../bot/strategy/index.ts';
import { type ConfigSource, parseConfig, type SweepStatistic } from '../../config/index.ts';
import { ConfigError, messageOf } from '../../core/index.ts';
import { isBadOutcome, type RunRecord } from '../../domain/index.ts';
import { jsonOfRun, outcomeWords, sumsOf } from '../../report/index.ts';
import { openTape } from '../../tape/format/index.ts';
import { backtestOptionsOf, bandedRecord, type Calibrated, runBacktest } from '../backtest/index.ts';
import type { SweepCourse, SweepJob, SweepResult, SweepSuccess } from './types.ts';

/** What all jobs of a sweep have in common; plain data, for threads and queues. */
export interface SweepSetup {
  /** Text of the configuration. */
  readonly configText: string;
  /** File of the configuration: its relative paths start in its folder. */
  readonly configFile: string;
  /** Folder of the tape. */
  readonly tape: string;
  /** Random seed; `undefined`: one is drawn. */
  readonly seed: number | undefined;
  /** What the sweep was asked for with: a worker elsewhere may have another. */
  readonly codeHash: string;
  /** Hash of the tape. */
  readonly tapeHash: string;
  /** Instead of the configured models; absent: those. */
  readonly calibrated?: Calibrated | undefined;
}

/** Runs jobs of one setup. */
export type JobEvaluator = (job: SweepJob) => SweepResult;

/** Loads what all jobs need. @throws ConfigError for the configuration or a strategy, `SWEEP_WORKER_DIFFERS`. */
export async function openEvaluator(setup: SweepSetup): Promise<JobEvaluator> {
  const source = parseConfig(setup.configText, setup.configFile);
  // Of other code nothing runs, and of this code nothing that its hash does not cover.
  const code = source.config.strategies.map(({ name, module }) => ({ name, sha256: hashOfStrategy(module) }));
  const codeHash = codeHashOf(code);
  if (codeHash !== setup.codeHash) throw differs('code', setup.codeHash, codeHash);
  const strategies = await prepareStrategies(source);
  const { hash } = openTape(setup.tape);
  if (hash !== setup.tapeHash) throw differs('tape', setup.tapeHash, hash);
  return (job) => {
    try {
      return evaluate({ source, strategies, setup }, job);
    } catch (thrown) {
      // What one combination does wrong is its own result: the others continue.
      return { key: job.key, error: messageOf(thrown) };
    }
  };
}

function evaluate(
  given: {
    readonly source: ConfigSource;
    readonly strategies: readonly PreparedStrategy[];
    readonly setup: SweepSetup;
  },
  { key, parameters, fromMs, toMs, disturbance }: SweepJob,
): SweepResult {
  const { source, strategies, setup } = given;
  const { tape, seed, calibrated } = setup;
  const planned = { source, tape, seed, fromMs, toMs, calibrated };
  const options = backtestOptionsOf(planned, assigned(strategies, parameters));
  const { record, decisionHash } = runBacktest({ ...options, venue: { ...options.venue, disturbance } });
  return { key, ...comparedOf(bandedRecord(record, calibrated)), decisionHash };
}

/**
 * Strategies with these parameters instead of their own.
 * @throws ConfigError `SWEEP_PARAMETER_UNKNOWN`, `SWEEP_VALUE_INVALID` naming parameter and value.
 */
export function assigned(
  strategies: readonly PreparedStrategy[],
  parameters: Readonly<Record<string, string>>,
): readonly PreparedStrategy[] {
  for (const path of Object.keys(parameters)) {
    const name = path.slice(0, path.indexOf('.'));
    if (!strategies.some((one) => one.name === name))
      throw invalidPath(path, `one of the strategies ${strategies.map((one) => one.name).join(', ')}`);
  }
  return strategies.map((strategy) => {
    const own = Object.entries(parameters).filter(([path]) => path.startsWith(`${strategy.name}.`));
    if (own.length === 0) return strategy;
    const replaced = structuredClone(strategy.parameters) as Record<string, unknown>;
    for (const [path, value] of own) replace(replaced, path, value);
    const checked = strategy.definition.check(replaced);
    if (checked.isValid) return { ...strategy, parameters: replaced };
    const problems = checked.problems.map((problem) => describeProblem(problem, strategy.name)).join('; ');
    throw new ConfigError({
      code: 'SWEEP_VALUE_INVALID',
      message: `expected values that strategy ${strategy.name} takes, got ${own.map(([path, value]) => `${path} = ${value}`).join(', ')}: ${problems}`,
      remedy: 'Narrow the values in the section sweep.',
    });
  });
}

function differs(what: string, expected: string, found: string): ConfigError {
  return new ConfigError({
    code: 'SWEEP_WORKER_DIFFERS',
    message: `expected the ${what} that the sweep was started with, hash ${expected.slice(0, 12)}, got ${found.slice(0, 12)}`,
    remedy: 'Give every worker the same version, strategies and tape.',
  });
}

function replace(parameters: Record<string, unknown>, path: string, value: string): void {
  const keys = path.split('.').slice(1);
  let place: Record<string, unknown> = parameters;
  for (const key of keys.slice(0, -1)) {
    const inner = place[key];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
      throw invalidPath(path, `a group of parameters at ${key}`);
    place = inner as Record<string, unknown>;
  }
  place[keys.at(-1) ?? ''] = value;
}

function invalidPath(path: string, expected: string): ConfigError {
  return new ConfigError({
    code: 'SWEEP_PARAMETER_UNKNOWN',
    message: `expected ${expected}, got sweep.parameters.${path}`,
    remedy: 'Name a parameter as <strategy>.<parameter>, as in the section strategies.',
  });
}

/** What a sweep compares, out of the report of a run. */
export function comparedOf(record: RunRecord): Omit<SweepSuccess, 'key' | 'decisionHash'> {
  const { pnl, returns, orders, fills, inventory, course } = jsonOfRun(record);
  const total = (sums: Readonly<Record<string, number>>) =>
    Object.values(sums).reduce((sum, value) => sum + value, 0);
  const summed: SweepCourse = {
    denials: sumsOf(course.denials, 'count'),
    rejections: sumsOf(course.rejections, 'count'),
    halts: sumsOf(course.halts, 'count'),
    haltedSeconds: sumsOf(course.halts, 'seconds'),
    noQuoteSeconds: sumsOf(course.noQuotes, 'seconds'),
  };
  const statistics = {
    pnl: Number(pnl.total),
    maxDrawdown: returns.maxDrawdown === null ? null : Math.abs(returns.maxDrawdown),
    sharpe: returns.sharpe,
    sortino: returns.sortino,
    calmar: returns.calmar,
    turnover: Number(pnl.turnover),
    returnOnTurnoverBps: pnl.returnOnTurnoverBps,
    fills: fills.maker.fills + fills.taker.fills,
    meanInventory: inventory.reduce((sum, { meanAbsolute }) => sum + (meanAbsolute ?? 0), 0),
    denied: orders.denied,
    rejected: orders.ordersRejected,
    haltedSeconds: total(summed.haltedSeconds),
    noQuoteSeconds: total(summed.noQuoteSeconds),
    // The band of a calibration: nothing is chosen by it.
    ...(pnl.band === null ? {} : { pnlLow: Number(pnl.band.low), pnlHigh: Number(pnl.band.high) }),
  } satisfies Record<SweepStatistic, number | null> & Record<string, number | null>;
  const bad = record.outcomes.filter(isBadOutcome);
  const failure = bad.map(
    ({ strategyId, state, reason }) => `${strategyId} ${outcomeWords(state)}: ${reason}`,
  );
  return {
    statistics,
    annualReason: returns.annualReason,
    failure: failure.length === 0 ? null : failure.join('; '),
    course: summed,
  };
}

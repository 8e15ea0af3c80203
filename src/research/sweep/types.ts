/**
 * @module What a sweep is made of: jobs, each one backtest of the tape or of a span of it, and their results. A job's
 * key says all that its result depends on, so a job that ran twice counts once and a result that is known need not be
 * made again.
 */

/** Which span of its window a job replays. */
export type SweepPart = 'whole' | 'train' | 'test';

/** One backtest. */
export interface SweepJob {
  /** Hash of code, configuration, tape, seed, parameters and span. */
  readonly key: string;
  /** Values by `<strategy>.<parameter>`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Index of the window, from 0. */
  readonly window: number;
  /** Training or test span. */
  readonly part: SweepPart;
  /** Exchange time, Unix ms. */
  readonly fromMs: number;
  /** End, Unix ms. */
  readonly toMs: number;
}

/** Statistics by name; `null`: unknown. */
export type SweepStatistics = Readonly<Record<string, number | null>>;

/** The result of a job. An error has no statistics and says why. */
export type SweepResult = SweepSuccess | { readonly key: string; readonly error: string };

/** The result of a job that ran. */
export interface SweepSuccess {
  readonly key: string;
  readonly statistics: SweepStatistics;
  /** Why Sharpe, Sortino and Calmar are `null`; `null`: the run is long enough. */
  readonly annualReason: string | null;
  readonly decisionHash: string;
}

/** Runs jobs, here or elsewhere. */
export interface JobRunner {
  /** Resolves when every job has a result; `onResult` is called once for each, in any order. */
  run(jobs: readonly SweepJob[], onResult: (result: SweepResult) => void): Promise<void>;
  /** Releases all resources; safe to call once. */
  close(): Promise<void>;
}

/** A span of exchange time, Unix ms. */
export interface SweepSpan {
  /** Start, Unix ms. */
  readonly fromMs: number;
  /** End, Unix ms. */
  readonly toMs: number;
}

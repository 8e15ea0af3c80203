/**
 * @module What a sweep is made of: jobs, each one backtest of the tape or of a span of it, and their results. A job's
 * key says all that its result depends on, so a job that ran twice counts once and a result that is known need not be
 * made again.
 */

import type { Disturbance } from '../backtest/index.ts';

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
  /** What its venue makes worse; absent: nothing. */
  readonly disturbance?: Disturbance;
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
  /** How a strategy failed, never quoted or was held by a control; `null`: none did. It is chosen by no objective. */
  readonly failure: string | null;
  /** What was denied, rejected and held, and times without quotes. */
  readonly course: SweepCourse;
  readonly decisionHash: string;
}

/** The course of a backtest, added up over strategies, markets and hours. */
export type SweepCourse = {
  /** Times by code. */
  readonly denials: Readonly<Record<string, number>>;
  /** Times by reason. */
  readonly rejections: Readonly<Record<string, number>>;
  /** Times by control. */
  readonly halts: Readonly<Record<string, number>>;
  /** Seconds by control. */
  readonly haltedSeconds: Readonly<Record<string, number>>;
  /** Seconds by reason. */
  readonly noQuoteSeconds: Readonly<Record<string, number>>;
};

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

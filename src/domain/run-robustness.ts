/**
 * @module
 * What a study of robustness leaves in the record of a run: the same backtest many times, each a little worse or a little
 * different, drawn from the seed of the run. Reports make bands of it.
 */
import type { Quantums } from './units.ts';

/** What is done to the runs: numeric parameters moved, answers and reports later, fills that another participant has. */
export type RobustnessKind = 'parameters' | 'delays' | 'missedFills';

/** One backtest of a study. */
export interface DisturbedRun {
  /** Parameters that differ from the actual run, by `<strategy>.<parameter>`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** `null`: it did not run, `failure` says why. */
  readonly profit: Quantums | null;
  /** Depth of the deepest drawdown as a fraction of equity, not below 0; `null`: not known. */
  readonly drawdown: number | null;
  /** Number of fills. */
  readonly fills: number;
  /** Why it did not run, or how a strategy failed, never quoted or was held; `null`: neither. */
  readonly failure: string | null;
  /** SHA-256 over its decisions and fills; `null`: it did not run. */
  readonly decisionHash: string | null;
}

/** See the module. */
export interface RunRobustness {
  /** Of all draws: that of the run. */
  readonly seed: number;
  /** In a fixed order. */
  readonly kinds: readonly {
    readonly kind: RobustnessKind;
    /** What was done to its runs, in words with units. */
    readonly assumption: string;
    /** In the order of their draws. */
    readonly runs: readonly DisturbedRun[];
  }[];
  /** Parameters that were not moved, and why. */
  readonly unmoved: readonly { readonly parameter: string; readonly why: string }[];
}

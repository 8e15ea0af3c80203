/**
 * @module
 * A configuration over a tape in one line, on virtual time: what `ballast backtest` runs, with its result as a value.
 */
import { loadConfig, tapeOf, withParameters } from '../config/index.ts';
import { type BacktestRun, runConfiguredBacktest } from '../research/backtest/index.ts';

/** What is otherwise than in the configuration. */
export interface TapeRunOptions {
  /** Folder of the tape; absent: that of the configuration. */
  readonly tape?: string;
  /** Parameters as `strategy.parameter=value`; absent: those of the configuration. */
  readonly set?: readonly string[];
  /** Random seed, an integer. */
  readonly seed?: number;
  /** The part of the tape that is played, Unix ms. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/**
 * Runs the strategies of a configuration over its tape. The same input gives the same `decisionHash`.
 * @example const { record } = await runOnTape('studies/maker.yaml');
 * @throws ConfigError, ProtocolError `TAPE_...`, BotError `TAPE_...`: what `ballast backtest` would print.
 */
export async function runOnTape(config: string, options: TapeRunOptions = {}): Promise<BacktestRun> {
  const { tape, set = [], seed, fromMs, toMs } = options;
  const loaded = loadConfig(config);
  const source = set.length === 0 ? loaded : withParameters(loaded, set);
  return runConfiguredBacktest({ source, tape: tapeOf(source.config, tape), seed, fromMs, toMs });
}

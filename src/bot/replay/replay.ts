/**
 * @module
 * `ballast replay`: the bot of a run is made again as it was and fed with what it saw. Same code, same decisions; with
 * other code or other parameters the first decision that differs is named.
 */
import type { ConfigSource } from '../../config/index.ts';
import {
  ConfigError,
  isRecord,
  seededRandom,
  silentAudit,
  silentLog,
  silentMeter,
} from '../../core/index.ts';
import type { LaneId } from '../../domain/index.ts';
import { diffQuotes } from '../execution/index.ts';
import { createRiskGate } from '../risk/index.ts';
import { limitsOf, monitorLimitsOf, type PreparedStrategy, prepareStrategies } from '../setup/index.ts';
import type { LogEntry } from './entry.ts';
import { formatEntry } from './line.ts';
import { type Divergence, type ReRunOptions, type ReRunResult, reRun } from './re-run.ts';
import { type RunCode, sourceOfRun } from './run-code.ts';
import { type RunLogHeader, readRunLog } from './run-log-file.ts';

/** The longest line of an input that is shown. */
const INPUT_CHARS_MAX = 160;

/** What is replayed, and what is changed. */
export interface ReplayOptions extends RunCode {
  /** Parameters in place of the configured ones, `strategy.parameter=value` each. */
  readonly set?: readonly string[];
  /** Of a what-if: file of a calibration, whose models match the orders; the profit has its band then. */
  readonly calibration?: string | undefined;
}

/** The result of a replay. */
export interface ReplayReport extends Omit<ReRunResult, 'divergence'> {
  /** `inputs` as the log has them, long ones cut. */
  readonly divergence: (Omit<Divergence, 'inputs'> & { readonly inputs: readonly string[] }) | undefined;
  /** Version of this document's layout. */
  readonly schema: 1;
  /** Name of the run. */
  readonly runId: string;
  readonly mode: RunLogHeader['mode'];
  /** What is not as it was: code by strategy, parameters, configuration. */
  readonly changes: readonly string[];
  /** The run was ended in order; else how many lines after the last seal of its log were cut. */
  readonly isComplete: boolean;
  /** Lines after the last seal, which were cut. */
  readonly truncatedLines: number;
}

/** Replays the run in a folder. @throws BotError `RUN_LOG_...` for a log that cannot be read, `REPLAY_CODE_...` for code that may not run, ConfigError for what replaces its configuration. */
export async function replayRun(options: ReplayOptions): Promise<ReplayReport> {
  const reader = readRunLog(options.folder);
  const { header } = reader;
  const source = sourceOfRun(header, options);
  const prepared = withParameters(await prepareStrategies(source), options.set ?? []);
  const result = await reRun(reader.entries(), reRunOptionsOf(header, source, prepared));
  return {
    schema: 1,
    runId: header.runId,
    mode: header.mode,
    changes: changesOf(header, options, prepared),
    ...result,
    divergence: result.divergence && {
      ...result.divergence,
      inputs: result.divergence.inputs.map(inputText),
    },
    isComplete: reader.end.isComplete || result.divergence !== undefined,
    truncatedLines: reader.end.truncatedLines,
  };
}

function inputText(entry: LogEntry): string {
  const text = formatEntry(entry);
  return text.length <= INPUT_CHARS_MAX ? text : `${text.slice(0, INPUT_CHARS_MAX)}...`;
}

/** The bot of a run, made again. */
export function reRunOptionsOf(
  header: RunLogHeader,
  { config }: ConfigSource,
  prepared: readonly PreparedStrategy[],
): ReRunOptions {
  const risk = createRiskGate(limitsOf(config, header.collateralDecimals));
  return {
    runId: header.runId,
    random: seededRandom(header.seed),
    log: silentLog,
    meter: silentMeter,
    audit: silentAudit,
    auditLevel: 'off',
    risk,
    monitor: monitorLimitsOf(config, risk.limits, {
      venue: header.mode === 'paper' ? 'paper' : 'exchange',
      collateralDecimals: header.collateralDecimals,
    }),
    reconcileQuotes: diffQuotes,
    strategies: prepared.map(({ name, definition, parameters, symbols }) => ({
      id: name as RunLogHeader['strategies'][number]['id'],
      definition,
      parameters,
      symbols,
      lane: laneOf(header, name),
    })),
    ...(header.operatorLane === undefined ? {} : { operatorLane: header.operatorLane }),
    madeAt: header.madeAt,
    isProving: header.isProving,
  };
}

function laneOf({ strategies, operatorLane }: RunLogHeader, name: string): LaneId {
  const lane = strategies.find(({ id }) => id === name)?.lane ?? operatorLane ?? strategies[0]?.lane;
  return lane ?? ('trading' as LaneId);
}

/** The strategies with `assignments` such as `maker.levels=2`. Values are JSON, or else text. */
export function withParameters(
  prepared: readonly PreparedStrategy[],
  assignments: readonly string[],
): readonly PreparedStrategy[] {
  let changed = prepared;
  for (const assignment of assignments) {
    const [, name = '', key = '', value = ''] = /^([^.=]+)\.([^=]+)=(.*)$/s.exec(assignment) ?? [];
    if (!prepared.some((one) => one.name === name))
      throw new ConfigError({
        code: 'REPLAY_SET_UNKNOWN',
        message: `expected strategy.parameter=value with one of ${prepared.map((one) => one.name).join(', ')}, got ${assignment}`,
        remedy: 'Name the strategy as the configuration of the run does.',
      });
    changed = changed.map((one) =>
      one.name === name ? { ...one, parameters: assigned(one, key.split('.'), value) } : one,
    );
  }
  for (const one of changed) {
    const checked = one.definition.check(one.parameters);
    if (checked.isValid) continue;
    throw new ConfigError({
      code: 'REPLAY_SET_INVALID',
      message: checked.problems
        .map(({ path, expected }) => `${one.name}.${path.join('.')}: expected ${expected}`)
        .join('; '),
      remedy: 'Correct the value of --set.',
    });
  }
  return changed;
}

function assigned({ parameters }: PreparedStrategy, path: readonly string[], value: string): unknown {
  const [key = '', ...rest] = path;
  const before = isRecord(parameters) ? parameters : {};
  const inner = before[key];
  return {
    ...before,
    [key]: rest.length === 0 ? value : assigned({ parameters: inner } as PreparedStrategy, rest, value),
  };
}

function changesOf(
  header: RunLogHeader,
  { config, set = [] }: ReplayOptions,
  prepared: readonly PreparedStrategy[],
): readonly string[] {
  const changes: string[] = [];
  for (const { id, file, sha256 } of header.strategies) {
    const now = prepared.find(({ name }) => name === id);
    if (now === undefined) changes.push(`strategy ${id} is not there any more`);
    else if (now.sha256 !== sha256)
      changes.push(
        `code of ${id}: ${now.file} is ${now.sha256.slice(0, 12)}, the run had ${sha256.slice(0, 12)} of ${file}`,
      );
  }
  if (config !== undefined && config.text !== header.config.text)
    changes.push(`configuration: ${config.config.file} in place of ${header.config.file}`);
  for (const assignment of set) changes.push(`parameter: ${assignment}`);
  return changes;
}

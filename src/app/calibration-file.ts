/** @module A calibration as a file, and what it changes of a backtest: fill model, latencies, and the band of the profit. */
import { readFileSync } from 'node:fs';
import { type BacktestOptions, type BacktestRun, type HeldErrors, withBand } from '../backtest/index.ts';
import { ConfigError, isRecord, messageOf } from '../core/index.ts';
import { FILL_MODELS, type FillModelSettings, type Latency } from '../venue/index.ts';

/** What a backtest takes of a calibration. */
export interface Calibrated {
  readonly fillModel: FillModelSettings;
  readonly entry: Latency | undefined;
  readonly response: Latency | undefined;
  readonly errors: HeldErrors;
}

/** Reads a calibration. @throws ConfigError `CALIBRATION_FILE` for a file that holds none. */
export function readCalibration(path: string): Calibrated {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isRecord(read) || read['schema'] !== 'ballast-calibration' || read['version'] !== 1)
      throw new Error('it does not say that it is a calibration of version 1');
    const { fillModel, errors, entry, response } = read;
    return {
      fillModel: modelOf(fillModel),
      entry: latencyOf(entry),
      response: latencyOf(response),
      errors: {
        sizePart: numberOf(errors, 'sizePart'),
        markoutBps: numberOf(errors, 'markoutBps'),
      },
    };
  } catch (cause) {
    throw new ConfigError({
      code: 'CALIBRATION_FILE',
      message: `expected a calibration at ${path}, was not able to read one: ${messageOf(cause)}`,
      remedy: 'Make it with `ballast calibrate <run> --out <file>`.',
      cause,
    });
  }
}

/** The options of a backtest with the calibrated models in place of the configured ones. */
export function calibratedOptions(options: BacktestOptions, calibrated: Calibrated): BacktestOptions {
  const { fillModel, entry, response } = calibrated;
  const { latency } = options;
  return {
    ...options,
    fillModel,
    latency: { entry: entry ?? latency.entry, response: response ?? latency.response },
  };
}

/** A run with its band. */
export function bandedRun(run: BacktestRun, { errors }: Calibrated): BacktestRun {
  return { ...run, record: withBand(run.record, errors) };
}

function modelOf(read: unknown): FillModelSettings {
  const name = isRecord(read) ? FILL_MODELS.find((one) => one === read['name']) : undefined;
  if (!isRecord(read) || name === undefined) throw new Error('it names no fill model');
  return read['exponent'] === undefined ? { name } : { name, exponent: numberOf(read, 'exponent') };
}

function latencyOf(read: unknown): Latency | undefined {
  const us = isRecord(read) ? read['us'] : undefined;
  if (us === undefined) return undefined;
  if (!Array.isArray(us) || us.length === 0 || !us.every((one) => Number.isFinite(one) && one >= 0))
    throw new Error('its latencies are no list of microseconds');
  return { kind: 'sampled', us: us as readonly number[] };
}

function numberOf(read: unknown, name: string): number {
  const value = isRecord(read) ? read[name] : undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new Error(`it has no ${name}`);
  return value;
}

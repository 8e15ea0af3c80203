/** @module A calibration as a file, and what it changes of a run on paper: fill model, latencies, and the band of the profit. */
import { ConfigError, isRecord, messageOf, ReadFault, readRegularFile } from '../../core/index.ts';
import type { RunRecord } from '../../domain/index.ts';
import { FILL_MODELS, type FillModelSettings, type Latency, type OrderLatency } from '../venue/index.ts';
import { type HeldErrors, withBand } from './band.ts';

/** The largest file that is read. */
const FILE_BYTES_MAX = 64_000_000;

/** What a backtest takes of a calibration: plain data, for threads and queues. */
export interface Calibrated {
  /** Fill model of resting orders. */
  readonly fillModel: FillModelSettings;
  /** Latency of orders; `undefined`: not measured. */
  readonly entry: Latency | undefined;
  /** Latency of responses; `undefined`: not measured. */
  readonly response: Latency | undefined;
  /** Out-of-sample errors. */
  readonly errors: HeldErrors;
}

/** Reads a calibration where one is named. @throws ConfigError `CALIBRATION_FILE_INVALID` for a file that holds none. */
export function readCalibration(path: string | undefined): Calibrated | undefined {
  return path === undefined ? undefined : readFile(path);
}

/** Models with the calibrated ones instead of the configured ones. */
export function calibratedModels<
  Models extends { readonly fillModel: FillModelSettings; readonly latency: OrderLatency },
>(models: Models, calibrated: Calibrated | undefined): Models {
  if (calibrated === undefined) return models;
  const { fillModel, entry, response } = calibrated;
  const { latency } = models;
  return {
    ...models,
    fillModel,
    latency: { entry: entry ?? latency.entry, response: response ?? latency.response },
  };
}

/** The record of a run with the band of its calibration; without one as it is. */
export function bandedRecord(record: RunRecord, calibrated: Calibrated | undefined): RunRecord {
  return calibrated === undefined ? record : withBand(record, calibrated.errors);
}

function readFile(path: string): Calibrated {
  try {
    const read: unknown = JSON.parse(readRegularFile(path, FILE_BYTES_MAX));
    if (!isRecord(read) || read['schema'] !== 'ballast-calibration' || read['version'] !== 1)
      throw new ReadFault('it does not say that it is a calibration of version 1');
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
      code: 'CALIBRATION_FILE_INVALID',
      message: `expected a calibration at ${path}, got none: ${messageOf(cause)}`,
      remedy: 'Make it with `ballast calibrate <run> --out <file>`.',
      cause,
    });
  }
}

function modelOf(read: unknown): FillModelSettings {
  const name = isRecord(read) ? FILL_MODELS.find((one) => one === read['name']) : undefined;
  if (!isRecord(read) || name === undefined) throw new ReadFault('it names no fill model');
  return read['exponent'] === undefined ? { name } : { name, exponent: numberOf(read, 'exponent') };
}

function latencyOf(read: unknown): Latency | undefined {
  const us = isRecord(read) ? read['us'] : undefined;
  if (us === undefined) return undefined;
  if (!Array.isArray(us) || us.length === 0 || !us.every((one) => Number.isFinite(one) && one >= 0))
    throw new ReadFault('its latencies are no list of microseconds');
  return { kind: 'sampled', us: us as readonly number[] };
}

function numberOf(read: unknown, name: string): number {
  const value = isRecord(read) ? read[name] : undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new ReadFault(`it has no ${name}`);
  return value;
}

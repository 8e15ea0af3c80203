/**
 * @module
 * From samples to series: equity as returns of regular periods, and fewer points for drawing that keep every peak.
 */
import type { RunSamples } from '../domain/index.ts';
import { YEAR_MS } from './metrics.ts';

/** An hour, ms. */
export const HOUR_MS = 3_600_000;
/** A day, ms. */
export const DAY_MS = 86_400_000;
/** Lengths of the periods of return statistics, the longest first. */
const PERIODS_MS = [DAY_MS, HOUR_MS, 60_000, 1_000] as const;
/** With fewer returns than this a shorter period is taken. */
const RETURNS_MIN = 100;
/** Returns of an hour, or of a day, that annual figures need: of less they would be extrapolated noise. */
const ANNUAL_HOURS_MIN = 30;
const ANNUAL_DAYS_MIN = 20;

/** Returns of regular periods. */
export interface Returns {
  /** Length of a period, ms. */
  readonly periodMs: number;
  /** Returns that there are in a year: their number by the time that passed, so that holes count as time. */
  readonly periodsPerYear: number;
  /** Return of each period, a fraction; NaN: missing. */
  readonly values: Float64Array;
  /** When each period ended, Unix ms. */
  readonly atMs: Float64Array;
  /** Samples at the ends of periods: the first, and one for each value. */
  readonly places: readonly number[];
}

/**
 * Returns over the longest period that gives at least {@link RETURNS_MIN} of them, or over the shortest that samples
 * tell apart. NaN where equity was not above 0.
 */
export function returnsOf(samples: RunSamples): Returns {
  const known = PERIODS_MS.filter((length) => length >= samples.periodMs);
  const periodMs =
    known.find((length) => wholePeriods(samples, length) >= RETURNS_MIN) ?? known.at(-1) ?? samples.periodMs;
  const places = placesOf(samples.atMs, periodMs);
  const values = new Float64Array(Math.max(0, places.length - 1));
  for (let at = 1; at < places.length; at++) {
    const before = samples.equity[places[at - 1] ?? 0] ?? 0;
    const after = samples.equity[places[at] ?? 0] ?? 0;
    values[at - 1] = before > 0 ? after / before - 1 : Number.NaN;
  }
  const atMs = Float64Array.from(places.slice(1), (at) => samples.atMs[at] ?? Number.NaN);
  return { periodMs, periodsPerYear: (values.length * YEAR_MS) / spanOf(samples), values, atMs, places };
}

/** True if a run is long enough for annual figures. Samples further apart than a day count as days. */
export function hasAnnualFigures(samples: RunSamples): boolean {
  const { periodMs } = samples;
  if (periodMs <= HOUR_MS && wholePeriods(samples, HOUR_MS) >= ANNUAL_HOURS_MIN) return true;
  return wholePeriods(samples, Math.max(DAY_MS, periodMs)) >= ANNUAL_DAYS_MIN;
}

/** What {@link hasAnnualFigures} asks for, in words. */
export const ANNUAL_NEED = `at least ${ANNUAL_HOURS_MIN} returns of 1 h or ${ANNUAL_DAYS_MIN} of 1 d`;

/** Periods with samples; no more than fit into the time that passed. */
function wholePeriods(samples: RunSamples, periodMs: number): number {
  return Math.min(placesOf(samples.atMs, periodMs).length - 1, spanOf(samples) / periodMs);
}

function spanOf({ atMs }: RunSamples): number {
  return (atMs.at(-1) ?? 0) - (atMs[0] ?? 0);
}

/** The first sample and the last of each period. A period ends at a multiple of its length, and without samples is none. */
function placesOf(atMs: Float64Array, periodMs: number): readonly number[] {
  const periodOf = (at: number) => Math.ceil((atMs[at] ?? Number.NaN) / periodMs);
  const places: number[] = [];
  // NaN after the last sample: it is the last of its period.
  for (let at = 0; at < atMs.length; at++) if (at === 0 || periodOf(at) !== periodOf(at + 1)) places.push(at);
  return places;
}

/** The fall from the highest equity so far, in quantums, at each sample: 0 or less. */
export function drawdownOf(equity: Float64Array): Float64Array {
  let peak = Number.NEGATIVE_INFINITY;
  return equity.map((value) => {
    if (value > peak) peak = value;
    return value - peak;
  });
}

/** The deepest fall from the highest equity so far, as a fraction of it: at most 0. */
export function deepestFallOf(equity: Float64Array): number {
  let peak = 0;
  let deepest = 0;
  for (const value of equity) {
    if (value > peak) peak = value;
    if (peak > 0) deepest = Math.min(deepest, (value - peak) / peak);
  }
  return deepest;
}

/**
 * Indexes of at most about `pointsMax` points of `values`, in order, first and last among them: of each stretch its
 * lowest and its highest, so that no peak is lost. All places when there are few enough.
 */
export function thinned(values: ArrayLike<number>, pointsMax: number): Uint32Array {
  const { length } = values;
  if (length <= pointsMax) return Uint32Array.from({ length }, (_, at) => at);
  const kept = new Set<number>([0, length - 1]);
  const stretches = Math.max(1, Math.floor(pointsMax / 2));
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * length) / stretches);
    const to = Math.floor(((stretch + 1) * length) / stretches);
    let low = from;
    let high = from;
    for (let at = from; at < to; at++) {
      const value = values[at] ?? Number.NaN;
      // Where nothing is known the line breaks: the first such point represents its stretch.
      if (Number.isNaN(value)) {
        if (!Number.isNaN(values[at - 1] ?? 0)) kept.add(at);
        continue;
      }
      if (!(value >= (values[low] ?? Number.NaN))) low = at;
      if (!(value <= (values[high] ?? Number.NaN))) high = at;
    }
    kept.add(low);
    kept.add(high);
  }
  return Uint32Array.from(kept).sort();
}

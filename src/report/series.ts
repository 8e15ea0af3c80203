/**
 * @module
 * From samples to series: equity as returns of regular periods, and fewer points for drawing that keep every peak.
 */
import type { RunSamples } from '../domain/index.ts';
import { YEAR_MS } from './metrics.ts';

/** Lengths of the periods of return statistics, the longest first. */
const PERIODS_MS = [86_400_000, 3_600_000, 60_000, 1_000] as const;
/** With fewer returns than this a shorter period is taken. */
const RETURNS_MIN = 100;

/** Returns of regular periods. */
export interface Returns {
  /** Length of a period, ms. */
  readonly periodMs: number;
  /** Periods of a year. */
  readonly periodsPerYear: number;
  /** Return of each period, a fraction; NaN: missing. */
  readonly values: Float64Array;
}

/**
 * Returns over the longest period that gives at least {@link RETURNS_MIN} of them. Periods end at multiples of their
 * length; the first and the last may be shorter and count as whole ones. NaN where equity was not above 0.
 */
export function returnsOf(samples: RunSamples): Returns {
  const spanMs = (samples.atMs.at(-1) ?? 0) - (samples.atMs[0] ?? 0);
  const periodMs =
    PERIODS_MS.find((length) => length % samples.periodMs === 0 && spanMs / length >= RETURNS_MIN) ??
    samples.periodMs;
  const places = placesOf(samples.atMs, periodMs);
  const values = new Float64Array(Math.max(0, places.length - 1));
  for (let at = 1; at < places.length; at++) {
    const before = samples.equity[places[at - 1] ?? 0] ?? 0;
    const after = samples.equity[places[at] ?? 0] ?? 0;
    values[at - 1] = before > 0 ? after / before - 1 : Number.NaN;
  }
  return { periodMs, periodsPerYear: YEAR_MS / periodMs, values };
}

/** The return of each sample over the one before. NaN where equity was not above 0. */
export function sampleReturns({ equity }: RunSamples): Float64Array {
  const values = new Float64Array(Math.max(0, equity.length - 1));
  for (let at = 1; at < equity.length; at++) {
    const before = equity[at - 1] ?? 0;
    values[at - 1] = before > 0 ? (equity[at] ?? 0) / before - 1 : Number.NaN;
  }
  return values;
}

/** The first sample, those at multiples of `periodMs`, the last. */
function placesOf(atMs: Float64Array, periodMs: number): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < atMs.length; at++) {
    const isEdge = at === 0 || at === atMs.length - 1;
    if (isEdge || (atMs[at] ?? 0) % periodMs === 0) places.push(at);
  }
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

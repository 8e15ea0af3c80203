/**
 * @module
 * Values with weights as a histogram and quantiles. A quantile is the least value up to which at least that share of the
 * weight lies (numpy: method `inverted_cdf`).
 */
import type { Statistic } from './metrics.ts';
import { rounded } from './words.ts';

/** How many bins a histogram has, about. */
const BINS = 24;
/** Share of the weight on each side that the outermost bins take together. */
const TAIL = 0.005;

/** Values, and how much each counts; without weights each counts 1. */
export interface Weighted {
  readonly values: ArrayLike<number>;
  readonly weights?: ArrayLike<number>;
}

/** A histogram: bins from `from` up to, and without, `to`; the last with it. */
export interface Histogram {
  /** Number of values. */
  readonly count: number;
  /** Mean by weight. */
  readonly mean: Statistic;
  readonly min: Statistic;
  readonly p5: Statistic;
  readonly p25: Statistic;
  readonly median: Statistic;
  readonly p75: Statistic;
  readonly p95: Statistic;
  readonly max: Statistic;
  /** Each with the sum of the weights in it. */
  readonly bins: readonly { readonly from: number; readonly to: number; readonly weight: number }[];
}

/** The histogram of what is known of `data`; `isLog`: each bin is wider than the one before. */
export function histogramOf({ values, weights }: Weighted, isLog = false): Histogram {
  const rows = Array.from({ length: values.length }, (_, at) => ({
    value: values[at] ?? Number.NaN,
    weight: weights === undefined ? 1 : (weights[at] ?? 0),
  }))
    .filter(({ value, weight }) => Number.isFinite(value) && weight > 0)
    .sort((a, b) => a.value - b.value);
  const sorted = rows.map(({ value }) => value);
  const weight = rows.map((row) => row.weight);
  const total = weight.reduce((sum, one) => sum + one, 0);
  const sum = rows.reduce((all, row) => all + row.value * row.weight, 0);
  const at = (share: number) => rounded(quantileOf(sorted, share, weight));
  return {
    count: rows.length,
    mean: rounded(sum / total),
    ...{ min: rounded(sorted[0] ?? Number.NaN), p5: at(0.05), p25: at(0.25), median: at(0.5) },
    ...{ p75: at(0.75), p95: at(0.95), max: rounded(sorted.at(-1) ?? Number.NaN) },
    bins: binsOf(sorted, weight, isLog),
  };
}

/** The least of `sorted` up to which at least `share` of the weight lies; NaN of nothing. */
export function quantileOf(sorted: readonly number[], share: number, weights?: readonly number[]): number {
  if (weights === undefined)
    return sorted[Math.max(0, Math.ceil(share * sorted.length - 1e-9) - 1)] ?? Number.NaN;
  const asked = share * weights.reduce((sum, one) => sum + one, 0) * (1 - 1e-12);
  let sum = 0;
  for (const [at, value] of sorted.entries()) {
    sum += weights[at] ?? 0;
    if (sum >= asked) return value;
  }
  return sorted.at(-1) ?? Number.NaN;
}

function binsOf(sorted: readonly number[], weights: readonly number[], isLog: boolean): Histogram['bins'] {
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) return [];
  const edges = isLog ? logEdges(least, most) : evenEdges(sorted, weights);
  const bins = edges.slice(1).map((to, at) => ({ from: edges[at] ?? least, to, weight: 0 }));
  let bin = 0;
  for (const [at, value] of sorted.entries()) {
    while (bin < bins.length - 1 && value >= (bins[bin]?.to ?? 0)) bin++;
    const one = bins[bin];
    if (one !== undefined) one.weight += weights[at] ?? 0;
  }
  return bins;
}

/** Edges at round numbers; the first and the last bin reach to the outermost values. */
function evenEdges(sorted: readonly number[], weights: readonly number[]): readonly number[] {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const [low, high] = [quantileOf(sorted, TAIL, weights), quantileOf(sorted, 1 - TAIL, weights)];
  if (least === most) return [least, most];
  const step = roundStep(((high > low ? high - low : most - least) || 1) / BINS);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.floor(high / step) + 1);
  const edges = Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
  edges[0] = Math.min(least, edges[0] ?? least);
  edges[edges.length - 1] = Math.max(most, edges.at(-1) ?? most);
  return edges;
}

function logEdges(least: number, most: number): readonly number[] {
  const edges = [0];
  const first = Math.floor(Math.log10(Math.max(least, 1)));
  for (let power = first; ; power++)
    for (const digit of [1, 1.5, 2, 3, 5, 7]) {
      edges.push(Number((digit * 10 ** power).toPrecision(12)));
      if ((edges.at(-1) ?? 0) > most) return edges;
    }
}

/** 1, 2 or 5 times a power of ten, at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((digit) => digit * power >= least * (1 - 1e-9)) ?? 10);
}

/**
 * @module
 * The metrics of a run in memory, for its document.
 */
import { METRICS, type MetricOf, type Metrics } from '../index.ts';

/** Count, sum, least and greatest of many values. */
export interface Summary {
  /** Number of observations. */
  readonly count: number;
  /** Sum of the observations. */
  readonly sum: number;
  /** Smallest observation. */
  readonly min: number;
  /** Largest observation. */
  readonly max: number;
}

/** Metrics by name: all counters, and the others that had a value; docs/reference/metrics.md. */
export interface MetricsSnapshot {
  /** Counts since the start. */
  readonly counters: Readonly<Record<MetricOf<'counter'>, number>>;
  /** Present values. */
  readonly gauges: Readonly<Partial<Record<MetricOf<'gauge'>, number>>>;
  /** Summaries since the start. */
  readonly summaries: Readonly<Partial<Record<MetricOf<'summary'>, Summary>>>;
}

/** Metrics that keep their values. */
export interface CountedMetrics extends Metrics {
  /** A copy of all values now. */
  snapshot(): MetricsSnapshot;
}

/** Metrics whose counters are zero. */
export function createMetrics(): CountedMetrics {
  const names = (Object.keys(METRICS) as (keyof typeof METRICS)[]).filter(
    (name): name is MetricOf<'counter'> => METRICS[name].kind === 'counter',
  );
  const counters = Object.fromEntries(names.map((name) => [name, 0])) as Record<MetricOf<'counter'>, number>;
  const gauges: Partial<Record<MetricOf<'gauge'>, number>> = {};
  const summaries: Partial<Record<MetricOf<'summary'>, { -readonly [Part in keyof Summary]: number }>> = {};
  return {
    count(name, by = 1) {
      counters[name] += by;
    },
    gauge(name, value) {
      gauges[name] = value;
    },
    observe(name, value) {
      const entry = summaries[name];
      if (entry === undefined) {
        summaries[name] = { count: 1, sum: value, min: value, max: value };
        return;
      }
      entry.count++;
      entry.sum += value;
      if (value < entry.min) entry.min = value;
      if (value > entry.max) entry.max = value;
    },
    snapshot: () => ({
      counters: { ...counters },
      gauges: { ...gauges },
      summaries: structuredClone(summaries),
    }),
  };
}

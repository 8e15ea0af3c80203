/**
 * @module
 * Figures of a run in memory: counters, gauges, and a summary of observed values. A page for scrapers can be made of
 * {@link CountingMeter.snapshot}.
 */
import type { Meter } from '../core/index.ts';

/** Count, sum, least and greatest of observed values. */
export interface Observed {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** All figures by name. */
export interface MeterSnapshot {
  readonly counters: Readonly<Record<string, number>>;
  readonly gauges: Readonly<Record<string, number>>;
  readonly observed: Readonly<Record<string, Observed>>;
}

/** A meter that keeps what it is told. */
export interface CountingMeter extends Meter {
  snapshot(): MeterSnapshot;
}

/** A meter with nothing in it. */
export function createMeter(): CountingMeter {
  const counters = new Map<string, number>();
  const gauges = new Map<string, number>();
  const observed = new Map<string, { count: number; sum: number; min: number; max: number }>();
  return {
    count: (name, by = 1) => void counters.set(name, (counters.get(name) ?? 0) + by),
    gauge: (name, value) => void gauges.set(name, value),
    observe(name, value) {
      const entry = observed.get(name);
      if (entry === undefined) {
        observed.set(name, { count: 1, sum: value, min: value, max: value });
        return;
      }
      entry.count++;
      entry.sum += value;
      if (value < entry.min) entry.min = value;
      if (value > entry.max) entry.max = value;
    },
    snapshot: () => ({
      counters: Object.fromEntries(counters),
      gauges: Object.fromEntries(gauges),
      observed: Object.fromEntries([...observed].map(([name, entry]) => [name, { ...entry }])),
    }),
  };
}

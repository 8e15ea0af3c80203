/**
 * @module
 * The figures of a run in memory, for its document.
 */
import { FIGURES, type FigureOf, type Meter } from '../index.ts';

/** Count, sum, least and greatest of observed values. */
export interface Observed {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** Figures by name: all counters, and the others that had a value. docs/reference/figures.md tells what they mean. */
export interface MeterSnapshot {
  readonly counters: Readonly<Record<FigureOf<'counter'>, number>>;
  readonly gauges: Readonly<Partial<Record<FigureOf<'gauge'>, number>>>;
  readonly observed: Readonly<Partial<Record<FigureOf<'observed'>, Observed>>>;
}

/** A meter that keeps what it is told. */
export interface CountingMeter extends Meter {
  snapshot(): MeterSnapshot;
}

/** A meter whose counters stand at zero. */
export function createMeter(): CountingMeter {
  const names = (Object.keys(FIGURES) as (keyof typeof FIGURES)[]).filter(
    (name): name is FigureOf<'counter'> => FIGURES[name].kind === 'counter',
  );
  const counters = Object.fromEntries(names.map((name) => [name, 0])) as Record<FigureOf<'counter'>, number>;
  const gauges: Partial<Record<FigureOf<'gauge'>, number>> = {};
  const observed: Partial<Record<FigureOf<'observed'>, { -readonly [Part in keyof Observed]: number }>> = {};
  return {
    count(name, by = 1) {
      counters[name] += by;
    },
    gauge(name, value) {
      gauges[name] = value;
    },
    observe(name, value) {
      const entry = observed[name];
      if (entry === undefined) {
        observed[name] = { count: 1, sum: value, min: value, max: value };
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
      observed: structuredClone(observed),
    }),
  };
}

/**
 * @module
 * What a measurement gives back: goals with a limit that are judged, and figures that are only told.
 */
import { median, rounded } from './measure.ts';

/** A ratio with the limit it has to keep. */
export interface Goal {
  /** Such as `G5.p99`; a goal with several limits names its first one plainly (`G5`). */
  readonly id: string;
  readonly what: string;
  /** `null` when it could not be measured. */
  readonly ratio: number | null;
  readonly limit: number;
  readonly better: 'lower' | 'higher';
  /** Why there is no ratio. */
  readonly reason?: string;
}

/** What a group of goals gave. */
export interface GroupResult {
  readonly goals: readonly Goal[];
  /** Named numbers without a limit: absolute times, shares. */
  readonly figures: Readonly<Record<string, number>>;
}

/** A limit before it is measured. */
export type Limit = Omit<Goal, 'ratio' | 'reason'>;

/** Does the goal keep its limit? One that was not measured does not. */
export function holds({ ratio, limit, better }: Goal): boolean {
  if (ratio === null || !Number.isFinite(ratio)) return false;
  return better === 'lower' ? ratio <= limit : ratio >= limit;
}

/** What several processes measured of the same group: medians. A goal that one of them could not measure has no ratio. */
export function medianOf(results: readonly GroupResult[]): GroupResult {
  const first = results[0] ?? { goals: [], figures: {} };
  const goals = first.goals.map((goal) => {
    const all = results.flatMap(({ goals: told }) => told.filter(({ id }) => id === goal.id));
    const unmeasured = all.find(({ ratio }) => ratio === null);
    return unmeasured ?? { ...goal, ratio: median(all.map(({ ratio }) => ratio ?? Number.NaN)) };
  });
  const figures = Object.keys(first.figures).map((name) => [
    name,
    rounded(median(results.map(({ figures: told }) => told[name] ?? Number.NaN))),
  ]);
  return { goals, figures: Object.fromEntries(figures) };
}

/** `limit`, measured. */
export function reached(limit: Limit, ratio: number): Goal {
  return { ...limit, ratio };
}

/** `limit`, not measured. */
export function missed(limit: Limit, reason: string): Goal {
  return { ...limit, ratio: null, reason };
}

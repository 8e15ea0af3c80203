/**
 * @module A multi-objective optimizer over a finite space: NSGA-II (Deb et al. 2002) with uniform crossover and steps
 * to neighboring values. It asks for generations and receives their scores; the same seed and scores give the same
 * questions, so a sweep that was killed asks again what it asked before. (docs/decisions/0003: why no library.)
 */
import { type Random, seededRandom } from '../../core/index.ts';
import { crowdingOf, frontsOf, type Scores } from './pareto.ts';
import { type Axis, keyOfPoint, type Point, pointCount, randomPoint, randomPoints } from './space.ts';

/** Of a value that is changed: to a neighbor rather than anywhere. */
const NEIGHBOR_SHARE = 0.7;
/** Attempts to find a child that was not tried yet. */
const ATTEMPTS_MAX = 100;

/** A point with what it is worth. */
export interface ScoredPoint {
  /** Index of a value on each axis. */
  readonly point: Point;
  /** One score per objective; more is better. */
  readonly scores: Scores;
}

/** Asks and learns, generation by generation. */
export class NsgaSearch {
  readonly #axes: readonly Axis[];
  readonly #population: number;
  readonly #random: Random;
  readonly #tried = new Set<string>();
  #parents: readonly ScoredPoint[] = [];

  constructor(options: {
    readonly axes: readonly Axis[];
    readonly population: number;
    readonly seed: number;
  }) {
    this.#axes = options.axes;
    this.#population = options.population;
    this.#random = seededRandom(`${options.seed} nsga`);
  }

  /** At most `count` points that were not asked for before; none when the space is used up. */
  ask(count: number): readonly Point[] {
    const wanted = Math.min(count, this.#population, pointCount(this.#axes) - this.#tried.size);
    const points =
      this.#parents.length === 0 ? randomPoints(this.#axes, wanted, this.#random) : this.#children(wanted);
    for (const point of points) this.#tried.add(keyOfPoint(point));
    return points;
  }

  /** What the points of the last {@link ask} are worth. The best of them and of their parents are the next parents. */
  tell(children: readonly ScoredPoint[]): void {
    const all = [...this.#parents, ...children];
    const fronts = frontsOf(all.map(({ scores }) => scores));
    const crowding = crowdingOf(
      all.map(({ scores }) => scores),
      fronts,
    );
    const order = all
      .map((_, at) => at)
      .sort(
        (a, b) =>
          rank(fronts, a) - rank(fronts, b) || descending(rank(crowding, a), rank(crowding, b)) || a - b,
      );
    this.#parents = order.slice(0, this.#population).map((at) => all[at] as ScoredPoint);
  }

  #children(count: number): readonly Point[] {
    const points = new Map<string, Point>();
    for (let attempt = 0; points.size < count && attempt < count * ATTEMPTS_MAX; attempt++) {
      const child = this.#mutate(this.#cross(this.#pick(), this.#pick()));
      const key = keyOfPoint(child);
      if (!this.#tried.has(key)) points.set(key, child);
    }
    // A small space around good points is soon used up: the rest is drawn at random.
    while (points.size < count) {
      const point = randomPoint(this.#axes, this.#random);
      if (!this.#tried.has(keyOfPoint(point))) points.set(keyOfPoint(point), point);
    }
    return [...points.values()];
  }

  /** Parents are sorted, so the better of two random ones is the first. */
  #pick(): Point {
    const last = this.#parents.length - 1;
    const at = Math.min(this.#random.integer(0, last), this.#random.integer(0, last));
    return this.#parents[at]?.point ?? [];
  }

  #cross(mother: Point, father: Point): Point {
    return mother.map((value, at) => (this.#random.chance(0.5) ? value : (father[at] ?? value)));
  }

  #mutate(point: Point): Point {
    const rate = 1 / point.length;
    return point.map((value, at) => {
      if (!this.#random.chance(rate)) return value;
      const last = (this.#axes[at]?.values.length ?? 1) - 1;
      if (!this.#random.chance(NEIGHBOR_SHARE)) return this.#random.integer(0, last);
      return Math.min(last, Math.max(0, value + (this.#random.chance(0.5) ? 1 : -1)));
    });
  }
}

/** Infinity equals Infinity here, where its difference to itself is no number. */
function descending(a: number, b: number): number {
  return a === b ? 0 : b > a ? 1 : -1;
}

function rank(values: readonly number[], at: number): number {
  return values[at] ?? 0;
}

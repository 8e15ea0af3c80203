/**
 * @module The space of a sweep: axes with their values in order, and points in it. A point is the index of its value on
 * each axis, so that the space is finite, points have neighbors and equal points are equal.
 */
import { assert, formatShort, type Random } from '../../core/index.ts';

/** One parameter with the values it can take, as text. */
export interface Axis {
  /** `<strategy>.<parameter>`. */
  readonly path: string;
  /** Values in order. */
  readonly values: readonly string[];
}

/** The index of a value on each axis. */
export type Point = readonly number[];

/** Combinations of a grid at most. */
export const GRID_POINTS_MAX = 1_000_000;

/** The values `from`, `from + step`, ... up to `to`, exact: decimals are counted in the finest of the three. */
export function stepsOf(range: {
  readonly from: string;
  readonly to: string;
  readonly step: string;
}): readonly string[] {
  const decimals = Math.max(...Object.values(range).map(decimalsOf));
  const [from, to, step] = [range.from, range.to, range.step].map((text) => scaled(text, decimals));
  assert(from !== undefined && to !== undefined && step !== undefined, 'three numbers');
  if (step === 0n || to > from !== step > 0n) return [formatShort(from, decimals)];
  const values: string[] = [];
  for (let value = from; step > 0n ? value <= to : value >= to; value += step) {
    values.push(formatShort(value, decimals));
    assert(values.length <= GRID_POINTS_MAX, `at most ${GRID_POINTS_MAX} values of one parameter`);
  }
  return values;
}

/** How many points a space has. */
export function pointCount(axes: readonly Axis[]): number {
  return axes.reduce((product, { values }) => product * values.length, 1);
}

/** All points, the last axis turning fastest. */
export function* gridPoints(axes: readonly Axis[]): Generator<Point> {
  const count = pointCount(axes);
  for (let index = 0; index < count; index++) {
    const point = new Array<number>(axes.length).fill(0);
    let rest = index;
    for (let at = axes.length - 1; at >= 0; at--) {
      const { length } = axes[at]?.values ?? [];
      point[at] = rest % length;
      rest = Math.floor(rest / length);
    }
    yield point;
  }
}

/** A random point, each equally likely. */
export function randomPoint(axes: readonly Axis[], random: Random): Point {
  return axes.map(({ values }) => random.integer(0, values.length - 1));
}

/** `count` different random points, or all when there are no more. */
export function randomPoints(axes: readonly Axis[], count: number, random: Random): readonly Point[] {
  if (count >= pointCount(axes)) return [...gridPoints(axes)];
  const points = new Map<string, Point>();
  while (points.size < count) {
    const point = randomPoint(axes, random);
    points.set(keyOfPoint(point), point);
  }
  return [...points.values()];
}

/** Equal points have equal keys. */
export function keyOfPoint(point: Point): string {
  return point.join(',');
}

/** The values of a point by path. */
export function assignmentOf(axes: readonly Axis[], point: Point): Readonly<Record<string, string>> {
  return Object.fromEntries(axes.map(({ path, values }, at) => [path, values[point[at] ?? 0] ?? '']));
}

/** The index of a set of parameters in the order of {@link gridPoints}. */
export function gridPlace(axes: readonly Axis[], parameters: Readonly<Record<string, string>>): number {
  return axes.reduce(
    (place, { path, values }) => place * values.length + values.indexOf(parameters[path] ?? ''),
    0,
  );
}

function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

function scaled(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`);
}

/** @module Lines thinned for drawing, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { Levels, Plot } from './dom.ts';
import type { placeOf as PlaceOf, scaleOf as ScaleOf, timesOf as TimesOf } from './draw.ts';
import type { paintBar as PaintBar, pixelOf as PixelOf, pixelsOf as PixelsOf } from './pixels.ts';

declare const placeOf: typeof PlaceOf;
declare const scaleOf: typeof ScaleOf;
declare const timesOf: typeof TimesOf;
declare const paintBar: typeof PaintBar;
declare const pixelOf: typeof PixelOf;
declare const pixelsOf: typeof PixelsOf;
declare const devicePixelRatio: number;

/**
 * A line with the lowest and the highest value of each four points, of each four of those, and so on to one. Made once: the
 * extremes of any stretch of the line are then found in a few steps, however many points it has.
 */
export function levelsOf(at: readonly number[], values: readonly (number | null)[]): Levels {
  let low = Float64Array.from(values, (value) => value ?? Number.POSITIVE_INFINITY);
  let high = Float64Array.from(values, (value) => value ?? Number.NEGATIVE_INFINITY);
  const fours = [{ low, high }];
  while (low.length > 1) {
    const length = Math.ceil(low.length / 4);
    const lower = new Float64Array(length).fill(Number.POSITIVE_INFINITY);
    const higher = new Float64Array(length).fill(Number.NEGATIVE_INFINITY);
    for (let place = 0; place < low.length; place++) {
      lower[place >> 2] = Math.min(lower[place >> 2] ?? 0, low[place] ?? 0);
      higher[place >> 2] = Math.max(higher[place >> 2] ?? 0, high[place] ?? 0);
    }
    [low, high] = [lower, higher];
    fours.push({ low, high });
  }
  return { at, fours };
}

/** The lowest and the highest of the points from `from` to before `to`; infinite, the lowest above: none is known. */
export function extremesOf({ fours }: Levels, from: number, to: number): [low: number, high: number] {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { low, high } of fours) {
    if (from >= to) break;
    // What does not fill a four at either end is looked at here, the rest as fours one level up.
    while (from < to && (from & 3) !== 0) {
      lowest = Math.min(lowest, low[from] ?? 0);
      highest = Math.max(highest, high[from++] ?? 0);
    }
    while (from < to && (to & 3) !== 0) {
      lowest = Math.min(lowest, low[--to] ?? 0);
      highest = Math.max(highest, high[to] ?? 0);
    }
    from >>= 2;
    to >>= 2;
  }
  return [lowest, highest];
}

/** The value of a line at an instant, where `next` is its first point then or later. NaN: the line is not there. */
export function valueAt({ at, fours }: Levels, ms: number, next: number, isStepped: boolean): number {
  const values = fours[0]?.low ?? [];
  const after = values[next] ?? Number.POSITIVE_INFINITY;
  const before = at[next] === ms ? after : (values[next - 1] ?? Number.POSITIVE_INFINITY);
  if (before === Number.POSITIVE_INFINITY || after === Number.POSITIVE_INFINITY) return Number.NaN;
  if (isStepped || at[next] === ms) return before;
  const [from, to] = [at[next - 1] ?? 0, at[next] ?? 0];
  return before + ((after - before) * (ms - from)) / (to - from);
}

/**
 * The lowest and the highest value that a line has within each of `columns` parts of the time from `fromMs` to `toMs`, its
 * way between points included, so that neighbors touch. Infinite, the lowest above: the line is not there.
 */
export function columnsOf(
  levels: Levels,
  [fromMs, toMs]: readonly [number, number],
  columns: number,
  isStepped: boolean,
): { readonly low: Float64Array; readonly high: Float64Array } {
  const low = new Float64Array(columns);
  const high = new Float64Array(columns);
  let begin = placeOf(levels.at, fromMs);
  let before = valueAt(levels, fromMs, begin, isStepped);
  for (let column = 0; column < columns; column++) {
    const ms = fromMs + ((toMs - fromMs) * (column + 1)) / columns;
    const next = placeOf(levels.at, ms, begin);
    const after = valueAt(levels, ms, next, isStepped);
    let [lowest, highest] = extremesOf(levels, begin, next);
    // False of NaN, an edge where the line is not there.
    if (before < lowest) lowest = before;
    if (before > highest) highest = before;
    if (after < lowest) lowest = after;
    if (after > highest) highest = after;
    [low[column], high[column]] = [lowest, highest];
    [begin, before] = [next, after];
  }
  return { low, high };
}

/**
 * Paints a line of more points than pixels: for each column of pixels a bar from its lowest to its highest value, and for
 * a filled one the way to 0.
 */
export function paintLine(
  plot: Plot,
  levels: Levels,
  color: string,
  { isStepped, isFilled }: { readonly isStepped: boolean; readonly isFilled: boolean },
): void {
  const pixels = pixelsOf(plot);
  const { low, high } = columnsOf(levels, timesOf(plot), pixels.width, isStepped);
  const { y } = scaleOf(plot);
  const rowOf = (value: number) => y(value) - plot.bbox.top;
  const zero = rowOf(0);
  const half = 0.625 * devicePixelRatio;
  const [line, area] = [pixelOf(color), pixelOf(color, 0x33)];
  for (let column = 0; column < pixels.width; column++) {
    const [lowest = 0, highest = 0] = [low[column], high[column]];
    if (lowest > highest) continue;
    const [top, bottom] = [rowOf(highest), rowOf(lowest)];
    if (isFilled) paintBar(pixels, [column, Math.min(zero, top), column + 1, Math.max(zero, bottom)], area);
    paintBar(pixels, [column, top - half, column + 1, bottom + half], line);
  }
}

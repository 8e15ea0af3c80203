/** @module Lines thinned for drawing: extremes and gaps as those of all points, at a cost that is the same for any range. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seededRandom } from '../../../src/core/index.ts';
import type { Levels, Plot } from '../../../src/report/page/dom.ts';
import { placeOf, scaleOf, timesOf } from '../../../src/report/page/draw.ts';
import { columnsOf, extremesOf, levelsOf, paintLine } from '../../../src/report/page/lines.ts';
import { pixelOf, pixelsOf, showPixels } from '../../../src/report/page/pixels.ts';
import { aPlot, pageGlobals } from '../../support/report-page.ts';

beforeAll(() => {
  for (const [name, value] of Object.entries(pageGlobals())) vi.stubGlobal(name, value);
});
afterAll(() => void vi.unstubAllGlobals());

/** A line that wanders, its points 1 to 20 ms apart, with stretches of which nothing is known. */
function aLine(points: number, seed = 'line') {
  const random = seededRandom(seed);
  const at: number[] = [];
  const value: (number | null)[] = [];
  let [ms, level] = [1_000, 0];
  let unknown = 0;
  for (let place = 0; place < points; place++) {
    ms += random.integer(1, 20);
    level += random.integer(-9, 9);
    if (random.chance(0.01)) unknown = random.integer(1, 30);
    at.push(ms);
    value.push(unknown-- > 0 ? null : level);
  }
  return { at, value };
}

/** The extremes of a line from `from` to `to`, found by a look at each of its points and each way between two. */
function plainly({ at, value }: ReturnType<typeof aLine>, from: number, to: number, isStepped: boolean) {
  const seen: number[] = [];
  for (let place = 0; place < at.length; place++) {
    const [ms = 0, here = null] = [at[place], value[place]];
    if (here === null) continue;
    if (ms >= from && ms <= to) seen.push(here);
    const [nextMs = 0, next = null] = [at[place + 1], value[place + 1]];
    if (next === null) continue;
    for (const edge of [from, to])
      if (edge > ms && edge < nextMs)
        seen.push(isStepped ? here : here + ((next - here) * (edge - ms)) / (nextMs - ms));
  }
  return [Math.min(...seen), Math.max(...seen)];
}

test('the extremes of any stretch are those of its points', () => {
  const { at, value } = aLine(3_000);
  const levels = levelsOf(at, value);
  const random = seededRandom('stretches');
  for (let times = 0; times < 2_000; times++) {
    const from = random.integer(0, 3_000);
    const to = random.integer(from, 3_000);
    const known = value.slice(from, to).filter((one) => one !== null);
    expect(extremesOf(levels, from, to)).toEqual([Math.min(...known), Math.max(...known)]);
  }
});

describe.each([false, true])('the columns of a line, stepped: %s', (isStepped) => {
  test('have the extremes of all of it, at the edges of the range and of gaps too', () => {
    const random = seededRandom(`columns ${isStepped}`);
    let absent = 0;
    for (const points of [1, 2, 3, 17, 400, 5_000]) {
      const line = aLine(points, `${points}`);
      const levels = levelsOf(line.at, line.value);
      const end = line.at.at(-1) ?? 0;
      for (let times = 0; times < 8; times++) {
        const from = random.integer(0, end);
        const to = random.integer(from + 1, end + 100);
        const columns = 40;
        const { low, high } = columnsOf(levels, [from, to], columns, isStepped);
        for (let column = 0; column < columns; column++) {
          const edge = (at: number) => from + ((to - from) * at) / columns;
          const [lowest = 0, highest = 0] = plainly(line, edge(column), edge(column + 1), isStepped);
          if (lowest > highest) absent++;
          expect(low[column]).toBeCloseTo(lowest, 6);
          expect(high[column]).toBeCloseTo(highest, 6);
        }
      }
    }
    expect(absent).toBeGreaterThan(50);
  });

  test('touch each other, but where nothing is known', () => {
    const line = aLine(20_000);
    const { low, high } = columnsOf(levelsOf(line.at, line.value), [1_000, 200_000], 500, isStepped);
    for (let column = 1; column < 500; column++) {
      if ((low[column] ?? 0) > (high[column] ?? 0) || (low[column - 1] ?? 0) > (high[column - 1] ?? 0))
        continue;
      const edge = 1_000 + (199_000 * column) / 500;
      const next = placeOf(line.at, edge);
      if (line.value[next] === null || line.value[next - 1] === null) continue;
      expect(Math.max(low[column] ?? 0, low[column - 1] ?? 0)).toBeLessThanOrEqual(
        Math.min(high[column] ?? 0, high[column - 1] ?? 0),
      );
    }
  });
});

test('a redraw looks at a few values a column, however many points are in its range', () => {
  let looks = 0;
  const counted = (values: ArrayLike<number>) =>
    new Proxy(values, {
      get: (all, name) => {
        looks++;
        return Reflect.get(all, name);
      },
    });
  const looksAt = (points: number) => {
    const { at, value } = aLine(points);
    const { fours } = levelsOf(at, value);
    const levels: Levels = {
      at,
      fours: fours.map(({ low, high }) => ({ low: counted(low), high: counted(high) })),
    };
    looks = 0;
    columnsOf(levels, [at[0] ?? 0, at.at(-1) ?? 0], 1_000, false);
    return looks / 1_000;
  };
  // Of 20, 200 and 2,000 points a column.
  expect(looksAt(20_000)).toBeLessThan(20);
  expect(looksAt(200_000)).toBeLessThan(40);
  expect(looksAt(2_000_000)).toBeLessThan(60);
});

describe('a painted line', () => {
  const { at, value } = aLine(4_000, 'painted');
  const levels = levelsOf(at, value);
  const range = [at[0] ?? 0, at.at(-1) ?? 0] as const;
  const [low, high] = extremesOf(levels, 0, at.length);
  const plot = aPlot({ x: range, y: [low - 10, high + 10] });

  /** The rows of a column that were painted, the first and the last, and how many. */
  const rowsOf = (shownPlot: Plot, column: number) => {
    const { values, stride, height } = pixelsOf(shownPlot);
    const rows = Array.from({ length: height }, (_, row) => row).filter(
      (row) => (values[row * stride + column] ?? 0) !== 0,
    );
    return rows;
  };

  test('fills each column from its lowest to its highest value, and leaves gaps clear', () => {
    paintLine(plot, levels, '#102030', { isStepped: false, isFilled: false });
    const columns = columnsOf(levels, range, 100, false);
    let gaps = 0;
    for (let column = 0; column < 100; column++) {
      const rows = rowsOf(plot, column);
      const [lowest = 0, highest = 0] = [columns.low[column], columns.high[column]];
      if (lowest > highest) {
        gaps++;
        expect(rows).toEqual([]);
        continue;
      }
      const { y } = scaleOf(plot);
      expect(Math.abs((rows[0] ?? 0) - y(highest))).toBeLessThan(2);
      expect(Math.abs((rows.at(-1) ?? 0) - y(lowest))).toBeLessThan(2);
      expect(rows).toHaveLength((rows.at(-1) ?? 0) - (rows[0] ?? 0) + 1);
    }
    expect(gaps).toBeLessThan(50);
  });

  test('is shown as one image, and cleared for the next chart', () => {
    showPixels(plot);
    expect(plot.ctx.drawImage).toHaveBeenCalledTimes(1);
    expect(pixelsOf(plot).values.every((pixel) => pixel === 0)).toBe(true);
  });
});

test('a color is a pixel with red in its lowest byte', () => {
  expect(pixelOf('#102030')).toBe(0xff302010);
  expect(pixelOf('#102030', 0x33)).toBe(0x33302010);
});

test('the time that a chart shows is that of its scale', () => {
  expect(timesOf(aPlot({ x: [5, 9], y: [0, 1] }))).toEqual([5, 9]);
});

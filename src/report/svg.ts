/** @module Still charts of pages as SVG: lines, points, parallel axes and bands, in the colors of the style sheet. */
import { escaped } from './html-parts.ts';
import { about } from './words.ts';

const WIDTH = 760;
const HEIGHT = 260;
const MARGIN = { left: 70, right: 20, top: 24, bottom: 34 };

/** Colors of runs, by their order. */
export const COLORS = ['equity', 'ask', 'bid', 'held', 'taker', 'funding', 'mid'] as const;

/** One point of a chart. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
}

/** A linear scale from values to pixels. */
function scaleOf(
  values: readonly number[],
  from: number,
  to: number,
): { at(value: number): number; ends: [number, number] } {
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const range = most - least;
  return {
    at: (value) => (range === 0 ? (from + to) / 2 : from + ((value - least) / range) * (to - from)),
    ends: [least, most],
  };
}

function frame(content: readonly string[], label: string, height = HEIGHT): string {
  return `<div class="scroll"><svg class="still" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(label)}">${content.join('')}</svg></div>`;
}

function textAt(x: number, y: number, anchor: 'start' | 'middle' | 'end', text: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

function axes(
  xs: ReturnType<typeof scaleOf>,
  ys: ReturnType<typeof scaleOf>,
  names: readonly [string, string],
): readonly string[] {
  const bottom = HEIGHT - MARGIN.bottom;
  const right = WIDTH - MARGIN.right;
  return [
    `<path class="grid" d="M${MARGIN.left} ${MARGIN.top}V${bottom}H${right}"/>`,
    textAt(MARGIN.left, bottom + 16, 'start', about(xs.ends[0])),
    textAt(right, bottom + 16, 'end', about(xs.ends[1])),
    textAt((MARGIN.left + right) / 2, bottom + 28, 'middle', names[0]),
    textAt(MARGIN.left - 6, bottom, 'end', about(ys.ends[0])),
    textAt(MARGIN.left - 6, MARGIN.top + 10, 'end', about(ys.ends[1])),
    textAt(MARGIN.left - 6, MARGIN.top - 10, 'start', names[1]),
  ];
}

/** Lines over one axis. */
export function lineChart(
  lines: readonly { readonly name: string; readonly points: readonly ChartPoint[] }[],
  names: readonly [x: string, y: string],
): string {
  const all = lines.flatMap(({ points }) => points);
  const xs = scaleOf(
    all.map(({ x }) => x),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const ys = scaleOf(
    all.map(({ y }) => y),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const drawn = lines.map(({ name, points }, at) => {
    const way = points.map(({ x, y }) => `${xs.at(x).toFixed(1)},${ys.at(y).toFixed(1)}`).join(' ');
    return `<polyline class="line" style="stroke:var(--${COLORS[at % COLORS.length]})" points="${way}"><title>${escaped(name)}</title></polyline>`;
  });
  return frame([...axes(xs, ys, names), ...drawn], names[1]);
}

/** Points; those of a front are large. */
export function pointChart(
  points: readonly (ChartPoint & { readonly name: string; readonly isLarge: boolean })[],
  names: readonly [x: string, y: string],
): string {
  const xs = scaleOf(
    points.map(({ x }) => x),
    MARGIN.left + 8,
    WIDTH - MARGIN.right - 8,
  );
  const ys = scaleOf(
    points.map(({ y }) => y),
    HEIGHT - MARGIN.bottom - 8,
    MARGIN.top + 8,
  );
  const drawn = points.map(
    ({ x, y, name, isLarge }) =>
      `<circle cx="${xs.at(x).toFixed(1)}" cy="${ys.at(y).toFixed(1)}" r="${isLarge ? 6 : 3}" class="${isLarge ? 'front' : 'point'}"><title>${escaped(name)}</title></circle>`,
  );
  return frame([...axes(xs, ys, names), ...drawn], `${names[1]} by ${names[0]}`);
}

/** One upright axis for each name, one line for each row; rows that count are drawn last and strong. */
export function parallelChart(
  names: readonly string[],
  rows: readonly { readonly values: readonly number[]; readonly name: string; readonly isStrong: boolean }[],
): string {
  const [top, bottom] = [48, HEIGHT - 24];
  const xOf = (at: number) => 60 + (at * (WIDTH - 120)) / Math.max(1, names.length - 1);
  const scales = names.map((_name, at) =>
    scaleOf(
      rows.map(({ values }) => values[at] ?? 0),
      bottom,
      top,
    ),
  );
  const uprights = names.flatMap((name, at) => [
    `<path class="grid" d="M${xOf(at)} ${top}V${bottom}"/>`,
    textAt(xOf(at), at % 2 === 0 ? 10 : 22, 'middle', name),
    textAt(xOf(at), bottom + 14, 'middle', about(scales[at]?.ends[0] ?? null)),
    textAt(xOf(at), top - 6, 'middle', about(scales[at]?.ends[1] ?? null)),
  ]);
  const lines = rows
    .toSorted((a, b) => Number(a.isStrong) - Number(b.isStrong))
    .map(({ values, name, isStrong }) => {
      const way = values.map(
        (value, at) => `${xOf(at).toFixed(1)},${(scales[at]?.at(value) ?? 0).toFixed(1)}`,
      );
      return `<polyline class="${isStrong ? 'strong' : 'weak'}" points="${way.join(' ')}"><title>${escaped(name)}</title></polyline>`;
    });
  return frame([...lines, ...uprights], 'parallel coordinates');
}

const BAND_ROW = 44;
const BAND_LEFT = 110;

/** For each row a line from 5 % to 95 %, a box from 25 % to 75 % and the median, beside one actual value. */
export function bandChart(
  rows: readonly { readonly name: string; readonly bands: readonly number[] }[],
  actual: { readonly value: number; readonly text: string },
  axis: string,
): string {
  const right = WIDTH - MARGIN.right;
  const bottom = MARGIN.top + rows.length * BAND_ROW;
  const xs = scaleOf([...rows.flatMap(({ bands }) => bands), actual.value], BAND_LEFT, right);
  const drawn = rows.flatMap(({ name, bands }, at) => {
    const middle = MARGIN.top + (at + 0.5) * BAND_ROW;
    const [p5, p25, median, p75, p95] = bands.map((value) => xs.at(value).toFixed(1));
    const width = Math.max(1, Number(p75) - Number(p25)).toFixed(1);
    const title = `${name}: 5 % ${about(bands[0] ?? null)}, 25 % ${about(bands[1] ?? null)}, median ${about(bands[2] ?? null)}, 75 % ${about(bands[3] ?? null)}, 95 % ${about(bands[4] ?? null)}`;
    return [
      textAt(BAND_LEFT - 10, middle + 4, 'end', name),
      `<g class="band"><title>${escaped(title)}</title><path d="M${p5} ${middle}H${p95}M${p5} ${middle - 6}V${middle + 6}M${p95} ${middle - 6}V${middle + 6}"/><rect x="${p25}" y="${middle - 12}" width="${width}" height="24"/><path class="median" d="M${median} ${middle - 12}V${middle + 12}"/></g>`,
    ];
  });
  const x = xs.at(actual.value);
  return frame(
    [
      `<path class="grid" d="M${BAND_LEFT} ${MARGIN.top}V${bottom}H${right}"/>`,
      ...drawn,
      `<path class="actual" d="M${x.toFixed(1)} ${MARGIN.top - 4}V${bottom}"/>`,
      textAt(x, MARGIN.top - 8, x < WIDTH / 2 ? 'start' : 'end', actual.text),
      textAt(BAND_LEFT, bottom + 16, 'start', about(xs.ends[0])),
      textAt(right, bottom + 16, 'end', about(xs.ends[1])),
      textAt((BAND_LEFT + right) / 2, bottom + 28, 'middle', axis),
    ],
    `${axis} of the runs of each kind`,
    bottom + MARGIN.bottom,
  );
}

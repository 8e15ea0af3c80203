/**
 * @module
 * A sweep as one SVG file: two parameters as axes, one statistic as color and number, the best of all other parameters
 * in each cell. One color from pale to strong for values of one sign, two from either side of zero for both, so that a
 * loss never looks like a small gain. Reads in light and dark.
 */

import { escaped } from './html-parts.ts';
import type { SweepDocument, SweepDocumentRow } from './sweep-document.ts';

const CELL = { width: 92, height: 40 };
const MARGIN = { left: 170, top: 84, right: 24, bottom: 64 };
/** Width of a letter at most, on average: what a text needs is not known before it is drawn. */
const LETTER_WIDTH = { title: 11, note: 8 };

/**
 * The heat map of the first objective as SVG text, over the first two parameters with more than one value; `undefined`
 * when no parameter has.
 */
export function heatMapOf(document: SweepDocument): string | undefined {
  const [across, down, ...others] = document.axes.filter(({ values }) => values.length > 1);
  const [objective] = document.objectives;
  if (across === undefined || objective === undefined) return undefined;
  const { statistic } = objective;
  const isLower = objective.better === 'lower';
  const downValues = down?.values ?? [''];
  const cells = downValues.map((y) =>
    across.values.map((x) => {
      const rows = document.rows.filter(
        ({ parameters }) =>
          parameters[across.path] === x && (down === undefined || parameters[down.path] === y),
      );
      return bestOf(rows, statistic, isLower);
    }),
  );
  const title = `${statistic} by ${across.path}${down === undefined ? '' : ` and ${down.path}`}`;
  const height = MARGIN.top + downValues.length * CELL.height + MARGIN.bottom;
  const over = others.map(({ path }) => path);
  if (document.windows.length > 1) over.push(`${document.windows.length} windows`);
  const note = over.length === 0 ? '' : `; best over ${over.join(', ')}`;
  const subtitle = `${document.method}, tape ${document.tape.name}${note}`;
  const width = Math.max(
    MARGIN.left + across.values.length * CELL.width + MARGIN.right,
    16 + title.length * LETTER_WIDTH.title + MARGIN.right,
    16 + subtitle.length * LETTER_WIDTH.note + MARGIN.right,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    STYLE,
    `<rect class="page" width="${width}" height="${height}"/>`,
    text({ x: 16, y: 30, className: 'title' }, title),
    text({ x: 16, y: 50, className: 'note' }, subtitle),
    ...headings(across.values, downValues),
    text({ x: MARGIN.left, y: height - 20, className: 'axis' }, across.path),
    ...(down === undefined ? [] : [text({ x: 16, y: MARGIN.top - 8, className: 'axis' }, down.path)]),
    ...squares(cells),
    '</svg>\n',
  ].join('\n');
}

const STYLE = `<style>
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1b1f24; }
.title { font-size: 17px; font-weight: 600; } .note, .axis { fill: #57606a; } .page { fill: #ffffff; }
.number { text-anchor: middle; font-variant-numeric: tabular-nums; } .on { fill: #ffffff; } .row { text-anchor: end; }
.column { text-anchor: middle; } .none { fill: #d0d7de; fill-opacity: .35; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .note, .axis { fill: #9aa4af; } .page { fill: #0d1117; } }
</style>`;

function bestOf(rows: readonly SweepDocumentRow[], statistic: string, isLower: boolean): number | undefined {
  const values = rows.flatMap(({ statistics }) => statistics?.[statistic] ?? []);
  if (values.length === 0) return undefined;
  return isLower ? Math.min(...values) : Math.max(...values);
}

function headings(across: readonly string[], down: readonly string[]): readonly string[] {
  const y = MARGIN.top + down.length * CELL.height + 20;
  return [
    ...across.map((value, at) =>
      text({ x: MARGIN.left + (at + 0.5) * CELL.width, y, className: 'column' }, value),
    ),
    ...down.map((value, at) =>
      text({ x: MARGIN.left - 12, y: MARGIN.top + (at + 0.5) * CELL.height + 5, className: 'row' }, value),
    ),
  ];
}

function squares(cells: readonly (readonly (number | undefined)[])[]): readonly string[] {
  const values = cells.flat().filter((value) => value !== undefined);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return cells.flatMap((row, y) =>
    row.map((value, x) => {
      const place = `x="${MARGIN.left + x * CELL.width}" y="${MARGIN.top + y * CELL.height}"`;
      const size = `width="${CELL.width - 2}" height="${CELL.height - 2}" rx="3"`;
      if (value === undefined) return `<rect class="none" ${place} ${size}/>`;
      const strength = strengthOf(value, least, most);
      const color = value < 0 ? '#b3400f' : '#1158c7';
      const opacity = (0.12 + 0.88 * strength).toFixed(3);
      const at = { x: MARGIN.left + (x + 0.5) * CELL.width, y: MARGIN.top + (y + 0.5) * CELL.height + 5 };
      const className = strength > 0.55 ? 'number on' : 'number';
      return `<rect ${place} ${size} fill="${color}" fill-opacity="${opacity}"/>\n${text({ ...at, className }, shortNumber(value))}`;
    }),
  );
}

/** How strong its color is, from 0 to 1: away from zero, over the range where all statistics have one sign. */
function strengthOf(value: number, least: number, most: number): number {
  if (least < 0 && most > 0) return Math.abs(value) / Math.max(-least, most);
  const range = most - least;
  if (range === 0) return 1;
  return (most <= 0 ? most - value : value - least) / range;
}

function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (size >= 1e4) return `${(value / 1e3).toFixed(1)} k`;
  return size >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3);
}

function text(
  at: { readonly x: number; readonly y: number; readonly className: string },
  content: string,
): string {
  return `<text class="${at.className}" x="${at.x}" y="${at.y}">${escaped(content)}</text>`;
}

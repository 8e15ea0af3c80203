/** @module Numbers and times as words, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { Kept, PageDocument, Plot } from './dom.ts';

declare const document: PageDocument;
declare const devicePixelRatio: number;
declare const getComputedStyle: (element: unknown) => { getPropertyValue(name: string): string };
declare const kept: Kept;

/** The differences of a packed column added up, times `scale`; unknown stays unknown. */
export function unpack(column: readonly (number | null)[], scale: number): (number | null)[] {
  let sum = 0;
  return column.map((difference) => {
    if (difference === null) return null;
    sum += difference;
    return sum * scale;
  });
}

/** A color of the style sheet, as it was when `kept.colors` were last cleared. */
export function colorOf(name: string): string {
  let color = kept.colors.get(name);
  if (color !== undefined) return color;
  color = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  kept.colors.set(name, color);
  return color;
}

/** A number with grouped digits. */
export function numberWords(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined) return '–';
  let form = kept.forms.get(decimals);
  if (form === undefined) {
    form = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    kept.forms.set(decimals, form);
  }
  return form.format(value);
}

/** An instant in UTC to the millisecond. */
export function instantWords(ms: number | null | undefined): string {
  return ms === null || ms === undefined
    ? '–'
    : `${new Date(ms).toISOString().replace('T', ' ').slice(0, 23)} UTC`;
}

/** Labels of the time axis: as exact as its steps, with the day where a new one begins. */
export function timeLabels(splits: readonly (number | null)[], step: number): string[] {
  let day = '';
  return splits.map((ms) => {
    if (ms === null) return '';
    const iso = new Date(ms).toISOString();
    const to = step < 1000 ? 23 : step < 60000 ? 19 : 16;
    const label = step >= 86400000 ? '' : iso.slice(11, to);
    if (iso.slice(0, 10) === day) return label;
    day = iso.slice(0, 10);
    return label === '' ? day : `${label}\n${day}`;
  });
}

/** Digits after the decimal point that distinguish neighbors on an axis of this step. */
export function decimalsOf(step: number): number {
  return Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
}

/**
 * Space for the labels of a value axis: as wide as the longest, the same for charts above each other where it can be.
 */
export function axisSize(plot: Plot, labels: readonly string[] | null, axis: number, cycle: number): number {
  const parts = plot.axes[axis];
  if (parts === undefined || cycle > 1) return parts?._size ?? 80;
  let longest = 0;
  plot.ctx.font = parts.font[0] ?? '';
  for (const label of labels ?? []) {
    const { width } = plot.ctx.measureText(label);
    if (width > longest) longest = width;
  }
  return Math.max(72, Math.ceil(parts.ticks.size + parts.gap + longest / devicePixelRatio + 4));
}

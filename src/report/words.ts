/**
 * @module Statistics as words for people: grouped digits, units, and a dash where there is nothing to say. Text and
 * page share it.
 */
import type { Statistic } from './metrics.ts';

/** The text of an unknown statistic. */
export const NOTHING = '–';

/** Decimal text with its whole digits grouped. @example grouped('-1234.50') // '-1,234.50' */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const digits = whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/** An amount with its sign shown, for profits. */
export function signed(text: string): string {
  return text.startsWith('-') || /^[0.]*$/.test(text) ? grouped(text) : `+${grouped(text)}`;
}

/** A number with this many digits; what rounds to nothing has no sign. */
function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return grouped(/^-[0.]*$/.test(text) ? text.slice(1) : text);
}

/** A plain statistic with `digits` digits after the decimal point. */
export function plain(value: Statistic, digits = 2): string {
  return value === null ? NOTHING : fixed(value, digits);
}

/** A fraction as percent. */
export function percent(value: Statistic, digits = 2): string {
  return value === null ? NOTHING : `${fixed(value * 100, digits)} %`;
}

/** Basis points with their sign. */
export function bps(value: Statistic, digits = 2): string {
  return value === null ? NOTHING : `${signed(fixed(value, digits))} bps`;
}

/** A statistic of unknown size with four digits that count. */
export function about(value: Statistic): string {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return value.toExponential(2);
  return plain(value, size >= 1_000 || Number.isInteger(value) ? 0 : size >= 1 ? 2 : 4);
}

/** A count of things with its unit. @example counted(1, 'fill') // '1 fill' */
export function counted(count: number, unit: string): string {
  return `${grouped(String(count))} ${unit}${count === 1 ? '' : 's'}`;
}

/** A length of time. @example lengthText(5_430_000) // '1 h 30 min 30 s' */
export function lengthText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const;
  let left = Math.round(ms / 1_000) * 1_000;
  const parts: string[] = [];
  for (const [length, unit] of units) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 3).join(' ');
}

/** A hash in short. */
export function shortHash(hash: string): string {
  return hash === '' ? NOTHING : hash.slice(0, 12);
}

/** A state of a strategy's outcome in words. */
export function outcomeWords(state: string): string {
  return state === 'neverQuoted' ? 'never quoted' : state;
}

/** Of what strategy in what market something is. @example whereOf({ strategy: 'maker', symbol: null }) // ' of maker' */
export function whereOf({
  strategy,
  symbol,
  side = null,
}: {
  readonly strategy: string | null;
  readonly symbol: string | null;
  readonly side?: 'bid' | 'ask' | null;
}): string {
  const of = [strategy === null ? '' : ` of ${strategy}`, symbol === null ? '' : ` in ${symbol}`];
  return `${of.join('')}${side === null ? '' : `, ${side}`}`;
}

/** A statistic with twelve digits, so that machines that round differently in the last bit print the same. */
export function rounded(value: number): Statistic {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) : null;
}

/** An ISO instant to the second, for reading. */
export function clockText(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

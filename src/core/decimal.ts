/**
 * @module
 * Exact decimal text to scaled integers and back. No price, size or amount ever passes through a binary fraction. What
 * this does not do: rounding. A text with more digits than the scale allows is refused.
 */
import { Decimal as DecimalJs } from 'decimal.js';

/** The longest decimal text that is looked at; anything longer is hostile. */
const DECIMAL_TEXT_LENGTH_MAX = 80;

const DECIMAL_TEXT = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** decimal.js with 100 digits and no exponents: for configuration, reports and strategies only, never on the wire path. */
export const Decimal = DecimalJs.clone({
  precision: 100,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  rounding: DecimalJs.ROUND_HALF_EVEN,
});
/** A value of {@link Decimal}. */
export type Decimal = InstanceType<typeof Decimal>;

/** True if `text` is a plain decimal: no exponent, no leading zeros, no sign but a minus, no blanks. */
export function isDecimalText(text: unknown): text is string {
  return typeof text === 'string' && text.length <= DECIMAL_TEXT_LENGTH_MAX && DECIMAL_TEXT.test(text);
}

/**
 * `text` times 10^`decimals` as an integer, exactly; `undefined` when the text is no plain decimal or has
 * more non-zero digits after the point than `decimals`.
 * @example parseScaled('1.50', 2) // 150n
 */
export function parseScaled(text: string, decimals: number): bigint | undefined {
  if (!isDecimalText(text)) return undefined;
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text) * 10n ** BigInt(decimals);
  let fraction = text.slice(point + 1);
  while (fraction.length > decimals && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  if (fraction.length > decimals) return undefined;
  return BigInt(text.slice(0, point) + fraction.padEnd(decimals, '0'));
}

/**
 * As {@link parseScaled} for values that are safe integers, without an allocation: `NaN` when the text is no plain
 * non-negative decimal, does not fit the scale or passes 2^53 - 1. The hot path of frames.
 */
export function parseScaledNumber(text: string, decimals: number): number {
  let value = 0;
  let fraction = -1;
  const length = text.length;
  if (length === 0 || length > 40) return Number.NaN;
  if (length > 1 && text.charCodeAt(0) === 48 && text.charCodeAt(1) !== 46) return Number.NaN;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) {
      if (fraction >= 0 && ++fraction > decimals) {
        if (digit !== 0) return Number.NaN;
        continue;
      }
      value = value * 10 + digit;
      if (value > Number.MAX_SAFE_INTEGER) return Number.NaN;
    } else if (digit === -2 && fraction < 0 && i > 0 && i < length - 1) {
      fraction = 0;
    } else return Number.NaN;
  }
  for (let zeros = fraction < 0 ? 0 : Math.min(fraction, decimals); zeros < decimals; zeros++) value *= 10;
  return value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
}

/** A scaled integer as decimal text with exactly `decimals` digits after the point. @example formatScaled(150n, 2) // '1.50' */
export function formatScaled(value: bigint | number, decimals: number): string {
  if (decimals === 0) return value.toString();
  const isNegative = value < 0;
  const digits = (isNegative ? -value : value).toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  return `${isNegative ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** A scaled integer as decimal text without zeros at its end. @example formatShort(150n, 2) // '1.5' */
export function formatShort(value: bigint | number, decimals: number): string {
  const text = formatScaled(value, decimals);
  return decimals === 0 ? text : text.replace(/\.?0+$/, '');
}

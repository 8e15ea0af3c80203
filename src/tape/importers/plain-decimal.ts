/** @module Decimals as programs print them, with an exponent (`1e-05`), as plain text; exact, digits are only moved. */
import { isDecimalText } from '../../core/index.ts';

const WITH_EXPONENT = /^(-?)([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]{1,2})$/;

/** `text` without its exponent; any other text as it is. @example plainDecimal('1.5e-05') // '0.000015' */
export function plainDecimal(text: string): string {
  const match = WITH_EXPONENT.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0');
  const cut = Math.max(point, 1);
  const integer = padded.slice(0, cut).replace(/^0+(?=[0-9])/, '');
  const rest = padded.slice(cut);
  return rest === '' ? `${sign}${integer}` : `${sign}${integer}.${rest}`;
}

/** The number of decimals without trailing zeros; 0 for anything that is no decimal, which its reader refuses. */
export function printedDecimalsOf(printed: string): number {
  const text = plainDecimal(printed);
  const point = text.indexOf('.');
  if (point < 0 || !isDecimalText(text)) return 0;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return end - point - 1;
}

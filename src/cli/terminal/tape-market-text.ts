/** @module One market of a tape in words: its decimals, how deep it was recorded, and what it lacks. */
import type { Manifest } from '../../tape/format/index.ts';

/** Symbol, decimals, depth; the step of a coarse book, and that its events have one time each. */
export function describeTapeMarket(market: Manifest['markets'][number]): string {
  const { symbol, priceDecimals, sizeDecimals, depth, bookStep, hasOneTime } = market;
  const step = bookStep === undefined ? '' : `, a book of every ${bookStep} ticks`;
  const times = hasOneTime ? ', one time for each event' : '';
  return `${symbol}: prices with ${priceDecimals} and sizes with ${sizeDecimals} decimals, depth ${depth}${step}${times}`;
}

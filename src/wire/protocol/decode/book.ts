/**
 * @module
 * Book levels of a frame straight into preallocated arrays: one pass, no allocation but an error.
 */
import { parseScaledNumber } from '../../../core/index.ts';
import { type Market, PRICE_TICKS_MAX } from '../../../domain/index.ts';
import { BOOK_DEPTH_MAX } from '../limits.ts';
import { caught } from './decoded.ts';
import { LevelText } from './level-text.ts';

/** Where levels go, best first. Beyond the counts the arrays hold garbage. */
export interface BookLevels {
  /** Levels in use in the bid arrays. */
  bidCount: number;
  /** Levels in use in the ask arrays. */
  askCount: number;
  readonly bidTicks: Float64Array;
  readonly bidLots: Float64Array;
  readonly askTicks: Float64Array;
  readonly askLots: Float64Array;
}

/** Arrays for the deepest book there is. */
export function allocateBookLevels(depth: number = BOOK_DEPTH_MAX): BookLevels {
  return {
    bidCount: 0,
    askCount: 0,
    bidTicks: new Float64Array(depth),
    bidLots: new Float64Array(depth),
    askTicks: new Float64Array(depth),
    askLots: new Float64Array(depth),
  };
}

/**
 * Writes the levels of a book (`data` of a `book` frame, or the answer of the REST book) into `target`. Returns why
 * they cannot be used, `undefined` when they can: each side strictly ordered, sizes above 0, best bid below best ask.
 * After a reason the target is garbage.
 * @example const flaw = decodeBookInto(frame.data, market, levels); if (flaw !== undefined) markStale(flaw);
 */
export function decodeBookInto(data: unknown, market: Market, target: BookLevels): string | undefined {
  target.bidCount = 0;
  target.askCount = 0;
  if (typeof data !== 'object' || data === null) return 'no levels';
  const { bids, asks } = data as { readonly bids?: unknown; readonly asks?: unknown };
  const bidCount = fillSide(bids, market, { prices: target.bidTicks, sizes: target.bidLots, direction: -1 });
  if (typeof bidCount === 'string') return `bids: ${bidCount}`;
  const askCount = fillSide(asks, market, { prices: target.askTicks, sizes: target.askLots, direction: 1 });
  if (typeof askCount === 'string') return `asks: ${askCount}`;
  target.bidCount = bidCount;
  target.askCount = askCount;
  const bid = target.bidTicks[0] ?? 0;
  const ask = target.askTicks[0] ?? 0;
  return target.bidCount > 0 && target.askCount > 0 && bid >= ask
    ? 'the best bid reaches the best ask'
    : undefined;
}

interface SideArrays {
  readonly prices: Float64Array;
  readonly sizes: Float64Array;
  /** 1: prices rise; -1: they fall. */
  readonly direction: 1 | -1;
}

/** Writes one side and gives the number of its levels, or its flaw. */
function fillSide(levels: unknown, market: Market, side: SideArrays): number | string {
  if (!(levels instanceof LevelText)) return fillFromList(levels, market, side);
  const { prices, sizes } = side;
  const { priceDecimals, sizeDecimals } = market;
  const count = levels.fill({ prices, sizes, priceDecimals, sizeDecimals });
  const isUsual = count !== undefined && isInOrder(count, side);
  return isUsual ? count : fillFromText(levels, market, side);
}

/** The ordinary way for levels of an unusual form, which also names what is wrong with them. */
function fillFromText(levels: LevelText, market: Market, side: SideArrays): number | string {
  const parsed = caught(() => levels.parse());
  return parsed.ok ? fillFromList(parsed.value, market, side) : 'not a list';
}

function isInOrder(count: number, { prices, sizes, direction }: SideArrays): boolean {
  let before = direction === 1 ? 0 : PRICE_TICKS_MAX + 1;
  for (let i = 0; i < count; i++) {
    const price = prices[i] ?? 0;
    const isNext = direction === 1 ? price > before : price < before;
    if (!isNext || price === 0 || price > PRICE_TICKS_MAX || sizes[i] === 0) return false;
    before = price;
  }
  return true;
}

function fillFromList(
  levels: unknown,
  market: Market,
  { prices, sizes, direction }: SideArrays,
): number | string {
  if (!Array.isArray(levels)) return 'not a list';
  if (levels.length > prices.length) return `more than ${prices.length} levels`;
  const { priceDecimals, sizeDecimals } = market;
  let before = direction === 1 ? 0 : PRICE_TICKS_MAX + 1;
  for (let i = 0; i < levels.length; i++) {
    const level: unknown = levels[i];
    if (!Array.isArray(level) || typeof level[0] !== 'string' || typeof level[1] !== 'string') {
      return `level ${i} is no pair of texts`;
    }
    const price = parseScaledNumber(level[0], priceDecimals);
    const size = parseScaledNumber(level[1], sizeDecimals);
    if (!(price > 0 && price <= PRICE_TICKS_MAX && size > 0)) return `level ${i} is no price and size`;
    if (direction === 1 ? price <= before : price >= before) return `level ${i} is out of order`;
    prices[i] = price;
    sizes[i] = size;
    before = price;
  }
  return levels.length;
}

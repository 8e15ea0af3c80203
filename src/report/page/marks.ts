/** @module Orders and fills thinned for drawing, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { FillLevel, FillMark, MarketLines, OrderLevel } from './dom.ts';

/** Prices as at most three stretches, the lowest and the highest of each, in order: what fills the two widest gaps stays out. */
export function stretchesOf(prices: readonly number[]): readonly (readonly [low: number, high: number])[] {
  if (prices.length === 1) return [[prices[0] ?? 0, prices[0] ?? 0]];
  const sorted = [...new Set(prices)].sort((a, b) => a - b);
  const gapBefore = (place: number) => (sorted[place] ?? 0) - (sorted[place - 1] ?? 0);
  const begins = sorted
    .map((_price, place) => place)
    .slice(1)
    .sort((a, b) => gapBefore(b) - gapBefore(a))
    .slice(0, 2)
    .sort((a, b) => a - b);
  return [0, ...begins].map((begin, at) => [
    sorted[begin] ?? 0,
    sorted[(begins[at] ?? sorted.length) - 1] ?? 0,
  ]);
}

/**
 * The orders of a market as they are drawn where a pixel is `msPerPixel` long: of the shorter ones, for each step of time
 * one to two pixels long, the stretches of their prices; the longer ones one by one. Made once for each step.
 */
export function orderLevel({ orders }: MarketLines, msPerPixel: number): OrderLevel {
  const step = 2 ** Math.ceil(Math.log2(msPerPixel));
  const known = orders.levels.get(step);
  if (known !== undefined) return known;
  const sideOf = () => ({
    ...{ at: [] as number[], low: [] as number[], high: [] as number[] },
    ...{ lines: [] as number[], until: [] as number[] },
  });
  const sides = [sideOf(), sideOf()] as const;
  const prices: readonly [number[], number[]] = [[], []];
  let begin = Number.NaN;
  const close = () => {
    for (const side of [0, 1] as const) {
      if (prices[side].length === 0) continue;
      for (const [low, high] of stretchesOf(prices[side])) {
        sides[side].at.push(begin);
        sides[side].low.push(low);
        sides[side].high.push(high);
      }
      prices[side].length = 0;
    }
  };
  for (let at = 0; at < orders.from.length; at++) {
    const [from = 0, to = 0] = [orders.from[at], orders.to[at]];
    const side = orders.isBid[at] === 1 ? 1 : 0;
    if (to - from >= step) {
      const { lines, until } = sides[side];
      until.push(Math.max(to, until.at(-1) ?? to));
      lines.push(at);
      continue;
    }
    const first = Math.floor(from / step) * step;
    if (first !== begin) close();
    begin = first;
    prices[side].push(orders.price[at] ?? 0);
  }
  close();
  const level = { step, sides };
  orders.levels.set(step, level);
  return level;
}

/**
 * The fills of a market in marks: those of one side and role within the same step of time are one. Of a step of 0 ms each
 * fill is one. Made once for each step.
 */
export function fillLevel({ fills }: MarketLines, step: number): FillLevel {
  const known = fills.levels.get(step);
  if (known !== undefined) return known;
  const marks: FillMark[] = [];
  const open = new Map<number, FillMark>();
  let begin = Number.NaN;
  for (let at = 0; at < fills.at.length; at++) {
    const [ms = 0, price = 0, size = 0] = [fills.at[at], fills.price[at], fills.size[at]];
    const kind = 2 * (fills.isMaker[at] ?? 0) + (fills.isBuy[at] ?? 0);
    const first = step === 0 ? at : Math.floor(ms / step);
    if (first !== begin) open.clear();
    begin = first;
    const mark = open.get(kind);
    if (mark === undefined) {
      const one = {
        kind,
        count: 1,
        at: ms,
        fromMs: ms,
        toMs: ms,
        size,
        price,
        low: price,
        high: price,
        first: at,
      };
      open.set(kind, one);
      marks.push(one);
      continue;
    }
    mark.count++;
    mark.at += (ms - mark.at) / mark.count;
    mark.size += size;
    mark.price += ((price - mark.price) * size) / mark.size;
    mark.toMs = ms;
    mark.low = Math.min(mark.low, price);
    mark.high = Math.max(mark.high, price);
  }
  const level = { step, begins: marks.map(({ fromMs }) => fromMs), marks };
  fills.levels.set(step, level);
  return level;
}

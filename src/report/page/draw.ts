/** @module Own orders and fills over the price, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { FillMark, MarketLines, Plot } from './dom.ts';
import type { fillLevel as FillLevelOf, orderLevel as OrderLevelOf } from './marks.ts';
import type { paintBar as PaintBar, pixelOf as PixelOf, pixelsOf as PixelsOf } from './pixels.ts';
import type {
  colorOf as ColorOf,
  instantWords as InstantWords,
  numberWords as NumberWords,
} from './words.ts';

declare const fillLevel: typeof FillLevelOf;
declare const orderLevel: typeof OrderLevelOf;
declare const paintBar: typeof PaintBar;
declare const pixelOf: typeof PixelOf;
declare const pixelsOf: typeof PixelsOf;
declare const colorOf: typeof ColorOf;
declare const instantWords: typeof InstantWords;
declare const numberWords: typeof NumberWords;
declare const devicePixelRatio: number;

/** A bar in pixels of the plotting area. */
type OrderBar = readonly [left: number, top: number, right: number, bottom: number];

/** Pixels of a chart for times and prices. */
export function scaleOf(plot: Plot): { x(ms: number): number; y(price: number): number } {
  const { left, top, width, height } = plot.bbox;
  const { min: fromMs = 0, max: toMs = 1 } = plot.scales['x'] ?? {};
  const { min: low = 0, max: high = 1 } = plot.scales['y'] ?? {};
  const perMs = width / ((toMs ?? 1) - (fromMs ?? 0));
  const perPrice = height / ((high ?? 1) - (low ?? 0));
  return {
    x: (ms) => left + (ms - (fromMs ?? 0)) * perMs,
    y: (price) => top + height - (price - (low ?? 0)) * perPrice,
  };
}

/** The first index from `low` on in sorted `times` at or after `ms`. */
export function placeOf(times: readonly number[], ms: number, low = 0): number {
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The times that a chart shows, Unix ms. */
export function timesOf(plot: Plot): readonly [number, number] {
  const { min, max } = plot.scales['x'] ?? {};
  return [min ?? 0, max ?? 1];
}

/** The marks of the fills from `fromMs` to `toMs`: one each while they are few, else one for each 8 to 16 CSS pixels. */
export function marksOf(
  market: MarketLines,
  [fromMs, toMs]: readonly [number, number],
  width: number,
): readonly FillMark[] {
  const { at } = market.fills;
  const css = width / devicePixelRatio;
  const isFew = placeOf(at, toMs + 1) - placeOf(at, fromMs) <= css / 4;
  const step = isFew ? 0 : 2 ** Math.ceil(Math.log2((8 * (toMs - fromMs)) / css));
  const { begins, marks } = fillLevel(market, step);
  return marks.slice(placeOf(begins, fromMs - step), placeOf(begins, toMs + 1));
}

/** The range of prices: the mid, and own orders and fills that are not far from it. */
export function priceRange(
  market: MarketLines,
  plot: Plot,
  shown: readonly [number, number],
  [low, high]: readonly [number, number],
): readonly [number, number] {
  const { orders } = market;
  let [bottom, top] = [low, high];
  const reach = low > high ? Number.POSITIVE_INFINITY : Math.max(high - low, high * 5e-4);
  const [least, most] = low > high ? [-reach, reach] : [low - reach, high + reach];
  const take = (from: number, to: number) => {
    if (to < least || from > most) return;
    bottom = Math.min(bottom, Math.max(from, least));
    top = Math.max(top, Math.min(to, most));
  };
  const [fromMs, toMs] = shown;
  const { step, sides } = orderLevel(market, (toMs - fromMs) / plot.bbox.width);
  for (const side of sides) {
    const last = placeOf(side.at, toMs + 1);
    for (let at = placeOf(side.at, fromMs - step); at < last; at++)
      take(side.low[at] ?? 0, side.high[at] ?? 0);
    for (let at = placeOf(side.until, fromMs); at < side.lines.length; at++) {
      const line = side.lines[at] ?? 0;
      if ((orders.from[line] ?? 0) > toMs) break;
      if ((orders.to[line] ?? 0) >= fromMs) take(orders.price[line] ?? 0, orders.price[line] ?? 0);
    }
  }
  for (const mark of marksOf(market, shown, plot.bbox.width)) take(mark.low, mark.high);
  if (bottom > top) return [0, 1];
  const room = (top - bottom) * 0.06 || Math.abs(top) * 1e-4 || 1;
  return [bottom - room, top + room];
}

/**
 * What a chart shows of the orders of a side, as bars in whole pixels of the plotting area: left, top, right and bottom
 * of each. Orders are sorted by their begin, so one that ends left of where its row is painted to would be painted over
 * others and is left out: however many orders there are, no pixel of a row is painted twice.
 */
export function orderBars(market: MarketLines, plot: Plot, side: 0 | 1): readonly OrderBar[] {
  const { orders } = market;
  const { left, top, width, height } = plot.bbox;
  const scale = scaleOf(plot);
  const columnOf = (ms: number) => Math.round(scale.x(ms) - left);
  const rowOf = (price: number) => Math.floor(scale.y(price) - top);
  const [fromMs, toMs] = timesOf(plot);
  const thick = Math.max(1, Math.round(devicePixelRatio));
  const { step, sides } = orderLevel(market, (toMs - fromMs) / width);
  const { at, low, high, lines, until } = sides[side];
  const bars: OrderBar[] = [];
  const last = placeOf(at, toMs + 1);
  for (let place = placeOf(at, fromMs - step); place < last; place++) {
    const begin = columnOf(at[place] ?? 0);
    const end = Math.max(begin + 1, columnOf((at[place] ?? 0) + step));
    bars.push([begin, rowOf(high[place] ?? 0), end, rowOf(low[place] ?? 0) + thick]);
  }
  const paintedTo = new Int32Array(Math.ceil(height));
  for (let place = placeOf(until, fromMs); place < lines.length; place++) {
    const line = lines[place] ?? 0;
    const from = orders.from[line] ?? 0;
    if (from > toMs) break;
    if ((orders.to[line] ?? 0) < fromMs) continue;
    const row = rowOf(orders.price[line] ?? 0);
    const painted = paintedTo[row];
    const end = Math.min(Math.ceil(width), columnOf(orders.to[line] ?? 0));
    if (painted === undefined || end <= painted) continue;
    bars.push([Math.max(painted, columnOf(from)), row, end, row + thick]);
    paintedTo[row] = end;
  }
  return bars;
}

/** Paints orders as lines from their rest to their end, and behind fills that are drawn as one the range of their prices. */
export function paintMarket(market: MarketLines, plot: Plot): void {
  const pixels = pixelsOf(plot);
  const scale = scaleOf(plot);
  const marks = marksOf(market, timesOf(plot), plot.bbox.width).map((mark) => triangleOf(mark, plot, scale));
  for (const side of [0, 1] as const) {
    const pixel = pixelOf(colorOf(side === 1 ? 'bid' : 'ask'));
    for (const bar of orderBars(market, plot, side)) paintBar(pixels, bar, pixel);
    for (const { kind, bar } of marks) if ((kind & 1) === side) paintBar(pixels, bar, pixel);
  }
}

/**
 * Where the triangle of a mark is, in pixels: its tip at the lowest price that was bought at, or at the highest that was
 * sold at; larger the more fills it is. The bar goes from the one to the other.
 */
export function triangleOf(
  { kind, count, at, low, high }: FillMark,
  { bbox }: Plot,
  { x, y }: ReturnType<typeof scaleOf>,
) {
  const size = devicePixelRatio * (count === 1 ? 5 : 3.5 + Math.min(3, 0.4 * Math.log2(count)));
  const [left, tip, up] = kind & 1 ? [x(at), y(low), 1] : [x(at), y(high), -1];
  const [column, top] = [Math.round(left - bbox.left), Math.round(y(high) - bbox.top)];
  const bar = [column, top, column + 1, Math.round(y(low) - bbox.top)] as const;
  return { kind, size, left, tip, base: tip + up * 1.8 * size, middle: tip + up * size, bar };
}

/** Triangles of fills: up for a buy, down for a sell; as taker only the outline. One path for each kind: thousands cost much. */
export function drawFills(market: MarketLines, plot: Plot): void {
  const { ctx, bbox } = plot;
  const scale = scaleOf(plot);
  const marks = marksOf(market, timesOf(plot), bbox.width).map((mark) => triangleOf(mark, plot, scale));
  const back = colorOf('back');
  ctx.save();
  ctx.beginPath();
  ctx.rect(Math.round(bbox.left), Math.round(bbox.top), Math.round(bbox.width), Math.round(bbox.height));
  ctx.clip();
  ctx.lineWidth = devicePixelRatio;
  for (const kind of [0, 1, 2, 3]) {
    const color = colorOf(kind & 1 ? 'bid' : 'ask');
    ctx.beginPath();
    for (const mark of marks) {
      if (mark.kind !== kind) continue;
      const { left, size, tip, base } = mark;
      ctx.moveTo(left, tip);
      ctx.lineTo(left - size, base);
      ctx.lineTo(left + size, base);
      ctx.closePath();
    }
    ctx.fillStyle = kind >= 2 ? color : back;
    ctx.strokeStyle = kind >= 2 ? back : color;
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

/** What is to be said of the fills under the pointer; empty: there is none. */
export function fillTip(market: MarketLines, plot: Plot, left: number, top: number): string {
  const scale = scaleOf(plot);
  const x = left * devicePixelRatio + plot.bbox.left;
  const y = top * devicePixelRatio + plot.bbox.top;
  let distance = (14 * devicePixelRatio) ** 2;
  let nearest: FillMark | undefined;
  for (const mark of marksOf(market, timesOf(plot), plot.bbox.width)) {
    const triangle = triangleOf(mark, plot, scale);
    const away = (triangle.left - x) ** 2 + (triangle.middle - y) ** 2;
    if (away < distance) [distance, nearest] = [away, mark];
  }
  if (nearest === undefined) return '';
  const { kind, count, first, fromMs, toMs } = nearest;
  const side = kind & 1 ? 'bought' : 'sold';
  const size = numberWords(nearest.size, market.sizeDecimals);
  const priceWords = (price: number) => numberWords(price, market.priceDecimals);
  const role = kind >= 2 ? 'maker' : 'taker';
  if (count === 1)
    return `${side} ${size} at ${priceWords(nearest.price)} as ${role}\n${instantWords(fromMs)}\n${market.fills.words[first]}`;
  const prices = `${priceWords(nearest.price)} on average (${priceWords(nearest.low)} to ${priceWords(nearest.high)})`;
  return `${count} fills: ${side} ${size} at ${prices} as ${role}\n${instantWords(fromMs)} to\n${instantWords(toMs)}`;
}

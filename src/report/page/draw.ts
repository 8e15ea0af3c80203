/** @module Own orders and fills over the price, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { MarketLines, Plot } from './dom.ts';
import type {
  colorOf as ColorOf,
  instantWords as InstantWords,
  numberWords as NumberWords,
} from './words.ts';

declare const colorOf: typeof ColorOf;
declare const instantWords: typeof InstantWords;
declare const numberWords: typeof NumberWords;
declare const devicePixelRatio: number;

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

/** The first index in sorted `times` at or after `ms`. */
export function placeOf(times: readonly number[], ms: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The range of prices: the mid, and own orders and fills that are not far from it. */
export function priceRange(
  market: MarketLines,
  plot: Plot,
  low: number | null,
  high: number | null,
): readonly [number, number] {
  const { min, max } = plot.scales['x'] ?? {};
  const { orders, fills } = market;
  let bottom = low ?? Number.POSITIVE_INFINITY;
  let top = high ?? Number.NEGATIVE_INFINITY;
  const reach = low === null || high === null ? Number.POSITIVE_INFINITY : Math.max(high - low, high * 5e-4);
  const take = (price: number) => {
    if (low !== null && high !== null && (price < low - reach || price > high + reach)) return;
    if (price < bottom) bottom = price;
    if (price > top) top = price;
  };
  orders.price.forEach((price, at) => {
    if ((orders.to[at] ?? 0) >= (min ?? 0) && (orders.from[at] ?? 0) <= (max ?? 0)) take(price);
  });
  fills.price.forEach((price, at) => {
    const ms = fills.at[at] ?? 0;
    if (ms >= (min ?? 0) && ms <= (max ?? 0)) take(price);
  });
  if (bottom > top) return [0, 1];
  const room = (top - bottom) * 0.06 || Math.abs(top) * 1e-4 || 1;
  return [bottom - room, top + room];
}

/**
 * The lines of the orders of a side that a chart shows, in whole pixels: left, right and top of each. Orders are sorted
 * by their begin, so one that ends left of where its row is painted to lies on others and is left out: however many
 * orders there are, no pixel is drawn twice.
 */
export function orderLines({ orders }: MarketLines, plot: Plot, side: 0 | 1): readonly number[] {
  const { left, top, width, height } = plot.bbox;
  const scale = scaleOf(plot);
  const paintedTo = new Int32Array(Math.ceil(height) + 1).fill(left - 1);
  const lines: number[] = [];
  for (let at = 0; at < orders.from.length; at++) {
    if (orders.isBid[at] !== side) continue;
    const begin = scale.x(orders.from[at] ?? 0);
    if (begin > left + width) break;
    const end = Math.min(left + width, Math.max(begin + 1, scale.x(orders.to[at] ?? 0)));
    const row = Math.floor(scale.y(orders.price[at] ?? 0) - top);
    const painted = paintedTo[row];
    if (painted === undefined) continue;
    const to = Math.round(end);
    if (to <= painted || to < left) continue;
    lines.push(Math.max(Math.round(begin), painted, Math.floor(left)), to, Math.floor(top) + row);
    paintedTo[row] = to;
  }
  return lines;
}

/** Draws orders as lines from their rest to their end, and fills as triangles that point to their side. */
export function drawMarket(market: MarketLines, plot: Plot): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const thick = Math.max(1, Math.round(devicePixelRatio));
  for (const side of [0, 1] as const) {
    ctx.fillStyle = colorOf(side === 1 ? 'bid' : 'ask');
    const lines = orderLines(market, plot, side);
    for (let at = 0; at < lines.length; at += 3) {
      const [from = 0, to = 0, y = 0] = [lines[at], lines[at + 1], lines[at + 2]];
      ctx.fillRect(from, y, to - from, thick);
    }
  }
  drawFills(market, plot);
  ctx.restore();
}

/**
 * The fills that a chart shows, by their index, and how large they are drawn, in pixels. Of more than 1,500 the ones that
 * would lie on another of their side and role are left out.
 */
export function visibleFills({ fills }: MarketLines, plot: Plot): { size: number; shown: readonly number[] } {
  const { min, max } = plot.scales['x'] ?? {};
  const scale = scaleOf(plot);
  const first = placeOf(fills.at, min ?? 0);
  const last = placeOf(fills.at, (max ?? 0) + 1);
  const size = (last - first > 1500 ? 2.5 : last - first > 300 ? 4 : 6) * devicePixelRatio;
  const taken = new Set<number>();
  const shown: number[] = [];
  for (let at = first; at < last; at++) {
    if (last - first > 1500) {
      const column = Math.floor(scale.x(fills.at[at] ?? 0) / size);
      const row = Math.floor(scale.y(fills.price[at] ?? 0) / size);
      const cell = (column * 65536 + row) * 4 + 2 * (fills.isBuy[at] ?? 0) + (fills.isMaker[at] ?? 0);
      if (taken.has(cell)) continue;
      taken.add(cell);
    }
    shown.push(at);
  }
  return { size, shown };
}

/** Triangles of fills: up for a buy, down for a sell; as taker only the outline. One path for each kind: thousands cost much. */
export function drawFills(market: MarketLines, plot: Plot): void {
  const { ctx } = plot;
  const { fills } = market;
  const scale = scaleOf(plot);
  const { size, shown } = visibleFills(market, plot);
  const back = colorOf('back');
  ctx.lineWidth = devicePixelRatio * (size > 4 * devicePixelRatio ? 1 : 0.5);
  for (const kind of [0, 1, 2, 3]) {
    const [isBuy, isMaker] = [kind % 2, kind >> 1];
    const up = isBuy === 1 ? -1 : 1;
    const color = colorOf(isBuy === 1 ? 'bid' : 'ask');
    ctx.beginPath();
    for (const at of shown) {
      if (fills.isBuy[at] !== isBuy || fills.isMaker[at] !== isMaker) continue;
      const x = scale.x(fills.at[at] ?? 0);
      const y = scale.y(fills.price[at] ?? 0);
      ctx.moveTo(x, y + up * size);
      ctx.lineTo(x - size, y - up * size * 0.8);
      ctx.lineTo(x + size, y - up * size * 0.8);
      ctx.closePath();
    }
    ctx.fillStyle = isMaker === 1 ? color : back;
    ctx.strokeStyle = isMaker === 1 ? back : color;
    ctx.fill();
    ctx.stroke();
  }
}

/** What is to be said of the fill under the pointer; empty: there is none. */
export function fillTip(market: MarketLines, plot: Plot, left: number, top: number): string {
  const { fills } = market;
  const scale = scaleOf(plot);
  const x = left * devicePixelRatio + plot.bbox.left;
  const y = top * devicePixelRatio + plot.bbox.top;
  const reach = 14 * devicePixelRatio;
  let nearest = -1;
  let distance = reach * reach;
  for (let at = 0; at < fills.at.length; at++) {
    const dx = scale.x(fills.at[at] ?? 0) - x;
    if (dx < -reach) continue;
    if (dx > reach) break;
    const dy = scale.y(fills.price[at] ?? 0) - y;
    if (dx * dx + dy * dy < distance) {
      distance = dx * dx + dy * dy;
      nearest = at;
    }
  }
  if (nearest < 0) return '';
  const side = fills.isBuy[nearest] === 1 ? 'bought' : 'sold';
  const size = numberWords(fills.size[nearest], market.sizeDecimals);
  const price = numberWords(fills.price[nearest], market.priceDecimals);
  const role = fills.isMaker[nearest] === 1 ? 'maker' : 'taker';
  return `${side} ${size} at ${price} as ${role}\n${instantWords(fills.at[nearest])}\n${fills.words[nearest]}`;
}

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

/** Draws orders as lines from their rest to their end, and fills as triangles that point to their side. */
export function drawMarket(market: MarketLines, plot: Plot): void {
  const { ctx, bbox } = plot;
  const scale = scaleOf(plot);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const { orders } = market;
  ctx.lineWidth = Math.max(1, devicePixelRatio);
  for (const side of [0, 1]) {
    ctx.strokeStyle = colorOf(side === 1 ? 'bid' : 'ask');
    ctx.beginPath();
    for (let at = 0; at < orders.from.length; at++) {
      if (orders.isBid[at] !== side) continue;
      const from = scale.x(orders.from[at] ?? 0);
      const to = Math.max(from + 1, scale.x(orders.to[at] ?? 0));
      if (to < bbox.left || from > bbox.left + bbox.width) continue;
      const y = scale.y(orders.price[at] ?? 0);
      ctx.moveTo(from, y);
      ctx.lineTo(to, y);
    }
    ctx.stroke();
  }
  drawFills(market, plot);
  ctx.restore();
}

/** Triangles of fills: up for a buy, down for a sell; as taker only the outline. */
export function drawFills({ fills }: MarketLines, plot: Plot): void {
  const { ctx } = plot;
  const { min, max } = plot.scales['x'] ?? {};
  const scale = scaleOf(plot);
  const first = placeOf(fills.at, min ?? 0);
  const last = placeOf(fills.at, (max ?? 0) + 1);
  const size = (last - first > 1500 ? 2.5 : last - first > 300 ? 4 : 6) * devicePixelRatio;
  const back = colorOf('back');
  for (let at = first; at < last; at++) {
    const x = scale.x(fills.at[at] ?? 0);
    const y = scale.y(fills.price[at] ?? 0);
    const isBuy = fills.isBuy[at] === 1;
    const up = isBuy ? -1 : 1;
    const color = colorOf(isBuy ? 'bid' : 'ask');
    ctx.beginPath();
    ctx.moveTo(x, y + up * size);
    ctx.lineTo(x - size, y - up * size * 0.8);
    ctx.lineTo(x + size, y - up * size * 0.8);
    ctx.closePath();
    ctx.fillStyle = fills.isMaker[at] === 1 ? color : back;
    ctx.strokeStyle = fills.isMaker[at] === 1 ? back : color;
    ctx.lineWidth = devicePixelRatio * (size > 4 * devicePixelRatio ? 1 : 0.5);
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

/** @module The charts of a market: price with own quotes and fills, and inventory below it. */
import { colorOf, type PageElement } from './browser.ts';
import type { ChartFill, Course, PageState } from './store.ts';
import { clockWords } from './words.ts';

interface Canvas {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  save(): void;
  restore(): void;
  beginPath(): void;
  closePath(): void;
  rect(x: number, y: number, width: number, height: number): void;
  clip(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  fill(): void;
  stroke(): void;
}

interface Plot {
  readonly ctx: Canvas;
  readonly bbox: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  setData(data: readonly (readonly (number | null)[])[]): void;
  setSize(size: { readonly width: number; readonly height: number }): void;
  valToPos(value: number, scale: string, isCanvas: boolean): number;
  destroy(): void;
}

declare const uPlot: {
  new (options: object, data: readonly (readonly (number | null)[])[], target: PageElement): Plot;
  readonly paths: { stepped(options: { readonly align: 1 | -1 }): unknown };
};
declare const devicePixelRatio: number;

/** Charts of one market, as long as its holder is on the page. */
interface Charts {
  readonly holder: PageElement;
  readonly price: Plot;
  readonly inventory: Plot;
}

const PRICE_HEIGHT = 300;
const INVENTORY_HEIGHT = 130;
/** The shortest time that is shown. */
const SPAN_MS_MIN = 30_000;
/** With more fills than this their marks are smaller. */
const FILLS_LARGE = 60;

const charts = new Map<string, Charts>();
const holders = new Map<string, (element: PageElement | null) => void>();

/** Called by the page with the holder of a market's charts, and with nothing when it is gone. One function a market. */
export function holderOf(state: PageState, symbol: string): (element: PageElement | null) => void {
  const known = holders.get(symbol);
  if (known !== undefined) return known;
  const take = (element: PageElement | null): void => {
    const old = charts.get(symbol);
    old?.price.destroy();
    old?.inventory.destroy();
    charts.delete(symbol);
    if (element !== null) charts.set(symbol, chartsIn(element, state, symbol));
  };
  holders.set(symbol, take);
  return take;
}

/** Draws what is new. */
export function drawCharts(state: PageState): void {
  for (const [symbol, { price, inventory, holder }] of charts) {
    const shown = windowOf(state, symbol);
    price.setData([shown.at, shown.mid, shown.bid, shown.ask]);
    inventory.setData([shown.at, shown.inventory]);
    const width = holder.clientWidth;
    if (width <= 0) continue;
    price.setSize({ width, height: PRICE_HEIGHT });
    inventory.setSize({ width, height: INVENTORY_HEIGHT });
  }
}

const NOTHING: Course = { at: [], mid: [], bid: [], ask: [], inventory: [] };

/** The points of the time that is shown. */
function windowOf(state: PageState, symbol: string): Course {
  const { at, mid, bid, ask, inventory } = state.courses.get(symbol) ?? NOTHING;
  const fromMs = (at.at(-1) ?? 0) - state.windowMs;
  let first = at.findIndex((ms) => ms >= fromMs);
  if (first < 0) first = at.length;
  const cut = (values: (number | null)[]) => values.slice(first);
  return {
    at: at.slice(first),
    mid: cut(mid),
    bid: cut(bid),
    ask: cut(ask),
    inventory: cut(inventory),
  };
}

function chartsIn(holder: PageElement, state: PageState, symbol: string): Charts {
  const shown = windowOf(state, symbol);
  const width = Math.max(280, holder.clientWidth);
  const step = uPlot.paths.stepped({ align: 1 });
  const line = (label: string, color: string, more: object = {}) => ({
    ...{ label, stroke: () => colorOf(color), width: 1.5, points: { show: false } },
    value: (_plot: Plot, value: number | null) => (value === null ? '–' : numberText(value)),
    ...more,
  });
  const time = { label: 'Time (UTC)', value: (_plot: Plot, ms: number | null) => clockWords(ms) };
  const price = new uPlot(
    {
      ...common({ width, height: PRICE_HEIGHT, state, symbol, range: priceRange }),
      series: [
        time,
        line('Mid', 'mid'),
        line('Own bid', 'bid', { paths: step }),
        line('Own ask', 'ask', { paths: step }),
      ],
      hooks: {
        draw: [(plot: Plot) => drawFills(plot, state.fills.get(symbol) ?? [], shownFrom(state, symbol))],
      },
    },
    [shown.at, shown.mid, shown.bid, shown.ask],
    holder,
  );
  const inventory = new uPlot(
    {
      ...common({ width, height: INVENTORY_HEIGHT, state, symbol, range: inventoryRange }),
      series: [time, line('Inventory', 'held', { paths: step, fill: () => colorOf('held-fill') })],
    },
    [shown.at, shown.inventory],
    holder,
  );
  return { holder, price, inventory };
}

function shownFrom(state: PageState, symbol: string): number {
  return (state.courses.get(symbol)?.at.at(-1) ?? 0) - state.windowMs;
}

/** Limits of a value axis from the values that are shown. */
type Range = (plot: Plot, low: number | null, high: number | null) => readonly [number, number];

/** A market that stands still is drawn as a line across the middle. */
const priceRange: Range = (_plot, low, high) => {
  const [bottom, top] = [low ?? 0, high ?? 1];
  const room = Math.max((top - bottom) * 0.08, Math.abs(top) * 5e-5);
  return [bottom - room, top + room];
};

/** Zero is always shown. */
const inventoryRange: Range = (_plot, low, high) => {
  const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  const room = (top - bottom) * 0.1 || 1;
  return [bottom - room, top + room];
};

function common({
  width,
  height,
  state,
  symbol,
  range,
}: {
  readonly width: number;
  readonly height: number;
  readonly state: PageState;
  readonly symbol: string;
  readonly range: Range;
}): object {
  const look = {
    stroke: () => colorOf('soft'),
    font: '12px system-ui, "Noto Sans", "DejaVu Sans", sans-serif',
    grid: { stroke: () => colorOf('grid'), width: 1 },
    ticks: { stroke: () => colorOf('grid'), width: 1, size: 5 },
  };
  return {
    ...{ width, height, ms: 1, cursor: { drag: { x: false, y: false }, sync: { key: symbol } } },
    scales: {
      x: {
        time: true,
        range: () => {
          const { at } = state.courses.get(symbol) ?? NOTHING;
          const to = at.at(-1) ?? 1;
          // A run that has begun just now fills its chart all the same.
          return [Math.max(to - state.windowMs, Math.min(at[0] ?? 0, to - SPAN_MS_MIN)), to];
        },
      },
      y: { range },
    },
    axes: [
      {
        ...look,
        space: 70,
        values: (_plot: Plot, splits: readonly number[]) => splits.map((ms) => clockWords(ms)),
      },
      {
        ...look,
        size: 78,
        space: 22,
        values: (_plot: Plot, splits: readonly number[]) => splits.map(numberText),
      },
    ],
  };
}

/** Digits that tell neighbors apart, grouped. */
function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 8 });
}

/** Triangles: up for a buy, down for a sell; as taker only the outline. */
function drawFills(plot: Plot, fills: readonly ChartFill[], fromMs: number): void {
  const { ctx, bbox } = plot;
  const shown = fills.filter(({ atMs }) => atMs >= fromMs);
  const size = (shown.length > FILLS_LARGE ? 3.5 : 6) * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { atMs, price, side, role } of shown) {
    const x = plot.valToPos(atMs, 'x', true);
    const y = plot.valToPos(price, 'y', true);
    const up = side === 'buy' ? -1 : 1;
    const color = colorOf(side === 'buy' ? 'bid' : 'ask');
    ctx.beginPath();
    ctx.moveTo(x, y + up * size);
    ctx.lineTo(x - size, y - up * size * 0.8);
    ctx.lineTo(x + size, y - up * size * 0.8);
    ctx.closePath();
    ctx.fillStyle = role === 'maker' ? color : colorOf('panel');
    ctx.strokeStyle = role === 'maker' ? colorOf('panel') : color;
    ctx.lineWidth = devicePixelRatio * (shown.length > FILLS_LARGE ? 0.5 : 1);
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

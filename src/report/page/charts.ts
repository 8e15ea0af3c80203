/** @module The charts of a page, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { PageData, PageMarket } from '../page-data.ts';
import type { AxisCall, ChartParts, MarketLines, PageDocument, PageElement, Plot } from './dom.ts';
import type { drawMarket as DrawMarket, fillTip as FillTip, priceRange as PriceRange } from './draw.ts';
import type {
  axisSize as AxisSize,
  colorOf as ColorOf,
  decimalsOf as DecimalsOf,
  instantWords as InstantWords,
  numberWords as NumberWords,
  timeLabels as TimeLabels,
  unpack as Unpack,
} from './words.ts';

declare const axisSize: typeof AxisSize;
declare const colorOf: typeof ColorOf;
declare const decimalsOf: typeof DecimalsOf;
declare const instantWords: typeof InstantWords;
declare const numberWords: typeof NumberWords;
declare const timeLabels: typeof TimeLabels;
declare const unpack: typeof Unpack;
declare const drawMarket: typeof DrawMarket;
declare const fillTip: typeof FillTip;
declare const priceRange: typeof PriceRange;
declare const document: PageDocument;
declare const addEventListener: (type: string, listener: () => void) => void;
declare const matchMedia: (query: string) => { addEventListener(type: string, listener: () => void): void };
declare const uPlot: {
  new (options: unknown, data: unknown, target: PageElement): Plot;
  tzDate(date: Date, zone: string): Date;
  readonly paths: { stepped(options: { readonly align: 1 | -1 }): unknown };
};

/** The lines of a market in their units and in Unix milliseconds. */
export function marketLines(market: PageMarket, fromMs: number): MarketLines {
  const { symbol, priceDecimals, sizeDecimals, orders, fills } = market;
  const tick = 10 ** -priceDecimals;
  const lot = 10 ** -sizeDecimals;
  const times = (column: readonly (number | null)[]) => unpack(column, 1).map((ms) => (ms ?? 0) + fromMs);
  const known = (column: readonly (number | null)[], scale: number) =>
    unpack(column, scale).map((value) => value ?? 0);
  const from = times(orders.from);
  return {
    ...{ symbol, priceDecimals, sizeDecimals },
    mid: { at: times(market.mid.at), value: unpack(market.mid.value, tick / 2) },
    inventory: { at: times(market.inventory.at), value: unpack(market.inventory.value, lot) },
    orders: {
      from,
      to: from.map((ms, at) => ms + (orders.length[at] ?? 0)),
      price: known(orders.price, tick),
      isBid: orders.isBid,
    },
    fills: {
      at: times(fills.at),
      price: known(fills.price, tick),
      size: fills.size.map((lots) => lots * lot),
      ...{ isBuy: fills.isBuy, isMaker: fills.isMaker, words: fills.words },
    },
  };
}

/** The axes that all charts share: colors after the style sheet, values with as much space as they need. */
export function axesOf(times: object): readonly object[] {
  const look = {
    stroke: () => colorOf('soft'),
    font: '12px system-ui, "Noto Sans", "DejaVu Sans", sans-serif',
    grid: { stroke: () => colorOf('grid'), width: 1 },
    ticks: { stroke: () => colorOf('grid'), width: 1, size: 6 },
  };
  const values = (...[, splits, , , step]: AxisCall) =>
    splits.map((value) => numberWords(value, decimalsOf(step)));
  return [
    { ...look, ...times },
    { ...look, values, size: axisSize, space: 24 },
  ];
}

/** Shows what is under the pointer beside it, inside the chart. */
export function showTip(plot: Plot, tip: PageElement, text: string): void {
  const { left = 0, top = 0 } = plot.cursor;
  tip.style.display = text === '' ? 'none' : 'block';
  if (text === '') return;
  tip.textContent = text;
  const room = plot.over.clientWidth - tip.offsetWidth - 4;
  tip.style.left = `${Math.max(0, Math.min(left + 14, room))}px`;
  tip.style.top = `${top + 14}px`;
}

/** A chart over time in its own holder. */
export function timeChart(holder: PageElement, parts: ChartParts, onZoom: (plot: Plot) => void): Plot {
  const box = document.createElement('div');
  box.className = 'chart';
  const title = document.createElement('div');
  title.className = 'title';
  title.textContent = parts.title;
  box.append(title);
  holder.append(box);
  const tip = document.createElement('div');
  tip.className = 'tip';
  const { isStepped, isFilled, draw, range, tip: tipOf } = parts;
  const values = (...[, splits, , , step]: AxisCall) => timeLabels(splits, step);
  const options = {
    width: box.clientWidth,
    height: parts.height,
    ms: 1,
    tzDate: (ms: number) => uPlot.tzDate(new Date(ms), 'UTC'),
    cursor: { sync: { key: 'time', scales: ['x', null] }, drag: { x: true, y: false }, y: false },
    scales: { y: range === undefined ? {} : { range } },
    axes: axesOf({ values, space: 92 }),
    series: [
      { label: 'Time', value: (_plot: Plot, ms: number | null) => instantWords(ms) },
      {
        label: parts.label,
        stroke: () => colorOf(parts.color),
        width: 1.25,
        points: { show: false },
        value: (_plot: Plot, value: number | null) => numberWords(value, parts.decimals),
        ...(isStepped === true ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
        ...(isFilled === true ? { fill: () => `${colorOf(parts.color)}33` } : {}),
      },
    ],
    hooks: {
      setScale: [(plot: Plot, scale: string) => (scale === 'x' ? onZoom(plot) : undefined)],
      draw: draw === undefined ? [] : [draw],
      setCursor:
        tipOf === undefined
          ? []
          : [
              (plot: Plot) =>
                showTip(plot, tip, tipOf(plot, plot.cursor.left ?? -99, plot.cursor.top ?? -99)),
            ],
    },
  };
  const plot = new uPlot(options, [parts.line.at, parts.line.value], box);
  plot.over.append(tip);
  return plot;
}

/** All charts over time: equity, drawdown, and of each market price and inventory. */
export function timeCharts(data: PageData, onZoom: (plot: Plot) => void): Plot[] {
  const plots: Plot[] = [];
  const add = (id: string, parts: ChartParts) => {
    const holder = document.getElementById(id);
    if (holder !== null) plots.push(timeChart(holder, parts, onZoom));
  };
  const { moneyDecimals, fromMs } = data;
  const at = unpack(data.equity.at, 1).map((ms) => (ms ?? 0) + fromMs);
  const equity = unpack(data.equity.value, 10 ** -moneyDecimals);
  let peak = Number.NEGATIVE_INFINITY;
  const fall = equity.map((value) => {
    if (value !== null && value > peak) peak = value;
    return value === null ? null : value - peak;
  });
  const money = { decimals: Math.min(moneyDecimals, 4) };
  const equityTitle = 'Equity in units of the collateral, transfers left out';
  add('pnl', {
    ...{ ...money, title: equityTitle, label: 'Equity', color: 'equity', height: 240 },
    line: { at, value: equity },
  });
  const fallTitle = 'Drawdown: equity below its highest so far, in units of the collateral';
  add('pnl', {
    ...{ ...money, title: fallTitle, label: 'Drawdown', color: 'fall', height: 140, isFilled: true },
    line: { at, value: fall },
  });
  data.markets.forEach((packedMarket, place) => {
    const market = marketLines(packedMarket, fromMs);
    add(`market-${place}`, {
      ...{ title: `Price of ${market.symbol} with own orders and fills`, label: 'Mid', color: 'mid' },
      ...{ height: 340, decimals: market.priceDecimals + 1, line: market.mid },
      range: (plot, low, high) => priceRange(market, plot, low, high),
      draw: (plot) => drawMarket(market, plot),
      tip: (plot, left, top) => fillTip(market, plot, left, top),
    });
    add(`market-${place}`, {
      ...{ title: `Inventory in ${market.symbol}, in units of its size`, label: 'Inventory', color: 'held' },
      ...{ height: 150, decimals: market.sizeDecimals, line: market.inventory },
      ...{ isStepped: true, isFilled: true },
    });
  });
  return plots;
}

/** The curves of later prices, or nothing where there were no fills. */
export function markoutChart(data: PageData): Plot | undefined {
  const holder = document.getElementById('markouts');
  if (holder === null || data.markouts.length === 0) return undefined;
  const places = data.horizons.map((_ms, at) => at);
  const labels = data.horizons.map((ms) => (ms < 60000 ? `${ms / 1000} s` : `${ms / 60000} min`));
  const label = (place: number | null) => (place === null ? '–' : `${labels[place] ?? ''} later`);
  const options = {
    width: holder.clientWidth,
    height: 280,
    cursor: { drag: { x: false, y: false }, y: false },
    scales: { x: { time: false, range: () => [-0.3, places.length - 0.7] } },
    axes: axesOf({ splits: () => places, values: () => labels, space: 20 }),
    series: [
      { label: 'After', value: (_plot: Plot, place: number | null) => label(place) },
      ...data.markouts.map(({ name, role, dashed }) => ({
        label: name,
        stroke: () => colorOf(role),
        width: 2,
        ...(dashed ? { dash: [6, 5] } : {}),
        points: { show: true, size: 6, fill: () => colorOf('back') },
        value: (_plot: Plot, value: number | null) => `${numberWords(value, 3)} bps`,
      })),
    ],
  };
  return new uPlot(options, [places, ...data.markouts.map(({ bps }) => bps)], holder);
}

/** Shifts or scales the visible time: by the fraction `by` of it to the right, `times` as long. */
export function movedRange(range: readonly [number, number], whole: readonly [number, number], move: string) {
  const [from, to] = range;
  const length = to - from;
  const middle = (from + to) / 2;
  const half = move === 'in' ? length / 4 : move === 'out' ? length : length / 2;
  const shift = move === 'left' ? -length / 2 : move === 'right' ? length / 2 : 0;
  if (move === 'all' || 2 * half >= whole[1] - whole[0]) return whole;
  const begin = Math.max(whole[0], Math.min(whole[1] - 2 * half, middle + shift - half));
  return [begin, begin + Math.max(10, 2 * half)] as const;
}

/** Draws the page. */
export function startPage(): void {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as PageData;
  const plots: Plot[] = [];
  let isZooming = false;
  const onZoom = (source: Plot) => {
    const { min, max } = source.scales['x'] ?? {};
    if (isZooming || min === null || max === null || min === undefined || max === undefined) return;
    isZooming = true;
    for (const plot of plots) if (plot !== source) plot.setScale('x', { min, max });
    isZooming = false;
  };
  plots.push(...timeCharts(data, onZoom));
  const markouts = markoutChart(data);
  const all = markouts === undefined ? plots : [...plots, markouts];
  const heights = new Map(all.map((plot) => [plot, plot.height]));
  const whole = [data.fromMs, Math.max(data.toMs, data.fromMs + 1)] as const;
  for (const button of document.querySelectorAll('button[data-move]'))
    button.addEventListener('click', () => {
      const first = plots[0];
      const { min, max } = first?.scales['x'] ?? {};
      const range = [min ?? whole[0], max ?? whole[1]] as const;
      const [from, to] = movedRange(range, whole, button.dataset['move'] ?? 'all');
      first?.setScale('x', { min: from, max: to });
    });
  addEventListener('resize', () => {
    const width = document.getElementById('pnl')?.clientWidth ?? 0;
    for (const plot of all) plot.setSize({ width, height: heights.get(plot) ?? 200 });
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const plot of all) plot.redraw(true, true);
  });
  document.documentElement.setAttribute('data-drawn', 'yes');
}

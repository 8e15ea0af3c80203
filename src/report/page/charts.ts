/** @module The charts of a page, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { PageData, PageMarket } from '../page-data.ts';
import type {
  AxisCall,
  Chart,
  ChartParts,
  ChartPlace,
  Kept,
  MarketLines,
  PageDocument,
  PageElement,
  Plot,
} from './dom.ts';
import type {
  drawFills as DrawFills,
  fillTip as FillTip,
  paintMarket as PaintMarket,
  priceRange as PriceRange,
} from './draw.ts';
import type { columnsOf as ColumnsOf, levelsOf as LevelsOf, paintLine as PaintLine } from './lines.ts';
import type { showPixels as ShowPixels } from './pixels.ts';
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
declare const drawFills: typeof DrawFills;
declare const paintMarket: typeof PaintMarket;
declare const fillTip: typeof FillTip;
declare const priceRange: typeof PriceRange;
declare const columnsOf: typeof ColumnsOf;
declare const levelsOf: typeof LevelsOf;
declare const paintLine: typeof PaintLine;
declare const showPixels: typeof ShowPixels;
declare const document: PageDocument;
declare const kept: Kept;
/** Makes the path of the points `from` to `to` of a line. */
type Paths = (plot: Plot, line: number, from: number, to: number) => unknown;
declare const uPlot: {
  new (options: unknown, data: unknown, target: PageElement): Plot;
  tzDate(date: Date, zone: string): Date;
  rangeNum(low: number, high: number, pad: number, isExtraPadded: boolean): readonly [number, number];
  readonly paths: { stepped(options: { readonly align: 1 | -1 }): Paths; linear(): Paths };
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
      levels: new Map(),
    },
    fills: {
      at: times(fills.at),
      price: known(fills.price, tick),
      size: fills.size.map((lots) => lots * lot),
      ...{ isBuy: fills.isBuy, isMaker: fills.isMaker, words: fills.words, levels: new Map() },
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

/** The place of a chart in `holder`, as high as the chart will be with its legend. */
export function placeOfChart(holder: PageElement, { title, height }: ChartPlace): PageElement {
  const box = document.createElement('div');
  box.className = 'chart';
  box.style.minHeight = `${height + 62}px`;
  const heading = document.createElement('div');
  heading.className = 'title';
  heading.textContent = title;
  box.append(heading);
  holder.append(box);
  return box;
}

/** The marker of a line in the legend: uPlot asks for its color once, the style sheet for the colors of the day. */
export function legendOf(colors: readonly string[]): object {
  const color = (_plot: Plot, line: number) => `var(--${colors[line - 1] ?? 'soft'})`;
  return { markers: { stroke: color, fill: () => 'transparent' } };
}

/** A chart over time in its box. */
export function timeChart(
  box: PageElement,
  height: number,
  parts: ChartParts,
  onZoom: (plot: Plot) => void,
): Plot {
  const tip = document.createElement('div');
  tip.className = 'tip';
  const { isStepped = false, isFilled = false, paint, draw, range, tip: tipOf } = parts;
  const lines = parts.lines.map(({ value }) => levelsOf(parts.at, value));
  // uPlot asks for the range of values before its time scale shows the new times.
  let shown: readonly [number, number] = [0, 1];
  const valueRange = (plot: Plot) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    lines.forEach((line, at) => {
      if (plot.series[at + 1]?.show === false) return;
      const { low: lows, high: highs } = columnsOf(line, shown, 1, isStepped);
      low = Math.min(low, lows[0] ?? low);
      high = Math.max(high, highs[0] ?? high);
    });
    if (range !== undefined) return range(plot, shown, [low, high]);
    return low > high ? [null, null] : uPlot.rangeNum(low, high, 0.1, true);
  };
  // A path of the points while they are fewer than the pixels; uPlot draws nothing of what is painted here.
  const path = isStepped ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear();
  const paths =
    (color: string, line: number): Paths =>
    (plot, series, from, to) => {
      const levels = lines[line];
      if (levels === undefined || to - from < plot.bbox.width) return path(plot, series, from, to);
      paintLine(plot, levels, colorOf(color), { isStepped, isFilled });
      return null;
    };
  const values = (...[, splits, , , step]: AxisCall) => timeLabels(splits, step);
  const options = {
    width: box.clientWidth,
    // Half of the longest time at the right end of the axis.
    ...{ height, ms: 1, padding: [null, 40, null, null] },
    tzDate: (ms: number) => uPlot.tzDate(new Date(ms), 'UTC'),
    cursor: {
      // The values under the pointer are shown where they can be seen.
      sync: {
        ...{ key: 'time', scales: ['x', null] },
        filters: {
          pub: () => true,
          sub: (type: string) => type !== 'mousemove' || kept.inView.has(box),
        },
      },
      ...{ drag: { x: true, y: false }, y: false },
    },
    scales: {
      x: { range: (_plot: Plot, from: number, to: number) => (shown = [from, to]) },
      y: { range: valueRange },
    },
    axes: axesOf({ values, space: 92 }),
    legend: legendOf(parts.lines.map(({ color }) => color)),
    series: [
      { label: 'Time', value: (_plot: Plot, ms: number | null) => instantWords(ms) },
      ...parts.lines.map(({ label, color }, line) => ({
        label,
        // The range of values is found above: uPlot would look at all points.
        auto: false,
        stroke: () => colorOf(color),
        width: 1.25,
        points: { show: false },
        value: (_plot: Plot, value: number | null) => numberWords(value, parts.decimals),
        paths: paths(color, line),
        ...(isFilled ? { fill: () => `${colorOf(color)}33` } : {}),
      })),
    ],
    hooks: {
      setScale: [(plot: Plot, scale: string) => (scale === 'x' ? onZoom(plot) : undefined)],
      drawClear: paint === undefined ? [] : [paint],
      draw: draw === undefined ? [showPixels] : [showPixels, draw],
      setCursor: [
        (plot: Plot) => {
          const { event = null, left = -99, top = -99 } = plot.cursor;
          showTip(plot, tip, event === null || tipOf === undefined ? '' : tipOf(plot, left, top));
        },
      ],
    },
  };
  const plot = new uPlot(options, [parts.at, ...parts.lines.map(({ value }) => value)], box);
  plot.over.append(tip);
  return plot;
}

/** All charts over time: equity and its parts, drawdown, latency, and of each market price and inventory. */
export function timeCharts(data: PageData, onZoom: (plot: Plot) => void): Chart[] {
  const charts: Chart[] = [];
  const add = (id: string, place: ChartPlace, parts: () => ChartParts) => {
    const holder = document.getElementById(id);
    if (holder === null) return;
    const box = placeOfChart(holder, place);
    charts.push({ box, make: () => timeChart(box, place.height, parts(), onZoom) });
  };
  const { moneyDecimals, fromMs } = data;
  const timesOf = (column: readonly (number | null)[]) => unpack(column, 1).map((ms) => (ms ?? 0) + fromMs);
  const at = timesOf(data.equity.at);
  const unit = 10 ** -moneyDecimals;
  const equity = unpack(data.equity.value, unit);
  let peak = Number.NEGATIVE_INFINITY;
  const fall = equity.map((value) => {
    if (value !== null && value > peak) peak = value;
    return value === null ? null : value - peak;
  });
  const money = { decimals: Math.min(moneyDecimals, 4) };
  add('pnl', { title: 'Equity in units of the collateral, transfers left out', height: 240 }, () => ({
    ...{ ...money, at },
    lines: [{ label: 'Equity', color: 'equity', value: equity }],
  }));
  const { split, grown, rolling, latency } = data;
  const splitTitle = 'Where the PnL came from: spread + inventory + funding - fees';
  add('pnl', { title: splitTitle, height: 220 }, () => ({
    ...{ ...money, at: timesOf(split.at) },
    lines: [
      { label: 'Spread', color: 'spread', value: unpack(split.spread, unit) },
      { label: 'Inventory', color: 'held', value: unpack(split.inventory, unit) },
      { label: 'Funding', color: 'funding', value: unpack(split.funding, unit) },
      { label: 'Fees', color: 'fees', value: unpack(split.fees, -unit) },
    ],
  }));
  const fallTitle = 'Drawdown: equity below its highest so far, in units of the collateral';
  add('pnl', { title: fallTitle, height: 140 }, () => ({
    ...{ ...money, isFilled: true, at },
    lines: [{ label: 'Drawdown', color: 'fall', value: fall }],
  }));
  const colors = ['equity', 'mid', 'held', 'funding', 'fees', 'spread', 'fall'];
  const grownTitle = 'Return beside the markets, in percent since the beginning';
  add('pnl', { title: grownTitle, height: 180 }, () => ({
    ...{ decimals: 3, at: timesOf(grown.at) },
    lines: grown.lines.slice(0, colors.length).map(({ name, value }, place) => ({
      ...{ label: name, color: colors[place] ?? 'mid', value: unpack(value, 1e-4) },
    })),
  }));
  data.markets.forEach((packed, place) => {
    let unpacked: MarketLines | undefined;
    const lines = () => {
      unpacked ??= marketLines(packed, fromMs);
      return unpacked;
    };
    const priceTitle = `Price of ${packed.symbol} with own orders and fills`;
    add(`market-${place}`, { title: priceTitle, height: 340 }, () => {
      const market = lines();
      return {
        ...{ decimals: market.priceDecimals + 1, at: market.mid.at },
        lines: [{ label: 'Mid', color: 'mid', value: market.mid.value }],
        range: (plot, shown, extremes) => priceRange(market, plot, shown, extremes),
        paint: (plot) => paintMarket(market, plot),
        draw: (plot) => drawFills(market, plot),
        tip: (plot, left, top) => fillTip(market, plot, left, top),
      };
    });
    const heldTitle = `Inventory in ${packed.symbol}, in units of its size`;
    add(`market-${place}`, { title: heldTitle, height: 150 }, () => {
      const { sizeDecimals, inventory } = lines();
      return {
        ...{ decimals: sizeDecimals, at: inventory.at, isStepped: true, isFilled: true },
        lines: [{ label: 'Inventory', color: 'held', value: inventory.value }],
      };
    });
  });
  const rolls = { at: timesOf(rolling.at), decimals: 2 };
  add('rolling', { title: 'Sharpe (annualized)', height: 160 }, () => ({
    ...rolls,
    lines: [{ label: 'Sharpe', color: 'equity', value: unpack(rolling.sharpe, 1e-3) }],
  }));
  add('rolling', { title: 'Volatility (annualized), in percent', height: 160 }, () => ({
    ...rolls,
    lines: [{ label: 'Volatility', color: 'held', value: unpack(rolling.volatility, 0.1) }],
  }));
  add('latency', { title: 'Time of a write until its outcome was known, in ms', height: 140 }, () => ({
    ...{ at: timesOf(latency.at), decimals: 2 },
    lines: [{ label: 'Latency', color: 'mid', value: unpack(latency.value, 0.01) }],
  }));
  return charts;
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
    legend: legendOf(data.markouts.map(({ role }) => role)),
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

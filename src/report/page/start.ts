/** @module Zoom and gestures of a page, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { PageData } from '../page-data.ts';
import type { markoutChart as MarkoutChart, timeCharts as TimeCharts } from './charts.ts';
import type { Chart, Kept, PageDocument, PageElement, PageEvent, Plot } from './dom.ts';
import type { listFills as ListFills } from './fill-rows.ts';

declare const listFills: typeof ListFills;
declare const markoutChart: typeof MarkoutChart;
declare const timeCharts: typeof TimeCharts;
declare const document: PageDocument;
declare const kept: Kept;
declare const IntersectionObserver: new (
  seen: (entries: readonly { readonly target: PageElement; readonly isIntersecting: boolean }[]) => void,
) => { observe(target: PageElement): void };
declare const addEventListener: (
  type: string,
  listener: () => void,
  options?: { readonly passive: boolean },
) => void;
declare const requestAnimationFrame: (run: () => void) => void;
declare const matchMedia: (query: string) => { addEventListener(type: string, listener: () => void): void };

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

/** `range` with `times` its length around the part `at` of it, shifted by the part `by`, inside of `whole`. */
export function scaledRange(
  range: readonly [number, number],
  whole: readonly [number, number],
  { at, times, by }: { readonly at: number; readonly times: number; readonly by: number },
): readonly [number, number] {
  const length = Math.min(whole[1] - whole[0], Math.max(10, (range[1] - range[0]) * times));
  const fixed = range[0] + (range[1] - range[0]) * at;
  const begin = fixed - length * at + length * by;
  const from = Math.max(whole[0], Math.min(whole[1] - length, begin));
  return [from, from + length];
}

/**
 * Lets all charts show one time range. Those on the screen are made and drawn once a frame at most, the others when they
 * come into view, or all for a printer: however many markets there are, a page costs what is visible. `onDrawn` is called
 * after each frame.
 */
export function zoomer(charts: readonly Chart[], whole: readonly [number, number], onDrawn: () => void) {
  let range: readonly [number, number] = whole;
  let width = charts[0]?.box.clientWidth ?? 0;
  let isDue = false;
  const made = new Map<Chart, Plot>();
  const shown = new Map<Plot, readonly [number, number]>();
  const drawOne = (chart: Chart) => {
    let plot = made.get(chart);
    if (plot === undefined) {
      plot = chart.make();
      made.set(chart, plot);
      gestures(plot, whole, { show, range: () => range });
    }
    if (plot.width !== width) plot.setSize({ width, height: plot.height });
    if (shown.get(plot) === range) return;
    shown.set(plot, range);
    plot.setScale('x', { min: range[0], max: range[1] });
  };
  const draw = () => {
    isDue = false;
    for (const chart of charts) if (kept.inView.has(chart.box)) drawOne(chart);
    onDrawn();
  };
  const later = () => {
    if (!isDue) requestAnimationFrame(draw);
    isDue = true;
  };
  const show = (next: readonly [number, number]) => {
    range = next;
    later();
  };
  const resize = (next: number) => {
    width = next;
    later();
  };
  const redraw = () => {
    for (const plot of made.values()) plot.redraw(true, true);
  };
  /** A chart was zoomed by its own: dragged over, or double clicked, after which it shows all that it has. */
  const follow = (plot: Plot) => {
    const { min, max } = plot.scales['x'] ?? {};
    if (min === null || max === null || min === undefined || max === undefined) return;
    if (min === range[0] && max === range[1]) return;
    const [times = []] = plot.data;
    const isAll = (min === times[0] && max === times.at(-1)) || (min <= whole[0] && max >= whole[1]);
    range = isAll ? whole : [min, max];
    if (!isAll) shown.set(plot, range);
    else shown.delete(plot);
    later();
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) kept.inView.add(target);
      else kept.inView.delete(target);
    later();
  });
  for (const { box } of charts) observer.observe(box);
  const drawAll = () => charts.forEach(drawOne);
  return { show, follow, resize, redraw, drawAll, range: () => range };
}

/** Wheel and fingers over a chart: Ctrl and wheel, or two fingers, zoom; Shift and wheel, or one finger, pan. */
export function gestures(
  plot: Plot,
  whole: readonly [number, number],
  zoom: { show(range: readonly [number, number]): void; range(): readonly [number, number] },
): void {
  const { over } = plot;
  const partOf = (clientX: number) => {
    const { left, width } = over.getBoundingClientRect();
    return (clientX - left) / width;
  };
  over.addEventListener(
    'wheel',
    (event) => {
      const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!event.ctrlKey && !isPan) return;
      event.preventDefault();
      const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
      const change = event.ctrlKey
        ? { at: partOf(event.clientX), times: Math.exp(event.deltaY / 300), by: 0 }
        : { at: 0, times: 1, by: delta / 1_000 };
      zoom.show(scaledRange(zoom.range(), whole, change));
    },
    { passive: false },
  );
  const fingers = new Map<number, number>();
  over.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch') fingers.set(event.pointerId, event.clientX);
  });
  const leave = (event: PageEvent) => fingers.delete(event.pointerId);
  over.addEventListener('pointerup', leave);
  over.addEventListener('pointercancel', leave);
  over.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, event.clientX);
    const apart = other === undefined ? 1 : Math.max(10, Math.abs(event.clientX - other));
    const change =
      other === undefined
        ? { at: 0, times: 1, by: partOf(before) - partOf(event.clientX) }
        : { at: partOf(other), times: Math.max(10, Math.abs(before - other)) / apart, by: 0 };
    zoom.show(scaledRange(zoom.range(), whole, change));
  });
}

/** Draws the page. */
export function startPage(): void {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as PageData;
  const whole = [data.fromMs, Math.max(data.toMs, data.fromMs + 1)] as const;
  let follow: (plot: Plot) => void = () => undefined;
  const charts = timeCharts(data, (plot) => follow(plot));
  const zoom = zoomer(charts, whole, () => document.documentElement.setAttribute('data-drawn', 'yes'));
  follow = zoom.follow;
  const markouts = markoutChart(data);
  for (const button of document.querySelectorAll('button[data-move]'))
    button.addEventListener('click', () =>
      zoom.show(movedRange(zoom.range(), whole, button.dataset['move'] ?? 'all')),
    );
  listFills(data, (ms: number, symbol: string) => {
    const place = data.markets.findIndex((market) => market.symbol === symbol);
    const half = Math.min(30_000, (whole[1] - whole[0]) / 2);
    zoom.show(scaledRange([ms - half, ms + half], whole, { at: 0.5, times: 1, by: 0 }));
    document.getElementById(`market-${place}`)?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  });
  const setWidths = (widthMax = Number.POSITIVE_INFINITY) => {
    const width = Math.min(document.getElementById('pnl')?.clientWidth ?? 0, widthMax);
    zoom.resize(width);
    if (markouts?.width !== width) markouts?.setSize({ width, height: markouts.height });
  };
  addEventListener('resize', () => setWidths());
  addEventListener('beforeprint', () => {
    // A page cannot ask for the width of the paper: so many pixels fit on A4 and Letter, margins left out.
    setWidths(680);
    zoom.drawAll();
  });
  addEventListener('afterprint', () => setWidths());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    kept.colors.clear();
    zoom.redraw();
    markouts?.redraw(true, true);
  });
}

/**
 * @module
 * As much of a browser and of uPlot as the script of a page touches, as types. Nothing here exists at run time: the
 * functions of this folder are put into the page as text and run there.
 */

/** An element. */
export interface PageElement {
  textContent: string | null;
  readonly clientWidth: number;
  readonly offsetWidth: number;
  readonly dataset: Record<string, string | undefined>;
  hidden: boolean;
  href: string;
  download: string;
  click(): void;
  getBoundingClientRect(): {
    readonly left: number;
    readonly top: number;
    readonly bottom: number;
    readonly width: number;
  };
  scrollIntoView(options: { readonly behavior: string; readonly block: string }): void;
  readonly style: { display: string; left: string; top: string; minHeight: string };
  append(...children: readonly PageElement[]): void;
  addEventListener(
    type: string,
    listener: (event: PageEvent) => void,
    options?: { readonly passive: boolean },
  ): void;
  setAttribute(name: string, value: string): void;
  className: string;
}

/** What a pointer or a wheel did. */
export interface PageEvent {
  readonly clientX: number;
  readonly clientY: number;
  readonly deltaX: number;
  readonly deltaY: number;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly pointerId: number;
  readonly pointerType: string;
  preventDefault(): void;
}

/** The document. */
export interface PageDocument {
  readonly documentElement: PageElement;
  getElementById(id: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  createElement(name: 'canvas'): PageCanvas;
  createElement(name: string): PageElement;
}

/** What is drawn with. */
export interface Canvas {
  font: string;
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  save(): void;
  restore(): void;
  beginPath(): void;
  closePath(): void;
  rect(x: number, y: number, width: number, height: number): void;
  clip(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  drawImage(image: PageCanvas, ...places: readonly number[]): void;
  putImageData(image: Pixels['image'], ...places: readonly number[]): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  fill(): void;
  stroke(): void;
  measureText(text: string): { readonly width: number };
}

/** A canvas that is not on the page. */
export interface PageCanvas extends PageElement {
  width: number;
  height: number;
  getContext(kind: '2d'): Canvas;
}

/** The pixels over the plotting area of a chart. */
export interface Pixels {
  readonly canvas: PageCanvas;
  readonly image: { readonly data: { readonly buffer: ArrayBuffer } };
  /** The pixels row by row, the length of a row, and how many there are. */
  readonly values: Uint32Array;
  readonly stride: number;
  readonly rows: number;
  /** Size of the plotting area, which may be smaller. */
  width: number;
  height: number;
}

/** What the functions of the page keep between calls. */
export interface Kept {
  /** Colors of the style sheet by name: a look at it costs much in the middle of drawing. */
  readonly colors: Map<string, string>;
  /** Forms of numbers by their decimals: to make one costs more than to use it a hundred times. */
  readonly forms: Map<number, Intl.NumberFormat>;
  /** The boxes of the charts in view. */
  readonly inView: Set<PageElement>;
  /** The image that charts are painted in. */
  pixels?: Pixels;
}

/** A chart of uPlot. */
export interface Plot {
  /** Size in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Canvas of the chart. */
  readonly ctx: Canvas;
  /** Element of the whole chart. */
  readonly root: PageElement;
  /** Element over the plotting area. */
  readonly over: PageElement;
  /** Plotting area, canvas pixels. */
  readonly bbox: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly scales: Readonly<Record<string, { readonly min?: number | null; readonly max?: number | null }>>;
  /** Axes of the chart. */
  readonly axes: readonly {
    readonly font: readonly string[];
    readonly gap: number;
    readonly ticks: { readonly size: number };
    readonly _size: number;
  }[];
  /** Where the pointer is; `event` is null where it is over another chart. */
  readonly cursor: { readonly left?: number; readonly top?: number; readonly event?: PageEvent | null };
  /** The time, then each line: whether the legend has it on. */
  readonly series: readonly { readonly show?: boolean }[];
  /** Times, then a column for each line. */
  readonly data: readonly (readonly (number | null)[])[];
  /** Position of a value, in pixels. */
  valToPos(value: number, scale: string, isCanvas?: boolean): number;
  setScale(scale: string, limits: { readonly min: number; readonly max: number }): void;
  setSize(size: { readonly width: number; readonly height: number }): void;
  /** Draws the chart again. */
  redraw(isRebuilding?: boolean, isRecalculating?: boolean): void;
}

/** What uPlot hands over to have the labels of an axis made. */
export type AxisCall = readonly [
  plot: Plot,
  splits: readonly number[],
  axis: number,
  space: number,
  step: number,
];

/** A line as it is drawn. */
export interface Line {
  /** Times in order. */
  readonly at: readonly number[];
  /** Values; `null`: unknown. */
  readonly value: readonly (number | null)[];
}

/** A line with the extremes of its points: of each, of each four, of each sixteen, and so on. Infinite: not known. */
export interface Levels {
  /** Times in order, Unix ms. */
  readonly at: readonly number[];
  /** The lowest and the highest of each four of the level before; at first, of each point. */
  readonly fours: readonly { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> }[];
}

/** What is drawn of the orders of a market where a pixel has a certain length of time. */
export interface OrderLevel {
  /** Length of a step, ms. */
  readonly step: number;
  /** The asks, then the bids. */
  readonly sides: readonly [OrderSide, OrderSide];
}

/** What is drawn of the orders of one side. */
export interface OrderSide {
  /** Orders shorter than a step: where the step begins, and the lowest and the highest price of a stretch of prices. */
  readonly at: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** The others by index, and until when one of those up to there rests at the latest. */
  readonly lines: readonly number[];
  readonly until: readonly number[];
}

/** Fills that are drawn as one: of one side and role, close in time. */
export interface FillMark {
  /** 1 for a buy, and 2 for a maker's. */
  readonly kind: number;
  /** How many. */
  count: number;
  /** Their mean time; the first and the last. */
  at: number;
  readonly fromMs: number;
  toMs: number;
  /** Their size together, their price on average, the lowest and the highest. */
  size: number;
  price: number;
  low: number;
  high: number;
  /** Index of the first. */
  readonly first: number;
}

/** What is drawn of the fills of a market where a pixel has a certain length of time. */
export interface FillLevel {
  /** Length of a step, ms; 0: each fill has its own mark. */
  readonly step: number;
  /** The marks by their first fill, and when that was. */
  readonly marks: readonly FillMark[];
  readonly begins: readonly number[];
}

/** One market, unpacked, prices and sizes in their units. */
export interface MarketLines {
  /** Symbol of the market. */
  readonly symbol: string;
  /** Decimals of a price; one tick is 10^-priceDecimals. */
  readonly priceDecimals: number;
  /** Decimals of a size; one lot is 10^-sizeDecimals. */
  readonly sizeDecimals: number;
  /** Mid over time. */
  readonly mid: Line;
  /** Position over time. */
  readonly inventory: Line;
  /** Own orders: from, to, price and side. */
  readonly orders: {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly price: readonly number[];
    readonly isBid: readonly number[];
    /** What is drawn of them, by the length of a step. */
    readonly levels: Map<number, OrderLevel>;
  };
  /** Own fills: time, price, size and side. */
  readonly fills: {
    readonly at: readonly number[];
    readonly price: readonly number[];
    readonly size: readonly number[];
    readonly isBuy: readonly number[];
    readonly isMaker: readonly number[];
    readonly words: readonly string[];
    /** What is drawn of them, by the length of a step. */
    readonly levels: Map<number, FillLevel>;
  };
}

/** One line of a chart. */
export interface ChartLine {
  /** Label of the value. */
  readonly label: string;
  /** CSS color of the line. */
  readonly color: string;
  readonly value: readonly (number | null)[];
}

/** A place of the page for a chart: most of a long page is never looked at, so a chart is made when it is first seen. */
export interface Chart {
  /** Element around the chart and its heading. */
  readonly box: PageElement;
  /** Makes the chart in its box. */
  make(): Plot;
}

/** What a place shows before its chart is made. */
export interface ChartPlace {
  /** Heading of the chart. */
  readonly title: string;
  /** Height in CSS pixels. */
  readonly height: number;
}

/** The options of a chart beyond the common ones. */
export interface ChartParts {
  /** Times in order. */
  readonly at: readonly number[];
  /** The lines over these times. */
  readonly lines: readonly ChartLine[];
  /** Decimals of the shown values. */
  readonly decimals: number;
  /** True for steps between points; absent: straight lines. */
  readonly isStepped?: boolean;
  /** True if the area below is filled; absent: it is not. */
  readonly isFilled?: boolean;
  /** Value range of the vertical axis by the times that are shown and the extremes of the lines; absent: automatic. */
  readonly range?: (
    plot: Plot,
    shown: readonly [number, number],
    extremes: readonly [low: number, high: number],
  ) => readonly [number, number];
  /** Paints what is behind the lines; absent: nothing. */
  readonly paint?: (plot: Plot) => void;
  /** Draws over the chart; absent: nothing. */
  readonly draw?: (plot: Plot) => void;
  /** HTML text of the tooltip; absent: none. */
  readonly tip?: (plot: Plot, left: number, top: number) => string;
}

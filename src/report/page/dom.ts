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
  readonly dataset: Readonly<Record<string, string | undefined>>;
  readonly style: { display: string; left: string; top: string };
  append(...children: readonly PageElement[]): void;
  addEventListener(type: string, listener: () => void): void;
  setAttribute(name: string, value: string): void;
  className: string;
}

/** The document. */
export interface PageDocument {
  readonly documentElement: PageElement;
  getElementById(id: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
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
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  fill(): void;
  stroke(): void;
  measureText(text: string): { readonly width: number };
}

/** A chart of uPlot. */
export interface Plot {
  readonly height: number;
  readonly ctx: Canvas;
  readonly over: PageElement;
  readonly bbox: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly scales: Readonly<Record<string, { readonly min?: number | null; readonly max?: number | null }>>;
  readonly axes: readonly {
    readonly font: readonly string[];
    readonly gap: number;
    readonly ticks: { readonly size: number };
    readonly _size: number;
  }[];
  readonly cursor: { readonly left?: number; readonly top?: number };
  valToPos(value: number, scale: string, isCanvas?: boolean): number;
  setScale(scale: string, limits: { readonly min: number; readonly max: number }): void;
  setSize(size: { readonly width: number; readonly height: number }): void;
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
  readonly at: readonly number[];
  readonly value: readonly (number | null)[];
}

/** One market, unpacked, prices and sizes in their units. */
export interface MarketLines {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly mid: Line;
  readonly inventory: Line;
  readonly orders: {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly price: readonly number[];
    readonly isBid: readonly number[];
  };
  readonly fills: {
    readonly at: readonly number[];
    readonly price: readonly number[];
    readonly size: readonly number[];
    readonly isBuy: readonly number[];
    readonly isMaker: readonly number[];
    readonly words: readonly string[];
  };
}

/** The options of a chart beyond the common ones. */
export interface ChartParts {
  readonly title: string;
  readonly height: number;
  readonly line: Line;
  readonly label: string;
  readonly color: string;
  readonly decimals: number;
  readonly isStepped?: boolean;
  readonly isFilled?: boolean;
  readonly range?: (plot: Plot, low: number | null, high: number | null) => readonly [number, number];
  readonly draw?: (plot: Plot) => void;
  readonly tip?: (plot: Plot, left: number, top: number) => string;
}

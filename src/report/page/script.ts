/** @module The script of a page: the functions of this folder as text, and the call that begins. */
import {
  axesOf,
  legendOf,
  marketLines,
  markoutChart,
  placeOfChart,
  showTip,
  timeChart,
  timeCharts,
} from './charts.ts';
import {
  drawFills,
  fillTip,
  marksOf,
  orderBars,
  paintMarket,
  placeOf,
  priceRange,
  scaleOf,
  timesOf,
  triangleOf,
} from './draw.ts';
import { fieldsOf, listFills } from './fill-rows.ts';
import { columnsOf, extremesOf, levelsOf, paintLine, valueAt } from './lines.ts';
import { fillLevel, orderLevel, stretchesOf } from './marks.ts';
import { paintBar, pixelOf, pixelsOf, showPixels } from './pixels.ts';
import { gestures, movedRange, scaledRange, startPage, zoomer } from './start.ts';
import { axisSize, colorOf, decimalsOf, instantWords, numberWords, timeLabels, unpack } from './words.ts';

const FUNCTIONS = [
  ...[unpack, colorOf, numberWords, instantWords, timeLabels, decimalsOf, axisSize],
  ...[scaleOf, placeOf, timesOf, levelsOf, extremesOf, valueAt, columnsOf, paintLine],
  ...[pixelsOf, pixelOf, paintBar, showPixels],
  ...[stretchesOf, orderLevel, fillLevel, marksOf, priceRange, orderBars, triangleOf],
  ...[paintMarket, drawFills, fillTip],
  ...[marketLines, axesOf, placeOfChart, legendOf, showTip, timeChart, timeCharts, markoutChart],
  ...[fieldsOf, listFills],
  ...[movedRange, scaledRange, zoomer, gestures, startPage],
] as readonly ((...parts: never[]) => unknown)[];

/** What the functions keep between calls, in the form of `Kept`. */
const KEPT = 'const kept = { colors: new Map(), forms: new Map(), inView: new Set() };';

/** The script. What type stripping leaves at the ends of lines is cut off. */
export function pageScript(): string {
  const source = FUNCTIONS.map((one) => one.toString()).join('\n');
  return `'use strict';\n${KEPT}\n${source.replaceAll(/[ \t]+$/gm, '')}\nstartPage();`;
}

/** @module The script of a page: the functions of this folder as text, and the call that begins. */
import { axesOf, marketLines, markoutChart, showTip, steppedPaths, timeChart, timeCharts } from './charts.ts';
import {
  drawFills,
  drawMarket,
  fillTip,
  orderLines,
  placeOf,
  priceRange,
  scaleOf,
  visibleFills,
} from './draw.ts';
import { fieldsOf, listFills } from './fill-rows.ts';
import { gestures, movedRange, scaledRange, startPage, zoomer } from './start.ts';
import { axisSize, colorOf, decimalsOf, instantWords, numberWords, timeLabels, unpack } from './words.ts';

const FUNCTIONS = [
  ...[unpack, colorOf, numberWords, instantWords, timeLabels, decimalsOf, axisSize],
  ...[scaleOf, placeOf, priceRange, orderLines, visibleFills, drawMarket, drawFills, fillTip],
  ...[marketLines, axesOf, showTip, steppedPaths, timeChart, timeCharts, markoutChart, fieldsOf, listFills],
  ...[movedRange, scaledRange, zoomer, gestures, startPage],
] as readonly ((...parts: never[]) => unknown)[];

/** The script. What type stripping leaves at the ends of lines is cut off. */
export function pageScript(): string {
  const source = FUNCTIONS.map((one) => one.toString()).join('\n');
  return `'use strict';\n${source.replaceAll(/[ \t]+$/gm, '')}\nstartPage();`;
}

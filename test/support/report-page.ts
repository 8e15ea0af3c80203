/** @module What the functions of a report's page find around them in a browser, for tests without one. */
import { vi } from 'vitest';
import type { Kept, Plot } from '../../src/report/page/dom.ts';
import { marksOf, placeOf, scaleOf, timesOf } from '../../src/report/page/draw.ts';
import { fillLevel, orderLevel } from '../../src/report/page/marks.ts';
import { paintBar, pixelOf, pixelsOf } from '../../src/report/page/pixels.ts';
import { instantWords, numberWords } from '../../src/report/page/words.ts';

/** The other functions of the page, what they keep, and as much of a browser as they touch. */
export function pageGlobals(): Readonly<Record<string, unknown>> {
  const kept: Kept = { colors: new Map(), forms: new Map(), inView: new Set() };
  return {
    ...{ devicePixelRatio: 1, kept, placeOf, scaleOf, timesOf, marksOf, fillLevel, orderLevel },
    ...{ paintBar, pixelOf, pixelsOf, instantWords, numberWords },
    document: { createElement: () => ({ getContext: () => ({ putImageData: vi.fn() }) }) },
    ImageData: class {
      readonly data: Uint8ClampedArray;
      constructor(width: number, height: number) {
        this.data = new Uint8ClampedArray(4 * width * height);
      }
    },
  };
}

/** A chart with a plotting area of 100 x 50 pixels, or of `width`, over these times and values. */
export function aPlot(shown: {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  readonly width?: number;
}): Plot {
  const { x, y, width = 100 } = shown;
  return {
    bbox: { left: 10, top: 0, width, height: 50 },
    scales: { x: { min: x[0], max: x[1] }, y: { min: y[0], max: y[1] } },
    ctx: { drawImage: vi.fn() },
  } as unknown as Plot;
}

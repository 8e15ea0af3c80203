/** @module Pixels of a chart as one image, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { Kept, PageDocument, Pixels, Plot } from './dom.ts';

declare const document: PageDocument;
declare const kept: Kept;
declare const ImageData: new (width: number, height: number) => Pixels['image'];

/**
 * The pixels over the plotting area of a chart, clear as long as nothing was painted. A canvas takes long for each of
 * thousands of bars, and little for all of them as one image. One image is enough for all charts, since each is drawn at
 * one go.
 */
export function pixelsOf({ bbox }: Plot): Pixels {
  const [width, height] = [Math.round(bbox.width), Math.round(bbox.height)];
  let { pixels } = kept;
  if (pixels === undefined || width > pixels.stride || height > pixels.rows) {
    const canvas = document.createElement('canvas');
    const stride = Math.max(width, pixels?.stride ?? 0);
    const rows = Math.max(height, pixels?.rows ?? 0);
    const image = new ImageData(stride, rows);
    [canvas.width, canvas.height] = [stride, rows];
    const values = new Uint32Array(image.data.buffer);
    pixels = { canvas, image, values, stride, rows, width, height };
    kept.pixels = pixels;
  }
  [pixels.width, pixels.height] = [width, height];
  return pixels;
}

/** A color `#rrggbb` as a pixel, opaque or as much of it as `alpha` of 255. */
export function pixelOf(color: string, alpha = 255): number {
  const value = Number.parseInt(color.slice(1), 16);
  return ((alpha << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/**
 * Paints a bar from its left and top up to its right and bottom, as much of it as is in the plotting area. A row that it
 * covers in part is painted that much; over what is more opaque nothing is painted.
 */
export function paintBar(
  { values, width, height, stride }: Pixels,
  [left, top, right, bottom]: readonly [left: number, top: number, right: number, bottom: number],
  pixel: number,
): void {
  const [begin, end] = [Math.max(0, left), Math.min(width, right)];
  const last = Math.min(height, Math.ceil(bottom));
  for (let row = Math.max(0, Math.floor(top)); row < last; row++) {
    const covered = Math.min(bottom, row + 1) - Math.max(top, row);
    const alpha = covered === 1 ? pixel >>> 24 : Math.round((pixel >>> 24) * covered);
    const value = covered === 1 ? pixel : ((alpha << 24) | (pixel & 0xffffff)) >>> 0;
    for (let at = row * stride + begin; at < row * stride + end; at++)
      if ((values[at] ?? 0) >>> 24 <= alpha) values[at] = value;
  }
}

/** Draws what was painted over the chart, and clears it. */
export function showPixels(plot: Plot): void {
  const pixels = pixelsOf(plot);
  const { canvas, image, values, width, height, stride } = pixels;
  canvas.getContext('2d').putImageData(image, 0, 0, 0, 0, width, height);
  const [left, top] = [Math.round(plot.bbox.left), Math.round(plot.bbox.top)];
  plot.ctx.drawImage(canvas, 0, 0, width, height, left, top, width, height);
  values.fill(0, 0, height * stride);
}

/**
 * @module
 * The chart library as text, to be put into a page: a report opens without a network. Read from the installed package
 * once.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Script and style of uPlot. */
export interface ChartLibrary {
  /** JavaScript text. */
  readonly script: string;
  /** CSS text. */
  readonly style: string;
}

let library: ChartLibrary | undefined;

/** uPlot (MIT License, Copyright (c) Leon Sorokin) as one script and one style sheet. */
export function chartLibrary(): ChartLibrary {
  if (library === undefined) {
    const folder = join(createRequire(import.meta.url).resolve('uplot'), '..');
    library = {
      script: readFileSync(join(folder, 'uPlot.iife.min.js'), 'utf8'),
      style: readFileSync(join(folder, 'uPlot.min.css'), 'utf8'),
    };
  }
  return library;
}

/** @module URL of the thread of a sweep, beside this file, as source or as built. */

/** The module of `sweep-worker`. */
export function sweepWorkerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return new URL(`./sweep-worker${extension}`, import.meta.url);
}

/**
 * @module
 * Pools of sockets over HTTP. Their library, a hundred modules, is loaded with the first one: what needs no network
 * starts without it.
 */
import { createRequire } from 'node:module';
import type { Pool } from 'undici';

/** A pool of sockets to `origin`. */
export function createPool(origin: string, options: Pool.Options): Pool {
  const undici: typeof import('undici') = createRequire(import.meta.url)('undici');
  return new undici.Pool(origin, options);
}

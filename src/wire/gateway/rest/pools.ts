/**
 * @module
 * Pools of sockets over HTTP. Their library, a hundred modules, is loaded with the first one: what needs no network
 * starts without it.
 */
import { createRequire } from 'node:module';
import type { Pool } from 'undici';
import { connectBy, type NetworkRoute } from '../tunnel.ts';

/** A pool of sockets to `origin`; by a route where there is one, each within `connectMs`. */
export function createPool(
  origin: string,
  options: Omit<Pool.Options, 'connect'>,
  { connectMs, route }: { readonly connectMs: number; readonly route?: NetworkRoute | undefined },
): Pool {
  const undici: typeof import('undici') = createRequire(import.meta.url)('undici');
  return new undici.Pool(origin, {
    ...options,
    connect: route === undefined ? { timeout: connectMs } : connectorBy(route, connectMs),
  });
}

/** Connections of undici by a route. */
function connectorBy(route: NetworkRoute, connectMs: number): NonNullable<Pool.Options['connect']> {
  return ({ hostname, port, protocol }, callback) => {
    const isSecure = protocol === 'https:';
    const target = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (isSecure ? 443 : 80)),
      isSecure,
    };
    connectBy(route, target, connectMs, (error, socket) => {
      if (socket === null) callback(error ?? new Error('no connection'), null);
      else callback(null, socket);
    });
  };
}

/**
 * @module
 * The transport over the network: one undici pool for writes and one for reads, ws for the stream. Follows no redirect,
 * retries nothing (obligations O70, O71).
 */
import type { Pool } from 'undici';
import type { Clock, Log, Metrics } from '../../core/index.ts';
import type { BaseUrl } from './base-url.ts';
import { BODY_BYTES_MAX, exchange } from './rest/http.ts';
import { createPool } from './rest/pools.ts';
import type { Transport } from './transport.ts';
import type { NetworkRoute } from './tunnel.ts';
import { openConnection } from './ws/socket-connection.ts';

/** How long a socket may take to connect. */
const CONNECT_MS_MAX = 5_000;
/** Sockets for reads. */
const READ_CONNECTIONS = 8;
/** Sockets for writes: a lane has one write at a time, so up to this many lanes do not wait for each other. */
const WRITE_CONNECTIONS = 16;

/** The transport to the environment at `base`. */
export function createNetworkTransport(
  base: BaseUrl,
  options: {
    readonly clock: Clock;
    readonly log: Log;
    readonly meter: Metrics;
    /** Absent: straight. */
    readonly route?: NetworkRoute | undefined;
  },
): Transport {
  const reads = newPool(base, READ_CONNECTIONS, options.route);
  const writes = newPool(base, WRITE_CONNECTIONS, options.route);
  const sockets = { url: options.route?.streamUrl ?? base.streamUrl, ...options };
  return {
    request: (request) =>
      exchange(
        request.method === 'POST' ? writes : reads,
        { ...request, path: base.prefix + request.path },
        options.clock,
      ),
    open: (listener, onUpgrade) => openConnection(sockets, listener, onUpgrade),
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

/** One request at a time on each socket, HTTP/1.1: what follows a lost one must not have been on the same socket. */
function newPool(base: BaseUrl, connections: number, route: NetworkRoute | undefined): Pool {
  const settings = {
    connections,
    pipelining: 1,
    allowH2: false,
    // The exchange's own deadline covers the whole; two more timers would only race with it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: BODY_BYTES_MAX,
  };
  return createPool(base.origin, settings, { connectMs: CONNECT_MS_MAX, route });
}

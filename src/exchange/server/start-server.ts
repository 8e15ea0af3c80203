/** @module An exchange on a loopback port: HTTP and WebSocket on the same one. */

import type { AddressInfo } from 'node:net';
import type { Exchange } from '../kernel/index.ts';
import type { ControlApi } from './control-api.ts';
import { controlRoutes } from './control-routes.ts';
import { createHttpServer, type ErrorListener } from './http.ts';
import { serveStreams } from './ws.ts';

/** Where a server listens. */
export interface ServerOptions {
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** With it, `/control` and a page at `/` are served, to this machine only; absent: no such paths. */
  readonly api?: ControlApi | undefined;
  /** Called with unexpected errors; the client sees a 500. */
  readonly onError?: ErrorListener;
}

/** A listening server. */
export interface ExchangeServer {
  /** Without a trailing slash, with the base path of the exchange. */
  readonly baseUrl: string;
  /** URL of the stream. */
  readonly wsUrl: string;
  /** TCP port. */
  readonly port: number;
  /** Cuts all connections and stops listening. The exchange itself continues. */
  close(): Promise<void>;
}

/**
 * Serves `exchange`, which is started and stopped by its owner. Rejects when the port is taken.
 * @example const server = await startServer(exchange, { port: 8400 });
 */
export async function startServer(exchange: Exchange, options: ServerOptions = {}): Promise<ExchangeServer> {
  const { port = 0, host = '127.0.0.1', api, onError = () => undefined } = options;
  const current = () => api?.exchange ?? exchange;
  const addresses = () => addressesOf(host, (server.address() as AddressInfo).port, current());
  const extraRoutes = api === undefined ? undefined : controlRoutes(api, addresses);
  const server = createHttpServer({ exchange: current, extraRoutes }, onError);
  const closeStreams = serveStreams(server, current, onError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    ...addresses(),
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        closeStreams();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function addressesOf(host: string, port: number, { settings }: Exchange) {
  return {
    baseUrl: `http://${host}:${port}${settings.basePath}`,
    wsUrl: `ws://${host}:${port}${settings.basePath}/v1/ws`,
  };
}

/**
 * @module
 * The exchange's stream over WebSocket: upgrades at `/v1/ws`, text frames in and out. A refused upgrade is an HTTP
 * answer. No compression, and a bound on what waits in a socket before frames wait in the exchange's own queue.
 */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { messageOf } from '../../core/index.ts';
import { endpointOf } from '../../wire/protocol/index.ts';
import type { FrameSink } from '../api/index.ts';
import { type ExchangeAnswer, refuse, toAnswer } from '../api/index.ts';
import type { Exchange } from '../kernel/index.ts';
import { addressOf, type ErrorListener, pathOf } from './http.ts';

/** The longest client frame that is read at all. */
const FRAME_BYTES_MAX = 131_072;
/** A peer that leaves more than this unread is slow. */
const BUFFERED_BYTES_MAX = 4_194_304;

/** Lets clients of `server` subscribe at the exchange that is served. Gives a function that closes all sockets. */
export function serveStreams(server: Server, exchange: () => Exchange, onError: ErrorListener): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: FRAME_BYTES_MAX,
    clientTracking: true,
  });
  server.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on('error', () => raw.destroy());
    const [asked, query = ''] = pathOf(request).split('?');
    const path = exchange().settings.basePath + endpointOf('ws').path;
    const refusal =
      asked !== path
        ? { code: 'NotFound', message: 'no stream at this path' }
        : { code: 'InvalidRequest', message: 'expected a stream without query parameters' };
    if (asked === path && query === '')
      upgrade({ exchange: exchange(), onError, sockets, request, raw, head });
    else refuseUpgrade(raw, exchange().turnAway(addressOf(request), refusal));
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

interface Upgrade {
  readonly exchange: Exchange;
  readonly onError: ErrorListener;
  readonly sockets: WebSocketServer;
  readonly request: IncomingMessage;
  readonly raw: Duplex;
  readonly head: Buffer;
}

function upgrade({ exchange, onError, sockets, request, raw, head }: Upgrade): void {
  let socket: WebSocket | undefined;
  const sink: FrameSink = {
    send: (text) => socket?.send(text),
    isReady: () => socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < BUFFERED_BYTES_MAX,
    close: (code, reason) => (socket === undefined ? raw.destroy() : socket.close(code, reason)),
  };
  const opened = exchange.openStream(addressOf(request), sink);
  if ('status' in opened) {
    refuseUpgrade(raw, opened);
    return;
  }
  const { session, headers } = opened;
  raw.on('close', () => session.closed());
  const addHeaders = (lines: string[], from: IncomingMessage): void => {
    if (from === request) lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  };
  const refuseHandshake = (error: Error, _raw: Duplex, from: IncomingMessage): void => {
    if (from !== request) return;
    const answer = toAnswer(refuse({ code: 'InvalidRequest', message: error.message }), headers);
    refuseUpgrade(raw, { ...answer, headers: { ...answer.headers, 'sec-websocket-version': '13' } });
  };
  sockets.on('headers', addHeaders);
  sockets.on('wsClientError', refuseHandshake);
  sockets.handleUpgrade(request, raw, head, (made) => {
    socket = made;
    made.on('message', (data: RawData, isBinary: boolean) => {
      try {
        if (isBinary) session.receiveBinary();
        else session.receive(data.toString());
      } catch (thrown) {
        // A bug here ends one stream, not the exchange.
        onError(messageOf(thrown));
        made.close(1011, 'the exchange failed');
      }
    });
    made.on('ping', () => session.receivePing?.());
    made.on('error', () => made.terminate());
    made.on('close', () => session.closed());
  });
  sockets.off('headers', addHeaders);
  sockets.off('wsClientError', refuseHandshake);
}

function refuseUpgrade(raw: Duplex, { status, headers, body }: ExchangeAnswer): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  raw.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

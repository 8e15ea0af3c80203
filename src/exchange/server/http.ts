/**
 * @module
 * The exchange over HTTP: bytes to requests, answers to bytes. Limits of size and time are here; what a request means
 * is not. Listens on the loopback address only.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../core/index.ts';
import { type ExchangeAnswer, type ExchangeReply, NO_RESPONSE, refuse, toAnswer } from '../api/index.ts';
import type { Exchange } from '../kernel/index.ts';

/** The longest body (own choice): a batch of 200 orders is about 30 KiB. */
const BODY_BYTES_MAX = 1_048_576;
/** The longest body outside of the interface: a snapshot. */
const EXTRA_BODY_BYTES_MAX = 268_435_456;
/** The longest head of a request. */
const HEADER_BYTES_MAX = 16_384;
/** How long an idle connection is kept: longer than clients keep theirs, so that the client closes first. */
const KEEP_ALIVE_MS = 65_000;
/** How long a request may take to arrive. */
const REQUEST_MS_MAX = 30_000;

/** Hears of what is a bug here and not in a request. */
export type ErrorListener = (message: string) => void;

/** Answers what is no part of the interface. */
export interface ExtraRoutes {
  /** True if this request is for it. Its body may be long. */
  takes(request: IncomingMessage): boolean;
  /** Why the head of a request is refused: nothing of its body is read. `undefined`: it is not. */
  refusal(request: IncomingMessage): ExchangeAnswer | undefined;
  answer(request: IncomingMessage, body: string): Promise<ExchangeAnswer>;
}

/** What a server hands requests to. */
export interface Served {
  /** The current exchange. */
  readonly exchange: () => Exchange;
  /** Routes outside of the interface; `undefined`: none. */
  readonly extraRoutes?: ExtraRoutes | undefined;
}

/** A server that hands requests to an exchange; not listening yet. */
export function createHttpServer(served: Served, onError: ErrorListener): Server {
  const server = createServer(
    {
      noDelay: true,
      keepAlive: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: REQUEST_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
      // Clients that offer HTTP/2 in the clear (`Upgrade: h2c`) want their answer over HTTP/1.1, not a refusal.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    (request, response) => receive({ ...served, onError, request, response }),
  );
  // A client that waits for leave to send its body is judged by its head as well.
  server.on('checkContinue', (request, response) =>
    receive({ ...served, onError, request, response }, () => response.writeContinue()),
  );
  server.on('clientError', (_error, socket) => refuseMalformed(socket));
  return server;
}

/** The address that a connection comes from, IPv4 in its plain form. */
export function addressOf(request: IncomingMessage): string {
  const address = request.socket.remoteAddress ?? '';
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/** The path with its query; a client may name the server in front of it (RFC 9112, absolute form). */
export function pathOf({ url = '' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
}

interface Visit extends Served {
  readonly onError: ErrorListener;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function receive(visit: Visit, goOn: () => void = () => undefined): void {
  const { exchange, request, response } = visit;
  const refusal = visit.extraRoutes?.refusal(request);
  if (refusal !== undefined) {
    response.shouldKeepAlive = false;
    send(response, refusal);
    return;
  }
  goOn();
  const chunks: Buffer[] = [];
  let byteCount = 0;
  const byteCountMax = visit.extraRoutes?.takes(request) === true ? EXTRA_BODY_BYTES_MAX : BODY_BYTES_MAX;
  request.on('data', (chunk: Buffer) => {
    byteCount += chunk.length;
    if (byteCount <= byteCountMax) chunks.push(chunk);
  });
  request.on('end', () => {
    if (byteCount > byteCountMax) {
      response.shouldKeepAlive = false;
      const refusal = { code: 'InvalidRequest', message: 'the body is too long' };
      send(response, exchange().turnAway(addressOf(request), refusal));
      return;
    }
    const [only] = chunks;
    answer(visit, chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  });
  request.on('error', () => response.destroy());
}

function answer({ exchange, extraRoutes, onError, request, response }: Visit, body: Buffer): void {
  const fail = (thrown: unknown): void => {
    onError(messageOf(thrown));
    send(response, toAnswer(refuse({ code: 'InternalError', message: 'the exchange failed' }), {}));
  };
  try {
    if (extraRoutes?.takes(request) === true) {
      extraRoutes.answer(request, body.toString('utf8')).then((settled) => send(response, settled), fail);
      return;
    }
    const reply = exchange().handle({
      method: request.method ?? '',
      path: pathOf(request),
      headers: request.headers,
      body: body.toString('utf8'),
      ip: addressOf(request),
    });
    if (reply instanceof Promise) reply.then((settled) => send(response, settled), fail);
    else send(response, reply);
  } catch (thrown) {
    fail(thrown);
  }
}

function send(response: ServerResponse, reply: ExchangeReply): void {
  if (reply === NO_RESPONSE) {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, {
    ...reply.headers,
    'content-length': Buffer.byteLength(reply.body),
  });
  response.end(reply.body);
}

function refuseMalformed(socket: Duplex): void {
  if (!socket.writable) return;
  const { body } = toAnswer(refuse({ code: 'InvalidRequest', message: 'malformed HTTP' }), {});
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

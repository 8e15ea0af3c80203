/**
 * @module
 * The stream's sockets: text in, text out, one instant stamped on each frame by the injected clock. Compression and
 * redirects off, 1 MiB a frame, 5 s to connect (risk-and-keys 7.2). Knows nothing of what the frames say, keeps nothing
 * alive and reconnects nothing: that is the stream layer's.
 */
import { type RawData, WebSocket } from 'ws';
import type { Clock, Log, Meter } from '../../core/index.ts';
import { endpointOf } from '../../protocol/index.ts';
import type { RateBudget, RateRequest, RateTicket } from '../rest/rate-budget.ts';

/** The longest frame. A book of 100 levels is below 20 KiB. */
export const FRAME_BYTES_MAX = 1024 * 1024;
/** How long a connection may take to open. */
export const HANDSHAKE_MS_MAX = 5_000;
/** How long an upgrade waits for room in the budget. */
const BUDGET_WAIT_MS = 60_000;

/** What a socket tells. `stream/ports` declares the same shape. */
export interface SocketListener {
  onOpen(): void;
  onFrame(text: string, receivedAtMs: number): void;
  /** Exactly once. */
  onClose(why: string): void;
}

/** One socket. */
export interface StreamSocket {
  /** Sends a text frame; before the socket is open and after it closed this does nothing. */
  send(text: string): void;
  /** Destroys the socket. */
  close(why: string): void;
}

/** What sockets are made with. */
export interface SocketOptions {
  readonly url: string;
  readonly budget: RateBudget;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** A factory of sockets to one environment's stream. */
export function createSocketFactory(options: SocketOptions): {
  open(listener: SocketListener): StreamSocket;
} {
  return { open: (listener) => new Connection(options, listener) };
}

class Connection implements StreamSocket {
  readonly #options: SocketOptions;
  readonly #listener: SocketListener;
  #socket: WebSocket | undefined;
  #ticket: RateTicket | undefined;
  #isClosed = false;

  constructor(options: SocketOptions, listener: SocketListener) {
    this.#options = options;
    this.#listener = listener;
    const rate: RateRequest = {
      name: 'ws',
      isWrite: false,
      isUrgent: false,
      weight: endpointOf('ws').weight,
    };
    void options.budget.acquire(rate, BUDGET_WAIT_MS).then((ticket) => this.#connect(ticket));
  }

  send(text: string): void {
    if (this.#isClosed || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(text, (error) => {
      if (error) this.#end(`sending failed: ${error.message}`);
    });
  }

  close(why: string): void {
    this.#end(why);
  }

  #connect(ticket: RateTicket | undefined): void {
    if (ticket === undefined) {
      this.#end('no room in the request budget');
      return;
    }
    if (this.#isClosed) return void ticket.settle(undefined);
    this.#ticket = ticket;
    const socket = new WebSocket(this.#options.url, {
      perMessageDeflate: false,
      maxPayload: FRAME_BYTES_MAX,
      handshakeTimeout: HANDSHAKE_MS_MAX,
      followRedirects: false,
    });
    this.#socket = socket;
    socket.on('upgrade', (response) => this.#settle(response.statusCode ?? 101, response.headers));
    socket.on('unexpected-response', (_request, response) => {
      this.#settle(response.statusCode ?? 0, response.headers);
      this.#end(`the upgrade was refused with status ${response.statusCode}`);
    });
    socket.on('open', () => {
      if (!this.#isClosed) this.#listener.onOpen();
    });
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', (code) => this.#end(`closed with code ${code}`));
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosed) return;
    if (isBinary) {
      // The interface knows text frames only (obligation O85): counted, not acted on, not a reason to part.
      this.#options.meter.count('gateway_binary_frames_total');
      return;
    }
    const receivedAtMs = this.#options.clock.nowMs();
    this.#listener.onFrame(data.toString(), receivedAtMs);
  }

  #settle(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    this.#ticket?.settle({ status, headers });
    this.#ticket = undefined;
  }

  #end(why: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ticket?.settle(undefined);
    this.#socket?.terminate();
    this.#options.log.debug('a stream connection ended', { why });
    this.#listener.onClose(why);
  }
}

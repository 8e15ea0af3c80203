/**
 * @module
 * The stream's sockets: text in, text out, one instant stamped on each frame by the injected clock. Compression and
 * redirects off, 1 MiB a frame, 5 s to connect. Knows nothing of what the frames say, keeps nothing alive and
 * reconnects nothing: that is the stream layer's.
 */
import { type RawData, WebSocket } from 'ws';
import type { Clock, Log, Metrics } from '../../../core/index.ts';
import type { AnswerHeaders, SocketListener, StreamSocket } from '../transport.ts';
import { agentBy, type NetworkRoute } from '../tunnel.ts';

/** The longest frame. A book of 100 levels is below 20 KiB. */
const FRAME_BYTES_MAX = 1024 * 1024;
/** How long a connection may take to open. */
const HANDSHAKE_MS_MAX = 5_000;
/** What sockets are made with. */
export interface SocketOptions {
  /** The address that is asked. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Metrics;
  /** Absent: straight. */
  readonly route?: NetworkRoute | undefined;
}

/** Hears the answer to an upgrade. */
export type UpgradeListener = (status: number, headers: AnswerHeaders) => void;

/** Opens one socket. */
export function openConnection(
  options: SocketOptions,
  listener: SocketListener,
  onUpgrade?: UpgradeListener,
): StreamSocket {
  return new SocketConnection(options, listener, onUpgrade);
}

class SocketConnection implements StreamSocket {
  readonly #options: SocketOptions;
  readonly #listener: SocketListener;
  readonly #socket: WebSocket;
  #isClosed = false;

  constructor(options: SocketOptions, listener: SocketListener, onUpgrade: UpgradeListener | undefined) {
    this.#options = options;
    this.#listener = listener;
    const socket = new WebSocket(options.url, {
      perMessageDeflate: false,
      maxPayload: FRAME_BYTES_MAX,
      handshakeTimeout: HANDSHAKE_MS_MAX,
      followRedirects: false,
      ...(options.route === undefined
        ? {}
        : { agent: agentBy(options.route, options.url.startsWith('wss:'), HANDSHAKE_MS_MAX) }),
    });
    this.#socket = socket;
    socket.on('upgrade', (response) => onUpgrade?.(response.statusCode ?? 101, response.headers));
    socket.on('unexpected-response', (_request, response) => {
      onUpgrade?.(response.statusCode ?? 0, response.headers);
      this.#end(`the upgrade was refused with status ${response.statusCode}`);
    });
    socket.on('open', () => {
      if (!this.#isClosed) this.#listener.onOpen();
    });
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', (code) => this.#end(`closed with code ${code}`));
  }

  send(text: string): void {
    if (this.#isClosed || this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(text, (error) => {
      if (error) this.#end(`sending failed: ${error.message}`);
    });
  }

  close(why: string): void {
    this.#end(why);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosed) return;
    if (isBinary) {
      // The interface knows text frames only (obligation O85): counted, not acted on, not a reason to part.
      this.#options.meter.count('stream_binary_frames_total');
      return;
    }
    const receivedAtMs = this.#options.clock.nowMs();
    this.#listener.onFrame(data.toString(), receivedAtMs);
  }

  #end(why: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.terminate();
    this.#options.log.debug('a stream connection ended', { why });
    this.#listener.onClose(why);
  }
}

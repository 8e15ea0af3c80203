/**
 * @module The exchange without sockets: the same requests and the same text frames, carried by the clock. On a virtual
 * clock a whole bot with its exchange runs in one thread, the same each time. The shapes are those of the client's
 * transport port, which this module does not import.
 */
import type { Clock } from '../../core/index.ts';
import { NO_RESPONSE } from '../api/index.ts';
import type { Exchange, StreamSession } from '../kernel/index.ts';

/** How long things are under way; 0: the next turn of the clock. */
export interface InProcessOptions {
  /** Clock of the exchange. */
  readonly clock: Clock;
  /** The address that requests are charged to; default 127.0.0.1. */
  readonly ip?: string;
  /** Time from the client to the exchange, ms; default 0. */
  readonly requestLatencyMs?: number;
  /** Time from the exchange back to the client, ms; default 0. */
  readonly answerLatencyMs?: number;
  /** Delay of stream frames, ms; default 0. */
  readonly frameLatencyMs?: number;
}

/** A request to be carried. `path` starts with a slash, below the base path, and holds its query. */
export interface InProcessRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** HTTP headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text; absent: none. */
  readonly body?: string;
  /** Time until the request is given up, ms. */
  readonly timeoutMs: number;
}

/** What came back: an answer, or nothing is known. */
export type InProcessReply =
  | {
      readonly kind: 'answer';
      /** HTTP status. */
      readonly status: number;
      /** HTTP headers. */
      readonly headers: Readonly<Record<string, string>>;
      /** Body as text; empty: none. */
      readonly body: string;
    }
  | { readonly kind: 'lost'; readonly why: string };

/** What a stream sends its client. */
export interface InProcessStreamEvents {
  /** Called when the stream is open. */
  onOpen(): void;
  /** Called with each frame and its time of receipt, Unix ms. */
  onFrame(text: string, receivedAtMs: number): void;
  /** Exactly once. */
  onClose(why: string): void;
}

/** The client's end of a stream. */
export interface InProcessStream {
  /** Sends one text frame. */
  send(text: string): void;
  /** Closes the stream. */
  close(why: string): void;
}

/** Requests and streams to one exchange. */
export interface InProcessTransport {
  /** Never rejects. */
  request(request: InProcessRequest): Promise<InProcessReply>;
  open(events: InProcessStreamEvents): InProcessStream;
}

/** The transport of one client. */
export function inProcessTransport(exchange: Exchange, options: InProcessOptions): InProcessTransport {
  const { clock, ip = '127.0.0.1' } = options;
  const ways = {
    request: new Way(clock, options.requestLatencyMs ?? 0),
    answer: new Way(clock, options.answerLatencyMs ?? 0),
    frame: new Way(clock, options.frameLatencyMs ?? 0),
  };
  return {
    request: (request) =>
      new Promise((resolve) => {
        const timer = clock.after(request.timeoutMs, () =>
          resolve({ kind: 'lost', why: `no answer within ${request.timeoutMs} ms` }),
        );
        const settle = (reply: InProcessReply): void => {
          timer.cancel();
          resolve(reply);
        };
        ways.request.carry(() => void deliver({ exchange, ip, request }, ways.answer, settle));
      }),
    open: (events) => new MemoryStream({ exchange, ip, events, clock, up: ways.request, down: ways.frame }),
  };
}

/** One direction: first in, first out. */
class Way {
  readonly #clock: Clock;
  readonly #latencyMs: number;
  readonly #cargo: (() => void)[] = [];

  constructor(clock: Clock, latencyMs: number) {
    this.#clock = clock;
    this.#latencyMs = latencyMs;
  }

  carry(deliver: () => void): void {
    this.#cargo.push(deliver);
    const arrive = (): void => this.#cargo.shift()?.();
    if (this.#latencyMs === 0) this.#clock.soon(arrive);
    else this.#clock.after(this.#latencyMs, arrive);
  }
}

async function deliver(
  sent: { readonly exchange: Exchange; readonly ip: string; readonly request: InProcessRequest },
  back: Way,
  settle: (reply: InProcessReply) => void,
): Promise<void> {
  const { exchange, ip, request } = sent;
  const { method, headers, body = '' } = request;
  const path = exchange.settings.basePath + request.path;
  const handled = exchange.handle({ method, path, headers, body, ip });
  // A promise would let other things run before an answer that already exists.
  const reply = handled instanceof Promise ? await handled : handled;
  back.carry(() =>
    settle(
      reply === NO_RESPONSE ? { kind: 'lost', why: 'the connection was cut' } : { kind: 'answer', ...reply },
    ),
  );
}

class MemoryStream implements InProcessStream {
  readonly #events: InProcessStreamEvents;
  readonly #up: Way;
  readonly #down: Way;
  readonly #clock: Clock;
  #session: StreamSession | undefined;
  #isClosed = false;

  constructor(parts: {
    readonly exchange: Exchange;
    readonly ip: string;
    readonly events: InProcessStreamEvents;
    readonly clock: Clock;
    readonly up: Way;
    readonly down: Way;
  }) {
    this.#events = parts.events;
    this.#up = parts.up;
    this.#down = parts.down;
    this.#clock = parts.clock;
    this.#up.carry(() => this.#connect(parts.exchange, parts.ip));
  }

  send(text: string): void {
    if (!this.#isClosed) this.#up.carry(() => this.#session?.receive(text));
  }

  close(why: string): void {
    if (this.#isClosed) return;
    this.#up.carry(() => this.#session?.closed());
    this.#end(why);
  }

  #connect(exchange: Exchange, ip: string): void {
    if (this.#isClosed) return;
    const opened = exchange.openStream(ip, {
      send: (text) => this.#carryDown(() => this.#events.onFrame(text, this.#clock.nowMs())),
      isReady: () => true,
      close: (code, reason) => this.#carryDown(() => this.#end(`closed with code ${code} ${reason}`)),
    });
    if ('status' in opened) {
      this.#carryDown(() => this.#end(`the upgrade was refused with status ${opened.status}`));
      return;
    }
    this.#session = opened.session;
    this.#carryDown(() => this.#events.onOpen());
  }

  #carryDown(deliver: () => void): void {
    this.#down.carry(() => {
      if (!this.#isClosed) deliver();
    });
  }

  #end(why: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#events.onClose(why);
  }
}

/**
 * @module
 * A wire that keeps everything a client sends and gets, and may be disturbed by a test. Behind it the embedded exchange.
 */
import type { VirtualClock } from '../../src/core/index.ts';
import { type Exchange, inProcessTransport } from '../../src/exchange/index.ts';
import type { HttpRequest, Transport } from '../../src/wire/gateway/index.ts';
import type { HttpAnswer, NoAnswer } from '../../src/wire/gateway/transport.ts';

export type Reply = HttpAnswer | NoAnswer;

/** A request with its answer, once that is there. */
export interface Passed {
  readonly request: HttpRequest;
  readonly atMs: number;
  reply?: Reply;
}

/** What stands between client and exchange; `pass` carries the request on. */
export type Disturbance = (request: HttpRequest, pass: () => Promise<Reply>) => Promise<Reply>;

/** One wire. */
export class Wire implements Transport {
  readonly passed: Passed[] = [];
  /** Frames of the client, as text. */
  readonly sent: string[] = [];
  /** Frames of the exchange, as text. */
  readonly frames: string[] = [];
  /** Sockets that were opened, oldest first. */
  readonly sockets: ReturnType<Transport['open']>[] = [];
  /** Frames of the exchange are lost. */
  isDeaf = false;
  /** What comes in place of a frame of the exchange. */
  alter: (text: string) => readonly string[] = (text) => [text];
  readonly #listeners: { onFrame(text: string, receivedAtMs: number): void }[] = [];
  disturb: Disturbance = (_request, pass) => pass();
  readonly #carrier: Transport;
  readonly #clock: VirtualClock;

  constructor(exchange: Exchange, clock: VirtualClock) {
    this.#clock = clock;
    this.#carrier = inProcessTransport(exchange, {
      clock,
      requestLatencyMs: 2,
      answerLatencyMs: 2,
      frameLatencyMs: 1,
    });
  }

  /** Signed writes, oldest first. */
  posts(path = ''): readonly Passed[] {
    return this.passed.filter(({ request }) => request.method === 'POST' && request.path.includes(path));
  }

  /** Reads whose path holds `path`, oldest first. */
  reads(path: string): readonly Passed[] {
    return this.passed.filter(({ request }) => request.method === 'GET' && request.path.includes(path));
  }

  /** Everything that left the client, as one text. */
  outgoing(): string {
    return [...this.passed.map(({ request }) => JSON.stringify(request)), ...this.sent].join('\n');
  }

  async request(request: HttpRequest): Promise<Reply> {
    const passed: Passed = { request, atMs: this.#clock.monotonicMs() };
    this.passed.push(passed);
    passed.reply = await this.disturb(request, () => this.#carrier.request(request));
    return passed.reply;
  }

  /** A frame that the exchange did not send, on the newest socket. */
  inject(text: string): void {
    this.#listeners.at(-1)?.onFrame(text, this.#clock.nowMs());
  }

  open(...[listener, onUpgrade]: Parameters<Transport['open']>): ReturnType<Transport['open']> {
    const kept = {
      onOpen: () => listener.onOpen(),
      onFrame: (text: string, receivedAtMs: number) => {
        if (this.isDeaf) return;
        this.frames.push(text);
        for (const one of this.alter(text)) listener.onFrame(one, receivedAtMs);
      },
      onClose: (why: string) => listener.onClose(why),
    };
    const socket = this.#carrier.open(kept, onUpgrade);
    this.#listeners.push(kept);
    this.sockets.push(socket);
    return {
      send: (text) => {
        this.sent.push(text);
        socket.send(text);
      },
      close: (why) => socket.close(why),
    };
  }
}

/** The body of a write as a value. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
export function bodyOf({ request }: Passed): any {
  return JSON.parse(request.body ?? '{}');
}

/** The body of an answer as a value. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
export function replyOf({ reply }: Passed): any {
  return reply?.kind === 'answer' ? JSON.parse(reply.body) : undefined;
}

/** An answer made up by a test. */
export function made(status: number, body: unknown, headers: HttpAnswer['headers'] = {}): HttpAnswer {
  return { kind: 'answer', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** An error as the interface has it. */
export function madeError(status: number, code: string, details: object = {}, message = 'no'): HttpAnswer {
  return made(status, { error: { code, num: 1, message, details } });
}

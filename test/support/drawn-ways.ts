/**
 * @module
 * The latency of orders, answers and feed, drawn from one seed that a backtest, a paper run and the wire share. In the first
 * two the local venue draws; here the same draws carry requests and frames of the transport port: one for each write
 * on its way there, one for each entry of the exchange's log about us on its way back. What a venue port does not know
 * of takes no draw: reads and pings the shortest way there is that overtakes no frame, and renewals of the switch no time
 * at all, for in the other two it is armed once, and a cancel on the safety lane would wait for them here alone.
 *
 *   request ─ entry ─▶ exchange ─┬─ response ─▶ frames of the account
 *                                └─ response ─▶ answer
 */

import type { VirtualClock } from '../../src/core/index.ts';
import { seededRandom } from '../../src/core/index.ts';
import { type Exchange, NO_RESPONSE, type StreamSession } from '../../src/exchange/index.ts';
import type { FeedLatency } from '../../src/research/backtest/types.ts';
import type { Latency, OrderLatency } from '../../src/research/venue/index.ts';
import { OneWay } from '../../src/research/venue/models/one-way.ts';
import type {
  HttpAnswer,
  HttpRequest,
  NoAnswer,
  SocketListener,
  StreamSocket,
  Transport,
} from '../../src/wire/gateway/transport.ts';
import { endpointOf } from '../../src/wire/protocol/index.ts';
import { type Agenda, RANK } from './agenda.ts';
import type { MarketLine } from './market-line.ts';
import type { Carrier } from './wire-stage.ts';

/** Of thirty-seconds of a millisecond, which binary numbers hold exactly as milliseconds and as microseconds. */
const STEP_US = 31.25;
const MS_STEPS = 32;

/** The three parts of latency, 20 to 120 ms each way. */
export const DRAWN: { readonly order: OrderLatency; readonly feed: FeedLatency } = {
  order: { entry: between(20, 80), response: between(20, 80) },
  feed: between(20, 120),
};

const IP = '127.0.0.1';
/** Before the strategies begin nothing is compared, and whole milliseconds pass. */
const OPENING_US = 1_000;

/** The ways between one client and the exchange. */
export class DrawnWays implements Carrier {
  readonly #parts: WayParts;
  readonly #entry: OneWay;
  readonly #response: OneWay;
  #isDrawing = false;
  /** The entry of the log that is being written, and when we hear of it. */
  #open: { heardUs: number | undefined } | undefined;
  #lastFrameUs = 0;
  /** Requests carried, and of those the writes that took a draw. */
  requests = 0;
  writes = 0;

  constructor(parts: WayParts) {
    this.#parts = parts;
    const random = seededRandom(parts.seed).fork('venue');
    this.#entry = new OneWay(DRAWN.order.entry, random.fork('entry'));
    this.#response = new OneWay(DRAWN.order.response, random.fork('response'));
  }

  begin(): void {
    this.#isDrawing = true;
  }

  asEntry<T>(action: () => T): T {
    this.#open = { heardUs: undefined };
    try {
      return action();
    } finally {
      this.#open = undefined;
    }
  }

  transport(): Transport {
    return {
      request: (request) => this.#request(request),
      open: (listener) => this.#stream(listener),
    };
  }

  #request(request: HttpRequest): Promise<HttpAnswer | NoAnswer> {
    const { agenda, clock } = this.#parts;
    this.requests++;
    const isDrawn = this.#isDrawing && isWrite(request);
    if (isDrawn) this.writes++;
    const plainUs = isRenewal(request) ? 0 : this.#leastUs;
    const atUs = isDrawn ? this.#entry.arrivalOf(agenda.nowUs) : agenda.nowUs + plainUs;
    return new Promise((resolve) => {
      const timer = clock.after(request.timeoutMs, () => resolve({ kind: 'lost', why: 'no answer in time' }));
      const settle = (reply: HttpAnswer | NoAnswer): void => {
        timer.cancel();
        resolve(reply);
      };
      agenda.at(atUs, RANK.arrival, () => void this.#deliver(request, { isDrawn, plainUs }, settle));
    });
  }

  async #deliver(
    request: HttpRequest,
    { isDrawn, plainUs }: { readonly isDrawn: boolean; readonly plainUs: number },
    settle: (reply: HttpAnswer | NoAnswer) => void,
  ): Promise<void> {
    const { agenda, exchange } = this.#parts;
    const { method, headers, body = '', path } = request;
    const handle = () => exchange.handle({ method, path, headers, body, ip: IP });
    let backUs = 0;
    // The local venue has no blocks: what is worked over time counts from its arrival there, from the block before it here.
    if (path === endpointOf('placeTwap').path) exchange.beginBlock();
    const handled = isDrawn
      ? this.asEntry(() => {
          backUs = this.#heardUs();
          return handle();
        })
      : handle();
    const reply = handled instanceof Promise ? await handled : handled;
    // No read shows a fill before its frame does: the other two ways know of no read.
    const readUs = method === 'GET' ? this.#lastFrameUs : 0;
    agenda.at(Math.max(backUs, readUs, agenda.nowUs + (isDrawn ? 0 : plainUs)), RANK.answer, () =>
      settle(reply === NO_RESPONSE ? { kind: 'lost', why: 'cut' } : { kind: 'answer', ...reply }),
    );
  }

  #stream(listener: SocketListener): StreamSocket {
    const { agenda, exchange, line, clock } = this.#parts;
    let session: StreamSession | undefined;
    let isClosed = false;
    const told = (text: string): void => {
      if (!isClosed) listener.onFrame(text, clock.nowMs());
    };
    const later = (us: number, action: () => void): void => agenda.at(us, RANK.answer, action);
    const end = (why: string): void => {
      if (isClosed) return;
      isClosed = true;
      listener.onClose(why);
    };
    const down = (text: string): void => later(this.#frameUs(), () => told(text));
    // What is published of the markets comes when the feed's own draw says.
    const published = line.join(told);
    later(agenda.nowUs + this.#leastUs, () => {
      const opened = exchange.openStream(IP, {
        send: down,
        isReady: () => true,
        close: (code, reason) => later(this.#frameUs(), () => end(`closed with ${code} ${reason}`)),
      });
      if ('status' in opened) return end(`refused with ${opened.status}`);
      session = opened.session;
      later(this.#frameUs(), () => listener.onOpen());
    });
    return {
      send: (text) =>
        agenda.at(agenda.nowUs + this.#leastUs, RANK.arrival, () => {
          const reply = published.receive(text, exchange.epoch);
          if (reply === undefined) session?.receive(text);
          else down(reply);
        }),
      close: (why) => {
        published.leave();
        session?.closed();
        end(why);
      },
    };
  }

  get #leastUs(): number {
    return this.#isDrawing ? Math.min(this.#entry.leastUs, this.#response.leastUs) : OPENING_US;
  }

  /** When the entry is heard of; drawn when the first of it leaves. */
  #heardUs(): number {
    const { nowUs } = this.#parts.agenda;
    if (this.#open === undefined || !this.#isDrawing) return nowUs + this.#leastUs;
    this.#open.heardUs ??= this.#response.arrivalOf(nowUs);
    return this.#open.heardUs;
  }

  /** First in, first out. */
  #frameUs(): number {
    this.#lastFrameUs = Math.max(this.#lastFrameUs, this.#heardUs());
    return this.#lastFrameUs;
  }
}

/** What the ways lie between. */
export interface WayParts {
  readonly clock: VirtualClock;
  readonly agenda: Agenda;
  readonly exchange: Exchange;
  readonly line: MarketLine;
  readonly seed: number;
}

function isWrite(request: HttpRequest): boolean {
  return request.method === 'POST' && !isRenewal(request);
}

function isRenewal({ path }: HttpRequest): boolean {
  return path === endpointOf('scheduleCancel').path;
}

/** Odd steps from one number of milliseconds to another: none falls on a whole millisecond, where markets are recorded. */
function between(fromMs: number, toMs: number): Latency {
  const us: number[] = [];
  for (let step = fromMs * MS_STEPS + 1; step < toMs * MS_STEPS; step += 2) us.push(step * STEP_US);
  return { kind: 'sampled', us };
}

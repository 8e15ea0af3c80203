/**
 * @module
 * A custom feed over WebSocket: every text frame is a value. A connection that ends, or is silent for too long, is made
 * again, later and later. Sends the texts it was given to subscribe with, and nothing of ours.
 */
import { type Clock, silentLog, silentMeter, type Timer } from '../../../core/index.ts';
import { openConnection } from '../ws/socket-connection.ts';
import type { FeedListener } from './http.ts';

/** Waits before a connection is made again. */
const WAIT_MS_MIN = 1_000;
const WAIT_MS_MAX = 30_000;

/** A feed over WebSocket. */
export interface WsFeedOptions {
  /** The address that is asked. */
  readonly url: string;
  /** Sent when a connection is open, in order. */
  readonly subscribe: readonly string[];
  /** A connection without a frame for this long, ms, is given up. */
  readonly silenceMs: number;
  readonly clock: Clock;
}

/** A source that can be opened; the function it returns ends it. */
export function createWsFeed(options: WsFeedOptions): { open(listener: FeedListener): () => void } {
  return {
    open(listener) {
      const feed = new WsFeed(options, listener);
      return () => feed.end();
    },
  };
}

class WsFeed {
  readonly #options: WsFeedOptions;
  readonly #listener: FeedListener;
  #socket: ReturnType<typeof openConnection> | undefined;
  #timer: Timer | undefined;
  #waitMs = WAIT_MS_MIN;
  #isEnded = false;

  constructor(options: WsFeedOptions, listener: FeedListener) {
    this.#options = options;
    this.#listener = listener;
    this.#connect();
  }

  end(): void {
    this.#isEnded = true;
    this.#timer?.cancel();
    this.#socket?.close('the feed is over');
  }

  #connect(): void {
    const { url, clock, subscribe } = this.#options;
    const parts = { url, clock, log: silentLog, meter: silentMeter };
    const socket = openConnection(parts, {
      onOpen: () => {
        for (const text of subscribe) socket.send(text);
        this.#watch();
      },
      onFrame: (text, receivedAtMs) => {
        if (this.#isEnded) return;
        this.#waitMs = WAIT_MS_MIN;
        this.#watch();
        this.#listener.onText(text, receivedAtMs);
      },
      onClose: (why) => this.#closed(why),
    });
    this.#socket = socket;
  }

  #watch(): void {
    const { clock, silenceMs } = this.#options;
    this.#timer?.cancel();
    this.#timer = clock.after(silenceMs, () => this.#socket?.close(`no frame for ${silenceMs} ms`));
  }

  #closed(why: string): void {
    if (this.#isEnded) return;
    this.#timer?.cancel();
    this.#listener.onFault(why);
    this.#timer = this.#options.clock.after(this.#waitMs, () => this.#connect());
    this.#waitMs = Math.min(2 * this.#waitMs, WAIT_MS_MAX);
  }
}

/**
 * @module
 * A custom feed over HTTP: one address is read again and again, a body that says something new is a value. Follows no
 * redirect, sends no credentials of ours.
 */
import type { Clock, Timer } from '../../../core/index.ts';
import { exchange } from '../rest/http.ts';
import { createPool } from '../rest/pools.ts';

/** The longest an answer may take. */
const TIMEOUT_MS_MAX = 10_000;

/** What a feed reports. The shape is that of the stream layer's port. */
export interface FeedListener {
  /** A text came; `receivedAtMs`: local time, Unix ms. */
  onText(text: string, receivedAtMs: number): void;
  /** The source has no value at present, and why. */
  onFault(why: string): void;
}

/** A feed over HTTP. */
export interface HttpFeedOptions {
  /** The address that is asked. */
  readonly url: string;
  /** From the end of one reading to the beginning of the next. */
  readonly periodMs: number;
  readonly clock: Clock;
}

/** A source that can be opened; the function it returns ends it. */
export function createHttpFeed({ url, periodMs, clock }: HttpFeedOptions): {
  open(listener: FeedListener): () => void;
} {
  return {
    open(listener) {
      const { origin, pathname, search } = new URL(url);
      const pool = createPool(
        origin,
        { connections: 1, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 },
        { connectMs: TIMEOUT_MS_MAX },
      );
      const request = {
        method: 'GET',
        path: `${pathname}${search}`,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS_MAX,
      } as const;
      let last: string | undefined;
      let timer: Timer | undefined;
      let isEnded = false;
      const read = async (): Promise<void> => {
        const result = await exchange(pool, request, clock);
        if (isEnded) return;
        if (result.kind !== 'answer') listener.onFault(result.why);
        else if (result.status !== 200) listener.onFault(`expected status 200, got ${result.status}`);
        else if (result.body !== last) {
          last = result.body;
          listener.onText(result.body, clock.nowMs());
        }
        timer = clock.after(periodMs, () => void read());
      };
      void read();
      return () => {
        isEnded = true;
        timer?.cancel();
        void pool.destroy();
      };
    },
  };
}

/**
 * @module
 * One HTTP exchange: a request goes out at most once, an answer comes back whole or not at all. Built on the dispatcher
 * under undici's `request`, because only there the start of writing can be seen: before it, not one byte has left.
 * Follows no redirect, retries nothing, pools nothing (obligations O67, O70, O71).
 *
 *   queued, connecting ── timeout, refused ──▶ notSent
 *          │ first byte
 *          ▼
 *   written ── timeout, reset, truncated, above the cap, not UTF-8 ──▶ lost
 *          │ whole body
 *          ▼
 *        answer
 */
import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';
import { type Clock, messageOf, type Timer } from '../../../core/index.ts';
import type { AnswerHeaders, HttpAnswer, HttpRequest, NoAnswer } from '../transport.ts';

/** The most bytes of an answer. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** Sends one request. Never rejects. */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  clock: Clock,
): Promise<HttpAnswer | NoAnswer> {
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(resolve);
    try {
      dispatcher.dispatch(
        { method: request.method, path: request.path, headers: request.headers, body: request.body ?? null },
        handler,
      );
    } catch (thrown) {
      handler.fail(messageOf(thrown));
    }
    // After the dispatch: what is sent does not wait for it.
    handler.expireAfter(request.timeoutMs, clock);
  });
}

/** One object a request: hears the steps of the exchange and settles once. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  #timer: Timer | undefined;
  readonly #resolve: (result: HttpAnswer | NoAnswer) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  #chunks: Buffer[] = [];
  #byteCount = 0;

  constructor(resolve: (result: HttpAnswer | NoAnswer) => void) {
    this.#resolve = resolve;
  }

  /** The dispatcher is about to write. An exchange that was given up while queued is stopped here, unsent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled) controller.abort(new Error('given up before it was sent'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#byteCount += chunk.length;
    if (this.#byteCount <= BODY_BYTES_MAX) this.#chunks.push(chunk);
    else controller.abort(new Error(`expected at most ${BODY_BYTES_MAX} bytes of body, got more`));
  }

  onResponseEnd(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    if (bytes === undefined || !isUtf8(bytes)) this.fail('expected a body of UTF-8, got other bytes');
    else
      this.#settle({
        kind: 'answer',
        status: this.#status,
        headers: this.#headers,
        body: bytes.toString('utf8'),
      });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(causeOf(error));
  }

  /** Gives the exchange up after this time, unless it has ended by then. */
  expireAfter(timeoutMs: number, clock: Clock): void {
    if (!this.#isSettled) this.#timer = clock.after(timeoutMs, () => this.#expire(timeoutMs));
  }

  #expire(timeoutMs: number): void {
    const why = `no answer within ${timeoutMs} ms`;
    const controller = this.#controller;
    this.fail(why);
    // The socket is destroyed: what else comes over it belongs to no request (outcomes-and-receipts.md).
    controller?.abort(new Error(why));
  }

  fail(why: string): void {
    this.#settle({ kind: this.#controller === undefined ? 'notSent' : 'lost', why });
  }

  #settle(result: HttpAnswer | NoAnswer): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#timer?.cancel();
    this.#resolve(result);
  }
}

/** The text of an error with its cause, such as ECONNREFUSED. */
function causeOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  return `${code}${error.message}`;
}

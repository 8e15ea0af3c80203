/**
 * @module
 * Typed reads with patience: 412 again with the same position, 429 after its wait; 5xx, broken pipes and what is no answer
 * of the interface with growing, jittered pauses, all of it bounded (obligations O19, O66, O67, O73, O118). Two readers of
 * one resource share one request. What is left is thrown as an error that keeps status, requestId and body (obligation
 * O74). Not for writes.
 */
import { type Clock, GatewayError, type Log, type Random, TransportError } from '../../../core/index.ts';
import { type Decoded, decodeErrorBody } from '../../protocol/index.ts';
import type { NoAnswer } from '../transport.ts';
import type { Answer, ReadCall, RestClient } from './client.ts';

/** Attempts of one read, and of one that waits for a replica to reach a position. */
const ATTEMPTS_MAX = 6;
const BEHIND_ATTEMPTS_MAX = 50;
const PAUSE_MS_FIRST = 100;
const PAUSE_MS_MAX = 2_000;
/** How much of a body an error keeps. */
const BODY_LENGTH_MAX = 2_000;

/** Reads the body of a 200. `seq`: the position in its header, for a body that has none. */
export type ReadDecoder<T> = (body: string, seq: bigint | undefined) => Decoded<T>;

/** Makes reads over one client. */
export class Reader {
  readonly #client: RestClient;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Log;
  readonly #running = new Map<string, Promise<Answer>>();

  constructor(options: { client: RestClient; clock: Clock; random: Random; log: Log }) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#random = options.random.fork('reads');
    this.#log = options.log;
  }

  /**
   * The decoded body of a 200. @throws GatewayError when the gateway refuses, TransportError when no answer came in any
   * attempt, ProtocolError when the body breaks the interface in each of them, GatewayError when it is not even JSON.
   */
  async read<T>(call: ReadCall, decode: ReadDecoder<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const { body, seq } = await this.#answer(call);
      const decoded = decode(body, seq);
      if (decoded.ok) return decoded.value;
      // The page of a proxy, or half of an answer: the next one may be the gateway's (obligation O67).
      if (attempt >= ATTEMPTS_MAX) throw isJson(body) ? decoded.error : foreign(call, 200, body);
      await this.#pause(attempt, undefined);
    }
  }

  /**
   * As {@link read}; `undefined` for a 404: an account that does not exist is empty so far (obligation O17). One without
   * an error of the interface is a proxy's, and says nothing of accounts (obligation O73).
   */
  async readIfThere<T>(call: ReadCall, decode: ReadDecoder<T>): Promise<T | undefined> {
    try {
      return await this.read(call, decode);
    } catch (thrown) {
      if (thrown instanceof GatewayError && isNotThere(thrown)) return undefined;
      throw thrown;
    }
  }

  #answer(call: ReadCall): Promise<Answer> {
    const key = JSON.stringify([call.endpoint, call.path, call.query, call.minSeq], (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const promise = this.#patiently(call).finally(() => this.#running.delete(key));
    this.#running.set(key, promise);
    return promise;
  }

  async #patiently(call: ReadCall): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      call.onAttempt?.();
      const result = await this.#client.get(call);
      if (result.kind === 'answer' && result.status === 200) return result;
      const attemptsMax =
        result.kind === 'answer' && result.status === 412 ? BEHIND_ATTEMPTS_MAX : ATTEMPTS_MAX;
      if (!isTransient(result) || attempt >= attemptsMax) throw errorOf(call, result);
      if (attempt === ATTEMPTS_MAX) {
        this.#log.warn('a replica is far behind', { endpoint: call.endpoint, minSeq: String(call.minSeq) });
      }
      await this.#pause(attempt, result.kind === 'answer' ? result.retryAfterMs : undefined);
    }
  }

  #pause(attempt: number, statedMs: number | undefined): Promise<void> {
    const cappedMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_FIRST * 2 ** Math.min(attempt - 1, 10));
    const waitMs = statedMs ?? cappedMs * (0.5 + this.#random.next() / 2);
    return new Promise((resolve) => {
      this.#clock.after(waitMs, resolve);
    });
  }
}

/** True if the same read may work a little later. */
function isTransient(result: Answer | NoAnswer): boolean {
  if (result.kind !== 'answer') return true;
  if (result.status >= 500 || result.status === 412 || result.status === 421 || result.status === 429)
    return true;
  // A proxy's, which says nothing of what was asked for (obligation O73).
  return !decodeErrorBody(result.body).ok;
}

function isNotThere({ details }: GatewayError): boolean {
  return details['status'] === 404 && details['gatewayCode'] !== undefined;
}

/** The error of a read that did not work. */
export function errorOf(
  call: { readonly endpoint: string },
  result: Answer | NoAnswer,
): GatewayError | TransportError {
  if (result.kind !== 'answer') {
    return new TransportError({
      code: 'GATEWAY_UNREACHABLE',
      message: `expected an answer to ${call.endpoint}, got none: ${result.why}`,
      remedy: 'Check the base URL and the network, and whether the gateway is up.',
      effect: 'none',
    });
  }
  return foreign(call, result.status, result.body);
}

/** The error of an answer that is none of the interface, or that refuses. */
function foreign({ endpoint }: { readonly endpoint: string }, status: number, body: string): GatewayError {
  const error = decodeErrorBody(body);
  const code = error.ok ? error.value.code : undefined;
  return new GatewayError({
    code: error.ok ? 'GATEWAY_READ_REFUSED' : 'GATEWAY_RESPONSE_UNEXPECTED',
    message: `expected ${endpoint} to be answered, got status ${status} ${code ?? 'without an error code'}`,
    remedy:
      REMEDIES.get(status) ?? 'Read the body below; ask the operator of the gateway with the requestId.',
    details: {
      status,
      gatewayCode: code,
      requestId: requestIdIn(body),
      body: body.slice(0, BODY_LENGTH_MAX),
    },
    effect: 'none',
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [400, 'A parameter is wrong: fix it, do not repeat the request.'],
  [404, 'The object does not exist at this position; an account appears with its first deposit.'],
  [409, 'The ledger was restarted: fetch a first page again and rebuild.'],
  [412, 'The replica has lagged for long: ask the operator of the gateway.'],
  [421, "Use the environment's public entry point as base URL."],
  [429, 'The request budget is used up: fewer bots on this address, or a higher budget.'],
]);

function requestIdIn(body: string): string | undefined {
  return /"requestId"\s*:\s*"(0x[0-9a-fA-F]{1,64})"/.exec(body)?.[1];
}

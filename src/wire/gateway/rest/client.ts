/**
 * @module
 * Requests to one environment: header names, budgets, positions. Interprets no body. A POST is sent once and never again by this layer; a GET is sent once too, retries are the reader's
 * (obligations O69 to O71).
 */
import { type Clock, isRecord, type Metrics, parseJson } from '../../../core/index.ts';
import {
  type EndpointId,
  endpointOf,
  type HeaderNames,
  headerNames,
  matchEndpoint,
  type PathParams,
  parseSeqHeader,
  pathOf,
} from '../../protocol/index.ts';
import type { HttpAnswer, HttpRequest, NoAnswer, Transport } from '../transport.ts';
import { headerText, retryAfterMsOf } from './rate-headers.ts';
import type { RateRequest, RequestBudget } from './request-budget.ts';

/** How long an answer may take. */
const TIMEOUT_MS = 5_000;
/** Longest wait for capacity of a budget before a request is given back unsent. */
const BUDGET_WAIT_MS = 60_000;

/** A raw answer: what `execution` calls `RawAnswer`. */
export interface Answer {
  readonly kind: 'answer';
  /** HTTP status. */
  readonly status: number;
  /** The body as text. */
  readonly body: string;
  /** `x-svc-seq`, only of a 2xx answer: a 412 carries the replica's own, lower one. */
  readonly seq: bigint | undefined;
  /** How long the gateway asks to wait, at most 60 s. On a 429 always present. */
  readonly retryAfterMs: number | undefined;
}

/** A read by the name of its endpoint. */
export interface ReadCall extends PathParams {
  readonly endpoint: EndpointId;
  /** Sent as `x-svc-min-seq`. */
  readonly minSeq?: bigint | undefined;
  /** Time to wait at most, ms; absent: the gateway's default. */
  readonly timeoutMs?: number;
  /** Takes risk away (receipts, the proof that no order is open): may use the budget's reserve. */
  readonly isUrgent?: boolean;
  /** Called before each repeated attempt of a read. */
  readonly onAttempt?: () => void;
}

/** A write as `execution` hands it over. */
export interface WriteCall {
  /** Path of the request, without query. */
  readonly path: string;
  /** The body as text. */
  readonly body: string;
  /** Log position that the answer must include; absent: any. */
  readonly minSeq?: bigint | undefined;
  /** Time to wait at most, ms. */
  readonly timeoutMs: number;
  /** Longest wait for capacity of a budget before it is given back unsent; 60 s when absent. */
  readonly waitMs?: number | undefined;
}

/** What a client is made of. */
export interface RestClientOptions {
  readonly transport: Transport;
  /** Before `min-seq` and `seq`; `x-svc-` unless the environment says otherwise. */
  readonly headerPrefix?: string;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly meter: Metrics;
  /** The exchange's time; `undefined` while it is not known. */
  serverNowMs(): number | undefined;
}

/** Writes that take risk away and may use the reserve (obligation O116). */
const URGENT_WRITES: ReadonlySet<string> = new Set(['cancelOrders', 'cancelAll', 'scheduleCancel']);

/** The REST side of one environment. */
export class RestClient {
  readonly #options: RestClientOptions;
  readonly #names: HeaderNames;
  /** Budget requests by write path: there are few paths, and matching one for each order costs. */
  readonly #writeRates = new Map<string, RateRequest>();

  constructor(options: RestClientOptions) {
    this.#options = options;
    this.#names = headerNames(options.headerPrefix);
  }

  /** Makes one read. Never rejects. */
  async get(call: ReadCall): Promise<Answer | NoAnswer> {
    const endpoint = endpointOf(call.endpoint);
    const rate: RateRequest = {
      name: call.endpoint,
      isWrite: false,
      isUrgent: call.isUrgent ?? false,
      weight: endpoint.weight,
    };
    return this.#send(
      rate,
      {
        method: 'GET',
        path: pathOf(call.endpoint, call),
        headers: this.#headersFor(call.minSeq, READ_HEADERS),
        timeoutMs: call.timeoutMs ?? TIMEOUT_MS,
      },
      BUDGET_WAIT_MS,
    );
  }

  /** Sends one signed write, once. Never rejects. */
  post(call: WriteCall): Promise<Answer | NoAnswer> {
    const { path, body, timeoutMs } = call;
    const headers = this.#headersFor(call.minSeq, WRITE_HEADERS);
    return this.#send(
      this.#rateOf(path),
      { method: 'POST', path, headers, body, timeoutMs },
      call.waitMs ?? BUDGET_WAIT_MS,
    );
  }

  async #send(rate: RateRequest, request: HttpRequest, waitMs: number): Promise<Answer | NoAnswer> {
    const { budget, transport, clock, meter } = this.#options;
    const ticket = budget.tryAcquire(rate) ?? (await budget.acquire(rate, waitMs));
    if (ticket === undefined) {
      return { kind: 'notSent', why: `no room in the request budget within ${waitMs} ms`, isHeldBack: true };
    }
    const startedAtMs = clock.monotonicMs();
    const result = await transport.request(request);
    meter.observe(
      request.method === 'POST' ? 'gateway_write_duration_ms' : 'gateway_read_duration_ms',
      clock.monotonicMs() - startedAtMs,
    );
    if (result.kind !== 'answer') {
      ticket.settle(result.kind === 'notSent' ? 'notSent' : undefined);
      meter.count(
        result.kind === 'lost' ? 'gateway_requests_unanswered_total' : 'gateway_requests_not_sent_total',
      );
      return result;
    }
    const body = result.status === 429 ? tryParseJson(result.body) : undefined;
    return this.#answerOf(result, ticket.settle({ status: result.status, headers: result.headers, body }));
  }

  #answerOf(result: HttpAnswer, refusedForMs: number | undefined): Answer {
    const isSuccess = result.status >= 200 && result.status < 300;
    return {
      kind: 'answer',
      status: result.status,
      body: result.body,
      seq: isSuccess ? parseSeqHeader(headerText(result.headers[this.#names.seq])) : undefined,
      retryAfterMs: refusedForMs ?? retryAfterMsOf(result.headers, this.#options.serverNowMs()),
    };
  }

  #headersFor(minSeq: bigint | undefined, plain: Readonly<Record<string, string>>) {
    return minSeq === undefined ? plain : { ...plain, [this.#names.minSeq]: minSeq.toString() };
  }

  #rateOf(path: string): RateRequest {
    const key = path.split('?', 1)[0] ?? path;
    const known = this.#writeRates.get(key);
    if (known !== undefined) return known;
    const endpoint = matchEndpoint('POST', key)?.endpoint;
    const name = endpoint?.id ?? key;
    const rate = {
      name,
      isWrite: true,
      isUrgent: URGENT_WRITES.has(name),
      weight: endpoint?.weight ?? 1,
    };
    if (this.#writeRates.size < 1_000) this.#writeRates.set(key, rate);
    return rate;
  }
}

const READ_HEADERS = { accept: 'application/json' };
const WRITE_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

function tryParseJson(text: string): unknown {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

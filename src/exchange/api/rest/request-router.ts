/**
 * @module
 * One request in, one answer out: route, charge the IP, wait for the position the client asks for, read or write. Every
 * answer says what is left of the IP's budget (openapi.yaml).
 */

import type { Clock, Random } from '../../../core/index.ts';
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointMatch,
  type HeaderNames,
  matchEndpoint,
  parseSeqHeader,
} from '../../../wire/protocol/index.ts';
import type {
  ExchangeSettings,
  ExchangeState,
  ForcedRejection,
  QuirkSwitches,
  Sequencer,
} from '../../state/index.ts';
import type { GatewayIdentity } from '../gateway-identity.ts';
import type { IssuedBounds } from '../issued-bounds.ts';
import { ACCOUNT_READS } from './account-reads.ts';
import {
  type EndpointResult,
  type ExchangeAnswer,
  type ExchangeRequest,
  type Refusal,
  refuse,
  toAnswer,
} from './answer.ts';
import type { BoundedWait } from './bounded-wait.ts';
import { FEE_READS } from './fee-reads.ts';
import { HISTORY_READS } from './history-reads.ts';
import { PUBLIC_READS } from './public-reads.ts';
import type { HistoryGap, ReadHandler } from './read.ts';
import { readReceipt } from './receipt-read.ts';
import { VAULT_READS } from './vault-reads.ts';
import type { Charge, WeightLimit } from './weight-limit.ts';
import type { Writes } from './writes.ts';

/** What the router needs. */
export interface RouterParts {
  /** Clock of the exchange. */
  readonly clock: Clock;
  /** Settings of the exchange. */
  readonly settings: ExchangeSettings;
  /** The log of the exchange and its state. */
  readonly sequencer: Sequencer;
  /** Request weight budget by peer address. */
  readonly ipWeightLimit: WeightLimit;
  /** Names of the exchange's own headers. */
  readonly headers: HeaderNames;
  /** Waits for a log position, up to a deadline. */
  readonly boundedWait: BoundedWait;
  /** Handles writes. */
  readonly writes: Writes;
  /** Chosen answers to the open points of the interface. */
  readonly quirks: QuirkSwitches;
  /** Page bounds that clients were given. */
  readonly bounds: IssuedBounds;
  /** Gaps in the history, as the control set them. */
  readonly gaps: () => readonly HistoryGap[];
  /** Draws the replica that answers a request. */
  readonly random: Random;
  /** Reported domain and clock. */
  readonly identity: GatewayIdentity;
}

interface Target extends EndpointMatch {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A request that may be carried out. */
interface Visit {
  readonly request: ExchangeRequest;
  readonly target: Target;
  readonly state: ExchangeState;
  /** What the gateway that answers it knows of grants. */
  readonly grants: () => ExchangeState;
}

const READS: Partial<Readonly<Record<string, ReadHandler>>> = {
  ...PUBLIC_READS,
  ...ACCOUNT_READS,
  ...HISTORY_READS,
  ...FEE_READS,
  ...VAULT_READS,
  receipt: readReceipt,
};
/** What an unknown path costs. */
const UNKNOWN_WEIGHT = 1;
const NO_QUERY = new URLSearchParams();
/** Paths without parameters, found without cutting them up. */
const LITERAL = { GET: literalPaths('GET'), POST: literalPaths('POST') } as const;

function literalPaths(method: Endpoint['method']): ReadonlyMap<string, EndpointMatch> {
  const literal = ENDPOINTS.filter(({ path, method: own }) => own === method && !path.includes('{'));
  return new Map(literal.map((endpoint: Endpoint) => [endpoint.path, { endpoint, params: {} }]));
}

/** What is wrong with the names of a query: a misspelled one must not be answered as if it were not there. */
function queryRefusalOf({ endpoint, query }: Target): Refusal | undefined {
  if (query === NO_QUERY) return undefined;
  const seen = new Set<string>();
  for (const name of query.keys()) {
    const shown = JSON.stringify(name.slice(0, 40));
    if (seen.has(name)) return invalidQuery(`expected the query parameter ${shown} once`);
    if (!endpoint.query.includes(name))
      return invalidQuery(`expected ${knownOf(endpoint)}, got the query parameter ${shown}`);
    seen.add(name);
  }
  return undefined;
}

function knownOf({ query }: Endpoint): string {
  return query.length === 0 ? 'no query parameters' : `no query parameters but ${query.join(', ')}`;
}

function invalidQuery(message: string): Refusal {
  return { code: 'InvalidRequest', message };
}

/** Answers requests of the interface. */
export class RequestRouter {
  readonly #parts: RouterParts;

  constructor(parts: RouterParts) {
    this.#parts = parts;
  }

  /** Answers `request`; at once, unless it has to wait for a position or a result. */
  handle(request: ExchangeRequest): ExchangeAnswer | Promise<ExchangeAnswer> {
    const target = this.#target(request);
    const { charge, refusal } = this.admit(request.ip, target?.endpoint.weight ?? UNKNOWN_WEIGHT);
    const budget = this.budgetHeaders(charge);
    if (refusal !== undefined) {
      this.#spend(request, 'RateLimited');
      return toAnswer(refusal, budget);
    }
    if (target === undefined) {
      const message = `no ${request.method} at this path`.slice(0, 100);
      return toAnswer(refuse({ code: 'NotFound', message }), budget);
    }
    const wrong = queryRefusalOf(target);
    const result = wrong === undefined ? this.#atPosition(request, target) : refuse(wrong);
    return result instanceof Promise
      ? result.then((late) => toAnswer(late, budget))
      : toAnswer(result, budget);
  }

  /** Refuses a request before the sequencer. It counts like any other. */
  refuse(request: ExchangeRequest, refusal: Refusal): ExchangeAnswer {
    const { charge } = this.admit(request.ip, UNKNOWN_WEIGHT);
    this.#spend(request, refusal.code);
    return toAnswer(refuse(refusal), this.budgetHeaders(charge));
  }

  /** Rejects a write for no reason in it; anything else is answered as ever. */
  reject(request: ExchangeRequest, forced: ForcedRejection): ExchangeAnswer | Promise<ExchangeAnswer> {
    const target = request.method === 'POST' ? this.#target(request) : undefined;
    const result = target && this.#parts.writes.force(request, target.path, forced);
    if (target === undefined || result === undefined) return this.handle(request);
    const { charge } = this.admit(request.ip, target.endpoint.weight);
    return toAnswer(result, this.budgetHeaders(charge));
  }

  /** Answers a request that never became one, such as a body that is too long: it counts like any other. */
  turnAway(ip: string, refused: Refusal): ExchangeAnswer {
    const { charge, refusal } = this.admit(ip, UNKNOWN_WEIGHT);
    return toAnswer(refusal ?? refuse(refused), this.budgetHeaders(charge));
  }

  /** Charges an IP: for a request, or for a WebSocket upgrade. */
  admit(
    ip: string,
    weight: number,
  ): { readonly charge: Charge; readonly refusal: EndpointResult | undefined } {
    const { ipWeightLimit, headers } = this.#parts;
    const charge = ipWeightLimit.charge(ip, weight);
    if (charge.isWithin) return { charge, refusal: undefined };
    const refusal = refuse({
      code: 'RateLimited',
      message: 'the budget of this address is used up',
      details: { bucket: ipWeightLimit.bucket },
      headers: { [headers.retryAfter]: String(charge.resetSeconds) },
    });
    return { charge, refusal };
  }

  #target({ method, path }: ExchangeRequest): Target | undefined {
    const { basePath } = this.#parts.settings;
    if (!path.startsWith(basePath)) return undefined;
    const mark = path.indexOf('?');
    const plain = path.slice(basePath.length, mark < 0 ? undefined : mark);
    const query = mark < 0 ? NO_QUERY : new URLSearchParams(path.slice(mark + 1));
    const literal = method === 'POST' || method === 'GET' ? LITERAL[method].get(plain) : undefined;
    const match = literal ?? matchEndpoint(method, plain);
    if (match === undefined) return undefined;
    return { endpoint: match.endpoint, params: match.params, path: plain, query };
  }

  /** What every answer says of the IP's budget. */
  budgetHeaders(charge: Charge): Readonly<Record<string, string>> {
    const { headers, ipWeightLimit } = this.#parts;
    return { [headers.rateLimit]: charge.header, [headers.rateLimitPolicy]: ipWeightLimit.policy };
  }

  /** Waits a bounded time until reads have reached the position of the min-seq header (exchange.md#write-answers). */
  #atPosition(request: ExchangeRequest, target: Target): EndpointResult | Promise<EndpointResult> {
    const { headers, sequencer, boundedWait, settings } = this.#parts;
    const { read, grants } = sequencer.pickRead(this.#parts.random);
    const text = request.headers[headers.minSeq];
    if (text === undefined) return this.#dispatch({ request, target, state: read(), grants });
    const dispatch = () => this.#dispatch({ request, target, state: read(), grants });
    const required = typeof text === 'string' ? parseSeqHeader(text) : undefined;
    if (required === undefined)
      return refuse({ code: 'InvalidRequest', message: `expected ${headers.minSeq} as an integer` });
    const isReached = () => BigInt(read().seq) >= required;
    if (isReached()) return dispatch();
    return boundedWait.until(isReached, settings.readTimeoutMs).then((isThere) => {
      if (isThere) return dispatch();
      this.#spend(request, 'ReplicaBehind');
      return this.#behind(required, read().seq);
    });
  }

  /** A write that is refused before the sequencer may cost its nonce all the same (ambiguity A6). */
  #spend(request: ExchangeRequest, code: string): void {
    const target = request.method === 'POST' ? this.#target(request) : undefined;
    if (target !== undefined) this.#parts.writes.refusedAtDoor(request, target.path, code);
  }

  #behind(required: bigint, applied: number): EndpointResult {
    return refuse({
      code: 'ReplicaBehind',
      message: 'replica behind',
      details: { applied, required: Number(required) },
      headers: { [this.#parts.headers.seq]: String(applied) },
    });
  }

  #dispatch({ request, target, state, grants }: Visit): EndpointResult | Promise<EndpointResult> {
    const { sequencer, settings, clock, writes, gaps, quirks, bounds, identity } = this.#parts;
    const { endpoint, params, query, path } = target;
    if (endpoint.method === 'POST')
      return writes.handle(request, { path, query, weight: endpoint.weight, grants });
    const read = READS[endpoint.id];
    if (read === undefined)
      return endpoint.id === 'ws'
        ? refuse({ code: 'InvalidRequest', message: 'expected a WebSocket upgrade' })
        : refuse({ code: 'NotFound', message: `${endpoint.id} is not offered by this exchange` });
    return read({
      state,
      settings,
      nowMs: identity.nowMs(clock),
      domain: identity.domain,
      durableSeq: sequencer.durableSeq(),
      gaps: gaps().filter(({ isSilent }) => isSilent !== true),
      holes: gaps().filter(({ isSilent }) => isSilent === true),
      quirks,
      bounds,
      params,
      query,
    });
  }
}

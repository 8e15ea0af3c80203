/**
 * @module
 * Paces requests by the budgets the gateway reports: `ip` for every request, `account` for signed writes too
 * (obligations O112 to O118). Requests wait here instead of being refused there; urgent ones (receipts, cancels, the
 * switch) go first and may use the reserve. Weights start from the table of endpoints and are corrected by what the
 * reports show.
 */
import {
  type Clock,
  isRecord,
  type Log,
  type Metrics,
  type Random,
  type Timer,
} from '../../../core/index.ts';
import type { AnswerHeaders } from '../transport.ts';
import { RateHeaderReader, retryAfterMsOf } from './rate-headers.ts';
import { RateLimitedRoutes } from './rate-limited-routes.ts';
import { type RateReport, RequestBucket, type TakenWeight } from './request-bucket.ts';

/** The budgets of the interface document (Limits). */
export type BucketName = 'ip' | 'account';

/** A request that wants to leave. */
export interface RateRequest {
  /** What it is, for the learned weights: an endpoint's name. */
  readonly name: string;
  /** Signed writes are charged to the account as well (obligation O113). */
  readonly isWrite: boolean;
  /** Receipts, cancels and the switch: they take risk away. */
  readonly isUrgent: boolean;
  /** What it is thought to cost. */
  readonly weight: number;
}

/** How many clients of this machine use each budget: one of several keeps to its share. */
export interface BudgetSharing {
  /** How many they are, this one among them. */
  sharers(bucket: BucketName): number;
  /** Calls `changed` whenever a number is another. */
  onChange(changed: () => void): void;
}

/** What an answer said about budgets; `undefined` parts were absent. */
export interface RateAnswer {
  /** HTTP status. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The parsed body of a 429, to learn which bucket it is about. */
  readonly body?: unknown;
}

/** Leave to send one request; must be settled exactly once. */
export interface RateTicket {
  /**
   * `answer` is `undefined` when none came, and `notSent` when not one byte of the request left. Returns how long a 429
   * asks to wait, in milliseconds.
   */
  settle(answer: RateAnswer | 'notSent' | undefined): number | undefined;
}

/** At most this many requests wait; more are turned away at once. */
const WAITING_MAX = 1_000;
/** A learned weight may pass the table's by this factor; more is another client on the same budget. */
const LEARNED_FACTOR_MAX = 20;

/** A request that left: its weight when it did, and its number. */
interface Taken extends TakenWeight {
  readonly request: RateRequest;
}

interface WaitingRequest {
  readonly request: RateRequest;
  readonly resolve: (ticket: RateTicket | undefined) => void;
  readonly timer: Timer;
}

/** The budgets of one environment. */
export class RequestBudget {
  readonly #buckets: Readonly<Record<BucketName, RequestBucket>>;
  readonly #ofReads: readonly RequestBucket[];
  readonly #ofWrites: readonly RequestBucket[];
  readonly #clock: Clock;
  readonly #serverNowMs: () => number | undefined;
  readonly #meter: Metrics;
  readonly #log: Log;
  readonly #headers = new RateHeaderReader();
  readonly #learned = new Map<string, number>();
  readonly #routes: RateLimitedRoutes;
  readonly #urgent: WaitingRequest[] = [];
  readonly #waiting: WaitingRequest[] = [];
  #timer: Timer | undefined;
  /** How many requests were ever let go: two settles with nothing in between show a request's own weight. */
  #taken = 0;
  #lastSeen: { readonly taken: number; readonly remaining: number; readonly resetMs: number } | undefined;

  constructor(options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly meter: Metrics;
    /** The exchange's time; `undefined` while it is not known. */
    serverNowMs(): number | undefined;
    /** Who of this machine uses the budgets, too; absent: nobody. */
    readonly sharing?: BudgetSharing | undefined;
  }) {
    const { sharing } = options;
    const bucketOf = (name: BucketName) => new RequestBucket(() => sharing?.sharers(name) ?? 1);
    this.#buckets = { ip: bucketOf('ip'), account: bucketOf('account') };
    this.#ofReads = [this.#buckets.ip];
    this.#ofWrites = [this.#buckets.ip, this.#buckets.account];
    sharing?.onChange(() => this.#pump());
    this.#clock = options.clock;
    this.#serverNowMs = () => options.serverNowMs();
    this.#log = options.log;
    this.#meter = options.meter;
    this.#routes = new RateLimitedRoutes(options.random);
  }

  /** What is left of a budget by our own count; `undefined` until the gateway has said. */
  remaining(bucket: BucketName): number | undefined {
    return this.#buckets[bucket].remaining(this.#clock.monotonicMs());
  }

  /** True if both budgets have capacity for one more request of the least weight, its reserve aside, as far as is known? */
  hasRoom(): boolean {
    const nowMs = this.#clock.monotonicMs();
    return this.#ofWrites.every((bucket) => bucket.canTake(1, false, nowMs));
  }

  /** A ticket when the request may be sent at once and none waits before it. */
  tryAcquire(request: RateRequest): RateTicket | undefined {
    if (this.#hasWaiting(this.#urgent) || (!request.isUrgent && this.#hasWaiting(this.#waiting)))
      return undefined;
    return this.#take(request);
  }

  /** A ticket as soon as there is capacity, `undefined` when there was none within `waitMs` or too many wait. */
  acquire(request: RateRequest, waitMs: number): Promise<RateTicket | undefined> {
    const ticket = this.tryAcquire(request);
    if (ticket !== undefined) return Promise.resolve(ticket);
    this.#meter.count('gateway_rate_limit_waits_total');
    if (this.#urgent.length + this.#waiting.length >= WAITING_MAX) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const line = request.isUrgent ? this.#urgent : this.#waiting;
      const timer = this.#clock.after(waitMs, () => {
        line.splice(line.indexOf(waiting), 1);
        resolve(undefined);
      });
      const waiting: WaitingRequest = { request, resolve, timer };
      line.push(waiting);
      if (!request.isUrgent) for (const bucket of this.#bucketsOf(request)) bucket.rampAtNextWindow();
      this.#schedule();
    });
  }

  /** Turns away everybody who waits, and keeps no timer running. */
  close(): void {
    this.#timer?.cancel();
    for (const { resolve, timer } of [...this.#urgent.splice(0), ...this.#waiting.splice(0)]) {
      timer.cancel();
      resolve(undefined);
    }
  }

  /** What a request is charged: as learned from reports, else as the table of endpoints has it. */
  weightOf(request: RateRequest): number {
    return this.#learned.get(request.name) ?? request.weight;
  }

  #take(request: RateRequest): RateTicket | undefined {
    const nowMs = this.#clock.monotonicMs();
    const weight = this.weightOf(request);
    const buckets = this.#bucketsOf(request);
    if (!this.#routes.isOpen(request.name, nowMs)) return undefined;
    if (!buckets.every((bucket) => bucket.canTake(weight, request.isUrgent, nowMs))) return undefined;
    this.#taken++;
    const ordinal = this.#taken;
    const taken = { request, weight, isUrgent: request.isUrgent, ordinal };
    for (const bucket of buckets) bucket.take(taken);
    this.#routes.take(request.name);
    let isSettled = false;
    return {
      settle: (answer) => {
        if (isSettled) return undefined;
        isSettled = true;
        return answer === 'notSent' ? this.#giveBack(taken) : this.#settle(taken, answer);
      },
    };
  }

  /** A request that no server saw was not charged. */
  #giveBack(taken: Taken): undefined {
    const { request, ordinal } = taken;
    for (const bucket of this.#bucketsOf(request)) bucket.giveBack(taken);
    this.#routes.end(request.name, ordinal, false);
    this.#pump();
  }

  #settle(taken: Taken, answer: RateAnswer | undefined): number | undefined {
    const { request, ordinal } = taken;
    const nowMs = this.#clock.monotonicMs();
    const headers = answer?.headers ?? {};
    const report = this.#headers.ip(headers);
    this.#buckets.ip.settle(taken, report, nowMs);
    if (request.isWrite) {
      this.#buckets.account.settle(taken, this.#headers.account(headers), nowMs);
    }
    if (report !== undefined) this.#learn(taken, report);
    const waitMs = answer?.status === 429 ? this.#refuse(taken, answer, nowMs) : undefined;
    if (waitMs === undefined) this.#routes.end(request.name, ordinal, answer !== undefined);
    if (answer !== undefined && waitMs === undefined) {
      for (const bucket of this.#bucketsOf(request)) bucket.succeed(nowMs);
    }
    this.#pump();
    return waitMs;
  }

  #refuse(taken: Taken, answer: RateAnswer, nowMs: number): number {
    const { request, ordinal } = taken;
    const named = bucketNamed(answer.body);
    const stated = retryAfterMsOf(answer.headers, this.#serverNowMs());
    // Neither a budget nor a wait: a proxy before the gateway, which knows nothing of budgets (obligation O73).
    const isForeign = named === undefined && stated === undefined;
    const waitMs = isForeign
      ? this.#routes.refuse(request.name, { ordinal, last: this.#taken }, nowMs)
      : this.#close(named === undefined ? this.#bucketNamesOf(request) : [named], stated, nowMs);
    if (!isForeign) this.#routes.end(request.name, ordinal, true);
    this.#meter.count('gateway_rate_limited_total');
    this.#log.warn('the gateway refused a request over budget', {
      name: request.name,
      bucket: named ?? 'not named',
      waitMs,
    });
    return waitMs;
  }

  #close(names: readonly BucketName[], statedMs: number | undefined, nowMs: number): number {
    let longestMs = 0;
    for (const name of names) {
      const waitMs = statedMs ?? this.#buckets[name].untilWindowEndMs(nowMs);
      this.#buckets[name].refuse(waitMs, nowMs);
      longestMs = Math.max(longestMs, waitMs);
    }
    return longestMs;
  }

  /** Two reports with only this request between them differ by its weight. */
  #learn(taken: Taken, report: RateReport): void {
    const last = this.#lastSeen;
    const isAlone = this.#taken === taken.ordinal && last?.taken === taken.ordinal - 1;
    if (isAlone && last !== undefined && report.resetMs <= last.resetMs) {
      const weight = last.remaining - report.remaining;
      if (weight > 0 && weight <= taken.request.weight * LEARNED_FACTOR_MAX) {
        this.#learned.set(taken.request.name, weight);
      }
    }
    this.#lastSeen =
      this.#taken === taken.ordinal
        ? { taken: taken.ordinal, remaining: report.remaining, resetMs: report.resetMs }
        : undefined;
  }

  #pump(): void {
    if (this.#urgent.length === 0 && this.#waiting.length === 0) return;
    this.#pumpLine(this.#urgent);
    if (!this.#hasWaiting(this.#urgent)) this.#pumpLine(this.#waiting);
    this.#schedule();
  }

  /** Lets go in their order who may; those whose own route is closed hold up no other. */
  #pumpLine(line: WaitingRequest[]): void {
    let i = 0;
    for (let one = line[i]; one !== undefined; one = line[i]) {
      const ticket = this.#take(one.request);
      if (ticket !== undefined) {
        line.splice(i, 1);
        one.timer.cancel();
        one.resolve(ticket);
      } else if (this.#isOpen(one)) return;
      else i++;
    }
  }

  /** True while a request waits in this line for capacity of a budget. */
  #hasWaiting(line: readonly WaitingRequest[]): boolean {
    return line.length > 0 && line.some((one) => this.#isOpen(one));
  }

  #isOpen({ request }: WaitingRequest): boolean {
    return this.#routes.isOpen(request.name, this.#clock.monotonicMs());
  }

  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const nowMs = this.#clock.monotonicMs();
    const all = [...this.#urgent, ...this.#waiting];
    const first = all.find((one) => this.#isOpen(one));
    const chances = first === undefined ? [] : [this.#nextChanceAtMs(first.request, nowMs)];
    // A route under probe opens when the probe ends, and that pumps.
    for (const { request } of all) {
      const openAtMs = this.#routes.opensAtMs(request.name);
      if (openAtMs !== undefined && openAtMs > nowMs) chances.push(openAtMs);
    }
    const atMs = Math.min(...chances);
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#clock.after(Math.max(1, atMs - nowMs), () => this.#pump());
  }

  #nextChanceAtMs(request: RateRequest, nowMs: number): number {
    return Math.max(
      ...this.#bucketsOf(request).map((bucket) =>
        bucket.canTake(this.weightOf(request), request.isUrgent, nowMs)
          ? nowMs
          : bucket.nextChanceAtMs(nowMs),
      ),
    );
  }

  #bucketNamesOf(request: RateRequest): readonly BucketName[] {
    return request.isWrite ? ['ip', 'account'] : ['ip'];
  }

  #bucketsOf(request: RateRequest): readonly RequestBucket[] {
    return request.isWrite ? this.#ofWrites : this.#ofReads;
  }
}

function bucketNamed(body: unknown): BucketName | undefined {
  const error = isRecord(body) ? body['error'] : undefined;
  const details = isRecord(error) ? error['details'] : undefined;
  const bucket = isRecord(details) ? details['bucket'] : undefined;
  return bucket === 'ip' || bucket === 'account' ? bucket : undefined;
}

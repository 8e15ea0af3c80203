/**
 * @module
 * One budget of the gateway in fixed windows, as far as its answers report it (obligations O114 to O117). Nothing is taken as
 * true that no answer said: until the first report everything may go. Where others of this machine use the budget too, each
 * keeps to its share of it; the reserve is for the urgent requests of all. Does not queue: see request-budget.
 */
import { RATE_WINDOW_MS } from '../../protocol/index.ts';

/** What an answer said about one budget. */
export interface RateReport {
  /** Weight a window allows; `undefined`: not said. */
  readonly limit: number | undefined;
  /** Weight that is left in the current window. */
  readonly remaining: number;
  /** Until the current window ends, in milliseconds. */
  readonly resetMs: number;
}

/** The weight of a request that left. */
export interface TakenWeight {
  readonly weight: number;
  /** True: it may use the reserve, and does not count against the share. */
  readonly isUrgent: boolean;
  /** Grows from one request to the next. */
  readonly ordinal: number;
}

/** The share of a window that is kept for receipts, cancel-all and the switch (obligation O116). */
const RESERVE_SHARE = 0.15;
/** Above this many at once the ramp after a 429 is over. */
const RAMP_OVER = 64;
/** Two reports whose windows end this close to each other speak of the same window: the header counts whole seconds. */
const SAME_WINDOW_MS = 2_500;
/**
 * So long after a lost request another one goes in a window of which nothing is known. It may cost some of the reserve:
 * at most six requests in a window.
 */
const PROBE_AGAIN_MS = 10_000;

/** The state of one bucket. All times are monotonic milliseconds. */
export class RequestBucket {
  #limit: number | undefined;
  /** What is left of the current window by the reports that count. */
  #reportedLow: number | undefined;
  /** Requests up to this number left before that was known: their reports may be older. */
  #reportKnownAfter = 0;
  #lastTaken = 0;
  #windowEndsAtMs: number | undefined;
  #inFlight = 0;
  #inFlightWeight = 0;
  /** Weight of requests whose answers never came: perhaps charged, not in any report yet. */
  #unheardWeight = 0;
  /** When the last request ended without a report. */
  #unheardAtMs = Number.NEGATIVE_INFINITY;
  /** Weight that was taken in this window by requests that are not urgent: what counts against the share. */
  #usedOfShare = 0;
  readonly #sharers: () => number;
  #blockedUntilMs = Number.NEGATIVE_INFINITY;
  #concurrentMax = Number.POSITIVE_INFINITY;

  /** `sharers`: how many use this budget, us among them. */
  constructor(sharers: () => number) {
    this.#sharers = sharers;
  }

  /** What is left of the window by our own count; `undefined` until the gateway said a limit. */
  remaining(nowMs: number): number | undefined {
    this.#roll(nowMs);
    const base = this.#reportedLow ?? this.#limit;
    return base === undefined ? undefined : base - this.#inFlightWeight - this.#unheardWeight;
  }

  /** True if a request of `weight` may be sent now. An urgent one may use the reserve. */
  canTake(weight: number, isUrgent: boolean, nowMs: number): boolean {
    if (nowMs < this.#blockedUntilMs || this.#inFlight >= this.#concurrentMax) return false;
    const remaining = this.remaining(nowMs);
    if (remaining === undefined || isUrgent || this.#isUnknown(nowMs)) return true;
    const limit = this.#limit ?? 0;
    const reserve = Math.ceil(limit * RESERVE_SHARE);
    if (remaining - weight < reserve) return false;
    const sharers = this.#sharers();
    return sharers <= 1 || this.#usedOfShare + weight <= (limit - reserve) / sharers;
  }

  /** A request leaves; `ordinal` grows from one to the next. */
  take({ weight, isUrgent, ordinal }: TakenWeight): void {
    this.#inFlight++;
    this.#inFlightWeight += weight;
    if (!isUrgent) this.#usedOfShare += weight;
    this.#lastTaken = ordinal;
  }

  /** A request has not left after all. */
  giveBack({ weight, isUrgent }: TakenWeight): void {
    this.#end(weight);
    if (!isUrgent) this.#usedOfShare = Math.max(0, this.#usedOfShare - weight);
  }

  #end(weight: number): void {
    this.#inFlight--;
    this.#inFlightWeight -= weight;
  }

  /** A request ended; `report` is what its answer said, `undefined` when there was none. */
  settle({ weight, ordinal }: TakenWeight, report: RateReport | undefined, nowMs: number): void {
    this.#end(weight);
    this.#roll(nowMs);
    if (report === undefined) {
      this.#unheardWeight += weight;
      this.#unheardAtMs = nowMs;
      // Charged to the window of now at the latest: with no answer at all it would count forever.
      this.#windowEndsAtMs ??= nowMs + RATE_WINDOW_MS;
      return;
    }
    // Where no policy is reported, the most that ever remained is the best guess at the limit.
    this.#limit = report.limit ?? Math.max(this.#limit ?? 0, report.remaining);
    const endsAtMs = nowMs + report.resetMs;
    const isSameWindow =
      this.#windowEndsAtMs !== undefined && Math.abs(endsAtMs - this.#windowEndsAtMs) <= SAME_WINDOW_MS;
    // Answers overtake each other, and the lowest is the last; but a request that left when that one was known reports
    // a later moment: if more is left then, the budget has grown within its window.
    const isOlder = isSameWindow && ordinal <= this.#reportKnownAfter;
    this.#reportedLow = isOlder
      ? Math.min(this.#reportedLow ?? report.remaining, report.remaining)
      : report.remaining;
    if (!isOlder) this.#reportKnownAfter = this.#lastTaken;
    if (!isSameWindow) this.#begin(endsAtMs);
    this.#unheardWeight = 0;
  }

  /** A 429: no request is sent for `waitMs`, then one probe, then twice as many after each success. */
  refuse(waitMs: number, nowMs: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, nowMs + waitMs);
    this.#concurrentMax = 1;
  }

  /** A request that went after the wait came back without a 429. */
  succeed(nowMs: number): void {
    if (nowMs < this.#blockedUntilMs || this.#concurrentMax === Number.POSITIVE_INFINITY) return;
    this.#concurrentMax *= 2;
    if (this.#concurrentMax > RAMP_OVER) this.#concurrentMax = Number.POSITIVE_INFINITY;
  }

  /** Starts gently at the next window: everybody who waits would else leave at its first instant. */
  rampAtNextWindow(): void {
    if (this.#concurrentMax === Number.POSITIVE_INFINITY) this.#concurrentMax = RAMP_OVER / 16;
  }

  /** How long until the window ends: what a 429 without `retry-after` means (obligation O117). */
  untilWindowEndMs(nowMs: number): number {
    this.#roll(nowMs);
    return this.#windowEndsAtMs === undefined ? RATE_WINDOW_MS : this.#windowEndsAtMs - nowMs;
  }

  /** When it makes sense to ask again; only meaningful after {@link canTake} said no. */
  nextChanceAtMs(nowMs: number): number {
    if (nowMs < this.#blockedUntilMs) return this.#blockedUntilMs;
    const endsAtMs = nowMs + Math.max(1, this.untilWindowEndMs(nowMs));
    const probeAtMs = this.#unheardAtMs + PROBE_AGAIN_MS;
    return this.#reportedLow === undefined && probeAtMs > nowMs ? Math.min(endsAtMs, probeAtMs) : endsAtMs;
  }

  /**
   * Nothing is known of the current window yet. Its first request goes whatever the last limit was: only its answer can
   * say that a budget which was too small for anything has grown again. Where that answer is lost the question is still
   * open, so another goes after a pause, one at a time, until one is answered.
   */
  #isUnknown(nowMs: number): boolean {
    if (this.#reportedLow !== undefined || this.#inFlight > 0) return false;
    return this.#unheardWeight === 0 || nowMs >= this.#unheardAtMs + PROBE_AGAIN_MS;
  }

  #roll(nowMs: number): void {
    if (this.#windowEndsAtMs === undefined || nowMs < this.#windowEndsAtMs) return;
    // The next window's end is learned from its first answer.
    this.#begin(undefined);
    this.#reportedLow = undefined;
    this.#unheardWeight = 0;
  }

  /** Another window: what is under way may be charged to it. */
  #begin(endsAtMs: number | undefined): void {
    // The end of a window whose first answer was awaited: it has begun before.
    const isKnown = this.#windowEndsAtMs === undefined && endsAtMs !== undefined;
    this.#windowEndsAtMs = endsAtMs;
    if (!isKnown) this.#usedOfShare = this.#inFlightWeight;
  }
}

/**
 * @module
 * Routes that were refused with a 429 of no known budget: the page of a proxy names no bucket and no wait, so it says
 * nothing of any budget (obligation O73). Only what was refused waits, by its own growing and jittered pause, and comes
 * back with one probe (obligation O115).
 */
import type { Random } from '../../../core/index.ts';

/** The first and the longest pause. */
const PAUSE_MS_FIRST = 1_000;
const PAUSE_MS_MAX = 10_000;
/** A pause is drawn between this share of its length and the whole, so that many clients do not come back at once. */
const JITTER_SHARE = 0.5;

interface Route {
  /** Pauses so far. */
  pauses: number;
  /** Monotonic milliseconds. */
  closedUntilMs: number;
  /** Requests up to this number left before the refusal and say nothing new. */
  refusedAfter: number;
  isProbing: boolean;
}

/** What is known of routes by the names of their endpoints; a name that is not known is open. Times are monotonic milliseconds. */
export class RateLimitedRoutes {
  readonly #routes = new Map<string, Route>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** True if a request of this name may be sent now. */
  isOpen(name: string, nowMs: number): boolean {
    const route = this.#routes.get(name);
    return route === undefined || (nowMs >= route.closedUntilMs && !route.isProbing);
  }

  /** When a closed route opens on its own; `undefined` while the end of its probe decides. */
  opensAtMs(name: string): number | undefined {
    const route = this.#routes.get(name);
    return route === undefined || route.isProbing ? undefined : route.closedUntilMs;
  }

  /** A request of this name leaves. */
  take(name: string): void {
    const route = this.#routes.get(name);
    if (route !== undefined) route.isProbing = true;
  }

  /** The request with the number `ordinal` was refused; `last` is the number of the last one that left. Returns the wait. */
  refuse(name: string, request: { readonly ordinal: number; readonly last: number }, nowMs: number): number {
    const route = this.#routes.get(name) ?? {
      pauses: 0,
      closedUntilMs: nowMs,
      refusedAfter: 0,
      isProbing: false,
    };
    if (request.ordinal > route.refusedAfter) {
      const wholeMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_FIRST * 2 ** Math.min(route.pauses, 20));
      route.pauses++;
      route.closedUntilMs = nowMs + wholeMs * (1 - JITTER_SHARE * this.#random.next());
      route.refusedAfter = request.last;
      route.isProbing = false;
      this.#routes.set(name, route);
    }
    return Math.max(0, route.closedUntilMs - nowMs);
  }

  /** A request of this name ended otherwise; `isAnswered`: a server took it. */
  end(name: string, ordinal: number, isAnswered: boolean): void {
    const route = this.#routes.get(name);
    if (route === undefined || ordinal <= route.refusedAfter) return;
    if (isAnswered) this.#routes.delete(name);
    else route.isProbing = false;
  }
}

/**
 * @module
 * Request budgets: a weight per fixed window of 60 s and key (openapi.yaml). A request that does not fit is refused and
 * costs nothing.
 */
import type { Clock } from '../../../core/index.ts';
import { formatRateLimit, formatRateLimitPolicy, RATE_WINDOW_MS } from '../../../wire/protocol/index.ts';

/** The budget after a charge. */
export interface Charge {
  /** True if the charge fitted into the budget. */
  readonly isWithin: boolean;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  /** Value of the `ratelimit` header. */
  readonly header: string;
}

/** One kind of budget, such as per IP or per main wallet. */
export class WeightLimit {
  readonly bucket: 'ip' | 'account';
  readonly #clock: Clock;
  #quota: number;
  #policy: string;
  #window = -1;
  #spent = new Map<string, number>();

  constructor(clock: Clock, bucket: 'ip' | 'account', quota: number) {
    this.bucket = bucket;
    this.#clock = clock;
    this.#quota = quota;
    this.#policy = this.#formatPolicy();
  }

  /** Value of the `ratelimit-policy` header. */
  get policy(): string {
    return this.#policy;
  }

  /** Weight per window. */
  get quota(): number {
    return this.#quota;
  }

  /** Changes the budget from now on; operators may (obligation O114). */
  setQuota(quota: number): void {
    this.#quota = quota;
    this.#policy = this.#formatPolicy();
  }

  /** Takes `weight` from the budget of `key`. */
  charge(key: string, weight: number): Charge {
    const nowMs = this.#clock.nowMs();
    const window = Math.floor(nowMs / RATE_WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#spent = new Map();
    }
    const spent = this.#spent.get(key) ?? 0;
    const isWithin = spent + weight <= this.#quota;
    if (isWithin) this.#spent.set(key, spent + weight);
    const remaining = Math.max(0, this.#quota - spent - (isWithin ? weight : 0));
    const resetSeconds = Math.max(1, Math.ceil(((window + 1) * RATE_WINDOW_MS - nowMs) / 1000));
    return {
      isWithin,
      resetSeconds,
      header: formatRateLimit({ bucket: this.bucket, remaining, resetSeconds }),
    };
  }

  #formatPolicy(): string {
    return formatRateLimitPolicy({
      bucket: this.bucket,
      quota: this.#quota,
      windowSeconds: RATE_WINDOW_MS / 1000,
    });
  }
}

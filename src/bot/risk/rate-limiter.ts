/**
 * @module
 * P11: token buckets of writes, one per lane and one per strategy's share of the account budget. Time is an argument;
 * cancels take no token.
 */
import type { LaneId, StrategyId } from '../../domain/index.ts';
import type { DenialCode } from './codes.ts';
import type { RiskLimits } from './limits.ts';
import type { Refusal } from './review-context.ts';

/** Tokens that come back at a steady rate up to a burst. */
class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor(perS: number, burst: number, nowMs: number) {
    this.#perMs = perS / 1_000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** How long until a token is there; 0: now. A clock that steps back gives no tokens. */
  waitMs(nowMs: number): number {
    // One write asks several times.
    if (nowMs === this.#atMs && this.#tokens >= 1) return 0;
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedMs * this.#perMs);
    this.#atMs = nowMs;
    return this.#tokens >= 1 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }

  take(): void {
    this.#tokens--;
  }
}

/** A strategy that is throttled (M8) writes once in this time. */
const SLOWED_SPACING_MS = 1_000;

/** The pace of one strategy, whichever lane it writes through. */
class Pace {
  readonly bucket: TokenBucket;
  wroteAtMs: number | undefined;

  constructor(bucket: TokenBucket) {
    this.bucket = bucket;
  }

  /** How long a throttled strategy has to wait. A clock that was set back does not lengthen the pause. */
  slowedMs(nowMs: number): number {
    if (this.wroteAtMs === undefined) return 0;
    return Math.min(SLOWED_SPACING_MS, Math.max(0, this.wroteAtMs + SLOWED_SPACING_MS - nowMs));
  }
}

/** The write budget of one strategy in one lane. */
class Writer {
  readonly lane: LaneId;
  readonly strategyId: StrategyId;
  readonly #limits: RiskLimits;
  readonly #bucket: TokenBucket;
  readonly #pace: Pace;

  constructor(
    names: { readonly lane: LaneId; readonly strategyId: StrategyId },
    limits: RiskLimits,
    budget: { readonly bucket: TokenBucket; readonly pace: Pace },
  ) {
    this.lane = names.lane;
    this.strategyId = names.strategyId;
    this.#limits = limits;
    this.#bucket = budget.bucket;
    this.#pace = budget.pace;
  }

  /** How long a write has to wait; 0: it may go now. `isSlowed`: the strategy is (M8). */
  waitMs(nowMs: number, isSlowed: boolean): number {
    return Math.max(
      this.#bucket.waitMs(nowMs),
      this.#pace.bucket.waitMs(nowMs),
      isSlowed ? this.#pace.slowedMs(nowMs) : 0,
    );
  }

  /** Why a write may not go now; `undefined` when it may. Takes nothing. */
  review(nowMs: number, isSlowed: boolean): Refusal<DenialCode> | undefined {
    const slowedMs = isSlowed ? this.#pace.slowedMs(nowMs) : 0;
    if (slowedMs > 0)
      return {
        code: 'RISK_STRATEGY_THROTTLED',
        message: `expected one write of ${this.strategyId} within ${SLOWED_SPACING_MS} ms while it is throttled, next one in ${slowedMs} ms`,
      };
    const laneWaitMs = this.#bucket.waitMs(nowMs);
    if (laneWaitMs > 0)
      return {
        code: 'RISK_LANE_RATE_EXCEEDED',
        message: `expected at most ${this.#limits.laneWritesPerS} writes/s on lane ${this.lane}, next one in ${laneWaitMs} ms`,
      };
    const strategyWaitMs = this.#pace.bucket.waitMs(nowMs);
    if (strategyWaitMs > 0)
      return {
        code: 'RISK_STRATEGY_RATE_EXCEEDED',
        message: `expected at most ${strategyRate(this.#limits)} writes/s of ${this.strategyId}, next one in ${strategyWaitMs} ms`,
      };
    return undefined;
  }

  /** Counts a write that goes. */
  take(nowMs: number): void {
    this.#bucket.take();
    this.#pace.bucket.take();
    this.#pace.wroteAtMs = nowMs;
  }
}

/** The write budget of a run. */
export class RateLimiter {
  readonly #limits: RiskLimits;
  readonly #lanes = new Map<LaneId, TokenBucket>();
  readonly #strategies = new Map<StrategyId, Pace>();
  /** Whose turn it was last: one asks several times for one write. */
  #last: Writer | undefined;

  constructor(limits: RiskLimits) {
    this.#limits = limits;
  }

  /** The budget of `strategyId` in `lane`; a new one begins full. */
  writer(lane: LaneId, strategyId: StrategyId, nowMs: number): Writer {
    if (this.#last?.lane !== lane || this.#last.strategyId !== strategyId) {
      const budget = { bucket: this.#lane(lane, nowMs), pace: this.#strategy(strategyId, nowMs) };
      this.#last = new Writer({ lane, strategyId }, this.#limits, budget);
    }
    return this.#last;
  }

  #lane(lane: LaneId, nowMs: number): TokenBucket {
    let bucket = this.#lanes.get(lane);
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#limits.laneWritesPerS, this.#limits.laneWriteBurst, nowMs);
      this.#lanes.set(lane, bucket);
    }
    return bucket;
  }

  #strategy(strategyId: StrategyId, nowMs: number): Pace {
    let pace = this.#strategies.get(strategyId);
    if (pace === undefined) {
      const rate = strategyRate(this.#limits);
      pace = new Pace(new TokenBucket(rate, Math.max(1, 2 * rate), nowMs));
      this.#strategies.set(strategyId, pace);
    }
    return pace;
  }
}

function strategyRate({ accountWritesPerS, strategySharePpm }: RiskLimits): number {
  return (accountWritesPerS * strategySharePpm) / 1_000_000;
}

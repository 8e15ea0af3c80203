/**
 * @module
 * P11: token buckets of writes, one per lane and one per strategy's share of the account budget. Time is an argument;
 * cancels take no token.
 */
import type { LaneId, StrategyId } from '../domain/index.ts';
import type { DenialCode } from './codes.ts';
import type { RiskLimits } from './limits.ts';
import type { Refusal } from './scene.ts';

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
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedMs * this.#perMs);
    this.#atMs = nowMs;
    return this.#tokens >= 1 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }

  take(): void {
    this.#tokens--;
  }
}

/** A strategy that is slowed (M8) writes once in this time. */
const SLOWED_SPACING_MS = 1_000;

/** Who wants to write, and is it slowed (M8)? */
export interface Writer {
  readonly lane: LaneId;
  readonly strategyId: StrategyId;
  readonly isSlowed: boolean;
}

/** The write budget of a run. */
export class Throttle {
  readonly #limits: RiskLimits;
  readonly #lanes = new Map<LaneId, TokenBucket>();
  readonly #strategies = new Map<StrategyId, TokenBucket>();
  readonly #wroteAtMs = new Map<StrategyId, number>();

  constructor(limits: RiskLimits) {
    this.#limits = limits;
  }

  /** How long a write of `strategyId` through `lane` has to wait; 0: it may go now. */
  waitMs(writer: Writer, nowMs: number): number {
    return Math.max(
      this.#lane(writer.lane, nowMs).waitMs(nowMs),
      this.#strategy(writer.strategyId, nowMs).waitMs(nowMs),
      this.#slowedMs(writer, nowMs),
    );
  }

  /** Why a write may not go now; `undefined` when it may. Takes nothing. */
  judge(writer: Writer, nowMs: number): Refusal<DenialCode> | undefined {
    const { lane, strategyId } = writer;
    const slowedMs = this.#slowedMs(writer, nowMs);
    if (slowedMs > 0)
      return {
        code: 'RISK_STRATEGY_SLOWED',
        message: `expected one write of ${strategyId} within ${SLOWED_SPACING_MS} ms while it is slowed, next one in ${slowedMs} ms`,
      };
    const laneWaitMs = this.#lane(lane, nowMs).waitMs(nowMs);
    if (laneWaitMs > 0)
      return {
        code: 'RISK_WRITES_ABOVE_RATE',
        message: `expected at most ${this.#limits.laneWritesPerS} writes/s on lane ${lane}, next one in ${laneWaitMs} ms`,
      };
    const strategyWaitMs = this.#strategy(strategyId, nowMs).waitMs(nowMs);
    if (strategyWaitMs > 0)
      return {
        code: 'RISK_STRATEGY_WRITES_ABOVE_SHARE',
        message: `expected at most ${this.#strategyRate()} writes/s of ${strategyId}, next one in ${strategyWaitMs} ms`,
      };
    return undefined;
  }

  /** Counts a write that goes. */
  take({ lane, strategyId }: Writer, nowMs: number): void {
    this.#lane(lane, nowMs).take();
    this.#strategy(strategyId, nowMs).take();
    this.#wroteAtMs.set(strategyId, nowMs);
  }

  #slowedMs({ strategyId, isSlowed }: Writer, nowMs: number): number {
    const wroteAtMs = this.#wroteAtMs.get(strategyId);
    if (!isSlowed || wroteAtMs === undefined) return 0;
    // A clock that was set back does not lengthen the pause.
    return Math.min(SLOWED_SPACING_MS, Math.max(0, wroteAtMs + SLOWED_SPACING_MS - nowMs));
  }

  #strategyRate(): number {
    return (this.#limits.accountWritesPerS * this.#limits.strategySharePpm) / 1_000_000;
  }

  #lane(lane: LaneId, nowMs: number): TokenBucket {
    let bucket = this.#lanes.get(lane);
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#limits.laneWritesPerS, this.#limits.laneWriteBurst, nowMs);
      this.#lanes.set(lane, bucket);
    }
    return bucket;
  }

  #strategy(strategyId: StrategyId, nowMs: number): TokenBucket {
    let bucket = this.#strategies.get(strategyId);
    if (bucket === undefined) {
      const rate = this.#strategyRate();
      bucket = new TokenBucket(rate, Math.max(1, 2 * rate), nowMs);
      this.#strategies.set(strategyId, bucket);
    }
    return bucket;
  }
}

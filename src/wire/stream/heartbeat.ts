/**
 * @module
 * Keeps one connection's word that it is alive: a ping at least every 20 s whatever the server sends (obligation O89), a
 * ping after a short silence, and the verdict when nothing answers (obligation O90). Decides; does not send or close.
 *
 *   frames flow ──▶ ping each 20 s
 *   silence 1 s ──▶ ping ── nothing at all for 5 s ──▶ dead   (within 10 s)
 *   pings unanswered for 20 s while frames flow ──▶ dead      (our side does not reach the server)
 */
import { PING_INTERVAL_MS } from '../protocol/index.ts';

/** How often {@link Heartbeat.tick} is to be called. */
export const TICK_MS = 500;
const SILENCE_MS = 1_000;
const ANSWER_MS_MAX = 5_000;
const PONG_MS_MAX = 20_000;
/** Pings that are remembered: at one a second more than any connection lives without a pong. */
const PINGS_MAX = 64;
/** A tick this late means that our own event loop was blocked: frames wait unread, so no connection is given up for that time. */
const STALL_MS = 1_500;

/** What a tick asks for. */
export type HeartbeatVerdict = 'quiet' | 'ping' | 'dead';

/** The state of one connection; all times are monotonic milliseconds. */
export class Heartbeat {
  #lastTickMs: number;
  #lastFrameMs: number;
  #lastPingMs: number;
  /** The oldest ping since the last pong. */
  #unansweredSinceMs: number | undefined;
  /** When the pings left that no pong was counted for, oldest first. */
  #pingsMs: number[] = [];

  constructor(openedAtMs: number) {
    this.#lastTickMs = openedAtMs;
    this.#lastFrameMs = openedAtMs;
    this.#lastPingMs = openedAtMs;
  }

  /** A frame came in. */
  heard(nowMs: number): void {
    this.#lastFrameMs = nowMs;
  }

  /**
   * A pong came in. Returns when its ping left, `undefined` when it could be one of several pings, or of none: one that was
   * held back would show a short way and the wrong time. After a lost pong none can be attributed any more.
   */
  answered(): number | undefined {
    this.#unansweredSinceMs = undefined;
    const isPlain = this.#pingsMs.length === 1;
    const sentAtMs = this.#pingsMs.shift();
    return isPlain ? sentAtMs : undefined;
  }

  /** What to do now. After `ping` the caller sends one. */
  tick(nowMs: number): HeartbeatVerdict {
    const isStalled = nowMs - this.#lastTickMs > STALL_MS;
    this.#lastTickMs = nowMs;
    if (isStalled) {
      this.#lastFrameMs = nowMs;
      this.#unansweredSinceMs = undefined;
      return this.#ping(nowMs);
    }
    const waitingSinceMs = this.#unansweredSinceMs;
    if (waitingSinceMs !== undefined) {
      const isSilent = this.#lastFrameMs <= this.#lastPingMs;
      if (isSilent && nowMs - this.#lastPingMs >= ANSWER_MS_MAX) return 'dead';
      if (nowMs - waitingSinceMs >= PONG_MS_MAX) return 'dead';
    }
    if (nowMs - this.#lastPingMs >= PING_INTERVAL_MS) return this.#ping(nowMs);
    const isFirstDoubt = waitingSinceMs === undefined || this.#lastFrameMs > this.#lastPingMs;
    const isPingDue = waitingSinceMs === undefined || nowMs - this.#lastPingMs >= SILENCE_MS;
    if (isFirstDoubt && isPingDue && nowMs - this.#lastFrameMs >= SILENCE_MS) return this.#ping(nowMs);
    return 'quiet';
  }

  #ping(nowMs: number): HeartbeatVerdict {
    this.#lastPingMs = nowMs;
    this.#unansweredSinceMs ??= nowMs;
    this.#pingsMs.push(nowMs);
    if (this.#pingsMs.length > PINGS_MAX) this.#pingsMs.shift();
    return 'ping';
  }
}

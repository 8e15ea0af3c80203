/**
 * @module
 * What happens when frames come faster than they can be read. Reading may take half of the time of the loop; what comes
 * beyond that waits, and of what waits each market keeps its newest book and its newest best prices alone: both are whole
 * states, of which only the last one counts (obligation O92). Markets that a strategy trades come first. Everything else
 * (fills, orders, ledger, trades, prices, snapshots) is never held back, and passes what waits.
 *
 *   frame ─▶ time left? ─ yes ─▶ read
 *              │ no
 *              └▶ in place of the older one of its market ─▶ read when there is time again, traded markets first
 *
 * On virtual time reading takes none, so nothing ever waits.
 */
import type { Clock, Log, Metrics } from '../../core/index.ts';
import { type StateFrameHead, stateFrameHead } from '../protocol/index.ts';

/** The part of the loop's time that reading frames may take in the long run. */
const SHARE = 0.5;
/** How much reading may run ahead of its share before frames wait, ms; those of traded markets wait at twice that. */
const AHEAD_MS_MAX = 4;
/** Overload is over once nothing has waited for so long. */
const CALM_MS = 5_000;
/** Overload that lasts so long is worth a line in the log. */
const TOLD_AFTER_MS = 2_000;

/** What a person can do about overload. */
const RELIEF = 'Fewer markets for the strategies, record.enabled: false, or a faster machine would help.';

/** Reads a frame now. */
export type ReadFrame = (text: string, receivedAtMs: number) => void;

/** How much comes, beside how much can be read. */
export interface StreamLoad {
  /** Frames wait, or did so a moment ago. */
  readonly isOverloaded: boolean;
  /** Since when, ms; 0: it is not. */
  readonly overloadedMs: number;
  /** Frames since the start that a newer one of the same market replaced, by channel. */
  readonly coalesced: Readonly<Record<StateFrameHead['channel'], number>>;
  /** Frames that wait now, and how long the oldest has, ms. */
  readonly waiting: number;
  readonly lagMs: number;
  /** The longest that a market has waited since the start, ms. */
  readonly lagMsMax: number;
}

interface Waiting {
  readonly read: ReadFrame;
  readonly text: string;
  readonly receivedAtMs: number;
  /** When the first frame of its market that was not read came, monotonic ms. */
  readonly sinceMs: number;
}

/** What it needs. */
export interface FrameBacklogOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Metrics;
  /** Markets that a strategy trades; absent: all of them. */
  readonly traded?: ReadonlySet<string> | undefined;
  /** Markets whose books nobody reads: dropped. */
  readonly unread?: ReadonlySet<string> | undefined;
}

/** See the module. One for all connections of a stream. */
export class FrameBacklog {
  readonly #options: FrameBacklogOptions;
  readonly #traded = new Map<string, Waiting>();
  readonly #others = new Map<string, Waiting>();
  readonly #coalesced = { book: 0, bbo: 0 };
  /** How much reading is ahead of its share, and when that was reckoned, ms. */
  #aheadMs = 0;
  #atMs = 0;
  #isWoken = false;
  #isStopped = false;
  #overloadedAtMs: number | undefined;
  #waitedAtMs = 0;
  #lagMsMax = 0;
  #isTold = false;

  constructor(options: FrameBacklogOptions) {
    this.#options = options;
  }

  /** Takes a frame, whose connection reads it by `read`: now, later, or never where a newer one comes first. */
  take(text: string, receivedAtMs: number, read: ReadFrame): void {
    const { unread } = this.#options;
    const nowMs = this.#reckon();
    if (this.#overloadedAtMs !== undefined) this.#noteCalm(nowMs);
    const hasToLook = this.#aheadMs >= AHEAD_MS_MAX || this.#waitingCount > 0 || unread !== undefined;
    const head = hasToLook ? stateFrameHead(text) : undefined;
    if (head === undefined) this.#read(text, receivedAtMs, read);
    else if (head.channel === 'book' && unread?.has(head.symbol) === true)
      this.#options.meter.count('stream_unread_frames_total');
    else this.#takeState(head, { read, text, receivedAtMs, sinceMs: nowMs });
  }

  /** Reads everything that waits: what comes next must find the state before it. */
  flush(): void {
    for (const waiting of [this.#traded, this.#others])
      for (const [key, frame] of waiting) {
        waiting.delete(key);
        this.#readLate(frame);
      }
  }

  /** Forgets what a connection had left, which is gone. */
  drop(read: ReadFrame): void {
    for (const waiting of [this.#traded, this.#others])
      for (const [key, frame] of waiting) if (frame.read === read) waiting.delete(key);
  }

  /** Forgets everything: nothing is read any more. */
  stop(): void {
    this.#isStopped = true;
    this.#traded.clear();
    this.#others.clear();
  }

  /** How it stands. */
  load(): StreamLoad {
    const nowMs = this.#options.clock.monotonicMs();
    this.#noteCalm(nowMs);
    const sinceMs = this.#overloadedAtMs;
    return {
      isOverloaded: sinceMs !== undefined,
      overloadedMs: sinceMs === undefined ? 0 : nowMs - sinceMs,
      coalesced: { ...this.#coalesced },
      waiting: this.#waitingCount,
      lagMs: nowMs - Math.min(nowMs, ...oldestOf(this.#traded), ...oldestOf(this.#others)),
      lagMsMax: this.#lagMsMax,
    };
  }

  get #waitingCount(): number {
    return this.#traded.size + this.#others.size;
  }

  #takeState(head: StateFrameHead, frame: Waiting): void {
    const isTraded = this.#options.traded?.has(head.symbol) ?? true;
    const waiting = isTraded ? this.#traded : this.#others;
    const key = `${head.channel} ${head.symbol}`;
    const older = waiting.get(key);
    if (older !== undefined) {
      this.#coalesced[head.channel]++;
      this.#options.meter.count('stream_coalesced_frames_total');
    }
    const isTime = this.#aheadMs < (isTraded ? 2 * AHEAD_MS_MAX : AHEAD_MS_MAX);
    if (isTime || head.isSnapshot) {
      waiting.delete(key);
      this.#read(frame.text, frame.receivedAtMs, frame.read);
      return;
    }
    // In the place of the older one: who waits longest is next.
    waiting.set(key, older === undefined ? frame : { ...frame, sinceMs: older.sinceMs });
    this.#noteOverload(frame.sinceMs);
    this.#wake();
  }

  /** Reads what waits as far as there is time. */
  #drain(): void {
    const nowMs = this.#reckon();
    for (const waiting of [this.#traded, this.#others])
      for (const [key, frame] of waiting) {
        if (this.#aheadMs >= AHEAD_MS_MAX) break;
        waiting.delete(key);
        this.#readLate(frame);
      }
    if (this.#waitingCount === 0) return;
    this.#waitedAtMs = nowMs;
    this.#wake();
  }

  #readLate(frame: Waiting): void {
    this.#lagMsMax = Math.max(this.#lagMsMax, this.#options.clock.monotonicMs() - frame.sinceMs);
    this.#read(frame.text, frame.receivedAtMs, frame.read);
  }

  #read(text: string, receivedAtMs: number, read: ReadFrame): void {
    const { clock } = this.#options;
    const beganAtMs = clock.monotonicMs();
    read(text, receivedAtMs);
    this.#aheadMs += clock.monotonicMs() - beganAtMs;
  }

  /** Lets the time that went by count; the time now. */
  #reckon(): number {
    const nowMs = this.#options.clock.monotonicMs();
    this.#aheadMs = Math.max(0, this.#aheadMs - (nowMs - this.#atMs) * SHARE);
    this.#atMs = nowMs;
    return nowMs;
  }

  #wake(): void {
    if (this.#isWoken || this.#isStopped) return;
    this.#isWoken = true;
    const restMs = (this.#aheadMs - AHEAD_MS_MAX / 2) / SHARE;
    this.#options.clock.after(Math.max(1, restMs), () => {
      this.#isWoken = false;
      if (!this.#isStopped) this.#drain();
    });
  }

  #noteOverload(nowMs: number): void {
    this.#waitedAtMs = nowMs;
    this.#overloadedAtMs ??= nowMs;
    if (this.#isTold || nowMs - this.#overloadedAtMs < TOLD_AFTER_MS) return;
    this.#isTold = true;
    this.#options.log.warn(
      `overloaded: frames come faster than they can be read, and each market keeps its newest book alone. ${RELIEF}`,
      { waiting: this.#waitingCount, ...this.#coalesced },
    );
  }

  #noteCalm(nowMs: number): void {
    if (this.#overloadedAtMs === undefined || this.#waitingCount > 0 || nowMs - this.#waitedAtMs < CALM_MS)
      return;
    if (this.#isTold)
      this.#options.log.info('no longer overloaded', {
        ...this.#coalesced,
        forMs: Math.round(nowMs - this.#overloadedAtMs),
      });
    this.#overloadedAtMs = undefined;
    this.#isTold = false;
  }
}

/** The overload in words, with what helps; `undefined`: there is none. */
export function overloadText({
  isOverloaded,
  overloadedMs,
  coalesced,
  lagMsMax,
}: StreamLoad): string | undefined {
  if (!isOverloaded) return undefined;
  const { book, bbo } = coalesced;
  return (
    `market data comes faster than it is read, for ${Math.round(overloadedMs / 1000)} s now: ` +
    `${book} books and ${bbo} best prices were replaced by newer ones before they were read, ` +
    `none waited for more than ${Math.ceil(lagMsMax)} ms. ${RELIEF}`
  );
}

/** The instants since which the frames wait. */
function oldestOf(waiting: ReadonlyMap<string, Waiting>): readonly number[] {
  return Array.from(waiting.values(), ({ sinceMs }) => sinceMs);
}

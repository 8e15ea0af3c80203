/**
 * @module
 * Carries alerts to one channel, beside the run and never in its way: what waits is bounded, each request has a deadline,
 * a refusal is tried again a few times, and what is dropped is counted and named.
 */
import { type Clock, type Log, messageOf } from '../../core/index.ts';
import type { ChannelFigures, Severity } from '../operator/index.ts';
import type { Alert, AlertSource } from './alert.ts';
import { type ChannelPlan, type Post, postOf } from './channels.ts';

/** The answer to a request. */
export interface Posted {
  readonly status: number;
  /** What the header retry-after says, seconds. */
  readonly retryAfterS: number | undefined;
}

/** Sends one request; an aborted one rejects. @throws what the network answers. */
export type Poster = (post: Post, signal: AbortSignal) => Promise<Posted>;

/** Alerts that wait at most, and that one message carries. */
const WAITING_MAX = 200;
const CARRIED_MAX = 20;
const DEADLINE_MS = 5_000;
const TRIES_MAX = 5;
/** Before the second try; then twice as long each time. */
const AGAIN_MS = 1_000;
const AGAIN_MS_MAX = 60_000;
const MINUTE_MS = 60_000;
const RANKS: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 };

/** See the module. */
export class Courier {
  readonly #plan: ChannelPlan;
  readonly #ports: { readonly clock: Clock; readonly log: Log; readonly post: Poster };
  readonly #source: AlertSource;
  #waiting: Alert[] = [];
  /** When messages were sent within the last minute, monotonic ms. */
  #sentAtMs: readonly number[] = [];
  #tries = 0;
  #isBusy = false;
  #isClosed = false;
  #sent = 0;
  #dropped = 0;
  /** Of {@link #dropped}, what no message has told. */
  #untold = 0;
  #failures = 0;
  #lastError: string | undefined;
  #idle: (() => void)[] = [];

  constructor(
    plan: ChannelPlan,
    source: AlertSource,
    ports: { readonly clock: Clock; readonly log: Log; readonly post: Poster },
  ) {
    this.#plan = plan;
    this.#source = source;
    this.#ports = ports;
  }

  /** Takes an alert, unless it is not severe enough. Nothing waits for it. */
  take(alert: Alert): void {
    if (this.#isClosed || RANKS[alert.severity] < RANKS[this.#plan.minSeverity]) return;
    this.#waiting.push(alert);
    if (this.#waiting.length > WAITING_MAX) this.#drop([this.#leastOf()], 'too many wait');
    if (!this.#isBusy) this.#begin();
  }

  figures(): ChannelFigures {
    return {
      ...{ name: this.#plan.name, kind: this.#plan.kind, sent: this.#sent, dropped: this.#dropped },
      ...{ failures: this.#failures, waiting: this.#waiting.length },
      ...(this.#lastError === undefined ? {} : { lastError: this.#lastError }),
    };
  }

  /** Resolves when nothing waits any more, or was given up. */
  idle(): Promise<void> {
    return this.#isBusy ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  /** Gives up what waits, and takes nothing more. */
  close(): void {
    this.#isClosed = true;
    if (this.#waiting.length > 0) this.#drop([...this.#waiting], 'the run has ended');
  }

  #begin(): void {
    this.#isBusy = true;
    const waitMs = this.#untilRoomMs();
    if (waitMs === 0) void this.#carry();
    else this.#ports.clock.after(waitMs, () => void this.#carry());
  }

  /** The rate cap: how long until another message may go. */
  #untilRoomMs(): number {
    const nowMs = this.#ports.clock.monotonicMs();
    this.#sentAtMs = this.#sentAtMs.filter((atMs) => nowMs - atMs < MINUTE_MS);
    const [first = 0] = this.#sentAtMs;
    return this.#sentAtMs.length < this.#plan.maxPerMinute ? 0 : first + MINUTE_MS - nowMs;
  }

  async #carry(): Promise<void> {
    const { clock } = this.#ports;
    const alerts = this.#waiting.slice(0, CARRIED_MAX);
    if (alerts.length === 0) return this.#rest();
    const dropped = this.#untold;
    this.#sentAtMs = [...this.#sentAtMs, clock.monotonicMs()];
    const { why, retryAfterS, isFinal } = await this.#post(alerts, dropped);
    if (why === undefined) {
      this.#sent += alerts.length;
      this.#untold -= dropped;
      this.#tries = 0;
      this.#lastError = undefined;
      this.#remove(alerts);
      return this.#next(this.#untilRoomMs());
    }
    this.#failures++;
    this.#lastError = why;
    this.#tries++;
    if (this.#tries === 1)
      this.#ports.log.warn('an alert could not be sent', { channel: this.#plan.name, why });
    if (isFinal || this.#tries >= TRIES_MAX) {
      this.#tries = 0;
      this.#drop(alerts, why);
      return this.#next(this.#untilRoomMs());
    }
    const againMs = retryAfterS === undefined ? AGAIN_MS * 2 ** (this.#tries - 1) : retryAfterS * 1_000;
    this.#next(Math.max(Math.min(againMs, AGAIN_MS_MAX), this.#untilRoomMs()));
  }

  #next(waitMs: number): void {
    if (this.#waiting.length === 0) this.#rest();
    else this.#ports.clock.after(waitMs, () => void this.#carry());
  }

  #rest(): void {
    this.#isBusy = false;
    const waiters = this.#idle;
    this.#idle = [];
    for (const resolve of waiters) resolve();
  }

  async #post(
    alerts: readonly Alert[],
    dropped: number,
  ): Promise<{
    readonly why?: string;
    readonly retryAfterS?: number | undefined;
    readonly isFinal?: boolean;
  }> {
    const { clock, post } = this.#ports;
    const abort = new AbortController();
    const timer = clock.after(DEADLINE_MS, () =>
      abort.abort(new Error(`no answer within ${DEADLINE_MS} ms`)),
    );
    try {
      const message = { source: this.#source, alerts, dropped };
      const { status, retryAfterS } = await post(postOf(this.#plan, message), abort.signal);
      if (status >= 200 && status < 300) return {};
      const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
      return { why: `status ${status}`, retryAfterS, isFinal };
    } catch (cause) {
      return { why: messageOf(abort.signal.aborted ? abort.signal.reason : cause) };
    } finally {
      timer.cancel();
    }
  }

  #leastOf(): Alert {
    const [first, ...rest] = this.#waiting as [Alert, ...Alert[]];
    return rest.reduce((least, one) => (RANKS[one.severity] < RANKS[least.severity] ? one : least), first);
  }

  #drop(alerts: readonly Alert[], why: string): void {
    this.#remove(alerts);
    this.#dropped += alerts.length;
    this.#untold += alerts.length;
    this.#ports.log.error('alerts were dropped', {
      ...{ channel: this.#plan.name, why, dropped: this.#dropped },
      alerts: alerts.map(({ kind, about, state }) => `${kind} ${about} ${state}`),
    });
  }

  #remove(alerts: readonly Alert[]): void {
    const gone = new Set(alerts);
    this.#waiting = this.#waiting.filter((one) => !gone.has(one));
  }
}

/**
 * @module
 * Asks a service outside again and again while the run is ready. The service calls somebody when it is not asked any more:
 * that is the one alarm which a dead machine, a dead network and a dead ballast cannot keep back.
 */
import { type Clock, type Log, messageOf, VERSION } from '../../core/index.ts';
import type { Poster } from './courier.ts';

/** Whom to ask. */
export interface HeartbeatPlan {
  /** A secret. */
  readonly url: string;
  readonly intervalMs: number;
}

/** What it has done so far. */
export interface HeartbeatFigures {
  /** Beats that were answered with a status of 2xx. */
  readonly sent: number;
  readonly failures: number;
  /** Of the last beat that was answered, Unix ms; absent: none was. */
  readonly sentAtMs?: number;
}

const DEADLINE_MS = 5_000;
/** After a beat that failed the next one comes earlier. */
const AGAIN_MS = 10_000;

/** See the module. */
export class Heartbeat {
  readonly #plan: HeartbeatPlan;
  readonly #ports: { readonly clock: Clock; readonly log: Log; readonly post: Poster };
  #dueAtMs = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #isClosed = false;
  #hasFailed = false;
  #sent = 0;
  #failures = 0;
  #sentAtMs: number | undefined;

  constructor(
    plan: HeartbeatPlan,
    ports: { readonly clock: Clock; readonly log: Log; readonly post: Poster },
  ) {
    this.#plan = plan;
    this.#ports = ports;
  }

  /** The run is ready now: beats, if one is due. */
  healthy(): void {
    const nowMs = this.#ports.clock.monotonicMs();
    if (this.#isBusy || this.#isClosed || nowMs < this.#dueAtMs) return;
    this.#isBusy = true;
    this.#dueAtMs = nowMs + this.#plan.intervalMs;
    void this.#beat();
  }

  close(): void {
    this.#isClosed = true;
  }

  figures(): HeartbeatFigures {
    const sentAtMs = this.#sentAtMs;
    return {
      ...{ sent: this.#sent, failures: this.#failures },
      ...(sentAtMs === undefined ? {} : { sentAtMs }),
    };
  }

  async #beat(): Promise<void> {
    const { clock, log, post } = this.#ports;
    const abort = new AbortController();
    const timer = clock.after(DEADLINE_MS, () =>
      abort.abort(new Error(`no answer within ${DEADLINE_MS} ms`)),
    );
    const headers = { 'user-agent': `ballast/${VERSION}` };
    let why: string | undefined;
    try {
      const request = { method: 'GET', url: this.#plan.url, headers, body: undefined } as const;
      const { status } = await post(request, abort.signal);
      if (status < 200 || status > 299) why = `status ${status}`;
    } catch (cause) {
      why = messageOf(abort.signal.aborted ? abort.signal.reason : cause);
    }
    timer.cancel();
    this.#isBusy = false;
    if (why === undefined) {
      this.#sent++;
      this.#sentAtMs = clock.nowMs();
      this.#hasFailed = false;
      return;
    }
    this.#failures++;
    this.#dueAtMs = Math.min(this.#dueAtMs, clock.monotonicMs() + AGAIN_MS);
    if (!this.#hasFailed) log.warn('the heartbeat service did not take a beat', { why });
    this.#hasFailed = true;
  }
}

/**
 * @module
 * Watches a run and tells people: once a second it looks at what is wrong, says what begins, lasts and passes, each once,
 * and hands it to the channels. It only reads; the run never waits for it.
 */
import type { Clock, Log, Timer } from '../../core/index.ts';
import {
  type AlertBoard,
  type AlertsDocument,
  notReady,
  PROBLEMS,
  type Problem,
  problemsOf,
  type RunView,
} from '../operator/index.ts';
import { type Alert, type AlertSource, type EventName, eventOf } from './alert.ts';
import type { ChannelPlan } from './channels.ts';
import { Courier, type Poster } from './courier.ts';
import { Heartbeat, type HeartbeatPlan } from './heartbeat.ts';
import { type DayStart, dayOf, startOfDay, summaryOf } from './summary.ts';

/** Which alerts are sent, and where. */
export interface AlertPlan {
  readonly source: AlertSource;
  readonly channels: readonly ChannelPlan[];
  readonly heartbeat: HeartbeatPlan | undefined;
  readonly staleMarketMs: number;
  /** What lasts is said again so often, ms. */
  readonly repeatMs: number;
  readonly hasSummary: boolean;
}

/** What a desk works with. */
export interface DeskPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly post: Poster;
  /** The run at this moment. */
  view(): RunView;
}

/** A problem that is looked at. */
interface Watched {
  readonly id: number;
  readonly problem: Problem;
  /** Unix ms. */
  readonly sinceMs: number;
  /** Monotonic ms, as the next. */
  readonly firstSeenMs: number;
  lastSeenMs: number;
  /** Monotonic ms; `undefined`: it has not lasted long enough to be told. */
  saidAtMs: number | undefined;
  acknowledgedBy: string | undefined;
}

const LOOK_MS = 1_000;
/** What is gone for so long, ms, is over: what comes back earlier has lasted. */
const CLEAR_MS = 15_000;

/** Begins to watch. */
export function openDesk(plan: AlertPlan, ports: DeskPorts): AlertBoard {
  return new AlertDesk(plan, ports);
}

class AlertDesk implements AlertBoard {
  readonly #plan: AlertPlan;
  readonly #ports: DeskPorts;
  readonly #couriers: readonly Courier[];
  readonly #heartbeat: Heartbeat | undefined;
  readonly #watched = new Map<string, Watched>();
  readonly #timer: Timer;
  readonly #incidents = new Map<string, number>();
  #lastId = 0;
  #firings = 0;
  #day: DayStart | undefined;
  #before: RunView | undefined;
  #hasBegun = false;

  constructor(plan: AlertPlan, ports: DeskPorts) {
    const { clock, log, post } = ports;
    this.#plan = plan;
    this.#ports = ports;
    this.#couriers = plan.channels.map((one) => new Courier(one, plan.source, { clock, log, post }));
    this.#heartbeat =
      plan.heartbeat === undefined ? undefined : new Heartbeat(plan.heartbeat, { clock, log, post });
    this.#timer = clock.every(LOOK_MS, () => this.#look());
  }

  began(former: string | undefined): void {
    this.#hasBegun = true;
    const { mode, environment } = this.#plan.source;
    if (former === undefined) this.#event('run-started', 'run', `trades ${mode} on ${environment}`);
    else this.#event('run-restarted', 'run', `trades again; ${former}`);
  }

  ended({ reason, isProven, code, isAsked = false, halted }: Parameters<AlertBoard['ended']>[0]): void {
    this.#timer.cancel();
    this.#heartbeat?.close();
    const proof = isProven ? 'no order is open, proven' : 'it is not proven that no order is open';
    const held = halted === undefined ? '' : `; halted by then: ${halted}`;
    const text = `${reason}${held}; ${proof}${code === undefined ? '' : `; exit code ${code}`}`;
    // Who stops a run that a control has halted has not made it good: the next one begins halted.
    const isGood = isProven && isAsked && halted === undefined;
    this.#event(isGood ? 'run-ended' : 'run-failed', 'run', text);
  }

  async told(withinMs: number): Promise<void> {
    const { clock } = this.#ports;
    await new Promise<void>((resolve) => {
      const timer = clock.after(withinMs, resolve);
      void Promise.all(this.#couriers.map((one) => one.idle())).then(() => {
        timer.cancel();
        resolve();
      });
    });
    for (const one of this.#couriers) one.close();
  }

  acknowledge(which: number | 'all', actor: string): readonly string[] {
    const found = [...this.#watched.values()].filter(
      ({ id, saidAtMs }) => saidAtMs !== undefined && (which === 'all' || id === which),
    );
    for (const one of found) one.acknowledgedBy = actor;
    return found.map(({ problem }) => `${problem.kind} ${problem.about}`);
  }

  document(): AlertsDocument {
    return {
      active: [...this.#watched.values()]
        .filter(({ saidAtMs }) => saidAtMs !== undefined)
        .map(({ id, problem: { kind, about, text }, sinceMs, acknowledgedBy }) => ({
          ...{ id, kind, about, severity: PROBLEMS[kind].severity, text, sinceMs },
          ...(acknowledgedBy === undefined ? {} : { acknowledgedBy }),
        })),
      channels: this.#couriers.map((one) => one.figures()),
      ...(this.#heartbeat === undefined ? {} : { heartbeat: this.#heartbeat.figures() }),
    };
  }

  #look(): void {
    const { clock } = this.#ports;
    const view = this.#ports.view();
    if (view.status === undefined || !this.#hasBegun) return;
    const nowMs = clock.monotonicMs();
    const found = problemsOf(view).filter(({ kind }) => PROBLEMS[kind].isAlert);
    for (const problem of found) this.#see(problem, view, nowMs);
    for (const [key, one] of this.#watched) this.#judge(key, one, nowMs);
    this.#lookAtSwitch(view);
    this.#lookAtDay(view);
    if (notReady(view).length === 0) this.#heartbeat?.healthy();
  }

  #see(problem: Problem, { nowMs: sinceMs }: RunView, nowMs: number): void {
    const key = `${problem.kind} ${problem.about}`;
    const known = this.#watched.get(key);
    if (known !== undefined) {
      known.lastSeenMs = nowMs;
      return;
    }
    this.#lastId++;
    const fresh = { saidAtMs: undefined, acknowledgedBy: undefined };
    const times = { sinceMs, firstSeenMs: nowMs, lastSeenMs: nowMs };
    this.#watched.set(key, { ...fresh, ...times, id: this.#lastId, problem });
  }

  #judge(key: string, one: Watched, nowMs: number): void {
    const { problem, saidAtMs, lastSeenMs } = one;
    const isSeen = lastSeenMs === nowMs;
    if (!isSeen && (saidAtMs === undefined || nowMs - lastSeenMs >= CLEAR_MS)) {
      this.#watched.delete(key);
      if (saidAtMs !== undefined) this.#say('cleared', problem);
      return;
    }
    if (!isSeen) return;
    const { holdMs } = PROBLEMS[problem.kind];
    const hold = problem.kind === 'stale-market' ? this.#plan.staleMarketMs : holdMs;
    if (saidAtMs === undefined) {
      if (nowMs - one.firstSeenMs < hold) return;
      one.saidAtMs = nowMs;
      this.#say('raised', problem);
    } else if (one.acknowledgedBy === undefined && nowMs - saidAtMs >= this.#plan.repeatMs) {
      one.saidAtMs = nowMs;
      this.#say('lasts', problem);
    }
  }

  #lookAtSwitch({ figures }: RunView): void {
    const firings = figures?.switchFirings() ?? 0;
    if (firings > this.#firings)
      this.#event(
        'switch-fired',
        'switch',
        'the exchange canceled all orders: the switch had not been renewed',
      );
    this.#firings = firings;
  }

  #lookAtDay(view: RunView): void {
    const { status, nowMs } = view;
    if (status === undefined) return;
    this.#day ??= startOfDay(status, nowMs);
    const before = this.#before?.status;
    if (dayOf(nowMs) > this.#day.day && before !== undefined) {
      const text = summaryOf(this.#day, before, this.#incidents);
      if (this.#plan.hasSummary) this.#event('daily-summary', this.#day.day, text);
      this.#day = startOfDay(status, nowMs);
      this.#incidents.clear();
    }
    this.#before = view;
  }

  #event(kind: EventName, about: string, text: string): void {
    this.#tell(eventOf(kind, about, text, this.#ports.clock.nowMs()));
  }

  #say(state: Alert['state'], { kind, about, text }: Problem): void {
    const { severity } = PROBLEMS[kind];
    this.#tell({ kind, about, severity, state, text, atMs: this.#ports.clock.nowMs() });
  }

  #tell(alert: Alert): void {
    const { kind, about, severity, state, text } = alert;
    if (severity !== 'info' && (state === 'raised' || state === 'event'))
      this.#incidents.set(kind, (this.#incidents.get(kind) ?? 0) + 1);
    this.#ports.log.info('alert', { kind, about, severity, state, text });
    for (const one of this.#couriers) one.take(alert);
  }
}

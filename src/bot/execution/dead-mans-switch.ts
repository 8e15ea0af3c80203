/**
 * @module
 * The dead man's switch: a scheduled cancel at the exchange, renewed on every healthy heartbeat and never by a bare
 * timer (dead-mans-switch.md). A bot that is alive but wrong lets it fire. What this does not do: evaluating the health,
 * sending the write; both are injected.
 *
 *   beat ─▶ all green ─▶ schedule-cancel at exchange time + 20 s ─▶ confirmed ─▶ SwitchArmed
 *       └─▶ red ─▶ SwitchHeld, cancel-all, no renewal
 *   trigger reached without a renewal ─▶ SwitchFired: nothing is placed until it is armed again
 */
import type { Clock, Log, Timer, UnixMs } from '../../core/index.ts';
import type { CancelAllOrders, FactSink, ScheduleCancel } from '../../domain/index.ts';
import type { WriteEnd } from './in-flight-write.ts';

/** How the switch is kept. */
export interface SwitchSettings {
  /** Time between heartbeats. */
  readonly periodMs: number;
  /** How far ahead of the exchange's time the trigger is set. */
  readonly timeoutMs: number;
}

/** The settings of the dead man's switch. */
export const SWITCH_SETTINGS: SwitchSettings = { periodMs: 5000, timeoutMs: 20_000 };

/** What the switch works with. */
export interface SwitchPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly sink: FactSink;
  /** The exchange's time, Unix ms. */
  serverNowMs(): UnixMs;
  /** Why the health is red, one sentence each; empty: all green. */
  health(): readonly string[];
  /** Sends a command on a safety lane. */
  send(command: ScheduleCancel | CancelAllOrders, onEnd: (end: WriteEnd) => void): void;
  /** Takes back a renewal that has not left yet. */
  withdraw(): void;
  /** Keeps a confirmed trigger for fences. */
  keepTrigger(triggerAtMs: UnixMs): void;
  /** Orders may be placed again. */
  onArmed(): void;
}

/** One switch. */
export class DeadMansSwitch {
  readonly #ports: SwitchPorts;
  readonly #settings: SwitchSettings;
  #heartbeat: Timer | undefined;
  #fuse: Timer | undefined;
  #triggerAtMs: UnixMs | undefined;
  /** The triggers of the last heartbeat and of the last one that was confirmed: fences and emergencies set others. */
  #renewalAtMs: UnixMs | undefined;
  #heartbeatAtMs: UnixMs | undefined;
  #confirmedSeq: bigint | undefined;
  /** Nothing is placed before the health was evaluated once. */
  #heldReasons: readonly string[] = ['the health was not evaluated yet'];
  #mayHaveOrders = false;
  #isRenewing = false;
  #isCanceling = false;

  constructor(ports: SwitchPorts, settings: SwitchSettings) {
    this.#ports = ports;
    this.#settings = settings;
  }

  /** Beats now and from now on. */
  start(): void {
    this.#heartbeat ??= this.#ports.clock.every(this.#settings.periodMs, () => this.beat());
    this.beat();
  }

  /**
   * Ends the heartbeats. The switch stays armed: without open orders it is harmless. A renewal that waits for its lane is
   * void: no heartbeat would look at the health before it leaves (invariant I12).
   */
  stop(): void {
    this.#ports.withdraw();
    this.#heartbeat?.cancel();
    this.#fuse?.cancel();
    this.#heartbeat = undefined;
  }

  /** The last confirmed trigger that is still to come. */
  get armedUntilMs(): UnixMs | undefined {
    return this.#triggerAtMs;
  }

  /** True while the switch is confirmed for at least `remainingMsMin` more and the health is not red. */
  isArmed(remainingMsMin: number): boolean {
    if (this.#triggerAtMs === undefined || this.isHeld) return false;
    return this.#triggerAtMs - this.#ports.serverNowMs() >= remainingMsMin;
  }

  /** True if the health was red at the last heartbeat. */
  get isHeld(): boolean {
    return this.#heldReasons.length > 0;
  }

  /** Orders may rest from now on: when the health turns red they are canceled. */
  noteOrders(): void {
    this.#mayHaveOrders = true;
  }

  /** One heartbeat. */
  beat(): void {
    const reasons = [...this.#ports.health()];
    if (reasons.length === 0) {
      const wasArmed = this.isArmed(0);
      this.#heldReasons = reasons;
      if (!wasArmed && this.isArmed(0)) this.#ports.onArmed();
      this.#renew();
      return;
    }
    if (reasons.join('\n') !== this.#heldReasons.join('\n')) {
      this.#ports.log.warn("dead man's switch not renewed (health)", { reasons });
      this.#ports.sink({ type: 'SwitchHeld', reasons });
    }
    this.#heldReasons = reasons;
    this.#ports.withdraw();
    this.#cancelAll();
  }

  /** Another ledger: what was confirmed in the one before protects nothing there, and its positions start again. */
  beginEpoch(): void {
    this.#fuse?.cancel();
    this.#triggerAtMs = undefined;
    this.#confirmedSeq = undefined;
  }

  /**
   * Orders were canceled at `seq` and not by us: it has fired, before the time we know or after another's schedule
   * (obligation O79). Nothing is placed until it is armed again, which is asked for at once.
   */
  takenAt(seq: bigint): void {
    if (this.#triggerAtMs === undefined || (this.#confirmedSeq ?? -1n) > seq) return;
    this.#fuse?.cancel();
    const nowMs = this.#ports.serverNowMs();
    this.#fired(nowMs, nowMs >= this.#triggerAtMs);
    this.beat();
  }

  /**
   * Orders were gone at `seq`, by it or by something else: it is armed again, and nobody is alarmed. A renewal whose answer
   * is on its way may have executed before that: it does not count either.
   */
  doubtedAt(seq: bigint): void {
    if ((this.#confirmedSeq ?? -1n) > seq) return;
    const wasArmed = this.#triggerAtMs !== undefined;
    this.distrust(seq);
    if (wasArmed) this.beat();
  }

  /** What was confirmed up to `seq` may be gone: only what is confirmed later counts. */
  distrust(seq: bigint): void {
    this.#fuse?.cancel();
    this.#triggerAtMs = undefined;
    if (this.#confirmedSeq === undefined || seq > this.#confirmedSeq) this.#confirmedSeq = seq;
  }

  /** A schedule-cancel has executed at `seq`: the one latest in the log counts; 0 has cleared the switch. */
  confirmed(triggerAtMs: UnixMs | 0, seq: bigint | undefined): void {
    if (seq !== undefined && this.#confirmedSeq !== undefined && seq < this.#confirmedSeq) return;
    this.#confirmedSeq = seq ?? this.#confirmedSeq;
    this.#fuse?.cancel();
    const nowMs = this.#ports.serverNowMs();
    if (triggerAtMs === 0) {
      this.#triggerAtMs = undefined;
      return;
    }
    const wasArmed = this.isArmed(0);
    this.#ports.keepTrigger(triggerAtMs);
    if (triggerAtMs === this.#renewalAtMs) this.#heartbeatAtMs = triggerAtMs;
    // The write that uses up a first nonce sets a trigger a second ahead: that it fires before the first heartbeat is
    // there says nothing of this run.
    if (this.#heartbeatAtMs === undefined) return;
    this.#triggerAtMs = triggerAtMs;
    this.#light(triggerAtMs);
    this.#ports.sink({ type: 'SwitchArmed', triggerAtMs, atMs: nowMs });
    if (!wasArmed) this.#ports.onArmed();
  }

  #renew(): void {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const triggerAtMs = (this.#ports.serverNowMs() + this.#settings.timeoutMs) as UnixMs;
    this.#renewalAtMs = triggerAtMs;
    this.#ports.send({ kind: 'scheduleCancel', triggerAtMs }, (end) => {
      this.#isRenewing = false;
      if (end !== 'executed') this.#ports.log.warn('dead man switch not renewed', { end });
      // Confirmed before the moment from which on confirmations count: it is asked for again.
      else if (this.#triggerAtMs === undefined && !this.isHeld) this.#renew();
    });
  }

  #cancelAll(): void {
    if (!this.#mayHaveOrders || this.#isCanceling) return;
    this.#isCanceling = true;
    this.#ports.send({ kind: 'cancelAll' }, (end) => {
      this.#isCanceling = false;
      if (end === 'executed') this.#mayHaveOrders = false;
    });
  }

  /** Waits for the trigger by the exchange's clock, which may be corrected meanwhile. */
  #light(triggerAtMs: UnixMs): void {
    const delayMs = Math.max(1, triggerAtMs - this.#ports.serverNowMs());
    this.#fuse = this.#ports.clock.after(delayMs, () => {
      if (this.#triggerAtMs !== triggerAtMs) return;
      if (this.#ports.serverNowMs() < triggerAtMs) this.#light(triggerAtMs);
      else this.#fired(triggerAtMs, true);
    });
  }

  #fired(atMs: UnixMs, isDue: boolean): void {
    const isLapse = isDue && this.#triggerAtMs === this.#heartbeatAtMs;
    this.#triggerAtMs = undefined;
    this.#ports.log.error('dead man switch fired', { atMs, isLapse });
    this.#ports.sink({ type: 'SwitchFired', atMs, isLapse });
  }
}

/**
 * @module
 * One direction of one socket: first in, first out. A frame that a rule holds back lets other channels pass (fault F19)
 * but none of its own, and none that says something about all before it: acknowledgements, pongs, lags, errors.
 */
import type { Timer } from '../../../src/core/index.ts';
import type { Wire } from './line.ts';

interface Cargo {
  readonly dueMs: number;
  readonly deliver: () => void;
}

/** Frames that speak of everything before them. */
const BARRIERS = ['subscribed', 'unsubscribed', 'pong', 'lagged', 'error'];
const CHANNEL = /"channel":"(\w+)"/;
const CHANNEL_WITHIN = 40;
/** What a kernel lets pass before it sends again, at most. */
const RESEND_MS_MAX = 1_000;

/** See the module. */
export class Lane {
  readonly #wire: Wire;
  readonly #latencyMs: number;
  /** By their time, then by their coming. */
  #cargo: Cargo[] = [];
  /** When the last frame of each held channel is due. */
  readonly #held = new Map<string, number>();
  #floorMs = 0;
  #latestMs = 0;
  #timer: Timer | undefined;

  constructor(wire: Wire, latencyMs: number) {
    this.#wire = wire;
    this.#latencyMs = latencyMs;
  }

  /** How much is under way. */
  get size(): number {
    return this.#cargo.length;
  }

  /** Carries a frame; `text` tells its channel. */
  carry(text: string, delayMs: number, deliver: () => void): void {
    const wantMs = this.#inMs(this.#latencyMs + delayMs);
    this.#insert({ dueMs: this.#slotMs(text, wantMs, delayMs > 0), deliver });
  }

  /** Carries what ends the socket: behind everything. */
  carryLast(deliver: () => void): void {
    this.#insert({ dueMs: this.#barrierMs(this.#inMs(this.#latencyMs)), deliver });
  }

  /** The hole has ended: what waited goes on, and nothing before it. */
  resume(): void {
    if (this.#timer !== undefined || this.#cargo.length === 0) return;
    const fromMs = this.#inMs(this.#wire.parts.random.integer(0, RESEND_MS_MAX));
    this.#reschedule((dueMs) => Math.max(dueMs, fromMs));
  }

  /** Everything that is under way arrives after the usual time. */
  hurry(): void {
    const byMs = this.#inMs(this.#latencyMs);
    if (this.#latestMs > byMs) this.#reschedule((dueMs) => Math.min(dueMs, byMs));
  }

  /** Delivers the next `count` frames now and forgets the others. */
  cut(count: number): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const { deliver } of this.#cargo.splice(0).slice(0, count)) deliver();
  }

  get #nowMs(): number {
    return this.#wire.parts.clock.monotonicMs();
  }

  /** Whole milliseconds: a timer for a fraction may come a rounding before it. */
  #inMs(delayMs: number): number {
    return Math.ceil(this.#nowMs + delayMs);
  }

  #slotMs(text: string, wantMs: number, isHeld: boolean): number {
    if (!isHeld && this.#held.size === 0) return this.#barrierMs(wantMs);
    const channel = CHANNEL.exec(text.slice(0, CHANNEL_WITHIN))?.[1];
    if (channel === undefined || BARRIERS.includes(channel)) return this.#barrierMs(wantMs);
    const dueMs = Math.max(wantMs, this.#floorMs, this.#held.get(channel) ?? 0);
    this.#held.set(channel, dueMs);
    this.#latestMs = Math.max(this.#latestMs, dueMs);
    return dueMs;
  }

  #barrierMs(wantMs: number): number {
    this.#held.clear();
    this.#latestMs = Math.max(this.#latestMs, wantMs);
    this.#floorMs = this.#latestMs;
    return this.#latestMs;
  }

  /** `change` keeps the order. */
  #reschedule(change: (dueMs: number) => number): void {
    this.#cargo = this.#cargo.map(({ dueMs, deliver }) => ({ dueMs: change(dueMs), deliver }));
    for (const [channel, dueMs] of this.#held) this.#held.set(channel, change(dueMs));
    this.#floorMs = change(this.#floorMs);
    this.#latestMs = change(this.#latestMs);
    this.#arm();
  }

  #insert(cargo: Cargo): void {
    let at = this.#cargo.length;
    while (at > 0 && (this.#cargo[at - 1]?.dueMs ?? 0) > cargo.dueMs) at--;
    this.#cargo.splice(at, 0, cargo);
    if (at === 0) this.#arm();
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const next = this.#cargo[0];
    if (next === undefined) return;
    this.#timer = this.#wire.parts.clock.after(next.dueMs - this.#nowMs, () => this.#deliver());
  }

  /** What waits in a hole has no timer: {@link resume} sets the next one. */
  #deliver(): void {
    this.#timer = undefined;
    if (this.#wire.isBlack) return;
    const nowMs = this.#nowMs;
    while (this.#cargo.length > 0 && (this.#cargo[0]?.dueMs ?? 0) <= nowMs) this.#cargo.shift()?.deliver();
    if (this.#timer === undefined) this.#arm();
  }
}

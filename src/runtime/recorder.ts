/**
 * @module
 * Audit events of the runtime, by level: nothing, decisions, or decisions with the inputs they came from. Each names the
 * fact of the turn that led to it, so that a decision can be explained afterwards.
 */
import type { Audit, Clock, Fields } from '../core/index.ts';

/** How much is recorded. */
export type AuditLevel = 'off' | 'decisions' | 'inputs';

/** Records what a run decides. */
export class Recorder {
  readonly isOn: boolean;
  readonly hasInputs: boolean;
  readonly #audit: Audit;
  readonly #clock: Clock;
  #factCount = 0;

  constructor(audit: Audit, clock: Clock, level: AuditLevel) {
    this.#audit = audit;
    this.#clock = clock;
    this.isOn = level !== 'off';
    this.hasInputs = level === 'inputs';
  }

  /** Number of facts taken in so far. */
  get factCount(): number {
    return this.#factCount;
  }

  /** Counts a fact; the next events name it as their cause. */
  countFact(): void {
    this.#factCount++;
  }

  /** Records one event. */
  record(type: string, fields: Fields, correlationId?: string): void {
    if (!this.isOn) return;
    const causationId = `fact-${this.#factCount}`;
    const atMs = this.#clock.nowMs();
    this.#audit.record(
      correlationId === undefined
        ? { type, causationId, atMs, fields }
        : { type, correlationId, causationId, atMs, fields },
    );
  }
}

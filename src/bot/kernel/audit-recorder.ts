/**
 * @module
 * Audit events of the runtime, by level: nothing, decisions, or decisions with the inputs they came from. Each names the
 * fact of the turn that led to it, so that a decision can be explained afterwards.
 */
import type { Audit, Clock, Fields } from '../../core/index.ts';
import type { AccountChange } from '../../domain/index.ts';

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

/** Records what a fact has changed. */
export function recordChange(recorder: Recorder, change: AccountChange): void {
  switch (change.type) {
    case 'OrderChanged': {
      const { strategyId, symbol, orderId, status, reason, proof } = change;
      recorder.record(
        'OrderChanged',
        { strategy: strategyId, symbol, orderId, status, reason, proof: proof?.id },
        change.intentId,
      );
      break;
    }
    case 'FillApplied': {
      const { id, orderId, symbol, side, role, priceTicks, sizeLots, fee } = change.fill;
      const fields = { strategy: change.strategyId, id, orderId, symbol, side, role, priceTicks, sizeLots };
      recorder.record(
        'FillApplied',
        { ...fields, fee: fee === null ? null : fee.toString() },
        change.intentId,
      );
      break;
    }
    case 'LedgerApplied': {
      const { id, kind, amount, symbol, otherToken } = change.entry;
      const fields = { id, kind, amount: amount.toString(), symbol };
      recorder.record('LedgerApplied', otherToken === undefined ? fields : { ...fields, otherToken });
      break;
    }
    case 'PositionSettled': {
      const { strategyId, symbol, changeLots, reason } = change;
      recorder.record('PositionSettled', { strategy: strategyId, symbol, changeLots, reason });
      break;
    }
    case 'AnomalySeen':
      recorder.record('AnomalySeen', { kind: change.kind, symbol: change.symbol, detail: change.detail });
      break;
  }
}

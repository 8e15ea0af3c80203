/**
 * @module
 * Audit events of the runtime, by level: nothing, decisions, or decisions with the inputs they came from. Each names the
 * fact of the turn that led to it, so that a decision can be explained afterwards.
 */
import type { Audit, Clock, Fields } from '../../core/index.ts';
import type { AccountChange, Fact } from '../../domain/index.ts';

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

/** Records how a write ended, by its id: `explain` finds its orders and its record with it. Of other facts it says nothing. */
export function recordWrite(recorder: Recorder, fact: Fact): void {
  switch (fact.type) {
    case 'WriteResolved': {
      const { lane, requestId, outcome, seq, reason } = fact;
      recorder.record(fact.type, { lane, requestId, outcome, seq: seq?.toString(), reason }, requestId);
      break;
    }
    case 'WriteUnresolved': {
      const { lane, requestId, why } = fact;
      recorder.record(fact.type, { lane, requestId, why }, requestId);
      break;
    }
    case 'WriteVoided':
      recorder.record(fact.type, { lane: fact.lane, requestId: fact.requestId }, fact.requestId);
      break;
    default:
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
      const fields = {
        ...{ strategy: change.strategyId, id, fillId: id, orderId, symbol, side, role, priceTicks, sizeLots },
        takenAtMs: change.fill.atMs,
      };
      recorder.record(
        'FillApplied',
        { ...fields, fee: fee === null ? null : fee.toString() },
        change.intentId,
      );
      break;
    }
    case 'LedgerApplied': {
      const { id, kind, amount, symbol, orderId, otherToken } = change.entry;
      const fields = { id, kind, amount: amount.toString(), symbol, orderId };
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

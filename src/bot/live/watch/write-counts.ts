/**
 * @module
 * Counts of a run that the exchange's history does not show: writes and the switch, out of the facts that go by.
 */
import type { Clock } from '../../../core/index.ts';
import type { Fact, FactType, RequestId } from '../../../domain/index.ts';

/** Counts of a run that no history shows. */
export interface WriteCounts {
  /** Replaces that were executed. */
  replaces: number;
  /** Replaces without an outcome yet. */
  readonly replacesOut: Set<RequestId>;
  /** Orders that the exchange accepted. */
  ordersPlaced: number;
  /** Orders that were canceled. */
  ordersCanceled: number;
  /** Confirmed renewals of the dead man's switch. */
  armed: number;
  /** Firings of the dead man's switch. */
  fired: number;
  /** Clock time of the first order that rested, monotonic ms. */
  firstQuoteAtMs: number | undefined;
}

/** Counts at zero. */
export function zeroCounts(): WriteCounts {
  return {
    replaces: 0,
    replacesOut: new Set(),
    ordersPlaced: 0,
    ordersCanceled: 0,
    armed: 0,
    fired: 0,
    firstQuoteAtMs: undefined,
  };
}

/** The facts that {@link countFact} counts. */
export const COUNTED_FACTS = [
  ...(['WriteSent', 'WriteResolved', 'WriteVoided'] as const),
  ...(['OrderAccepted', 'CancelExecuted', 'SwitchArmed', 'SwitchFired'] as const),
] as const satisfies readonly FactType[];

/** Counts one fact. */
export function countFact(counts: WriteCounts, fact: Fact, clock: Clock): void {
  switch (fact.type) {
    case 'OrderAccepted':
      counts.ordersPlaced++;
      counts.firstQuoteAtMs ??= clock.monotonicMs();
      break;
    case 'CancelExecuted':
      counts.ordersCanceled++;
      break;
    case 'WriteSent':
      if (fact.places.length > 0 && fact.cancels.length > 0) counts.replacesOut.add(fact.requestId);
      break;
    case 'WriteResolved':
      if (counts.replacesOut.delete(fact.requestId) && fact.outcome === 'executed') counts.replaces++;
      break;
    case 'WriteVoided':
      counts.replacesOut.delete(fact.requestId);
      break;
    case 'SwitchArmed':
      counts.armed++;
      break;
    case 'SwitchFired':
      counts.fired++;
      break;
    default:
      break;
  }
}

/**
 * @module
 * What fills a resting order in a market of levels, as one interface over all models but `fifo`, which needs no model: it
 * has every order. What all share is not here: a trade through the price and a crossing book fill (docs/concepts/fill-models.md).
 */

import type { FillModelSettings } from '../types.ts';
import { logRule, powerRule, type QueueRule, riskAverseRule } from './queue-rules.ts';

/** The queue position of a resting order in its level, as far as it can be known. */
export interface QueuePlace {
  /** Lots before it; infinite: not known. */
  ahead: number;
  /** The same when it came to rest. */
  atRest: number;
  /** Traded at its price since the level was shown last. */
  traded: number;
}

/** A model. */
export interface FillModel {
  /** True if it has a queue. */
  readonly hasQueue: boolean;
  /** Of `lots` that trade at the price of the order, what reaches it. Moves the queue position. */
  reach(place: QueuePlace, lots: number): number;
  /** Its level showed `before` lots and shows `after` now. Moves the queue position. */
  onLevel(place: QueuePlace, before: number, after: number): void;
}

const EXPONENT = 3;

/** The model of these settings; `undefined` for `fifo`. */
export function fillModelOf({ name, exponent = EXPONENT }: FillModelSettings): FillModel | undefined {
  switch (name) {
    case 'trade-through':
      return TRADE_THROUGH;
    case 'queue-risk-averse':
      return new QueueModel(riskAverseRule);
    case 'queue-power':
      return new QueueModel(powerRule(exponent));
    case 'queue-log':
      return new QueueModel(logRule);
    case 'fifo':
      return undefined;
  }
}

/** Nothing at the price itself reaches the order. */
const TRADE_THROUGH: FillModel = { hasQueue: false, reach: () => 0, onLevel: () => undefined };

/** Trades at the price take the queue from its front, cancels by the rule. */
class QueueModel implements FillModel {
  readonly hasQueue = true;
  readonly #rule: QueueRule;

  constructor(rule: QueueRule) {
    this.#rule = rule;
  }

  reach(place: QueuePlace, lots: number): number {
    place.traded += lots;
    const before = place.ahead;
    if (before >= lots) {
      place.ahead = before - lots;
      return 0;
    }
    place.ahead = 0;
    return lots - before;
  }

  onLevel(place: QueuePlace, before: number, after: number): void {
    const canceled = before - after - place.traded;
    place.traded = 0;
    // A queue that was not known is at most the whole level.
    if (canceled <= 0 || place.ahead === Number.POSITIVE_INFINITY) {
      if (place.ahead > after) place.ahead = after;
      return;
    }
    place.ahead = Math.max(0, this.#rule(place.ahead, canceled, { before, after }));
  }
}

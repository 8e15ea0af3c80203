/**
 * @module
 * The outcome of the writes of a start, while it waits for them.
 */
import type { Fact, LaneId, RequestId } from '../../../domain/index.ts';

/** The outcome of a write. */
export type WriteEndFact = Extract<Fact, { type: 'WriteResolved' | 'WriteVoided' }>;

/** The writes of a start, each by its request: a fence that ends well is no word on the write that it fenced. */
export class StartWrites {
  readonly #sent = new Map<LaneId, RequestId>();
  readonly #ends = new Map<RequestId, WriteEndFact>();

  /** Takes the facts of execution in their order. */
  take(fact: Fact): void {
    if (fact.type === 'WriteSent') {
      this.#sent.set(fact.lane, fact.requestId);
      // The same request may leave again after it was refused.
      this.#ends.delete(fact.requestId);
    } else if (fact.type === 'WriteResolved' || fact.type === 'WriteVoided') {
      this.#ends.set(fact.requestId, fact);
    }
  }

  /** The request that left a lane last. */
  lastSent(lane: LaneId): RequestId | undefined {
    return this.#sent.get(lane);
  }

  /** How a request ended; `undefined` while nothing proves it. */
  endOf(requestId: RequestId): WriteEndFact | undefined {
    return this.#ends.get(requestId);
  }

  /** How the last write of each lane ended, where it has. */
  *lastEnds(): Iterable<WriteEndFact> {
    for (const requestId of this.#sent.values()) {
      const end = this.#ends.get(requestId);
      if (end !== undefined) yield end;
    }
  }
}

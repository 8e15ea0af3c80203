/**
 * @module
 * Holds back what lets strategies begin until the opening of a run is over: leverage and history are there by then.
 */
import type { Fact, FactSink } from '../../../domain/index.ts';

/** Before the bot: all facts pass, but for those that would let strategies begin too early. */
export class StartGate {
  /** `undefined`: the opening is over. */
  #held: Fact[] | undefined = [];

  /** False until {@link open}. */
  get isOpen(): boolean {
    return this.#held === undefined;
  }

  /** Passes a fact on, or keeps it until {@link open}. */
  take(fact: Fact, sink: FactSink | undefined): void {
    if (this.#held !== undefined && (fact.type === 'SwitchArmed' || fact.type === 'LaneReady'))
      this.#held.push(fact);
    else sink?.(fact);
  }

  /** Ends the opening: what was held back passes now, in its order. */
  open(sink: FactSink): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const fact of held) sink(fact);
  }
}

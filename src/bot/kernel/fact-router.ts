/**
 * @module
 * Takes each fact of a run to those who asked for its type, in the order of one list. Streams, lanes and timers hand
 * facts in; who hears of them, and in what order, is written in one place: the list that the composition hands over.
 *
 *   streams, lanes, feeds ─► router ─► listener 1 ─► listener 2 ─► ... (all within the call)
 */
import { assert } from '../../core/index.ts';
import { FACT_TYPES, type Fact, type FactSink, type FactType } from '../../domain/index.ts';

/** One who takes facts. */
export interface FactListener {
  /** As documentation lists it; unique in a list. */
  readonly name: string;
  /** The types of facts that it takes. */
  readonly facts: readonly FactType[] | 'all';
  /** Takes a fact; synchronous. */
  take(fact: Fact): void;
}

/** A listener for facts of some types: `take` gets no others. */
export function listenerFor<T extends FactType>(
  name: string,
  facts: readonly T[],
  take: (fact: Extract<Fact, { readonly type: T }>) => void,
): FactListener {
  // The router calls it with facts of these types only.
  return { name, facts, take: take as FactSink };
}

const NONE: readonly FactListener[] = [];

/**
 * The sink that hands a fact to each listener of its type, in the order of `listeners`. What a listener throws goes to
 * the caller that handed the fact in; listeners after it do not get that fact. A fact that comes while another one is handed
 * out is handed out at once, before the rest of the other one's listeners.
 *
 * @throws AssertionError when two listeners have one name, or one asks for a type that no fact has.
 */
export function createFactRouter(listeners: readonly FactListener[]): FactSink {
  const names = new Set(listeners.map(({ name }) => name));
  assert(names.size === listeners.length, `listeners with names of their own, were ${[...names].join(', ')}`);
  const byType = new Map<FactType, FactListener[]>(FACT_TYPES.map((type) => [type, []]));
  for (const listener of listeners) {
    for (const type of listener.facts === 'all' ? FACT_TYPES : listener.facts) {
      const asking = byType.get(type);
      assert(asking !== undefined, `a type of fact for listener ${listener.name}, got ${type}`);
      asking.push(listener);
    }
  }
  return (fact) => {
    const asking = byType.get(fact.type) ?? NONE;
    for (let at = 0; at < asking.length; at++) asking[at]?.take(fact);
  };
}

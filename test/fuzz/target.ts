/**
 * @module
 * What is fuzzed: a door of the product that text is fed through, and what must hold of everything that comes out of it.
 */

/** What became of an input. Wrong: something was thrown that must not be, or something invalid was taken. */
export type Outcome =
  | { readonly kind: 'refused' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'wrong'; readonly why: string };

/** One door. */
export interface Target {
  readonly name: string;
  /** JSON texts that stand for hostile values of this door, in addition to those of every door. */
  readonly tokens?: readonly string[];
  /** Well-formed inputs to begin with. */
  samples(): readonly string[];
  feed(text: string): Outcome | Promise<Outcome>;
}

/** The input was turned away as it must be. */
export const REFUSED: Outcome = { kind: 'refused' };

/** It was taken, unless `flaw` says what is wrong with that. */
export function taken(flaw: string | undefined): Outcome {
  return flaw === undefined ? { kind: 'accepted' } : wrong(flaw);
}

/** It must not have been like this. */
export function wrong(why: string): Outcome {
  return { kind: 'wrong', why: why.slice(0, 500) };
}

const KEYS_AT_FIRST = Reflect.ownKeys(Object.prototype).length;

/** Whether an input changed what all objects inherit; undone, so that the next one is judged on its own. */
export function pollution(): string | undefined {
  const names = Reflect.ownKeys(Object.prototype);
  const isPolluted = Reflect.get({}, 'polluted') !== undefined;
  if (!isPolluted && names.length === KEYS_AT_FIRST) return undefined;
  for (const name of names.slice(KEYS_AT_FIRST)) Reflect.deleteProperty(Object.prototype, name);
  return `Object.prototype has new keys: ${names.slice(KEYS_AT_FIRST).map(String).join(', ')}`;
}

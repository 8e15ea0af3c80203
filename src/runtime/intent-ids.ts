/**
 * @module
 * The names of a run's intents: the run's own name and a number that counts them. There is one for every word of a strategy,
 * so they are put together of texts that are there already.
 */
import type { IntentId } from '../domain/index.ts';

const ENDS_COUNT = 1_000;
/** The last three digits of a number, of which each text is made once. */
const ENDS: readonly string[] = Array.from({ length: ENDS_COUNT }, (_none, end) => `${end}`.padStart(3, '0'));

/** See the module. */
export class IntentIds {
  readonly #runId: string;
  #count = 0;
  /** All but the last three digits: the same for a thousand names. */
  #head = '';

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The next one. */
  next(): IntentId {
    this.advance();
    return this.newest;
  }

  /** Counts the next one, whose name may never be asked for. */
  advance(): void {
    const count = ++this.#count;
    if (count % ENDS_COUNT === 0) this.#head = `${this.#runId}-${count / ENDS_COUNT}`;
  }

  /** The name of the one that was counted last, made with each call. */
  get newest(): IntentId {
    const count = this.#count;
    if (count < ENDS_COUNT) return `${this.#runId}-${count}` as IntentId;
    // Of two texts, added: a template asks first whether each is one.
    return (this.#head + (ENDS[count % ENDS_COUNT] as string)) as IntentId;
  }
}

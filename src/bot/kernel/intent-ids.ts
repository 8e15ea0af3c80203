/** @module The names of a run's intents: the run's own name and a number that counts them. */
import { NumberText } from '../../core/index.ts';
import type { IntentId } from '../../domain/index.ts';

/** See the module. */
export class IntentIds {
  readonly #names: NumberText;
  #count = 0;

  constructor(runId: string) {
    this.#names = new NumberText(`${runId}-`);
  }

  /** The next one. */
  next(): IntentId {
    this.advance();
    return this.newest;
  }

  /** Counts the next one, whose name may never be asked for: there is one for every word of a strategy. */
  advance(): void {
    this.#count++;
  }

  /** The name of the one that was counted last, made with each call. */
  get newest(): IntentId {
    return this.#names.of(this.#count) as IntentId;
  }

  /** The name of the one that was counted before it. */
  get beforeNewest(): IntentId {
    return this.#names.of(this.#count - 1) as IntentId;
  }
}

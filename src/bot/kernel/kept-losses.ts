/**
 * @module
 * What was lost before a restart, in the store of what strategies save: starting again gives no new allowance.
 */
import { formatJson, parseJson } from '../../core/index.ts';
import type { StrategyId } from '../../domain/index.ts';
import type { LossMonitor } from '../risk/index.ts';
import type { StrategyStore } from './ports.ts';

/** Its place in the store: no strategy can have this name. */
const KEY = '_losses' as StrategyId;

/** Keeps the losses of a run. */
export class KeptLosses {
  readonly #losses: LossMonitor;
  readonly #store: StrategyStore;
  #stored = '';

  constructor(losses: LossMonitor, store: StrategyStore) {
    this.#losses = losses;
    this.#store = store;
  }

  /** Takes over what the last run left. */
  load(): void {
    const json = this.#store.load(KEY);
    if (json === undefined) return;
    this.#stored = json;
    this.#losses.restore(parseJson(json));
  }

  /** Stores them, where they changed. */
  save(): void {
    const json = formatJson(this.#losses.save());
    if (json !== this.#stored && this.#store.save(KEY, json)) this.#stored = json;
  }
}

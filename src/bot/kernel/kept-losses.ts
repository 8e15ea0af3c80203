/**
 * @module
 * What was lost before a restart, in the store of what strategies save: starting again gives no new allowance, and lets
 * nothing trade that a loss has halted.
 */
import { formatJson, parseJson } from '../../core/index.ts';
import type { MarketSymbol, StrategyId } from '../../domain/index.ts';
import type { LossMonitor, Verdict } from '../risk/index.ts';
import { type StrategyStore, UNREADABLE } from './ports.ts';

/** Its place in the store: no strategy can have this name. */
const KEY = '_losses' as StrategyId;

const NOTHING = '[]';

/** Keeps the losses of a run. */
export class KeptLosses {
  readonly #losses: LossMonitor;
  readonly #store: StrategyStore;
  #stored = '';
  /** What holds which scope, as it was stored last. */
  #held = '';

  constructor(losses: LossMonitor, store: StrategyStore) {
    this.#losses = losses;
    this.#store = store;
  }

  /**
   * Takes over what the last run left, with `symbols` to trade. What holds a scope since then, before anything trades;
   * `undefined`: it cannot be read.
   */
  load(symbols: Iterable<MarketSymbol>, nowMs: number): readonly Verdict[] | undefined {
    const json = this.#store.load(KEY);
    if (json === undefined) return [];
    if (json === UNREADABLE) return undefined;
    this.#stored = json;
    this.#losses.restore(parseJson(json), symbols);
    const held = this.#losses.held(nowMs);
    this.#held = keyOf(held);
    return held;
  }

  /** Stores them, where they changed. */
  save(): void {
    const json = formatJson(this.#losses.save());
    if (json !== this.#stored && this.#store.save(KEY, json)) this.#stored = json;
  }

  /** Stores them where another scope is held than before: a death must not forget a halt. */
  saveHeld(nowMs: number): void {
    const held = keyOf(this.#losses.held(nowMs));
    if (held === this.#held) return;
    this.#held = held;
    this.save();
  }
}

function keyOf(held: readonly Verdict[]): string {
  return held.length === 0 ? NOTHING : formatJson(held.map(({ scope, trading }) => [scope, trading.state]));
}

/**
 * @module
 * Halts that rest on fills alone which the exchange's history does not have: they end with these fills, and the next run
 * begins without them. Nothing changes in the run that made them.
 */
import type { Fill, OrderId } from '../../../domain/index.ts';
import { type StrategyStore, withoutGoneHalts } from '../../kernel/index.ts';

/** Knows which grounds of halts are gone. */
export class GoneGrounds {
  /** Orders with a fill that never was; true: with another one that was. */
  readonly #orders = new Map<OrderId, boolean>();
  #review: () => void = () => undefined;

  /** A store that keeps no halt whose grounds are gone. */
  over(store: StrategyStore): StrategyStore {
    const kept = withoutGoneHalts(store, ({ kind, orderId }) => {
      const isFilled = this.#orders.get(orderId);
      // With these fills our own order is not filled beyond its size; a foreign one must not have any.
      return isFilled !== undefined && (kind === 'overfill' || !isFilled);
    });
    this.#review = kept.review;
    return kept;
  }

  /** `gone`: fills that never were; `fills`: all that are left. */
  take(gone: readonly { readonly booked: Fill }[], fills: readonly Fill[]): void {
    for (const { booked } of gone) {
      const isFilled = fills.some(({ orderId }) => orderId === booked.orderId);
      this.#orders.set(booked.orderId, isFilled);
    }
    this.#review();
  }
}

/**
 * @module
 * Orders that the state of a market explains (denials.md M17): it does not trade, or its steps or its least notional are
 * other ones by now. No order of a strategy is to blame. The market is left alone for a moment, while its definition is
 * read again, and tried again then.
 */
import { isMarketReason, type MarketSymbol } from '../../domain/index.ts';
import type { Verdict } from './verdict.ts';

/** How long a market is left alone after an order that it refused, ms. */
const HOLD_MS = 1_500;

/** See the module. */
export class MarketRefusals {
  readonly #heldUntilMs = new Map<MarketSymbol, number>();

  /** An order was rejected; `undefined`: its market does not explain that. */
  observe(symbol: MarketSymbol, reason: string | undefined, nowMs: number): readonly Verdict[] | undefined {
    if (!isMarketReason(reason)) return undefined;
    this.#heldUntilMs.set(symbol, nowMs + HOLD_MS);
    const why = `M17: the exchange refuses orders of ${symbol}: ${reason}`;
    const trading = { state: 'halted', reason: why } as const;
    return [{ control: 'M17', scope: { kind: 'market', symbol }, trading, isCanceling: true }];
  }

  /** Lets go of what was held for long enough. */
  tick(nowMs: number, verdicts: Verdict[]): void {
    for (const [symbol, untilMs] of this.#heldUntilMs) {
      // A hold that is longer than any was: the clock was set back.
      if (nowMs < untilMs && untilMs - nowMs <= HOLD_MS) continue;
      this.#heldUntilMs.delete(symbol);
      const trading = { state: 'active', reason: '' } as const;
      verdicts.push({ control: 'M17', scope: { kind: 'market', symbol }, trading, isCanceling: false });
    }
  }
}

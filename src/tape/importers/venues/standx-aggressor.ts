/**
 * @module Who was the aggressor of a recorded StandX trade. The recorder cut book prices to 0.1 while trades have 0.01
 * (trades are from 0 to 0.09 above the level they hit), so a level printed as P was somewhere in [P, P + 0.1). That
 * interval is what the quote rule is applied to: above the mid of both intervals a buy, below a sell. Within a locked
 * book and exactly in the mid it cannot decide, and the tick rule decides: a higher price than the last different one
 * is a buy, a lower one a sell. Without any history the recorded side is kept.
 */
import type { Side, Ticks } from '../../../domain/index.ts';

/** The step that book prices were cut to, in ticks of 0.01. */
export const STANDX_BOOK_STEP_TICKS = 10;

/** Best prices as printed; `undefined` for an empty side or before the first book. */
export interface PrintedBest {
  /** Printed best bid in ticks; `undefined`: none. */
  readonly bidTicks: Ticks | undefined;
  /** Printed best ask in ticks; `undefined`: none. */
  readonly askTicks: Ticks | undefined;
}

/** An aggressor and the rule that found it. */
export interface Aggressor {
  /** Side of the taker. */
  readonly side: Side;
  /** Rule that decided the side. */
  readonly rule: 'quote' | 'tick';
}

/** Finds aggressors of trades in order of time. */
export class AggressorRule {
  #lastTicks: Ticks | undefined;
  /** Direction of the last change of price; the recorded SELL until there is one. */
  #lastMove: Side = 'sell';

  /** The aggressor of a trade at `priceTicks` that met a book with these best prices. */
  of(priceTicks: Ticks, best: PrintedBest): Aggressor {
    if (this.#lastTicks !== undefined && priceTicks !== this.#lastTicks)
      this.#lastMove = priceTicks > this.#lastTicks ? 'buy' : 'sell';
    this.#lastTicks = priceTicks;
    const side = sideByQuote(priceTicks, best);
    return side === undefined ? { side: this.#lastMove, rule: 'tick' } : { side, rule: 'quote' };
  }
}

function sideByQuote(priceTicks: Ticks, { bidTicks, askTicks }: PrintedBest): Side | undefined {
  if (bidTicks === undefined || askTicks === undefined) return undefined;
  if (bidTicks === askTicks) {
    if (priceTicks < bidTicks) return 'sell';
    return priceTicks >= askTicks + STANDX_BOOK_STEP_TICKS ? 'buy' : undefined;
  }
  const distance = 2 * priceTicks - (bidTicks + askTicks + STANDX_BOOK_STEP_TICKS);
  if (distance === 0) return undefined;
  return distance > 0 ? 'buy' : 'sell';
}

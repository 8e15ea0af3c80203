/**
 * @module
 * The form of one check, and the words its messages are made of.
 */
import { formatScaled, type Whole } from '../../core/index.ts';
import { formatPrice, type Market, type OrderSpec, type Ticks } from '../../domain/index.ts';
import type { DenialCode } from './codes.ts';
import type { Refusal, ReviewContext } from './review-context.ts';

/** One control that looks at one order. */
export interface OrderCheck {
  /** Its number in docs/reference/denials.md. */
  readonly control: string;
  /** Every code it can answer with. */
  readonly codes: readonly DenialCode[];
  /** Why `spec` may not leave; `undefined`: this control has nothing against it. */
  review(spec: OrderSpec, scene: ReviewContext): Refusal<DenialCode> | undefined;
}

/** `amount` quantums as decimal text in the collateral of `market`. */
export function money(market: Market, amount: Whole): string {
  const scale = market.quantumsPerTickLot.toString().length - 1;
  return formatScaled(amount, market.priceDecimals + market.sizeDecimals + scale);
}

/** A price as decimal text; of a fraction of a tick, rounded for people. */
export function price(market: Market, ticks: number): string {
  return formatPrice(market, Math.round(ticks) as Ticks);
}

/** Parts per million as percent. */
export function percent(ppm: number): string {
  return `${formatScaled(Math.round(ppm), 4)} %`;
}

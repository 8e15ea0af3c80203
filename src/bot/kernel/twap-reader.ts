/**
 * @module
 * Time-weighted orders as strategies ask for them, to order specs. Its price is the limit that a slice would have now: all
 * that checks add up counts the whole size at that price.
 */
import type { JsonObject } from '../../core/index.ts';
import {
  formatSize,
  type Market,
  type OrderSpec,
  type Ticks,
  type TwapPlan,
  twapLimitTicks,
} from '../../domain/index.ts';
import { IntentProblem, isProblem, sizeOf } from './levels.ts';
import { type SpecNames, specOf } from './order-spec.ts';

const SLICES_MAX = 0xffff_ffff;
const PPM = 1_000_000;

/** What such an order is read with. */
export interface TwapContext {
  readonly names: SpecNames;
  /** The newest index price of the market, or the price that is used without one; `undefined`: no price has come. */
  readonly indexTicks?: Ticks | undefined;
}

/** A time-weighted order as a spec. */
export function readTwap(
  market: Market,
  draft: JsonObject,
  { names, indexTicks }: TwapContext,
): OrderSpec | IntentProblem {
  const { side, reduceOnly = false, slices, intervalMs, priceTolerancePpm } = draft;
  if (side !== 'buy' && side !== 'sell') return malformed('a side of buy or sell');
  if (typeof reduceOnly !== 'boolean') return malformed('a reduce-only flag');
  if (!isWithin(slices, 1, SLICES_MAX)) return malformed('a number of slices from 1');
  if (!isWithin(intervalMs, 1, Number.MAX_SAFE_INTEGER))
    return malformed('whole milliseconds between slices');
  if (!isWithin(priceTolerancePpm, 0, PPM - 1))
    return malformed('a price tolerance in parts per million below 1,000,000');
  const sizeLots = sizeOf(market, draft);
  if (isProblem(sizeLots)) return sizeLots;
  // As the exchange asks: no slice is empty.
  if (sizeLots < slices * market.lotStep)
    return new IntentProblem(
      'INTENT_SLICES_TOO_MANY',
      `expected at least ${formatSize(market, market.lotStep)} for each of ${slices} slices, got ${formatSize(market, sizeLots)} in all`,
    );
  if (indexTicks === undefined)
    return new IntentProblem(
      'INTENT_PRICE_UNKNOWN',
      `expected an index price of ${market.symbol}, by which slices are limited, got none yet`,
    );
  const twap: TwapPlan = { slices, intervalMs, priceTolerancePpm };
  const priceTicks = twapLimitTicks(market, side, { indexTicks, priceTolerancePpm });
  const terms = { symbol: market.symbol, side, timeInForce: 'ioc', reduceOnly, expiresAtMs: 0 } as const;
  return { ...specOf(names, terms, { priceTicks, sizeLots }), twap };
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}

function malformed(expected: string): IntentProblem {
  return new IntentProblem('INTENT_MALFORMED', `expected ${expected}, got something else`);
}

/**
 * @module
 * Levels as strategies give them, to ticks and lots. Strategies are code of others: nothing of their values is trusted,
 * and nothing is rounded (obligation O8).
 */
import { added, Decimal, isRecord, type JsonObject } from '../../core/index.ts';
import {
  formatPrice,
  formatSize,
  type Lots,
  type Market,
  PRICE_TICKS_MAX,
  parsePrice,
  parseSize,
  type QuoteLevel,
  type Ticks,
} from '../../domain/index.ts';
import type { IntentCode } from './intent-codes.ts';

/** Why a value of a strategy cannot be used. */
export class IntentProblem {
  /** See {@link isProblem}: a look along the prototypes of a value, for each level of a quote, costs more. */
  readonly isProblem = true;
  readonly code: IntentCode;
  readonly message: string;

  constructor(code: IntentCode, message: string) {
    this.code = code;
    this.message = message;
  }
}

/** What is said of a problem. */
export type ProblemText = Pick<IntentProblem, 'code' | 'message'>;

/** True if this is a problem, not a value that was made here. Not to be used on values of a strategy. */
export function isProblem(value: object): value is IntentProblem {
  return (value as Partial<IntentProblem>).isProblem === true;
}

/** The most levels on one side of a target. */
export const LEVELS_MAX = 100;

const NO_LEVELS: readonly QuoteLevel[] = [];

/** One side of a target in ticks and lots, or what is wrong with it. */
export function levelsOf(market: Market, levels: unknown): readonly QuoteLevel[] | IntentProblem {
  if (!Array.isArray(levels))
    return new IntentProblem('INTENT_MALFORMED', `expected a list of levels, got ${typeof levels}`);
  const count = Math.min(levels.length, LEVELS_MAX + 1);
  if (count > LEVELS_MAX)
    return new IntentProblem(
      'INTENT_LEVELS_TOO_MANY',
      `expected at most ${LEVELS_MAX} levels on a side, got ${count}`,
    );
  let out = NO_LEVELS;
  // By index: a list's own iterator may never end.
  for (let at = 0; at < count; at++) {
    const exact = levelOf(market, levels[at]);
    if (isProblem(exact)) return exact;
    out = added(out, exact);
  }
  return out;
}

/** One level in ticks and lots, or what is wrong with it. */
export function levelOf(market: Market, level: unknown): QuoteLevel | IntentProblem {
  if (!isRecord(level))
    return new IntentProblem('INTENT_MALFORMED', `expected a level with price and size, got ${typeof level}`);
  const priceTicks = priceOf(market, 'priceTicks' in level ? level['priceTicks'] : undefined, level['price']);
  if (typeof priceTicks === 'object') return priceTicks;
  const sizeLots = sizeOf(market, level);
  return isProblem(sizeLots) ? sizeLots : { priceTicks, sizeLots };
}

/** The size of `fields` in lots, given in lots or as a decimal, or what is wrong with it. */
export function sizeOf(market: Market, fields: JsonObject): Lots | IntentProblem {
  const sizeLots = 'sizeLots' in fields ? integer(fields['sizeLots']) : lotsOf(market, fields['size']);
  if (sizeLots === undefined || sizeLots % market.lotStep !== 0)
    return new IntentProblem(
      'INTENT_SIZE_OFF_LOT',
      `expected a size that is a multiple of ${formatSize(market, market.lotStep)}, got ${show(fields['sizeLots'] ?? fields['size'])}`,
    );
  return sizeLots as Lots;
}

/** A price in ticks, given in ticks or as a decimal, or what is wrong with it. */
export function priceOf(market: Market, inTicks: unknown, price: unknown): Ticks | IntentProblem {
  const priceTicks = inTicks === undefined ? ticksOf(market, price) : integer(inTicks);
  if (priceTicks !== undefined && priceTicks <= PRICE_TICKS_MAX && priceTicks % market.tickStep === 0)
    return priceTicks as Ticks;
  return new IntentProblem(
    'INTENT_PRICE_OFF_TICK',
    `expected a price that is a multiple of ${formatPrice(market, market.tickStep)}, got ${show(inTicks ?? price)}`,
  );
}

/** A decimal price in ticks; `undefined` when it does not fit. */
export function ticksOf(market: Market, price: unknown): Ticks | undefined {
  const text = textOf(price);
  return text === undefined ? undefined : parsePrice(market, text);
}

/** A decimal size in lots; `undefined` when it does not fit. */
export function lotsOf(market: Market, size: unknown): Lots | undefined {
  const text = textOf(size);
  return text === undefined ? undefined : parseSize(market, text);
}

function integer(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** A binary fraction is no decimal: `number` is refused. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Decimal ? value.toFixed() : undefined;
}

function show(value: unknown): string {
  const text = textOf(value) ?? (typeof value === 'number' ? `${value}` : typeof value);
  return text.slice(0, 40);
}

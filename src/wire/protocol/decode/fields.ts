/**
 * @module
 * What the exact decoders share: the numbers they decode by, and the nouns that every frame has. Fields are read by
 * `core/fields`, entries by their schema.
 */
import {
  FieldError,
  fieldOf,
  ID,
  type JsonObject,
  NATURAL,
  optionalOf,
  parseJson,
  TEXT,
} from '../../../core/index.ts';
import type { Epoch, Market, MarketSymbol, Seq } from '../../../domain/index.ts';
import type { Scale } from '../schema/schema.ts';
import { caught, type Decoded } from './decoded.ts';

/** What text is decoded by: the markets and the scale of collateral amounts. */
export interface DecodeContext {
  /** The definition of a market; `undefined`: not known. */
  market(symbol: MarketSymbol): Market | undefined;
  /** Of the collateral token (USDC: 6). */
  readonly collateralDecimals: number;
  /** Its number; default 0. */
  readonly collateralToken?: number;
}

/** Runs `read` on the JSON of `text`; what it throws for malformed input becomes a value. */
export function decoded<T>(text: string, read: (value: unknown) => T): Decoded<T> {
  return caught(() => read(parseJson(text)));
}

/** The market that `symbol` names. @throws FieldError */
export function marketOf(fields: JsonObject, context: DecodeContext): Market {
  const symbol = fieldOf(fields, 'symbol', TEXT);
  const market = context.market(symbol as MarketSymbol);
  if (market === undefined) throw new FieldError('symbol', 'a known market', symbol);
  return market;
}

/** How an entry of `market` is counted. */
export function scaleOf(
  { priceDecimals, sizeDecimals }: Market,
  { collateralDecimals }: DecodeContext,
): Scale {
  return { priceDecimals, sizeDecimals, collateralDecimals };
}

/** How an entry of no market is counted. */
export function amountScale(collateralDecimals: number): Scale {
  return { priceDecimals: 0, sizeDecimals: 0, collateralDecimals };
}

/** The log position of a frame or an answer, or `undefined` when it has none. */
export function optionalSeq(fields: JsonObject): Seq | undefined {
  return optionalOf(fields, 'seq', NATURAL, undefined) as Seq | undefined;
}

/** The ledger epoch of a frame or an answer, or `undefined` when it has none. */
export function optionalEpoch(fields: JsonObject): Epoch | undefined {
  return optionalOf(fields, 'epoch', ID, undefined) as Epoch | undefined;
}

/**
 * @module
 * What every file of this folder provides: the way from a command to canonical form and JSON body, and the way back.
 */
import { fieldOf, type JsonObject, oneOf, ProtocolError, TEXT } from '../../../core/index.ts';
import type { CanonicalCommand, MainWalletOperation, Market, MarketSymbol } from '../../../domain/index.ts';
import type { WriteContext } from '../write-context.ts';
import { BodyRefused } from './body-refused.ts';

/** A write before it is signed: where it goes, what is signed, what is shown. */
export interface PlannedWrite<Operation = CanonicalCommand> {
  /** Path of the request, without query. */
  readonly path: string;
  readonly canonical: Operation;
  /** The business body: goes into `composeWrite`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A write as the server understood it. */
export interface ReadWrite {
  readonly canonical: CanonicalCommand | MainWalletOperation;
  /** Labels of the placements, in their order: no codec carries them (exchange.md#command-bytes). */
  readonly clientOrderIds: readonly (string | undefined)[];
}

/** Reads the business body of one path. @throws FieldError */
export type ReadBody = (body: unknown, context: WriteContext) => ReadWrite;

/** The market of a command. @throws ProtocolError when the exchange has not listed it. */
export function listedMarket(context: WriteContext, symbol: MarketSymbol): Market {
  const market = context.market(symbol);
  if (market !== undefined) return market;
  throw new ProtocolError({
    code: 'PROTOCOL_MARKET_UNKNOWN',
    message: `expected a market of this environment, got ${JSON.stringify(symbol)}`,
    remedy: 'Check the symbol against the markets of the exchange.',
  });
}

/** The market that a body names. @throws BodyRefused */
export function namedMarket(context: WriteContext, body: JsonObject): Market {
  const symbol = fieldOf(body, 'symbol', TEXT);
  const market = context.market(symbol as MarketSymbol);
  if (market === undefined) throw new BodyRefused('UnknownMarket', 'symbol', 'a known market', symbol);
  return market;
}

/** The sides of an order in a body. */
export const SIDE = oneOf('buy', 'sell');

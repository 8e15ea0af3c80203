/**
 * @module
 * What an answer to a write must speak of: its request and its items. Made from the command, so that nothing in an
 * answer is believed that was not asked for.
 */
import {
  cancelsOf,
  type LaneCommand,
  type Market,
  type MarketSymbol,
  type OrderRef,
  type OrderSpec,
  placesOf,
  type RequestId,
} from '../../domain/index.ts';

/** What was asked. */
export interface Expected {
  readonly requestId: RequestId;
  readonly places: readonly OrderSpec[];
  readonly cancels: readonly OrderRef[];
  /** Cancel-all names orders that no command asked for by number. */
  readonly hasOpenItems: boolean;
  /** Whatever its items are, there is no request to compare them with. */
  readonly hasUnknownItems?: boolean;
  /** The definition of a market; `undefined`: not known. */
  market(symbol: MarketSymbol): Market | undefined;
}

/** What the answer to `command` must speak of. */
export function expectedOf(
  requestId: RequestId,
  command: LaneCommand,
  market: (symbol: MarketSymbol) => Market | undefined,
): Expected {
  return {
    requestId,
    places: placesOf(command),
    cancels: cancelsOf(command),
    hasOpenItems: command.kind === 'cancelAll',
    hasUnknownItems: command.kind === 'operation',
    market,
  };
}

/**
 * @module
 * What an answer to a write must speak of: its request and its items. Made from the command, so that nothing in an
 * answer is believed that was not asked for.
 */
import type { Command, Market, MarketSymbol, OrderRef, OrderSpec, RequestId } from '../domain/index.ts';

/** What was asked. */
export interface Expected {
  readonly requestId: RequestId;
  readonly places: readonly OrderSpec[];
  readonly cancels: readonly OrderRef[];
  /** Cancel-all names orders that nobody asked for by number. */
  readonly hasOpenItems: boolean;
  market(symbol: MarketSymbol): Market | undefined;
}

/** The placements of a command, in input order. */
export function placesOf(command: Command): readonly OrderSpec[] {
  return command.kind === 'place' || command.kind === 'replace' ? command.orders : [];
}

/** The cancels of a command, in input order. */
export function cancelsOf(command: Command): readonly OrderRef[] {
  if (command.kind === 'cancel') return command.orders;
  return command.kind === 'replace' ? command.cancels : [];
}

/** What the answer to `command` must speak of. */
export function expectedOf(
  requestId: RequestId,
  command: Command,
  market: (symbol: MarketSymbol) => Market | undefined,
): Expected {
  return {
    requestId,
    places: placesOf(command),
    cancels: cancelsOf(command),
    hasOpenItems: command.kind === 'cancelAll',
    market,
  };
}

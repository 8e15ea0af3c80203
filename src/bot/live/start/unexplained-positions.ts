/**
 * @module
 * What an account holds and no strategy of this bot owns. By the journal and the exchange's history each strategy knows
 * what it has; what the account holds beyond that was traded by others, or by orders that the journal does not know, or is
 * missing from the history. A start does not hand it to a strategy: it is accepted as nobody's, or nothing is placed.
 */
import { BotError } from '../../../core/index.ts';
import { type AccountState, formatSize, type Lots, type MarketSymbol } from '../../../domain/index.ts';
import type { Environment } from '../connect/environment.ts';

/** A market with lots that are not explained. */
export interface UnexplainedPosition {
  readonly symbol: MarketSymbol;
  /** What the account holds. */
  readonly positionLots: Lots;
  /** What no strategy owns. */
  readonly unownedLots: Lots;
  /** Of {@link unownedLots}, what was accepted before. */
  readonly acceptedLots: Lots;
}

/** The markets of `symbols` in which more or less is nobody's than was accepted. */
export function unexplainedPositions(
  symbols: readonly MarketSymbol[],
  account: Pick<AccountState, 'positionLots' | 'unownedLots'>,
  accepted: ReadonlyMap<MarketSymbol, Lots>,
): readonly UnexplainedPosition[] {
  return symbols.flatMap((symbol) => {
    const unownedLots = account.unownedLots(symbol);
    const acceptedLots = accepted.get(symbol) ?? (0 as Lots);
    if (unownedLots === acceptedLots) return [];
    return [{ symbol, positionLots: account.positionLots(symbol), unownedLots, acceptedLots }];
  });
}

/** One sentence for each market. */
export function describeUnexplained(
  found: readonly UnexplainedPosition[],
  { markets }: Pick<Environment, 'markets'>,
): string {
  return found
    .map(({ symbol, positionLots, unownedLots, acceptedLots }) => {
      const market = markets.get(symbol);
      const size = (lots: number): string => {
        const decimal = market === undefined ? '' : ` (${formatSize(market, lots as Lots)})`;
        return `${lots} lots${decimal}`;
      };
      const owned = positionLots - unownedLots;
      const before = acceptedLots === 0 ? '' : `, of which ${size(acceptedLots)} were accepted before`;
      return `${symbol}: the account holds ${size(positionLots)}, strategies own ${size(owned)}, nobody ${size(unownedLots)}${before}`;
    })
    .join('; ');
}

/** The refusal of a start. */
export function positionRefused(
  found: readonly UnexplainedPosition[],
  environment: Pick<Environment, 'markets'>,
): BotError {
  return new BotError({
    code: 'PREFLIGHT_ORPHAN_POSITION',
    message: `expected each position to be of a strategy, by this bot's journal and the exchange's history; ${describeUnexplained(found, environment)}`,
    remedy:
      "Find what traded. Close it, or start once with --accept-difference: it is nobody's then. account.orphanPositions: adopt accepts whatever is found.",
  });
}

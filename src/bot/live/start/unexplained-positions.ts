/**
 * @module
 * What an account holds and no strategy of this bot owns. By the journal and the exchange's history each strategy knows
 * what it has; what the account holds beyond that was traded by others, or by orders that the journal does not know, or is
 * missing from the history. A start does not hand it to a strategy: it is accepted as nobody's, or nothing is placed.
 */
import type { Config } from '../../../config/index.ts';
import { BotError, type Clock, type Log, must } from '../../../core/index.ts';
import { type AccountState, formatSize, type Lots, type MarketSymbol } from '../../../domain/index.ts';
import type { Journal } from '../../journal/index.ts';
import type { Environment } from '../connect/environment.ts';
import { waitFor } from './wait-for.ts';

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

/** What an explanation works with. */
export interface ExplainOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Log;
  /** A position that is of no strategy is accepted as nobody's, this once. */
  readonly acceptsDifference?: boolean | undefined;
  readonly symbols: readonly MarketSymbol[];
  readonly account: AccountState;
  readonly journal: Journal;
}

/** How often it looks whether a write has its outcome, ms. */
const POLL_MS = 10;

/** Every position belongs to a strategy, or was accepted as nobody's. @throws BotError `PREFLIGHT_ORPHAN_POSITION`. */
export async function explainPositions(options: ExplainOptions): Promise<void> {
  const { config, environment, clock, log, acceptsDifference, symbols, account, journal } = options;
  const look = () => unexplainedPositions(symbols, account, journal.accepted());
  // What waits for a write without an outcome may turn out to be of its strategy.
  const holds = () => look().length === 0 || account.pendingWrites().length === 0;
  await waitFor({ clock, budget: environment.gateway.budget }, { holds, pollMs: POLL_MS });
  const found = look();
  if (found.length === 0) return;
  if (acceptsDifference !== true && config.account.orphanPositions !== 'adopt')
    throw positionRefused(found, environment);
  const accepted = found.map(({ symbol, unownedLots }) => ({ symbol, sizeLots: unownedLots }));
  const epoch = must(journal.cursors(), 'the cursors of a synced account').epoch;
  await journal.recordEffects({ epoch, fills: [], ledger: [], accepted });
  log.warn("positions are accepted as nobody's", { what: describeUnexplained(found, environment) });
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

/** @module What an action is about: the account, a market or a strategy of the run, by its name. */
import { BotError, lineOf, nearestName, optional } from '../../core/index.ts';
import type { MarketSymbol, StrategyId } from '../../domain/index.ts';
import type { BotStatus } from '../kernel/index.ts';
import type { TradingScope } from '../risk/index.ts';

/** The parameters by which an action names its scope; neither: the account. */
export const SCOPE = {
  strategy: optional<string>(lineOf('the name of a strategy'), 'Only this strategy', 'the account'),
  market: optional<string>(lineOf('the symbol of a market'), 'Only this market', 'the account'),
} as const;

/** The scope that two names mean. @throws BotError `CONTROL_INVALID` for an unknown name, or for both. */
export function namedScope(
  { strategy, market }: { readonly strategy: string | undefined; readonly market: string | undefined },
  status: Pick<BotStatus, 'strategies' | 'markets'>,
): TradingScope {
  if (strategy !== undefined && market !== undefined)
    throw invalid('market', 'a strategy or a market, not both', market);
  if (strategy !== undefined) return { kind: 'strategy', strategyId: strategyOf(strategy, status) };
  if (market === undefined) return { kind: 'account' };
  const symbols = status.markets.map(({ symbol }) => symbol);
  return { kind: 'market', symbol: oneOf('market', market, symbols) as MarketSymbol };
}

/** A strategy of the run. @throws BotError `CONTROL_INVALID` with the name that is most like it. */
export function strategyOf(name: string, { strategies }: Pick<BotStatus, 'strategies'>): StrategyId {
  return oneOf(
    'strategy',
    name,
    strategies.map(({ id }) => id),
  ) as StrategyId;
}

/** The words for a scope. */
export function describeScope(scope: TradingScope): string {
  if (scope.kind === 'account') return 'account';
  return scope.kind === 'market' ? `market ${scope.symbol}` : `strategy ${scope.strategyId}`;
}

/** The error of one parameter of an action. */
export function invalid(field: string, expected: string, found: string): BotError {
  return new BotError({
    code: 'CONTROL_INVALID',
    message: `${field}: expected ${expected}, got ${JSON.stringify(found)}`,
    remedy: 'Correct the parameter named above; `ballast status` lists strategies, parameters and markets.',
    details: { field },
  });
}

function oneOf(field: string, name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const nearest = nearestName(known, name);
  const hint = nearest === undefined ? '' : ` (most like it: ${nearest})`;
  throw invalid(field, `one of ${known.join(', ')}${hint}`, name);
}

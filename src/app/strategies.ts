/**
 * @module
 * Loads the strategies a configuration names and checks their parameters; what is wrong is reported with the place in
 * the file, all of it at once. Makes no instance, connects to nothing.
 */
import { type ConfigSource, type Finding, invalid } from '../config/index.ts';
import type { LaneId, MarketSymbol, StrategyId } from '../domain/index.ts';
import { type LoadedStrategy, loadStrategy, type StrategySetup } from '../runtime/index.ts';
import { limitsOf } from './risk-limits.ts';

const MONEY_DECIMALS_CHECKED = 6;

/** A strategy that was loaded, with its place in the configuration. */
export interface PreparedStrategy extends LoadedStrategy {
  readonly name: string;
  readonly symbols: readonly MarketSymbol[];
  readonly parameters: unknown;
  /** Name of its wallet, `undefined`: the first trading wallet. */
  readonly wallet: string | undefined;
}

/**
 * Loads and checks all strategies, and the limits they will run under.
 * @throws ConfigError `STRATEGY_...` for a module, `CONFIG_INVALID` for parameters, `RISK_LIMIT_INVALID` for a limit.
 */
export async function prepareStrategies(source: ConfigSource): Promise<readonly PreparedStrategy[]> {
  const prepared: PreparedStrategy[] = [];
  const findings: Finding[] = [];
  for (const [at, strategy] of source.config.strategies.entries()) {
    const loaded = await loadStrategy(strategy.module);
    const checked = loaded.definition.check(strategy.parameters);
    if (!checked.isValid)
      for (const problem of checked.problems)
        findings.push(source.find(['strategies', at, 'parameters', ...problem.path], problem.expected));
    prepared.push({
      ...loaded,
      name: strategy.name,
      symbols: strategy.markets,
      parameters: strategy.parameters,
      wallet: strategy.wallet,
    });
  }
  if (findings.length > 0) throw invalid(findings);
  // Limits are checked against their compiled ceilings as well; the scale of money does not matter for that.
  limitsOf(source.config, MONEY_DECIMALS_CHECKED);
  return prepared;
}

/** The strategies with the lanes of their wallets. */
export function setupsOf(
  prepared: readonly PreparedStrategy[],
  lanes: { readonly byWallet: ReadonlyMap<string, LaneId>; readonly first: LaneId },
): readonly StrategySetup[] {
  return prepared.map(({ name, definition, parameters, symbols, wallet }) => ({
    id: name as StrategyId,
    definition,
    parameters,
    symbols,
    lane: (wallet === undefined ? undefined : lanes.byWallet.get(wallet)) ?? lanes.first,
  }));
}

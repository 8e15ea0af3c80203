/**
 * @module
 * Loads the strategies a configuration names and checks their parameters; what is wrong is reported with the location
 * in the file, all of it at once. Makes no instance, connects to nothing.
 */
import { type ConfigSource, type Finding, invalid } from '../../config/index.ts';
import type { LaneId, MarketSymbol, StrategyId } from '../../domain/index.ts';
import type { StrategySetup } from '../kernel/index.ts';
import { loadError } from './load-error.ts';
import { hashOfStrategy, type LoadedStrategy, loadStrategy } from './loader.ts';
import { pin } from './pinned-code.ts';

/** A strategy that was loaded, with its location in the configuration. */
export interface PreparedStrategy extends LoadedStrategy {
  /** Name of the strategy. */
  readonly name: string;
  readonly symbols: readonly MarketSymbol[];
  /** Parameters, checked. */
  readonly parameters: unknown;
  /** Name of its wallet, `undefined`: the first trading wallet. */
  readonly wallet: string | undefined;
}

/**
 * Loads and checks all strategies. Code other than the configuration names is refused before any of it runs.
 * @throws ConfigError `STRATEGY_...` for a module, `CONFIG_INVALID` for parameters and with the hash that code has now.
 */
export async function prepareStrategies(source: ConfigSource): Promise<readonly PreparedStrategy[]> {
  refuseOtherCode(source);
  const prepared: PreparedStrategy[] = [];
  const findings: Finding[] = [];
  for (const [at, strategy] of source.config.strategies.entries()) {
    const loaded = await loadStrategy(strategy.module);
    const checked = checkedBy(loaded, strategy.parameters);
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
  return prepared;
}

function refuseOtherCode(source: ConfigSource): void {
  const changed = source.config.strategies.flatMap(({ module, sha256 }, at) => {
    if (sha256 === 'any') return [];
    const now = hashOfStrategy(module);
    if (sha256 === now) return [];
    const expected = `the SHA-256 of ${module}, which is ${now}: read what has changed, then write this`;
    return [source.find(['strategies', at, 'sha256'], expected)];
  });
  if (changed.length > 0) throw invalid(changed);
  for (const { module, sha256 } of source.config.strategies) if (sha256 !== 'any') pin(module);
}

/** What the schema of a strategy says of `parameters`: code of its author, which may throw. */
function checkedBy({ definition, file }: LoadedStrategy, parameters: unknown) {
  try {
    return definition.check(parameters);
  } catch (thrown) {
    throw loadError(file, thrown);
  }
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

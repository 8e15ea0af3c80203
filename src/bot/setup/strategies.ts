/**
 * @module
 * Loads the strategies a configuration names and checks their parameters; what is wrong is reported with the location
 * in the file, all of it at once. Makes no instance, connects to nothing.
 */
import { type ConfigSource, type Finding, invalid } from '../../config/index.ts';
import type { LaneId, MarketSymbol, StrategyId } from '../../domain/index.ts';
import type { StrategySetup } from '../kernel/index.ts';
import { misspeltTopics } from '../strategy/index.ts';
import { readLock, refuseUnlocked, writeLock } from './code-lock.ts';
import { loadError } from './load-error.ts';
import { codeOfStrategy, hashOfStrategy, type LoadedStrategy, loadStrategy } from './loader.ts';
import { type CodeSet, pin, pinnedCode } from './pinned-code.ts';

/** A strategy that was loaded, with its location in the configuration. */
export interface PreparedStrategy extends LoadedStrategy {
  /** Name of the strategy. */
  readonly name: string;
  readonly symbols: readonly MarketSymbol[];
  /** Parameters, checked. */
  readonly parameters: unknown;
  /** Name of its wallet, `undefined`: the first trading wallet. */
  readonly wallet: string | undefined;
  /** Views are shown as frozen copies. Default: as they are. */
  readonly freezeViews?: boolean;
  /** How long its orders live where it states nothing itself, ms. Default: no end. */
  readonly orderLifetimeMs?: number;
}

/**
 * Loads and checks all strategies. Code other than the configuration or its lock names is refused before any of it runs.
 * @throws ConfigError `STRATEGY_...` for a module, `CONFIG_INVALID` for parameters and with the hash that code has now.
 */
export async function prepareStrategies(source: ConfigSource): Promise<readonly PreparedStrategy[]> {
  const { file } = source.config;
  refuseOtherCode(source);
  const locked = readLock(file);
  if (locked !== undefined) {
    refuseUnlocked(file, locked, codeOfAll(source));
    pin(locked);
  }
  return await load(source);
}

/**
 * As {@link prepareStrategies} whatever the lock of the configuration says, and writes that lock: the files that were
 * loaded. Gives their number too. @throws ConfigError `STRATEGY_LOCK_UNWRITABLE` too.
 */
export async function lockStrategies(source: ConfigSource) {
  refuseOtherCode(source);
  pin(codeOfAll(source), { mayGrow: true });
  const strategies = await load(source);
  const code = pinnedCode();
  writeLock(source.config.file, code);
  return { strategies, files: code.size };
}

/** Holds the strategy in `file` to the code that its hash covers. @throws ConfigError `STRATEGY_FILE_UNREADABLE`. */
export function pinStrategy(file: string): void {
  pin(codeOfStrategy(file));
}

function codeOfAll({ config }: ConfigSource): CodeSet {
  return new Map(config.strategies.flatMap(({ module }) => [...codeOfStrategy(module)]));
}

async function load(source: ConfigSource): Promise<readonly PreparedStrategy[]> {
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
      freezeViews: strategy.freezeViews,
      ...(strategy.orderLifetime === undefined ? {} : { orderLifetimeMs: strategy.orderLifetime }),
    });
  }
  for (const { at, heard, meant } of misspeltTopics(prepared.map((one) => one.definition)))
    findings.push(
      source.find(
        ['strategies', at, 'module'],
        `a strategy that hears topics which others publish, got ${heard} (did you mean ${meant}, which nobody hears?)`,
      ),
    );
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
  for (const { module, sha256 } of source.config.strategies) if (sha256 !== 'any') pinStrategy(module);
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
  return prepared.map(
    ({ name, definition, parameters, symbols, wallet, freezeViews, orderLifetimeMs = 0 }) => ({
      id: name as StrategyId,
      definition,
      parameters,
      symbols,
      freezeViews: freezeViews === true,
      orderLifetimeMs,
      lane: (wallet === undefined ? undefined : lanes.byWallet.get(wallet)) ?? lanes.first,
    }),
  );
}

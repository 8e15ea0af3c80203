/**
 * @module
 * What must hold between the sections of a configuration. Each rule yields the path it is about.
 */
import { valueAt, type YamlPath } from '../core/yaml/index.ts';
import { CAPITAL_PERCENT_MAX, type ConfigValues } from './sections.ts';

/** One broken rule. */
export interface RuleBreak {
  /** Path of the key. */
  readonly path: YamlPath;
  /** What the rule requires. */
  readonly expected: string;
  /** What the configuration has; absent: the value at the path. */
  readonly found?: string;
}

/** Rules with the sections that they read. */
interface Rules {
  readonly of: readonly (keyof ConfigValues)[];
  check(config: ConfigValues): Iterable<RuleBreak>;
}

const RULES: readonly Rules[] = [
  { of: ['strategies'], check: ({ strategies }) => repeated(strategies, 'strategies') },
  { of: ['wallets'], check: ({ wallets }) => repeated(wallets, 'wallets') },
  { of: ['environment'], check: streamRules },
  { of: ['wallets'], check: keySourceRules },
  { of: ['markets'], check: repeatedSymbols },
  { of: ['deadMansSwitch'], check: switchRules },
  { of: ['deadMansSwitch', 'risk'], check: remainingRules },
  { of: ['risk'], check: capitalRules },
  { of: ['environment', 'wallets'], check: gatewayRules },
  { of: ['markets', 'wallets', 'strategies'], check: strategyRules },
  { of: ['strategies', 'risk'], check: lifetimeRules },
  { of: ['markets', 'paper'], check: paperRules },
  { of: ['environment', 'account'], check: vaultRules },
];

/** A key that does something only while another key of its section has one of some values: else it would be ignored. */
type ConditionalKey = readonly [
  section: keyof ConfigValues,
  key: string,
  by: string,
  values: readonly string[],
];

const CONDITIONAL_KEYS: readonly ConditionalKey[] = [
  ['feeds', 'url', 'kind', ['http', 'ws']],
  ['feeds', 'file', 'kind', ['file']],
  ['feeds', 'pollInterval', 'kind', ['http', 'file']],
  ['feeds', 'idleTimeout', 'kind', ['ws']],
  ['feeds', 'subscribe', 'kind', ['ws']],
  ['paper', 'queueExponent', 'fillModel', ['queue-power']],
  ['paper', 'feedClockOffset', 'feedLatency', ['in-data']],
  ['sweep', 'trials', 'method', ['random', 'nsga2']],
  ['sweep', 'seed', 'method', ['random', 'nsga2']],
  ['sweep', 'population', 'method', ['nsga2']],
];

/**
 * All broken rules between the sections that hold; one that reads another section is not evaluated. `given`: the value at
 * a path as the file has it, without defaults.
 */
export function* brokenRules(
  config: Partial<ConfigValues>,
  given: (path: YamlPath) => unknown,
): Generator<RuleBreak> {
  for (const { of, check } of RULES)
    if (of.every((section) => config[section] !== undefined)) yield* check(config as ConfigValues);
  for (const row of CONDITIONAL_KEYS) yield* ignoredKeys(row, config, given);
}

function* ignoredKeys(
  [section, key, by, values]: ConditionalKey,
  config: Partial<ConfigValues>,
  given: (path: YamlPath) => unknown,
): Generator<RuleBreak> {
  const block = config[section];
  const blocks = Array.isArray(block) ? block.map((_, at) => [section, at]) : [[section]];
  for (const path of blocks) {
    const value = valueAt(config, [...path, by]);
    const word = String(typeof value === 'object' ? valueAt(value, ['kind']) : value);
    if (block === undefined || values.includes(word) || given([...path, key]) === undefined) continue;
    const expected = `nothing, since ${by} ${word} does not use it (${by} ${values.join(' or ')} does)`;
    yield { path: [...path, key], expected };
  }
}

/** Streams of an account go over TLS where its requests do. */
function* streamRules({ environment: { baseUrl, wsUrl } }: ConfigValues): Generator<RuleBreak> {
  if (wsUrl?.startsWith('ws:') && baseUrl?.startsWith('https:'))
    yield { path: ['environment', 'wsUrl'], expected: 'a wss URL, as baseUrl is https', found: wsUrl };
}

/** Each wallet has its key in one place. */
function* keySourceRules({ wallets }: ConfigValues): Generator<RuleBreak> {
  for (const [at, { keyFile, passwordFile, signer }] of wallets.entries()) {
    if (keyFile === undefined && signer === undefined)
      yield {
        path: ['wallets', at, 'keyFile'],
        expected: 'a file with its key, or a signer',
        found: 'nothing',
      };
    if (signer !== undefined && (keyFile ?? passwordFile) !== undefined)
      yield { path: ['wallets', at, 'signer'], expected: 'either a signer or a key file', found: 'both' };
  }
}

function* switchRules({ deadMansSwitch: { heartbeat, timeout } }: ConfigValues): Generator<RuleBreak> {
  if (timeout < 3 * heartbeat)
    yield {
      path: ['deadMansSwitch', 'timeout'],
      expected: 'at least three heartbeats, so that one lost heartbeat cancels nothing',
      found: `${timeout}ms`,
    };
}

function* remainingRules({
  risk,
  deadMansSwitch: { heartbeat, timeout },
}: ConfigValues): Generator<RuleBreak> {
  const { minSwitchTimeLeft } = risk;
  if (timeout >= 3 * heartbeat && minSwitchTimeLeft > timeout - 2 * heartbeat)
    yield {
      path: ['risk', 'minSwitchTimeLeft'],
      expected: `at most the timeout less two heartbeats (${timeout - 2 * heartbeat}ms), so that one lost heartbeat stops no quotes`,
      found: `${minSwitchTimeLeft}ms`,
    };
}

/** An amount is bounded by the percentage that may stand in its place. */
function* capitalRules({ risk }: ConfigValues): Generator<RuleBreak> {
  for (const [key, percentMax] of Object.entries(CAPITAL_PERCENT_MAX)) {
    const limit = risk[key as keyof typeof CAPITAL_PERCENT_MAX];
    const most = risk.capital.times(percentMax).div(100);
    if (limit?.kind === 'amount' && limit.amount.gt(most))
      yield {
        path: ['risk', key],
        expected: `at most ${percentMax}% of the capital, which is ${most.toFixed()}`,
      };
  }
}

/** A vault is one of a gateway, and is traded by who manages it. */
function* vaultRules({ environment, account }: ConfigValues): Generator<RuleBreak> {
  if (account.vault === undefined) return;
  if (environment.name === 'sim')
    yield { path: ['account', 'vault'], expected: 'no vault in environment sim, whose exchange has none' };
  if (account.address === undefined)
    yield {
      path: ['account', 'address'],
      expected: 'the main wallet that manages the vault',
      found: 'nothing',
    };
}

function* paperRules(config: ConfigValues): Generator<RuleBreak> {
  const { markets, feeTiers, entryLatency, responseLatency } = config.paper;
  const symbols = new Set(config.markets.map((market) => market.symbol));
  const seen = new Set<string>();
  for (const [at, { symbol }] of markets.entries()) {
    const path = ['paper', 'markets', at, 'symbol'];
    if (!symbols.has(symbol))
      yield { path, expected: `one of ${[...symbols].join(', ')} (section markets)`, found: symbol };
    if (seen.has(symbol)) yield { path, expected: 'each market once', found: `${symbol} again` };
    seen.add(symbol);
  }
  for (const [at, { minVolume30d }] of feeTiers.entries()) {
    const before = feeTiers[at - 1];
    if (before !== undefined && minVolume30d.lte(before.minVolume30d))
      yield {
        path: ['paper', 'feeTiers', at, 'minVolume30d'],
        expected: `more than ${before.minVolume30d.toFixed()}, the tier before`,
        found: minVolume30d.toFixed(),
      };
  }
  for (const [key, value] of Object.entries({ entryLatency, responseLatency }))
    if (value.kind === 'in-data')
      yield { path: ['paper', key], expected: 'a duration or a file: no tape holds it', found: 'in-data' };
}

function* gatewayRules(config: ConfigValues): Generator<RuleBreak> {
  if (config.environment.name === 'sim') return;
  if (config.environment.baseUrl === undefined)
    yield {
      path: ['environment', 'baseUrl'],
      expected: 'the base URL the operator gave you',
      found: 'nothing',
    };
  if (config.wallets.filter((wallet) => wallet.role === 'safety').length > 1)
    yield { path: ['wallets'], expected: 'at most one wallet of role safety', found: 'several' };
}

function* strategyRules(config: ConfigValues): Generator<RuleBreak> {
  const symbols = new Set(config.markets.map((market) => market.symbol));
  const wallets = new Set(
    config.wallets.filter((wallet) => wallet.role === 'trading').map((wallet) => wallet.name),
  );
  for (const [at, strategy] of config.strategies.entries()) {
    for (const [index, symbol] of strategy.markets.entries()) {
      if (symbols.has(symbol)) continue;
      yield {
        path: ['strategies', at, 'markets', index],
        expected: `one of ${[...symbols].join(', ')} (section markets)`,
        found: symbol,
      };
    }
    if (strategy.wallet !== undefined && !wallets.has(strategy.wallet))
      yield {
        path: ['strategies', at, 'wallet'],
        expected: `the name of a wallet of role trading (${[...wallets].join(', ') || 'none is declared'})`,
        found: strategy.wallet,
      };
  }
}

function* lifetimeRules({ strategies, risk: { maxOrderLifetime } }: ConfigValues): Generator<RuleBreak> {
  for (const [at, { orderLifetime }] of strategies.entries())
    if (orderLifetime !== undefined && orderLifetime > maxOrderLifetime)
      yield {
        path: ['strategies', at, 'orderLifetime'],
        expected: `at most risk.maxOrderLifetime (${maxOrderLifetime}ms), since a longer one is denied (P14)`,
        found: `${orderLifetime}ms`,
      };
}

function* repeated(items: readonly { readonly name: string }[], section: string): Generator<RuleBreak> {
  const seen = new Set<string>();
  for (const [at, item] of items.entries()) {
    if (seen.has(item.name))
      yield { path: [section, at, 'name'], expected: 'a name of its own', found: `${item.name} again` };
    seen.add(item.name);
  }
}

function* repeatedSymbols(config: ConfigValues): Generator<RuleBreak> {
  const seen = new Set<string>();
  for (const [at, market] of config.markets.entries()) {
    if (seen.has(market.symbol))
      yield {
        path: ['markets', at, 'symbol'],
        expected: 'each market once',
        found: `${market.symbol} again`,
      };
    seen.add(market.symbol);
  }
}

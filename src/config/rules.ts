/**
 * @module
 * What must hold between the sections of a configuration. Each rule yields the path it is about.
 */
import type { ConfigValues } from './sections.ts';

/** One broken rule. */
export interface RuleBreak {
  /** Path of the key. */
  readonly path: readonly PropertyKey[];
  /** What the rule requires. */
  readonly expected: string;
  /** What the configuration has. */
  readonly found: string;
}

/** The stop before the end of a grant may come earlier, not later. */
const GRANT_LEFT_MS_MIN = 120_000;

/** Rules with the sections that they read. */
interface Rules {
  readonly of: readonly (keyof ConfigValues)[];
  check(config: ConfigValues): Iterable<RuleBreak>;
}

const RULES: readonly Rules[] = [
  { of: ['strategies'], check: ({ strategies }) => repeated(strategies, 'strategies') },
  { of: ['wallets'], check: ({ wallets }) => repeated(wallets, 'wallets') },
  { of: ['markets'], check: repeatedSymbols },
  { of: ['deadMansSwitch'], check: switchRules },
  { of: ['deadMansSwitch', 'risk'], check: remainingRules },
  { of: ['risk'], check: grantRules },
  { of: ['environment', 'account', 'wallets'], check: liveRules },
  { of: ['markets', 'wallets', 'strategies'], check: strategyRules },
  { of: ['markets', 'paper'], check: paperRules },
];

/** All broken rules between the sections that hold; one that reads another section is not evaluated. */
export function* brokenRules(config: Partial<ConfigValues>): Generator<RuleBreak> {
  for (const { of, check } of RULES)
    if (of.every((section) => config[section] !== undefined)) yield* check(config as ConfigValues);
}

function* switchRules({ deadMansSwitch: { heartbeat, timeout } }: ConfigValues): Generator<RuleBreak> {
  if (heartbeat < 1000 || heartbeat > 10_000)
    yield { path: ['deadMansSwitch', 'heartbeat'], expected: 'from 1s to 10s', found: `${heartbeat}ms` };
  if (timeout < 3 * heartbeat || timeout > 120_000)
    yield {
      path: ['deadMansSwitch', 'timeout'],
      expected: 'at least three heartbeats and at most 2m, so that one lost heartbeat cancels nothing',
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

function* grantRules({ risk: { minGrantTimeLeft } }: ConfigValues): Generator<RuleBreak> {
  if (minGrantTimeLeft < GRANT_LEFT_MS_MIN)
    yield { path: ['risk', 'minGrantTimeLeft'], expected: 'at least 2m', found: `${minGrantTimeLeft}ms` };
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

function* liveRules(config: ConfigValues): Generator<RuleBreak> {
  if (config.environment.name === 'sim') return;
  if (config.environment.baseUrl === undefined)
    yield {
      path: ['environment', 'baseUrl'],
      expected: 'the base URL the operator gave you',
      found: 'nothing',
    };
  if (config.account.address === undefined)
    yield { path: ['account', 'address'], expected: 'the main wallet address', found: 'nothing' };
  if (!config.wallets.some((wallet) => wallet.role === 'trading'))
    yield { path: ['wallets'], expected: 'at least one wallet of role trading', found: 'none' };
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

/**
 * @module
 * Subjects of examinations: from a configuration with its parameters and limits, or from a module alone, whose parameters
 * are given or, where a schema needs more, tried out.
 */
import { basename, dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RiskLimits, riskLimits } from '../../bot/risk/index.ts';
import { INSTALLED_STRATEGIES, limitsOf, loadStrategy, prepareStrategies } from '../../bot/setup/index.ts';
import { describeProblem, type StrategyDefinition } from '../../bot/strategy/index.ts';
import { loadConfig } from '../../config/index.ts';
import { ConfigError, parseJson } from '../../core/index.ts';
import { type MarketSymbol, quantums, type StrategyId } from '../../domain/index.ts';
import type { ExamOptions } from './examine.ts';
import { HiddenInputs } from './hidden-inputs.ts';
import type { Subject } from './subject.ts';

/** What is given beside the module. */
export interface SubjectOptions {
  /** Parameters as `name=value`. */
  readonly set?: readonly string[] | undefined;
  /** Symbols; absent: one market, or those of the configuration. */
  readonly markets?: readonly string[] | undefined;
}

/** A subject with where it came from. */
export interface LoadedSubject {
  readonly subject: Subject;
  readonly file: string;
  readonly sha256: string;
  /** Hidden inputs that were used while it was loaded. */
  readonly loading: NonNullable<ExamOptions['loading']>;
}

const COLLATERAL_DECIMALS = 6;
const CAPITAL = quantums(100_000n * 10n ** BigInt(COLLATERAL_DECIMALS));
/** An order that is being replaced counts with its replacement, and one whose answer is missing counts too. */
const ROOM = 4;

/**
 * The strategy of a module, of a bundled one's name, or each strategy of a configuration.
 * @throws ConfigError `STRATEGY_...`, `CONFIG_...`, `EXAMINE_PARAMETERS_NEEDED`.
 */
export async function loadSubjects(
  path: string,
  options: SubjectOptions = {},
): Promise<readonly LoadedSubject[]> {
  return ['.yaml', '.yml'].includes(extname(path))
    ? ofConfiguration(path, options)
    : [await ofModule(path, options)];
}

async function ofConfiguration(
  path: string,
  { set = [], markets }: SubjectOptions,
): Promise<readonly LoadedSubject[]> {
  const source = loadConfig(path);
  const folders = source.config.strategies.map(({ module }) => dirname(module));
  const { result, loading } = await watched(folders, () => prepareStrategies(source));
  const limits = limitsOf(source.config, COLLATERAL_DECIMALS);
  return result.map((one) => ({
    subject: {
      ...{ name: one.name, definition: one.definition, symbols: markets ?? one.symbols },
      parameters: { ...(one.parameters as Readonly<Record<string, unknown>>), ...settings(set) },
      limits: (symbols) => roomy(limits, symbols),
    },
    ...{ file: one.file, sha256: one.sha256, loading },
  }));
}

async function ofModule(path: string, { set = [], markets }: SubjectOptions): Promise<LoadedSubject> {
  const file = /^[a-z][a-z0-9-]*$/.test(path) ? `${INSTALLED_STRATEGIES}${path}/index.ts` : resolve(path);
  const { result, loading } = await watched([dirname(file)], () => loadStrategy(file));
  const { definition, sha256 } = result;
  const symbols = markets ?? ['BTC-USD'];
  const parameters = filledIn(definition, settings(set), basename(file));
  return { subject: subjectOf(definition, parameters, symbols), file, sha256, loading };
}

/** A strategy with its parameters, held to the default limits of a capital of 100,000. */
export function subjectOf(
  definition: StrategyDefinition,
  parameters: Readonly<Record<string, unknown>>,
  symbols: readonly string[] = ['BTC-USD'],
): Subject {
  return { name: definition.name, definition, parameters, symbols, limits: defaultLimits };
}

function defaultLimits(symbols: readonly string[]): RiskLimits {
  const limits = riskLimits({ capital: CAPITAL, symbols: symbols as readonly MarketSymbol[] });
  const strategyDefaults = { ...limits.strategyDefaults, isPostOnly: false };
  return roomy({ ...limits, strategyDefaults }, symbols);
}

/** Limits with room for what is being replaced. What a strategy loses in a scenario is the scenario's doing. */
function roomy(limits: RiskLimits, symbols: readonly string[]): RiskLimits {
  const of = <Limits extends RiskLimits['strategyDefaults']>(one: Limits): Limits => ({
    ...one,
    ordersMax: one.ordersMax * ROOM,
    openNotionalMax: quantums(one.openNotionalMax * BigInt(ROOM)),
    lossMax: limits.capital,
  });
  return {
    ...limits,
    allowedSymbols: new Set(symbols as readonly MarketSymbol[]),
    openOrdersPerSideMax: limits.openOrdersPerSideMax * ROOM,
    openOrdersMax: limits.openOrdersMax * ROOM,
    openNotionalMax: quantums(limits.openNotionalMax * BigInt(ROOM)),
    openNotionalPerMarketMax: quantums(limits.openNotionalPerMarketMax * BigInt(ROOM)),
    isSwitchRequired: false,
    strategies: new Map<StrategyId, RiskLimits['strategyDefaults']>(
      Array.from(limits.strategies, ([id, one]) => [id, of(one)]),
    ),
    strategyDefaults: of(limits.strategyDefaults),
  };
}

/** Loads modules in these folders, and keeps what they use meanwhile. */
async function watched<T>(
  folders: readonly string[],
  load: () => Promise<T>,
): Promise<{ readonly result: T; readonly loading: LoadedSubject['loading'] }> {
  const loading: { readonly kind: string; readonly name: string }[] = [];
  const inputs = new HiddenInputs((kind, name) => loading.push({ kind, name }));
  inputs.loading = folders.map((folder) => `${pathToFileURL(folder).href}/`);
  inputs.install();
  try {
    return { result: await load(), loading };
  } finally {
    inputs.remove();
  }
}

/** @throws ConfigError `CONFIG_SET_INVALID`. */
function settings(set: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    set.map((one) => {
      const [, name, value = ''] = /^([^=]+)=(.*)$/.exec(one) ?? [];
      if (name !== undefined) return [name, value.startsWith('[') ? parseJson(value) : value] as const;
      throw new ConfigError({
        code: 'CONFIG_SET_INVALID',
        message: `expected --set parameter=value, got ${one}`,
        remedy: 'Write --set size=0.01.',
      });
    }),
  );
}

/** Values that are tried for a parameter that must be given, by its kind. */
const TRIED: Readonly<Record<string, readonly unknown[]>> = {
  decimal: ['0.01', '0.001', '0.1', '1', '0.5', '10', '100', '1000', '0.00002'],
  integer: ['10', '1', '100', '1000', '3'],
  ppm: ['100', '10', '1000', '0'],
  durationMs: ['1s', '10s', '1m', '250ms'],
  symbol: ['BTC-USD'],
  text: ['text'],
};

/** The given parameters, with one value of its kind for each that is missing. @throws ConfigError `EXAMINE_PARAMETERS_NEEDED`. */
function filledIn(
  definition: StrategyDefinition,
  given: Readonly<Record<string, unknown>>,
  file: string,
): Readonly<Record<string, unknown>> {
  const open = definition.forms().filter(({ name, isRequired }) => isRequired && !(name in given));
  const tries = new Map<string, { readonly values: readonly unknown[]; at: number }>(
    open.map((form) => [form.name, { values: TRIED[form.kind] ?? form.edges, at: 0 }]),
  );
  for (;;) {
    const filled = Object.fromEntries(
      Array.from(tries, ([name, { values, at }]) => [name, values[at]] as const),
    );
    const checked = definition.check({ ...filled, ...given });
    if (checked.isValid) return { ...filled, ...given };
    const wrong = checked.problems
      .map(({ path: [name] }) => tries.get(String(name)))
      .find((one) => one !== undefined && one.at + 1 < one.values.length);
    if (wrong !== undefined) wrong.at++;
    else
      throw new ConfigError({
        code: 'EXAMINE_PARAMETERS_NEEDED',
        message: `${file} needs parameters: ${checked.problems.map((one) => describeProblem(one, 'parameters')).join('; ')}`,
        remedy: 'Give them with --set name=value, or name a configuration instead of the module.',
      });
  }
}

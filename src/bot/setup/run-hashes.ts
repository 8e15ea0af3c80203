/** @module What the result of a run depends on: hashes, and the configuration as it ran, value by value. */
import { amountOf, type Config, type ConfigSource } from '../../config/index.ts';
import { Decimal, isRecord, sha256, VERSION } from '../../core/index.ts';
import { isPostOnlyRejectCounted, type VenueKind } from './risk-limits.ts';
import type { PreparedStrategy } from './strategies.ts';

/** What a run's result depends on apart from its data: the configuration, and the code that ran. */
export interface MadeOf {
  readonly configHash: string;
  readonly codeHash: string;
  /** Each value of the configuration by its path, defaults included; no wallets, keys and places of files. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Sections that hold keys or say only where and how a run is kept. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'file',
  'name',
  'wallets',
  'account',
  'journal',
  'record',
  'log',
  'operator',
  'alerts',
  'keep',
  'tape',
  'sweep',
]);

/** See {@link MadeOf}. */
export function hashesOf(
  source: ConfigSource,
  strategies: readonly PreparedStrategy[],
  venue: VenueKind,
): MadeOf {
  return {
    configHash: sha256(source.text),
    codeHash: codeHashOf(strategies),
    parameters: parametersOf(source.config, strategies, venue),
  };
}

/** See {@link MadeOf.codeHash}. */
export function codeHashOf(
  strategies: readonly { readonly name: string; readonly sha256: string }[],
): string {
  return sha256([VERSION, ...strategies.map((one) => `${one.name} ${one.sha256}`)].join('\n'));
}

function parametersOf(
  config: Config,
  strategies: readonly PreparedStrategy[],
  venue: VenueKind,
): Record<string, string> {
  const countPostOnlyRejections = isPostOnlyRejectCounted(config.risk, venue);
  const values: Record<string, string> = { ballast: VERSION };
  for (const [section, value] of Object.entries(config))
    if (section === 'risk') addRisk(values, { ...config.risk, countPostOnlyRejections });
    else if (section !== 'strategies' && !NOT_SHOWN.has(section)) add(values, section, value);
  for (const { name, definition, sha256: hash, parameters, symbols } of strategies) {
    const path = `strategies.${name}`;
    const { limits } = config.strategies.find((one) => one.name === name) ?? {};
    const checked = definition.check(parameters);
    add(values, path, { strategy: definition.name, sha256: hash, markets: symbols, limits });
    add(values, `${path}.parameters`, checked.isValid ? checked.values : parameters);
  }
  return values;
}

/** Limits as the amounts that hold. */
function addRisk(values: Record<string, string>, risk: Config['risk']): void {
  for (const [name, value] of Object.entries(risk))
    add(
      values,
      `risk.${name}`,
      isRecord(value) && 'kind' in value ? amountOf(value as never, risk.capital) : value,
    );
}

const PPM_PER_BP = 100;
/** Names of values that may open something. */
const SECRET = /secret|password|token|key|header|url/i;

function add(values: Record<string, string>, path: string, value: unknown): void {
  if (value === undefined || SECRET.test(path.slice(path.lastIndexOf('.') + 1))) return;
  // Fees are typed in basis points and kept in parts per million.
  if (path.endsWith('FeeBps')) values[path] = String(Number(value) / PPM_PER_BP);
  else if (Decimal.isDecimal(value)) values[path] = value.toFixed();
  else if (Array.isArray(value)) {
    if (value.every((one) => !isRecord(one))) values[path] = value.join(', ');
    else for (const [at, one] of value.entries()) add(values, `${path}[${nameOf(one) ?? at}]`, one);
  } else if (value instanceof Map) add(values, path, Object.fromEntries(value));
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) add(values, `${path}.${key}`, inner);
  else values[path] = String(value);
}

/** What a person calls an entry of a list. */
function nameOf(one: unknown): string | undefined {
  const name = isRecord(one) ? (one['symbol'] ?? one['name']) : undefined;
  return typeof name === 'string' ? name : undefined;
}

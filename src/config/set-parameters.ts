/**
 * @module
 * A configuration with other parameters of its strategies: the text with these values, so that everything that is made of
 * the text (hash, log of a run, report) knows them.
 */
import { dirname, relative, resolve } from 'node:path';
import { ConfigError, isRecord } from '../core/index.ts';
import { parseYaml, replacedYaml, type YamlPath } from '../core/yaml/index.ts';
import { type ConfigSource, parseConfig } from './load.ts';

/**
 * `source` with assignments such as `maker.levels=2`. Values are read as YAML.
 * @throws ConfigError `CONFIG_SET_INVALID`, and as `parseConfig`.
 */
export function withParameters(source: ConfigSource, assignments: readonly string[]): ConfigSource {
  const parameters = Object.fromEntries(
    assignments.map((assignment) => {
      const { path, value } = /^(?<path>[^.=]+\.[^=]+)=(?<value>.*)$/s.exec(assignment)?.groups ?? {};
      if (path === undefined || value === undefined) throw invalidSet(source, assignment);
      return [path, value];
    }),
  );
  return parseConfig(yamlWith(source, parameters), source.config.file);
}

/** `source` with `freezeViews` for each of its strategies. */
export function withFrozenViews(source: ConfigSource): ConfigSource {
  const own = source.config.strategies.map(
    (_one, at) => [['strategies', at, 'freezeViews'], 'true'] as const,
  );
  return parseConfig(replacedYaml(source.text, own), source.config.file);
}

/**
 * The text of `source` with these values by `strategy.parameter`. With `moved` it is a text for another folder: relative
 * paths are written as seen from there, and `tape` is the tape.
 * @throws ConfigError `CONFIG_SET_INVALID` for a strategy that it does not name.
 */
export function yamlWith(
  source: ConfigSource,
  parameters: Readonly<Record<string, string>>,
  moved?: { readonly folder: string; readonly tape: string },
): string {
  const own = Object.entries(parameters).map(([path, value]) => {
    const [name = '', ...keys] = path.split('.');
    const at = source.config.strategies.findIndex((one) => one.name === name);
    if (at < 0) throw invalidSet(source, `${path}=${value}`);
    return [['strategies', at, 'parameters', ...keys], value] as const;
  });
  if (moved === undefined) return replacedYaml(source.text, own);
  const { folder, tape } = moved;
  const paths = pathsIn(parseYaml(source.text), source.config, dirname(source.config.file));
  const seen = paths.map(([at, path]) => [at, fromFolder(folder, path)] as const);
  return replacedYaml(source.text, [...own, ...seen, [['tape'], fromFolder(folder, tape)]]);
}

/** Where a text has a relative path that the configuration resolved from its folder, with the absolute one. */
function pathsIn(
  given: unknown,
  read: unknown,
  folder: string,
  at: YamlPath = [],
): (readonly [YamlPath, string])[] {
  if (typeof given === 'string') {
    // A latency that is a file is a value with a path.
    const path = isRecord(read) ? read['path'] : read;
    return path === resolve(folder, given) && path !== given ? [[at, path]] : [];
  }
  if (typeof given !== 'object' || given === null || typeof read !== 'object' || read === null) return [];
  const values = new Map<string, unknown>(Object.entries(read));
  return Object.entries(given).flatMap(([key, value]) =>
    pathsIn(value, values.get(key), folder, [...at, Array.isArray(given) ? Number(key) : key]),
  );
}

function fromFolder(folder: string, path: string): string {
  const found = relative(resolve(folder), resolve(path));
  return found.startsWith('.') ? found : `./${found}`;
}

function invalidSet({ config }: ConfigSource, assignment: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_SET_INVALID',
    message: `expected strategy.parameter=value with one of the strategies ${config.strategies.map(({ name }) => name).join(', ')}, got ${assignment}`,
    remedy: 'Name the strategy and the parameter as the configuration does, such as --set maker.size=0.01.',
  });
}

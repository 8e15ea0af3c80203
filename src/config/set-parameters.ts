/**
 * @module
 * A configuration with other parameters of its strategies: the text with these values, so that everything that is made of
 * the text (hash, log of a run, report) knows them.
 */
import { ConfigError } from '../core/index.ts';
import { replacedYaml, type YamlPath } from '../core/yaml/index.ts';
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

/**
 * The text of `source` with these values by `strategy.parameter`, and `others` by their path.
 * @throws ConfigError `CONFIG_SET_INVALID` for a strategy that it does not name.
 */
export function yamlWith(
  source: ConfigSource,
  parameters: Readonly<Record<string, string>>,
  others: readonly (readonly [YamlPath, string])[] = [],
): string {
  const own = Object.entries(parameters).map(([path, value]) => {
    const [name = '', ...keys] = path.split('.');
    const at = source.config.strategies.findIndex((one) => one.name === name);
    if (at < 0) throw invalidSet(source, `${path}=${value}`);
    return [['strategies', at, 'parameters', ...keys], value] as const;
  });
  return replacedYaml(source.text, [...own, ...others]);
}

function invalidSet({ config }: ConfigSource, assignment: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_SET_INVALID',
    message: `expected strategy.parameter=value with one of the strategies ${config.strategies.map(({ name }) => name).join(', ')}, got ${assignment}`,
    remedy: 'Name the strategy and the parameter as the configuration does, such as --set maker.size=0.01.',
  });
}

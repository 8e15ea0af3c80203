/** @module The JSON Schema of one configuration for editors, the parameters of its strategies included. */
import type { ConfigSource } from '../../config/index.ts';

/** Loads the strategies of `source` for their schemas. @throws ConfigError `STRATEGY_...` for a module. */
export async function schemaTextOf(source: ConfigSource | undefined): Promise<string> {
  const { configJsonSchemaWith } = await import('../../config/index.ts');
  const { prepareStrategies } = await import('../../bot/setup/index.ts');
  const strategies = source === undefined ? [] : await prepareStrategies(source);
  const schemas = strategies.map(({ name, definition }) => ({ name, schema: definition.jsonSchema() }));
  return JSON.stringify(configJsonSchemaWith(schemas), undefined, 2);
}

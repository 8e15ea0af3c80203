/**
 * @module
 * The JSON Schema of a configuration, for editors: draft 7, which their YAML support reads. What this does not do: the
 * rules between sections, which `ballast config check` knows.
 */
import { z } from 'zod';
import { isRecord } from '../core/index.ts';
import { configSchema } from './sections.ts';

/** Of any configuration. */
export function configJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' }),
    title: 'A configuration of ballast',
  };
}

/**
 * Of a configuration with these strategies: their parameters are checked by the schemas that their modules give, by the
 * names that the configuration gives them.
 */
export function configJsonSchemaWith(
  strategies: readonly { readonly name: string; readonly schema: object }[],
): Record<string, unknown> {
  const whole = configJsonSchema();
  const items = ['properties', 'strategies', 'items'].reduce<unknown>(
    (node, key) => (isRecord(node) ? node[key] : undefined),
    whole,
  );
  if (isRecord(items))
    Object.assign(items, {
      allOf: strategies.map(({ name, schema }) => {
        const isNamed = { properties: { name: { const: name } } };
        return Object.fromEntries([
          ['if', isNamed],
          ['then', { properties: { parameters: shown(schema) } }],
        ]);
      }),
    });
  return whole;
}

/** A schema of parameters as an editor needs it: YAML has numbers where a configuration hands over their text. */
function shown(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shown);
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).filter(([key]) => key !== '$schema');
  const inner = Object.fromEntries(entries.map(([key, value]) => [key, shown(value)]));
  const isText = inner['type'] === 'string' && inner['enum'] === undefined && inner['pattern'] === undefined;
  return isText ? { ...inner, type: ['string', 'number'] } : inner;
}

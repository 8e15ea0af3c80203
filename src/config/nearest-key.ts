/** @module The known key of a section that an unknown one most likely means. */
import { z } from 'zod';
import { nearestName } from '../core/index.ts';

/** A node of the JSON Schema of a configuration, as far as it is read here. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** The key of `schema` at `path` that is most like `unknown`; `undefined`: none is like it. */
export function nearestKey(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  unknown: string,
): string | undefined {
  let node: SchemaNode | undefined = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as SchemaNode;
  for (const part of path) node = typeof part === 'number' ? node?.items : node?.properties?.[String(part)];
  return nearestName(Object.keys(node?.properties ?? {}), unknown);
}

/** @module The known key of a section that an unknown one most likely means: a typing error, or another word order. */
import { z } from 'zod';

/** From this likeness on a key is named; both share this fraction of their pairs of letters. */
const LIKENESS_MIN = 0.4;

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
  const [best] = Object.keys(node?.properties ?? {})
    .map((key) => ({ key, likeness: likenessOf(key, unknown) }))
    .sort((a, b) => b.likeness - a.likeness);
  return best !== undefined && best.likeness >= LIKENESS_MIN ? best.key : undefined;
}

/** The Dice coefficient of the pairs of letters of two words, from 0 to 1. */
function likenessOf(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  const both = left.length + right.length;
  let common = 0;
  for (const pair of left) {
    const at = right.indexOf(pair);
    if (at < 0) continue;
    right.splice(at, 1);
    common++;
  }
  return both === 0 ? 0 : (2 * common) / both;
}

function pairsOf(word: string): string[] {
  const letters = word.toLowerCase();
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2));
}

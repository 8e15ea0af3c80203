/** @module Where something stands in a YAML text: `file:line:column` of a value or of a key, by its path. */
import { isMap, isPair, isScalar, isSeq, type LineCounter, type Node, type ParsedNode } from 'yaml';

/** A path into a document. */
export type YamlPath = readonly (string | number)[];

/** `file:line:column` of what `path` leads to, or of the nearest thing above it that exists. */
export function placeOf(
  at: { readonly file: string; readonly lines: LineCounter; readonly root: ParsedNode | null },
  path: YamlPath,
  isName: boolean,
): string {
  const { line, col } = at.lines.linePos(offsetOf(at.root, path, isName));
  return `${at.file}:${line}:${col}`;
}

function offsetOf(root: ParsedNode | null, path: YamlPath, isName: boolean): number {
  let node: Node | null = root;
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    const next = childOf(node, part, isName && depth === path.length - 1);
    if (next === undefined) return offset;
    offset = next.offset;
    node = next.node;
  }
  return offset;
}

function childOf(
  node: Node | null,
  part: string | number,
  isName: boolean,
): { readonly node: Node | null; readonly offset: number } | undefined {
  if (isSeq(node)) {
    const item = typeof part === 'number' ? (node.items[part] as Node | undefined) : undefined;
    return item?.range == null ? undefined : { node: item, offset: item.range[0] };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(
    (one) => isPair(one) && isScalar(one.key) && String(one.key.value) === String(part),
  );
  if (pair === undefined) return undefined;
  const key = pair.key as Node;
  const value = pair.value as Node | null;
  const offset = (isName ? key : (value ?? key)).range?.[0];
  return offset === undefined ? undefined : { node: value, offset };
}

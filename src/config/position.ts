/**
 * @module
 * Where in a YAML text a key or a value stands, and what a finding about it looks like.
 */
import { isMap, isPair, isScalar, isSeq, type LineCounter, type Node, type ParsedNode } from 'yaml';

/** One thing that is wrong in a configuration. */
export interface Finding {
  /** `file:line:column`. */
  readonly place: string;
  /** Dotted path of the key, `strategies[0].parameters.size`. */
  readonly key: string;
  readonly expected: string;
  readonly found: string;
}

/** The finding as one line, whatever characters its key is made of. */
export function describeFinding(finding: Finding): string {
  const line = `${finding.place}: ${finding.key}: expected ${finding.expected}, found ${finding.found}`;
  return line.replace(/\p{Cc}/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A path as people write it. @example formatPath(['strategies', 0, 'name']) // 'strategies[0].name' */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path)
    text += typeof part === 'number' ? `[${part}]` : `${text === '' ? '' : '.'}${String(part)}`;
  return text === '' ? '(whole file)' : text;
}

/** Offset of the node at `path`, of the key itself when `isKey`; of the nearest parent that exists. */
export function offsetOf(root: ParsedNode | null, path: readonly PropertyKey[], isKey: boolean): number {
  let node: Node | null = root;
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part),
      );
      if (pair === undefined) return offset;
      const key = pair.key as Node;
      const value = pair.value as Node | null;
      offset = (isKey && depth === path.length - 1 ? key.range?.[0] : (value ?? key).range?.[0]) ?? offset;
      node = value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = (node.items[part] as Node | undefined) ?? null;
      if (node === null) return offset;
      offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

/** `file:line:column` of an offset. */
export function formatPlace(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}

/**
 * @module
 * Changes to frames and answers on their way out, for faults: fields set, moved by an amount, left out, or kept as they
 * were once. What is not JSON, or has no such field, stays as it is.
 */
import { formatJson, isRecord, parseJson } from '../../../core/index.ts';

/** What is changed. A path is `seq`, `data.ts` or `data.positions.*.size`, where `*` stands for each item of a list. */
export interface JsonEdit {
  /** Values by path. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** What is added to integers by path. */
  readonly add?: Readonly<Record<string, number>>;
  /** Of `data` these fields alone. */
  readonly keep?: readonly string[];
  /** Paths that keep the values which they had when this edit first met the same `symbol` of `data`. */
  readonly freeze?: readonly string[];
}

/** An edit as a function over text; it remembers what it froze. */
export function jsonEdit({ set = {}, add = {}, keep, freeze = [] }: JsonEdit): (text: string) => string {
  const frozen = new Map<string, unknown>();
  return (text) => {
    const root = parseJson(text);
    if (!isRecord(root)) return text;
    const symbol = String(valueAt(root, ['data', 'symbol']));
    for (const path of freeze) {
      const key = `${symbol} ${path}`;
      if (!frozen.has(key)) frozen.set(key, valueAt(root, path.split('.')));
      else change(root, path.split('.'), () => frozen.get(key));
    }
    for (const [path, by] of Object.entries(add))
      change(root, path.split('.'), (value) => (Number.isSafeInteger(value) ? Number(value) + by : value));
    for (const [path, value] of Object.entries(set)) change(root, path.split('.'), () => value);
    const { data } = root;
    if (keep !== undefined && isRecord(data))
      return formatJson({ ...root, data: Object.fromEntries(keep.map((name) => [name, data[name]])) });
    return formatJson(root);
  };
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), root);
}

/** Changes what a path leads to, the last field also where it is absent. */
function change(
  node: unknown,
  [key = '', ...rest]: readonly string[],
  to: (value: unknown) => unknown,
): void {
  if (Array.isArray(node)) {
    const places = key === '*' ? node.map((_item, at) => at) : [Number(key)];
    for (const at of places) {
      if (!(at in node)) continue;
      if (rest.length === 0) node[at] = to(node[at]);
      else change(node[at], rest, to);
    }
  } else if (isRecord(node)) {
    if (rest.length === 0) node[key] = to(node[key]);
    else change(node[key], rest, to);
  }
}

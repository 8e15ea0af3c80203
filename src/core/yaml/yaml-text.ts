/**
 * @module
 * A YAML text that people wrote, with the location of what is in it. Each scalar is read as the text that it is, so no
 * decimal loses a digit and no address becomes a number. Each fault is a finding: `file:line:column: key: expected, found`.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Document, Node, ParsedNode } from 'yaml';
import { describeJson, isRecord, maskKeys, messageOf, ownModule, printableLine } from '../index.ts';

const load = createRequire(import.meta.url);
let loaded: typeof import('./yaml-package.ts') | undefined;

/** Most commands read no YAML: the package is loaded with the first text. */
function yaml(): typeof import('./yaml-package.ts') {
  loaded ??= load(fileURLToPath(ownModule('core/yaml/yaml-package'))) as typeof import('./yaml-package.ts');
  return loaded;
}

/** A path into a document. */
export type YamlPath = readonly PropertyKey[];

/** So many repeated keys are named. */
const REPEATED_MAX = 50;

/** One thing that is wrong in a text. */
export interface Finding {
  /** `file:line:column`. */
  readonly place: string;
  /** Dotted path of the key, `strategies[0].parameters.size`. */
  readonly key: string;
  /** What was expected, in words. */
  readonly expected: string;
  /** What was found, in words. */
  readonly found: string;
}

/** A text that was read. */
export interface YamlText {
  /** The values: text, lists, and objects. */
  readonly raw: unknown;
  /** `file:line:column` of what `path` leads to, or of its nearest parent that exists; of the key itself with `isKey`. */
  place(path: YamlPath, isKey?: boolean): string;
  /** A finding about the value at `path`, or about its key. `found`: in place of the value. */
  find(
    path: YamlPath,
    expected: string,
    options?: { readonly isKey?: boolean; readonly found?: string | undefined },
  ): Finding;
}

/** Reads a text. @throws what `invalid` makes of the findings when it is no YAML. */
export function readYaml(
  text: string,
  { label, invalid }: { readonly label: string; readonly invalid: (findings: readonly Finding[]) => Error },
): YamlText {
  const lines = new (yaml().LineCounter)();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${label}:${line}:${col}`;
  };
  /** What the package throws (an alias without its anchor, too many of them, nesting without end) is a finding. */
  const readable = <T>(read: () => T): T => {
    try {
      return read();
    } catch (thrown) {
      const found = messageOf(thrown).split('\n')[0] ?? 'an error';
      throw invalid([{ place: `${label}:1:1`, key: '(yaml)', expected: 'YAML that can be read', found }]);
    }
  };
  const document = readable(() =>
    yaml().parseDocument(text, {
      schema: 'failsafe',
      strict: true,
      // Looked for below: the package compares each key with all before it.
      uniqueKeys: false,
      lineCounter: lines,
      logLevel: 'error',
    }),
  );
  if (document.errors.length > 0) {
    throw invalid(
      document.errors.map((error) => ({
        place: at(error.pos[0]),
        key: '(yaml)',
        expected: 'well-formed YAML',
        found: error.message.split('\n')[0] ?? 'an error',
      })),
    );
  }
  const root = document.contents as ParsedNode | null;
  const twice = repeatedKeys(document).map((offset) => ({
    place: at(offset),
    key: '(yaml)',
    expected: 'well-formed YAML',
    found: 'Map keys must be unique',
  }));
  if (twice.length > 0) throw invalid(twice);
  const raw: unknown = readable(() => document.toJS({ maxAliasCount: 100 }));
  const place: YamlText['place'] = (path, isKey = false) => at(offsetOf(root, path, isKey));
  const circle = circleIn(raw);
  if (circle !== undefined)
    throw invalid([
      {
        place: place(circle),
        key: formatPath(circle),
        expected: 'a value that ends',
        found: 'an alias of what it stands in',
      },
    ]);
  return {
    raw,
    place,
    find: (path, expected, { isKey = false, found } = {}) => ({
      place: place(path, isKey),
      key: formatPath(path),
      expected,
      found:
        found ?? describeYaml(isKey ? path.at(-1) : valueAt(raw, path), !isKey && isHashKey(path.at(-1))),
    }),
  };
}

/** Where keys stand that were there before in their section; a few of them. */
function repeatedKeys(document: Document.Parsed): readonly number[] {
  const offsets: number[] = [];
  yaml().visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!yaml().isScalar(key)) continue;
        if (seen.has(key.value)) offsets.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
      return offsets.length < REPEATED_MAX ? undefined : yaml().visit.BREAK;
    },
  });
  return offsets.slice(0, REPEATED_MAX);
}

/** Path to a value that holds itself, by an alias; `undefined`: there is none. */
function circleIn(
  value: unknown,
  path: YamlPath = [],
  seen = new Map<unknown, boolean>(),
): YamlPath | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isOpen = seen.get(value);
  if (isOpen !== undefined) return isOpen ? path : undefined;
  seen.set(value, true);
  for (const [key, part] of Object.entries(value)) {
    const circle = circleIn(part, [...path, Array.isArray(value) ? Number(key) : key], seen);
    if (circle !== undefined) return circle;
  }
  seen.set(value, false);
  return undefined;
}

/** The values of a text that no person wrote, with numbers and booleans as YAML has them. @throws what the package throws. */
export function parseYaml(text: string): unknown {
  return yaml().parse(text);
}

/** `text` with these values at their paths; each value is read as YAML, comments stay. */
export function replacedYaml(text: string, values: readonly (readonly [YamlPath, string])[]): string {
  const document = yaml().parseDocument(text, { schema: 'failsafe', logLevel: 'error' });
  for (const [path, value] of values) {
    const read = yaml().parseDocument(value, { schema: 'failsafe', logLevel: 'error' });
    document.setIn(path, read.errors.length > 0 ? value : (read.toJS() ?? ''));
  }
  return document.toString({ lineWidth: 0 });
}

/** The value at a path of what was read; `undefined` where the path leads nowhere. */
export function valueAt(raw: unknown, path: YamlPath): unknown {
  let value = raw;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** The finding as one line, whatever characters its key is made of. Without a private key, where no hash belongs. */
export function describeFinding(finding: Finding): string {
  const line = `${finding.place}: ${finding.key}: expected ${finding.expected}, got ${finding.found}`;
  return printableLine(isHashKey(finding.key) ? line : maskKeys(line));
}

/** What is wrong with `subject`, a finding a line. @example describeFindings('the scenario', ['a.yaml:1:1: ...']) */
export function describeFindings(subject: string, findings: readonly string[]): string {
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`;
  return `${subject} has ${count}\n${findings.join('\n')}`;
}

/** A path as people write it. @example formatPath(['strategies', 0, 'name']) // 'strategies[0].name' */
function formatPath(path: YamlPath): string {
  let text = '';
  for (const part of path)
    text += typeof part === 'number' ? `[${part}]` : `${text === '' ? '' : '.'}${String(part)}`;
  return text === '' ? '(file)' : text;
}

/** Offset of the node at `path`, of the key itself when `isKey`; of the nearest parent that exists. */
function offsetOf(root: ParsedNode | null, path: YamlPath, isKey: boolean): number {
  let node: Node | null = root;
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    if (yaml().isMap(node)) {
      const pair = node.items.find(
        (item) => yaml().isPair(item) && yaml().isScalar(item.key) && String(item.key.value) === String(part),
      );
      if (pair === undefined) return offset;
      const key = pair.key as Node;
      const value = pair.value as Node | null;
      offset = (isKey && depth === path.length - 1 ? key.range?.[0] : (value ?? key).range?.[0]) ?? offset;
      node = value;
    } else if (yaml().isSeq(node) && typeof part === 'number') {
      node = (node.items[part] as Node | undefined) ?? null;
      if (node === null) return offset;
      offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

/** True of the keys whose values are hashes, which look like private keys. */
function isHashKey(key: unknown): boolean {
  return typeof key === 'string' && /(?:^|\.)sha256$/.test(key);
}

function describeYaml(value: unknown, isHash: boolean): string {
  if (value === null || value === '') return 'nothing';
  // Before it is cut, or the half of a key would be left.
  if (typeof value === 'string' && !isHash) return describeJson(maskKeys(value));
  return isRecord(value) ? 'a section' : describeJson(value);
}

/** @module A YAML text that people wrote, with the places of what is in it: every fault is a finding. */
import { LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { z } from 'zod';
import { messageOf } from '../core/index.ts';
import { nearestKey } from './nearest-key.ts';
import { type Finding, formatPath, formatPlace, offsetOf } from './position.ts';

/** A text that was read. */
export interface YamlText {
  /** A finding about the value at `path`, or about its key. */
  readonly find: (path: readonly PropertyKey[], expected: string, isKey?: boolean) => Finding;
  /** The values by a schema. @throws what `invalid` makes of the findings. */
  check<T>(schema: z.ZodType<T>): T;
  /** The sections that hold, each by itself, and the findings on all others. */
  checkSections<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): CheckedSections<Shape>;
}

/** Sections that hold, with what is wrong in the others; without findings all of them are there. */
export interface CheckedSections<Shape extends z.ZodRawShape> {
  readonly values: Partial<z.output<z.ZodObject<Shape>>>;
  readonly findings: readonly Finding[];
}

/** What is read. */
interface YamlSource {
  /** Names the file. */
  readonly label: string;
  /** The page that lists every key. */
  readonly page: string;
  /** Makes the error that carries findings. */
  readonly invalid: (findings: readonly Finding[]) => Error;
}

/** Reads `text`. @throws what `invalid` makes of the findings. */
export function readYaml(text: string, { label, page, invalid }: YamlSource): YamlText {
  const lines = new LineCounter();
  const at = (offset: number): string => formatPlace(label, lines, offset);
  /** What the reader throws (an alias without its anchor, too many of them, nesting without end) is a finding. */
  const readable = <T>(read: () => T): T => {
    try {
      return read();
    } catch (thrown) {
      const found = messageOf(thrown).split('\n')[0] ?? 'an error';
      throw invalid([{ place: `${label}:1:1`, key: '(yaml)', expected: 'YAML that can be read', found }]);
    }
  };
  const document = readable(() =>
    parseDocument(text, {
      schema: 'failsafe',
      strict: true,
      uniqueKeys: true,
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
  const raw: unknown = readable(() => document.toJS({ maxAliasCount: 100 }));
  const find: YamlText['find'] = (path, expected, isKey = false) => ({
    place: at(offsetOf(root, path, isKey)),
    key: formatPath(path),
    expected,
    found: describeValue(isKey ? path.at(-1) : valueAt(raw, path)),
  });
  return {
    find,
    check(schema) {
      const result = schema.safeParse(raw);
      if (result.success) return result.data;
      throw invalid(result.error.issues.flatMap((issue) => findingsOf(issue, { schema, find, page })));
    },
    checkSections(schema) {
      const result = schema.safeParse(raw);
      if (result.success) return { values: result.data, findings: [] };
      const findings = result.error.issues.flatMap((issue) => findingsOf(issue, { schema, find, page }));
      return { values: soundSections(schema, raw), findings };
    },
  };
}

function soundSections<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  raw: unknown,
): Partial<z.output<z.ZodObject<Shape>>> {
  const sections = Object.entries(schema.shape).flatMap(([name, section]) => {
    const result = z.safeParse(section, valueAt(raw, [name]));
    return result.success ? [[name, result.data]] : [];
  });
  return Object.fromEntries(sections) as Partial<z.output<z.ZodObject<Shape>>>;
}

function findingsOf(
  issue: z.core.$ZodIssue,
  { schema, find, page }: { schema: z.ZodType; find: YamlText['find']; page: string },
): Finding[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const near = nearestKey(schema, issue.path, key);
      const expected = near === undefined ? 'a known key' : `a known key, such as ${near}`;
      return find([...issue.path, key], `${expected} (see ${page})`, true);
    });
  return [find(issue.path, expectedOf(issue))];
}

function expectedOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  const names: Readonly<Record<string, string>> = {
    object: 'a section with keys',
    array: 'a list',
    string: 'a value',
    record: 'a section with keys',
  };
  return names[issue.expected] ?? issue.message;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function describeValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' ? 'a section' : JSON.stringify(String(value).slice(0, 80));
}

/** @module A YAML text checked by a schema: each fault is a finding with its location. */
import { z } from 'zod';
import { type Finding, readYaml, valueAt, type YamlPath } from '../core/yaml/index.ts';
import { nearestKey } from './nearest-key.ts';

/** A text that was read. */
export interface CheckedYaml {
  /** A finding about the value at `path`, or about its key. */
  readonly find: (path: YamlPath, expected: string, isKey?: boolean) => Finding;
  /** The value at a path as the text has it; `undefined`: none. */
  given(path: YamlPath): unknown;
  /** The values by a schema. @throws what `invalid` makes of the findings. */
  check<T>(schema: z.ZodType<T>): T;
  /** The sections that hold, each on its own, and the findings on all others. */
  checkSections<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): CheckedSections<Shape>;
}

/** Sections that hold, with what is wrong in the others; without findings all of them are there. */
export interface CheckedSections<Shape extends z.ZodRawShape> {
  /** Values of the sections without findings. */
  readonly values: Partial<z.output<z.ZodObject<Shape>>>;
  /** All findings; empty: valid. */
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

/** So many findings are named; of the others the number. */
export const FINDINGS_MAX = 50;

/** Reads `text`. @throws what `invalid` makes of the findings. */
export function readCheckedYaml(text: string, { label, page, invalid }: YamlSource): CheckedYaml {
  const yaml = readYaml(text, { label, invalid });
  const { raw } = yaml;
  const find: CheckedYaml['find'] = (path, expected, isKey = false) => yaml.find(path, expected, { isKey });
  return {
    find,
    given: (path) => valueAt(raw, path),
    check(schema) {
      const result = schema.safeParse(raw);
      if (result.success) return result.data;
      throw invalid(findingsOfAll(result.error.issues, { schema, find, page }));
    },
    checkSections(schema) {
      const result = schema.safeParse(raw);
      if (result.success) return { values: result.data, findings: [] };
      const findings = findingsOfAll(result.error.issues, { schema, find, page });
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

/** What findings are made with. */
interface FindingTools {
  readonly schema: z.ZodType;
  readonly find: CheckedYaml['find'];
  readonly page: string;
}

/** Sixty thousand findings help nobody, and each is looked for in the text. */
function findingsOfAll(issues: readonly z.core.$ZodIssue[], tools: FindingTools): readonly Finding[] {
  const each = issues.flatMap((issue): readonly z.core.$ZodIssue[] =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue],
  );
  const findings = each.slice(0, FINDINGS_MAX).flatMap((issue) => findingsOf(issue, tools));
  const left = each.length - FINDINGS_MAX;
  if (left <= 0) return findings;
  const rest = { ...tools.find([], `at most ${FINDINGS_MAX} errors at a time`), found: `${left} more` };
  return [...findings, rest];
}

function findingsOf(issue: z.core.$ZodIssue, { schema, find, page }: FindingTools): Finding[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const near = nearestKey(schema, issue.path, key);
      const expected = near === undefined ? 'a known key' : `a known key, such as ${near}`;
      return find([...issue.path, key], `${expected} (see ${page})`, true);
    });
  // The key of a record has a schema too: what is wrong with it stands one level deeper.
  if (issue.code === 'invalid_key')
    return [find(issue.path, issue.issues[0]?.message ?? 'a known key', true)];
  // The only one of several forms that has all keys that are there is meant: what is wrong within it is the finding.
  const [meant, ...others] =
    issue.code === 'invalid_union' ? issue.errors.filter((form) => form.every(isWithin)) : [];
  if (meant !== undefined && others.length === 0)
    return meant.flatMap((one) =>
      findingsOf({ ...one, path: [...issue.path, ...one.path] }, { schema, find, page }),
    );
  return [find(issue.path, expectedOf(issue))];
}

/** True if an issue of a form is about something in it, not about the form. */
function isWithin({ path }: z.core.$ZodIssue): boolean {
  return path.length > 0;
}

function expectedOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid')) return issue.message;
  const names: Readonly<Record<string, string>> = {
    object: 'a section with keys',
    array: 'a list',
    string: 'a value',
    record: 'a section with keys',
  };
  return names[issue.expected] ?? issue.message;
}

/**
 * @module
 * YAML text to a frozen configuration, or to all findings with their places. Nothing is connected to, and no key file
 * is read, before this has passed.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type { z } from 'zod';
import { ConfigError, messageOf } from '../core/index.ts';
import { describeFinding, type Finding, formatPath, formatPlace, offsetOf } from './position.ts';
import { brokenRules } from './rules.ts';
import { type LatencyText, resolvePath } from './scalars.ts';
import { type ConfigValues, configSchema } from './sections.ts';

/** A configuration that passed every check. */
export type Config = Readonly<ConfigValues> & {
  /** The file it came from, absolute. */
  readonly file: string;
};

/** A parsed file, kept so that later findings (a strategy's parameters) can name their places. */
export interface ConfigSource {
  readonly config: Config;
  /** What was in the file. */
  readonly text: string;
  /** A finding about the value at `path`. */
  find(path: readonly PropertyKey[], expected: string): Finding;
}

/** The largest file that is read. */
export const CONFIG_BYTES_MAX = 1_000_000;

/** Reads and checks the file. @throws ConfigError `CONFIG_INVALID` whose message holds every finding. */
export function loadConfig(file: string): ConfigSource {
  const path = resolve(file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError({
      code: 'CONFIG_UNREADABLE',
      message: `expected a readable file at ${file}, but ${messageOf(cause)}`,
      remedy: 'Name an existing configuration; configs/ has some to start from.',
      cause,
    });
  }
  return parseConfig(text, path);
}

/** As {@link loadConfig} for a text; `file` gives places and relative paths their base. */
export function parseConfig(text: string, file: string): ConfigSource {
  if (text.length > CONFIG_BYTES_MAX) throw invalid([tooLarge(file, text)]);
  const lines = new LineCounter();
  const label = basename(file);
  const document = readable(label, () =>
    parseDocument(text, {
      schema: 'failsafe',
      strict: true,
      uniqueKeys: true,
      lineCounter: lines,
      logLevel: 'error',
    }),
  );
  const at = (offset: number): string => formatPlace(label, lines, offset);
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
  const raw: unknown = readable(label, () => document.toJS({ maxAliasCount: 100 }));
  const find = (path: readonly PropertyKey[], expected: string, isKey = false): Finding => ({
    place: at(offsetOf(root, path, isKey)),
    key: formatPath(path),
    expected,
    found: describeValue(isKey ? path.at(-1) : valueAt(raw, path)),
  });
  const result = configSchema.safeParse(raw);
  if (!result.success) throw invalid(result.error.issues.flatMap((issue) => findingsOf(issue, find)));
  const broken = [...brokenRules(result.data)].map((rule) => ({
    ...find(rule.path, rule.expected),
    found: rule.found,
  }));
  if (broken.length > 0) throw invalid(broken);
  return { config: freeze({ ...withPaths(result.data, dirname(file)), file }), text, find };
}

/** What the YAML reader throws (an alias without its anchor, too many of them, nesting without end) is a finding. */
function readable<T>(label: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    const found = messageOf(thrown).split('\n')[0] ?? 'an error';
    throw invalid([{ place: `${label}:1:1`, key: '(yaml)', expected: 'YAML that can be read', found }]);
  }
}

/** The error that carries findings. */
export function invalid(findings: readonly Finding[]): ConfigError {
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`;
  return new ConfigError({
    code: 'CONFIG_INVALID',
    message: `the configuration has ${count}\n${findings.map(describeFinding).join('\n')}`,
    remedy: 'Correct the lines named above; docs/reference/config.md lists every key.',
    details: {},
  });
}

type Find = (path: readonly PropertyKey[], expected: string, isKey?: boolean) => Finding;

function findingsOf(issue: z.core.$ZodIssue, find: Find): Finding[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      find([...issue.path, key], 'a known key (see docs/reference/config.md)', true),
    );
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

function tooLarge(file: string, text: string): Finding {
  return {
    place: `${basename(file)}:1:1`,
    key: '(whole file)',
    expected: `at most ${CONFIG_BYTES_MAX} characters`,
    found: `${text.length}`,
  };
}

function withPaths(values: ConfigValues, folder: string): ConfigValues {
  const here = (text: string): string => resolvePath(folder, text);
  return {
    ...values,
    wallets: values.wallets.map((wallet) => ({
      ...wallet,
      keyFile: here(wallet.keyFile),
      ...(wallet.passwordFile === undefined ? {} : { passwordFile: here(wallet.passwordFile) }),
    })),
    strategies: values.strategies.map((strategy) => ({ ...strategy, module: here(strategy.module) })),
    journal: { ...values.journal, folder: here(values.journal.folder) },
    record: { ...values.record, folder: here(values.record.folder) },
    feeds: values.feeds.map((feed) => (feed.file === undefined ? feed : { ...feed, file: here(feed.file) })),
    paper: {
      ...values.paper,
      feedLatency: latencyWithPath(values.paper.feedLatency, here),
      entryLatency: latencyWithPath(values.paper.entryLatency, here),
      responseLatency: latencyWithPath(values.paper.responseLatency, here),
    },
    log: { ...values.log, ...(values.log.file === undefined ? {} : { file: here(values.log.file) }) },
  };
}

function latencyWithPath(latency: LatencyText, here: (text: string) => string): LatencyText {
  return latency.kind === 'file' ? { kind: 'file', path: here(latency.path) } : latency;
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && !Array.isArray(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

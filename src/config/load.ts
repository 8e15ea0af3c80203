/**
 * @module YAML text to a frozen configuration, or to all findings with their locations. Nothing is connected to, and no
 * key file is read, before this has passed.
 */
import { basename, dirname, resolve } from 'node:path';
import { ConfigError, readRegularFile, secrets, whyUnreadable } from '../core/index.ts';
import { describeFinding, describeFindings, type Finding } from '../core/yaml/index.ts';
import { alertsWithPaths } from './alerts-section.ts';
import { FINDINGS_MAX, readCheckedYaml } from './checked-yaml.ts';
import { brokenRules } from './rules.ts';
import { type LatencyText, resolvePath } from './scalars.ts';
import { type ConfigValues, configSchema, recordingSchema } from './sections.ts';

/** A configuration that passed every check. */
export type Config = Readonly<ConfigValues> & {
  /** The file it came from, absolute. */
  readonly file: string;
};

/** A parsed file, kept so that later findings (a strategy's parameters) can name their locations. */
export interface ConfigSource {
  /** The checked configuration. */
  readonly config: Config;
  /** What was in the file. */
  readonly text: string;
  /** A finding about the value at `path`. */
  find(path: readonly PropertyKey[], expected: string): Finding;
}

/** The largest text that is read, in characters of at most four bytes. */
const CONFIG_CHARACTERS_MAX = 1_000_000;

/** What a configuration is read for. */
export interface ConfigUse {
  /** True for a recording: it needs neither strategies nor limits. */
  readonly isRecording?: boolean;
}

/** Reads and checks the file. @throws ConfigError `CONFIG_INVALID` whose message holds every finding. */
export function loadConfig(file: string, use: ConfigUse = {}): ConfigSource {
  const path = resolve(file);
  let text: string;
  try {
    text = readRegularFile(path, 4 * CONFIG_CHARACTERS_MAX);
  } catch (cause) {
    throw new ConfigError({
      code: 'CONFIG_UNREADABLE',
      message: `expected a readable file at ${file}, but ${whyUnreadable(file, cause)}`,
      remedy: 'Name an existing configuration; configs/ has some to start from.',
      cause,
    });
  }
  return parseConfig(text, path, use);
}

/** As {@link loadConfig} for a text; `file` gives places and relative paths their base. */
export function parseConfig(
  text: string,
  file: string,
  { isRecording = false }: ConfigUse = {},
): ConfigSource {
  if (text.length > CONFIG_CHARACTERS_MAX) throw invalid([tooLarge(file, text)]);
  // Only the hash of a strategy's code looks like a key and is none; whatever else does is written nowhere from now on.
  secrets.addMisplaced(text.replaceAll(/sha256["']?\s*:\s*["']?[0-9a-f]+/gi, ''));
  const yaml = readCheckedYaml(text, { label: basename(file), page: 'docs/reference/config.md', invalid });
  const { values, findings } = isRecording
    ? yaml.checkSections(recordingSchema)
    : yaml.checkSections(configSchema);
  const broken: Finding[] = [];
  for (const { path, expected, found } of brokenRules(values, yaml.given)) {
    if (broken.length === FINDINGS_MAX) break;
    const finding = yaml.find(path, expected);
    broken.push(found === undefined ? finding : { ...finding, found });
  }
  if (findings.length + broken.length > 0) throw invalid([...findings, ...broken]);
  const whole = withPaths(values as ConfigValues, dirname(file));
  return { config: freeze({ ...whole, file }), text, find: yaml.find };
}

/** The tape that `given` (--tape) or the configuration names. @throws ConfigError `CONFIG_TAPE_MISSING` without either. */
export function tapeOf({ file, tape }: Config, given: string | undefined): string {
  const folder = given ?? tape;
  if (folder !== undefined) return folder;
  throw new ConfigError({
    code: 'CONFIG_TAPE_MISSING',
    message: `expected a tape, got neither --tape nor the key tape in ${basename(file)}`,
    remedy: 'Name the folder of a tape with --tape <folder>, or with `tape: <folder>` in the configuration.',
  });
}

/** The error that carries findings. */
export function invalid(findings: readonly Finding[]): ConfigError {
  return new ConfigError({
    code: 'CONFIG_INVALID',
    message: describeFindings('the configuration', findings.map(describeFinding)),
    remedy: 'Correct the lines named above; docs/reference/config.md lists every key.',
  });
}

function tooLarge(file: string, text: string): Finding {
  return {
    place: `${basename(file)}:1:1`,
    key: '(file)',
    expected: `at most ${CONFIG_CHARACTERS_MAX} characters`,
    found: `${text.length}`,
  };
}

function withPaths(values: ConfigValues, folder: string): ConfigValues {
  const here = (text: string): string => resolvePath(folder, text);
  const { openapiFile, caFile } = values.environment;
  return {
    ...values,
    environment: {
      ...values.environment,
      ...(openapiFile === undefined ? {} : { openapiFile: here(openapiFile) }),
      ...(caFile === undefined ? {} : { caFile: here(caFile) }),
    },
    wallets: values.wallets.map((wallet) => ({
      ...wallet,
      ...(wallet.signer?.tokenFile === undefined
        ? {}
        : { signer: { ...wallet.signer, tokenFile: here(wallet.signer.tokenFile) } }),
      ...(wallet.keyFile === undefined ? {} : { keyFile: here(wallet.keyFile) }),
      ...(wallet.passwordFile === undefined ? {} : { passwordFile: here(wallet.passwordFile) }),
    })),
    strategies: values.strategies.map((strategy) => ({ ...strategy, module: here(strategy.module) })),
    journal: { ...values.journal, folder: here(values.journal.folder) },
    record: { ...values.record, folder: here(values.record.folder) },
    ...(values.tape === undefined ? {} : { tape: here(values.tape) }),
    feeds: values.feeds.map((feed) => (feed.file === undefined ? feed : { ...feed, file: here(feed.file) })),
    paper: {
      ...values.paper,
      feedLatency: latencyWithPath(values.paper.feedLatency, here),
      entryLatency: latencyWithPath(values.paper.entryLatency, here),
      responseLatency: latencyWithPath(values.paper.responseLatency, here),
    },
    alerts: alertsWithPaths(values.alerts, here),
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

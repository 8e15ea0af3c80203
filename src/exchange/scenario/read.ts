/**
 * @module YAML text to a scenario, or to everything that is wrong with it: `file:line:column: key: expected, found`.
 * Scalars are read as the text of the document, so no decimal loses a digit.
 */

import { basename } from 'node:path';
import {
  ConfigError,
  isRecord,
  type Parameters,
  readParameters,
  readRegularFile,
  type ValuesOf,
  whyUnreadable,
} from '../../core/index.ts';
import {
  describeFinding,
  describeFindings,
  type Finding,
  readYaml,
  type YamlPath,
  type YamlText,
} from '../../core/yaml/index.ts';
import { controlActionOf } from '../control/index.ts';
import { amountOf, dexesOf, feeTiersOf } from './fees.ts';
import {
  ACCOUNT_KEYS,
  EVENT_KEYS,
  MARKET_KEYS,
  PARTICIPANT_KEYS,
  SCENARIO_KEYS,
  SETTINGS_KEYS,
} from './keys.ts';
import type { Scenario, ScenarioAccount, ScenarioEvent } from './scenario.ts';
import { marketsOf, participantsOf, quirksOf, settingsOf, startOf } from './values.ts';

/** The largest scenario that is read. */
const TEXT_LENGTH_MAX = 1_000_000;
/** Sections of one list. */
const SECTIONS_MAX = 10_000;

/** Reads and checks a file. @throws ConfigError `SCENARIO_INVALID` whose message holds every finding. */
export function loadScenario(file: string): Scenario {
  let text: string;
  try {
    text = readRegularFile(file, 4 * TEXT_LENGTH_MAX);
  } catch (cause) {
    throw new ConfigError({
      code: 'SCENARIO_UNREADABLE',
      message: `expected a readable scenario at ${file}, but ${whyUnreadable(file, cause)}`,
      remedy: 'Name an existing file; configs/scenarios/ has some to start from.',
      cause,
    });
  }
  return parseScenario(text, basename(file));
}

/** As {@link loadScenario} for a text; `file` is shown in locations. */
export function parseScenario(text: string, file: string): Scenario {
  if (text.length > TEXT_LENGTH_MAX)
    throw invalidScenario([`${file}:1:1: (file): expected at most ${TEXT_LENGTH_MAX} characters`]);
  const invalid = (findings: readonly Finding[]) => invalidScenario(findings.map(describeFinding));
  const yaml = readYaml(text, { label: file, invalid });
  const reader = new SectionReader(yaml);
  const scenario = scenarioOf(reader, yaml.raw, file.replace(/\.ya?ml$/, ''));
  if (reader.findings.length > 0) throw invalidScenario(reader.findings);
  return scenario;
}

/** The error that carries findings. */
export function invalidScenario(findings: readonly string[]): ConfigError {
  return new ConfigError({
    code: 'SCENARIO_INVALID',
    message: describeFindings('the scenario', findings),
    remedy: 'Correct the lines named above; docs/reference/scenarios.md lists every key.',
  });
}

/** Reads sections and keeps what is wrong with them. */
class SectionReader {
  readonly findings: string[] = [];
  readonly #yaml: YamlText;

  constructor(yaml: YamlText) {
    this.#yaml = yaml;
  }

  /** `file:line:column` of a value. */
  place(path: YamlPath): string {
    return this.#yaml.place(path);
  }

  /** Notes a finding. `found`: in place of the value at `path`. */
  note(
    path: YamlPath,
    { expected, found }: { readonly expected: string; readonly found?: string },
    isKey = false,
  ): void {
    this.findings.push(describeFinding(this.#yaml.find(path, expected, { isKey, found })));
  }

  /** A section by its table; `undefined` when something is wrong with it. */
  section<P extends Parameters>(path: YamlPath, keys: P, value: unknown): ValuesOf<P> | undefined {
    const read = readParameters(keys, value ?? {});
    if ('values' in read) return read.values;
    for (const { path: inner, expected, isName } of read.problems)
      this.note([...path, ...inner], { expected }, isName);
    return undefined;
  }

  /** The items of a list; none when it is left out. */
  list(path: YamlPath, value: unknown): readonly unknown[] {
    if (value === undefined || value === null || value === '') return [];
    if (Array.isArray(value) && value.length <= SECTIONS_MAX) return value;
    this.note(path, { expected: `a list of at most ${SECTIONS_MAX} sections` });
    return [];
  }
}

function scenarioOf(reader: SectionReader, raw: unknown, fallbackName: string): Scenario {
  const top = reader.section([], SCENARIO_KEYS, raw);
  const settings = reader.section(['settings'], SETTINGS_KEYS, top?.settings);
  const participants = reader.section(['participants'], PARTICIPANT_KEYS, top?.participants);
  const quirks = quirksOf(reader, top?.quirks);
  const markets =
    top?.markets === undefined
      ? undefined
      : marketsOf(reader, reader.list(['markets'], top.markets), MARKET_KEYS);
  return {
    name: top?.name ?? fallbackName,
    description: top?.description?.trim() ?? '',
    seed: top?.seed,
    startMs: top?.start === undefined ? undefined : startOf(reader, top.start),
    settings: { ...settingsOf(settings), ...moneyOf(reader, { top, settings, markets }), quirks },
    markets,
    accounts: top?.accounts === undefined ? undefined : accountsOf(reader, top.accounts),
    participants: participantsOf(reader, participants, markets),
    events: reader.list(['events'], top?.events).flatMap((event, at) => eventOf(reader, event, at) ?? []),
  };
}

/** What of the settings is about money of the exchange itself. */
function moneyOf(
  reader: SectionReader,
  given: {
    readonly top: ValuesOf<typeof SCENARIO_KEYS> | undefined;
    readonly settings: ValuesOf<typeof SETTINGS_KEYS> | undefined;
    readonly markets: Scenario['markets'];
  },
): Partial<Scenario['settings']> {
  const { top, settings, markets } = given;
  const fund = settings?.insuranceFund;
  const insuranceFund =
    fund === undefined ? undefined : amountOf(reader, ['settings', 'insuranceFund'], fund);
  return {
    ...(insuranceFund === undefined ? {} : { insuranceFund }),
    ...(top?.dexes === undefined
      ? {}
      : { dexes: dexesOf(reader, reader.list(['dexes'], top.dexes), markets) }),
    ...(top?.feeTiers === undefined
      ? {}
      : { feeTiers: feeTiersOf(reader, reader.list(['feeTiers'], top.feeTiers)) }),
  };
}

function accountsOf(reader: SectionReader, value: unknown): readonly ScenarioAccount[] {
  const seen = new Set<string>();
  return reader.list(['accounts'], value).flatMap((item, at) => {
    const account = reader.section(['accounts', at], ACCOUNT_KEYS, item);
    if (account === undefined) return [];
    if (seen.has(account.name))
      reader.note(['accounts', at, 'name'], {
        expected: 'a name of its own',
        found: `${account.name} again`,
      });
    seen.add(account.name);
    return account;
  });
}

/** The action's parameters are beside `at` and `action`; both tables are compared with the section. */
function eventOf(reader: SectionReader, value: unknown, index: number): ScenarioEvent | undefined {
  const path = ['events', index];
  if (!isRecord(value)) {
    reader.note(path, { expected: 'a section with at and action' });
    return undefined;
  }
  const own = Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(EVENT_KEYS, key)));
  const input = Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(EVENT_KEYS, key)));
  const event = reader.section(path, EVENT_KEYS, own);
  const named = typeof own['action'] === 'string' ? controlActionOf(own['action']) : undefined;
  if (named === undefined || event === undefined) return undefined;
  if (reader.section(path, named.parameters, input) === undefined) return undefined;
  if (event.repeat !== undefined && event.every === undefined)
    reader.note([...path, 'repeat'], { expected: 'every beside it', found: 'nothing' }, true);
  return {
    atMs: event.at,
    name: named.name,
    input,
    everyMs: event.every,
    repeat: event.repeat ?? (event.every === undefined ? 1 : Number.POSITIVE_INFINITY),
    place: reader.place(path),
  };
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findCodes } from '../../scripts/error-codes.ts';
import {
  configKeys,
  errorSites,
  exitCodeOfSite,
  haltSites,
  referencePages,
} from '../../scripts/reference.ts';
import { INTENT_CODES } from '../../src/bot/kernel/intent-codes.ts';
import { DENIAL_CODES } from '../../src/bot/risk/index.ts';
import { EXIT } from '../../src/cli/terminal/exit-codes.ts';
import { configJsonSchema, loadConfig } from '../../src/config/index.ts';
import { shownHelps } from '../golden/snapshot.ts';
import { ROOT, sourceFiles } from '../tidy/source.ts';

// What the commands say today is held against these by test/golden/help.test.ts.
const helps = shownHelps();

const page = (name: string): string => readFileSync(join(ROOT, 'docs/reference', name), 'utf8');

describe('generated pages', () => {
  const pages = referencePages(helps);

  test.each([...pages])('%s is what the code says (else: node scripts/reference.ts)', (path, text) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
  });
});

describe('docs/reference/config.md', () => {
  test('says what each key means and what is expected of it', () => {
    const silent = configKeys().filter((key) => key.meaning.length < 10 || key.expected === '');
    expect(silent).toEqual([]);
    expect(configKeys().length).toBeGreaterThan(60);
  });

  test('has the keys of the configuration that shows every key', () => {
    const shown = new Set<string>();
    const walk = (value: unknown, path: string): void => {
      if (Array.isArray(value)) {
        for (const item of value) if (typeof item === 'object') walk(item, `${path}[]`);
      } else if (typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) {
          const here = path === '' ? key : `${path}.${key}`;
          if (here === 'strategies[].parameters' || here === 'sweep.parameters') continue;
          if (typeof inner !== 'object' || Array.isArray(inner)) shown.add(here);
          walk(inner, here);
        }
      }
    };
    walk(parse(readFileSync(join(ROOT, 'configs/live-example.yaml'), 'utf8'), { schema: 'failsafe' }), '');
    const known = new Set(configKeys().flatMap((key) => [key.path, key.path.replace(/\[\]$/, '')]));
    expect([...shown].filter((key) => !known.has(key))).toEqual([]);
    expect(shown.size).toBeGreaterThan(50);
  });
});

describe('docs/reference/config.schema.json', () => {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(configJsonSchema());
  const configs = readdirSync(join(ROOT, 'configs'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.replace('.yaml', ''));

  test.each(configs)('takes configs/%s.yaml as an editor reads it', (name) => {
    const file = join(ROOT, 'configs', `${name}.yaml`);
    expect(loadConfig(file).config.file).toBe(file);
    validate(parse(readFileSync(file, 'utf8')));
    expect(validate.errors).toBe(null);
  });

  test('refuses an unknown key, a number out of bounds, a word that is none and a missing section', () => {
    const good = parse(readFileSync(join(ROOT, 'configs/demo.yaml'), 'utf8')) as Record<string, object>;
    expect(validate({ ...good, riks: {} })).toBe(false);
    expect(validate({ ...good, environment: { ...good['environment'], seed: -1 } })).toBe(false);
    expect(validate({ ...good, log: { level: 'loud' } })).toBe(false);
    expect(validate({ ...good, deadMansSwitch: { heartbeat: '5 seconds' } })).toBe(false);
    expect(validate({ ...good, risk: undefined })).toBe(false);
  });
});

describe('docs/reference/errors.md', () => {
  const listed = (code: string): boolean => page('errors.md').includes(`\`${code}\``);

  test('lists every code that stands in the sources as text', () => {
    const areas = new Set(errorSites().map((site) => site.code.split('_')[0] ?? ''));
    const found = new Set<string>();
    for (const file of sourceFiles('src')) {
      const text = file.text.replaceAll(/\/\*[\s\S]*?\*\//g, '');
      for (const [, code = ''] of text.matchAll(/'([A-Z]+(?:_[A-Z0-9]+)+)'/g))
        if (areas.has(code.split('_')[0] ?? '') && !isPrefixRow(file.path, code)) found.add(code);
    }
    const elsewhere = new Set([...Object.keys(DENIAL_CODES), ...Object.keys(INTENT_CODES)]);
    const unlisted = [...found].filter(
      (code) => !listed(code) && !elsewhere.has(code) && !code.startsWith('BALLAST_'),
    );
    expect(unlisted).toEqual([]);
    expect(found.size).toBeGreaterThan(80);
  });

  test('gives every error a class, and a remedy in whole words', () => {
    for (const site of errorSites()) {
      expect(site.className, site.code).toMatch(/Error$/);
      if (site.remedy !== '') expect(site.remedy, site.code).toMatch(/^\S.{9,}/);
    }
    const silent = new Set(
      errorSites()
        .filter((site) => site.remedy === '')
        .map((site) => site.code),
    );
    expect([...silent]).toEqual(['CONFIG_KEY_FILE_UNSAFE']);
  });

  test('lists the halts of a lane apart', () => {
    expect(haltSites().map((site) => site.code)).toEqual(
      expect.arrayContaining([
        'EXECUTION_GRANT_INVALID',
        'EXECUTION_SIGNING_FAILED',
        'EXECUTION_NONCE_AHEAD',
      ]),
    );
  });

  /** Rows of the exit code table are prefixes; a prefix that is a whole code is checked below. */
  function isPrefixRow(file: string, code: string): boolean {
    return file === 'src/cli/terminal/exit-codes.ts' && !errorSites().some((site) => site.code === code);
  }
});

describe('exit codes', () => {
  const sites = errorSites();
  const exitOf = (code: string): number | undefined => {
    const site = sites.find((one) => one.code === code);
    return site === undefined ? undefined : exitCodeOfSite(site);
  };

  test('are those of the decisions for the errors that a supervisor must tell apart', () => {
    expect({
      badConfig: exitOf('CONFIG_INVALID'),
      badParameters: exitOf('STRATEGY_PARAMETERS_INVALID'),
      capitalTooSmall: exitOf('RISK_LIMIT_INVALID'),
      unknownMarket: exitOf('PREFLIGHT_MARKET_UNKNOWN'),
      badRecording: exitOf('TAPE_LINE_MALFORMED'),
      noGatewayAtStart: exitOf('PREFLIGHT_UNREACHABLE'),
      noGateway: exitOf('GATEWAY_UNREACHABLE'),
      bug: exitOf('CORE_ASSERTION_FAILED'),
      fullDisk: exitOf('JOURNAL_UNWRITABLE'),
      otherBotOnTheScope: exitOf('JOURNAL_SCOPE_LOCKED'),
      otherBotOnTheJournal: exitOf('JOURNAL_LOCKED'),
      noGrant: exitOf('PREFLIGHT_GRANT_MISSING'),
      wrongPassword: exitOf('CRYPTO_KEYSTORE_PASSWORD_WRONG'),
    }).toEqual({
      badConfig: 78,
      badParameters: 78,
      capitalTooSmall: 78,
      unknownMarket: 78,
      badRecording: 65,
      noGatewayAtStart: 69,
      noGateway: 69,
      bug: 70,
      fullDisk: 73,
      otherBotOnTheScope: 75,
      otherBotOnTheJournal: 75,
      noGrant: 77,
      wrongPassword: 77,
    });
  });

  test('leave the general failure to errors that fit no other one', () => {
    const general = new Set(
      sites.filter((site) => exitCodeOfSite(site) === EXIT.failure).map((site) => site.code),
    );
    const fitting = ['CONTROL_REFUSED', 'OUTPUT_UNWRITABLE', 'VERIFICATION_UNSTABLE'];
    expect([...general].sort()).toEqual(fitting);
  });

  test('name only prefixes that codes have', () => {
    const text = readFileSync(join(ROOT, 'src/cli/terminal/exit-codes.ts'), 'utf8');
    const prefixes = [...text.matchAll(/\['([A-Z_]+)', EXIT/g)].map((match) => match[1] ?? '');
    expect(prefixes.length).toBeGreaterThan(10);
    expect(
      prefixes.filter((prefix) => !findCodes(ROOT).some((site) => site.code.startsWith(prefix))),
    ).toEqual([]);
  });
});

describe('remedies', () => {
  const remedies = [
    ...errorSites().map(({ code, remedy }) => [code, remedy] as const),
    ...Object.entries({ ...DENIAL_CODES, ...INTENT_CODES }).map(([code, row]) => [code, row.remedy] as const),
  ];

  test('name commands and options that exist', () => {
    const unknown = remedies.flatMap(([code, remedy]) => [
      ...[...remedy.matchAll(/`ballast ([a-z]+(?:[ -][a-z]+)?)/g)]
        .filter(
          ([, words = '']) =>
            ![...helps.keys()].some(
              (name) => `ballast ${words} `.startsWith(`${name} `) && name !== 'ballast',
            ),
        )
        .map(([text]) => `${code}: ${text}`),
      ...[...remedy.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)]
        .filter(([option]) => ![...helps.values()].some((help) => help.includes(option)))
        .map(([option]) => `${code}: ${option}`),
    ]);
    expect(unknown).toEqual([]);
  });

  test('name keys of the configuration that exist', () => {
    const known = configKeys().map(({ path }) => path.replaceAll('[]', ''));
    const sections = [...new Set(known.map((path) => path.split('.')[0] ?? ''))];
    const named = remedies.flatMap(([code, remedy]) =>
      [
        ...remedy
          .replaceAll('[]', '')
          .matchAll(new RegExp(`(?<![.\\w])(?:${sections.join('|')})(?:\\.[a-zA-Z]+)+`, 'g')),
      ].map(([key]) => ({ code, key })),
    );
    expect(named.length).toBeGreaterThan(10);
    const isKey = (key: string) => known.some((path) => path === key || path.startsWith(`${key}.`));
    expect(named.filter(({ key }) => !isKey(key))).toEqual([]);
  });
});

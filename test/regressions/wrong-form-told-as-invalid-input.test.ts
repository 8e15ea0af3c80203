/**
 * Symptoms: an axis of a sweep in a wrong form was told as "expected Invalid input"; an option of a parameter in a wrong
 * form was a TypeError with its stack and exit code 70.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { defineStrategy, param } from '../../src/bot/strategy/index.ts';
import { parseImportMapping } from '../../src/config/import-mapping.ts';
import { parseConfig } from '../../src/config/index.ts';
import { configSchema } from '../../src/config/sections.ts';
import { isRecord, messageOf } from '../../src/core/index.ts';
import { shellEnd } from '../support/ballast-process.ts';

/** What zod says where nobody has said it better. */
const FOREIGN =
  /expected (?:Invalid|Too |Unrecognized|Expected|[Nn]ull|undefined|string\b|array\b|object\b)|Invalid input/;
const WRONG: readonly unknown[] = [
  'x',
  '',
  '-1',
  '1e99',
  'x'.repeat(200),
  [],
  ['x'],
  [[]],
  [{}],
  {},
  { x: 'y' },
  { from: '1' },
];

const BASE = {
  environment: { name: 'sim' },
  markets: [{ symbol: 'BTC-USD' }],
  strategies: [{ name: 's', module: './s.ts', markets: ['BTC-USD'] }],
  risk: { capital: '10000' },
};

type Path = readonly (string | number)[];

/** A path to each key of a schema: of a list to its first item, of names with values to one of them. */
function* pathsOf(schema: unknown, path: Path = []): Generator<Path> {
  if (!isRecord(schema)) return;
  if (path.length > 0) yield path;
  for (const [key, inner] of Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}))
    yield* pathsOf(inner, [...path, key]);
  yield* pathsOf(schema['items'], [...path, 0]);
  yield* pathsOf(schema['additionalProperties'], [...path, 's.a']);
  for (const inner of Array.isArray(schema['anyOf']) ? schema['anyOf'] : []) yield* pathsOf(inner, path);
}

/** `base` with `value` at `path`, in a copy. */
function withValue(base: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number') return [withValue(Array.isArray(base) ? base[key] : undefined, rest, value)];
  const section = isRecord(base) ? base : {};
  return { ...section, [key]: withValue(section[key], rest, value) };
}

function words(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (thrown) {
    return messageOf(thrown);
  }
}

test('each key of a configuration says in our words what is right', () => {
  const paths = [...pathsOf(z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }))];
  expect(paths.length).toBeGreaterThan(120);
  const foreign = paths.flatMap((path) =>
    WRONG.flatMap((value) => {
      const text = JSON.stringify(withValue(BASE, path, value));
      const found = words(() => parseConfig(text, '/a.yaml'));
      return FOREIGN.test(found) ? [`${path.join('.')}: ${JSON.stringify(value)}: ${found}`] : [];
    }),
  );
  expect(foreign).toEqual([]);
});

test('each key of a mapping says in our words what is right', () => {
  const base = { files: [{ name: '*', rows: 'trades', time: { column: 't' }, columns: { price: 'p' } }] };
  const file = [
    'name',
    'rows',
    'separator',
    'hasHeader',
    'time',
    'received',
    'symbol',
    'columns',
    'sides',
    'levels',
    'interval',
  ];
  const inner = [
    ['time', 'column'],
    ['time', 'unit'],
    ['columns', 'price'],
    ['sides', 'buy'],
    ['sides', 'sell'],
  ];
  const paths: readonly Path[] = [
    ...['symbol', 'priceDecimals', 'sizeDecimals', 'gapAfter', 'files', 'unknown'].map((key) => [key]),
    ...[...file.map((key) => [key]), ...inner].map((keys) => ['files', 0, ...keys]),
  ];
  const foreign = paths.flatMap((path) =>
    WRONG.flatMap((value) => {
      const found = words(() => parseImportMapping(JSON.stringify(withValue(base, path, value)), 'm.yaml'));
      return FOREIGN.test(found) ? [`${path.join('.')}: ${JSON.stringify(value)}: ${found}`] : [];
    }),
  );
  expect(foreign).toEqual([]);
});

const AXIS = 'expected `values`, or `from`, `to` and `step`, got ';
const NAME = 'expected a strategy and one of its parameters, like ladder.skewPpm';

test.each([
  ['{ s.a: [1, 2] }', `sweep.parameters.s.a: ${AXIS}a list of 2`],
  ['{ s.a: 5 }', `sweep.parameters.s.a: ${AXIS}"5"`],
  ['{ s.a: }', `sweep.parameters.s.a: ${AXIS}nothing`],
  ['{ s.a: {} }', `sweep.parameters.s.a: ${AXIS}a section`],
  ['{ s.a: { values: [1], from: 1, to: 2, step: 1 } }', `sweep.parameters.s.a: ${AXIS}a section`],
  ['{ s.a: { values: 5 } }', 'sweep.parameters.s.a.values: expected a list, got "5"'],
  ['{ s.a: { values: [] } }', 'sweep.parameters.s.a.values: expected at least one value'],
  ['{ s.a: { values: [[1]] } }', 'sweep.parameters.s.a.values[0]: expected a value, got a list of 1'],
  ['{ s.a: { from: 1, to: 2 } }', 'sweep.parameters.s.a.step: expected a plain decimal'],
  ['{ s.a: { from: x, to: 2, step: 1 } }', 'sweep.parameters.s.a.from: expected a plain decimal'],
  ['{ s.a: { from: 1, to: 2, step: 0 } }', 'sweep.parameters.s.a.step: expected a step that is not 0'],
  [
    '{ s.a: { from: 1, to: 2, step: -1 } }',
    'sweep.parameters.s.a.step: expected a step that leads from 1 to 2',
  ],
  [
    '{ s.a: { from: 0, to: 1, step: 0.0000001 } }',
    'sweep.parameters.s.a.step: expected a step that makes at most',
  ],
  ['{ s: { values: [1] } }', `sweep.parameters.s: ${NAME}`],
  ['{ S.a: { values: [1] } }', `sweep.parameters.S.a: ${NAME}`],
  ['{ s.: { values: [1] } }', `sweep.parameters.s.: ${NAME}`],
  ['[1]', 'sweep.parameters: expected a section with keys, got a list of 1'],
])('parameters of a sweep %s: %s', (parameters, expected) => {
  const text = `${JSON.stringify(BASE).slice(0, -1)},\n sweep: { parameters: ${parameters} } }`;
  expect(words(() => parseConfig(text, '/a.yaml'))).toMatch(
    /^CONFIG_INVALID: .*has 1 error\na\.yaml:2:\d+: /,
  );
  expect(words(() => parseConfig(text, '/a.yaml'))).toContain(expected);
});

test('`config check` has the strategies take the values of a sweep', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-axes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const module =
    "import { defineStrategy, param } from 'ballast/strategy';\nexport default defineStrategy({ name: 's', parameters: param.object({ a: param.integer({ max: 3 }).prefault(1) }), create: () => ({}) });\n";
  writeFileSync(join(folder, 's.ts'), module);
  const axes = { good: 's.a', strategy: 'q.a', parameter: 's.b', value: 's.a' };
  const ends = await Promise.all(
    Object.entries(axes).map(([name, path]) => {
      const values = name === 'value' ? ['1', '4'] : ['1', '2'];
      writeFileSync(
        join(folder, `${name}.yaml`),
        JSON.stringify({ ...BASE, sweep: { parameters: { [path]: { values } } } }),
      );
      return shellEnd(`"$0" "$1" config check ${name}.yaml`, { cwd: folder });
    }),
  );
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 78, 78, 78]);
  expect(ends[1]?.stderr).toContain('SWEEP_PARAMETER_UNKNOWN');
  expect(ends[2]?.stderr).toContain('SWEEP_VALUE_INVALID');
  expect(ends[3]?.stderr).toMatch(/SWEEP_VALUE_INVALID: .*s\.a = 4.*up to 3/);
});

describe('a parameter', () => {
  /** As a module has it that no compiler has seen. */
  const loose = param as unknown as Record<string, (...options: readonly unknown[]) => z.ZodType>;
  const make = (kind: string, ...options: readonly unknown[]) =>
    (loose[kind] as (...given: readonly unknown[]) => z.ZodType)(...options);
  const defined = (parameter: unknown) => () =>
    defineStrategy({
      name: 'x',
      parameters: param.object({ period: parameter as z.ZodType }),
      create: () => ({}),
    });

  test.each([
    [
      'durationMs',
      [{ min: 1 }],
      "the option min of param.durationMs as text of a duration like '1ms', got 1",
    ],
    ['durationMs', [{ max: 250 }], "like '250ms', got 250"],
    ['durationMs', [{ above: '1 s' }], 'the option above of param.durationMs'],
    ['durationMs', [{ minimum: '1s' }], 'an option of param.durationMs (min, above, max), got minimum'],
    ['durationMs', ['1s'], 'the options of param.durationMs as { min, above, max }, got "1s"'],
    ['durationMs', [{ min: '2s', max: '1s' }], 'to allow a value, got from 2s to 1s'],
    ['durationMs', [{ above: '2s', max: '2s' }], 'to allow a value, got from 2s to 2s'],
    ['decimal', [{ min: 1 }], "decimal text like '1', got 1"],
    ['decimal', [{ max: '1e3' }], 'decimal text'],
    ['decimal', [{ above: null }], 'got null'],
    ['decimal', [[]], 'the options of param.decimal'],
    ['integer', [{ min: '1' }], 'an integer like 1, got "1"'],
    ['integer', [{ max: 1.5 }], 'an integer like 1, got 1.5'],
    ['integer', [1, 10], 'the options of param.integer as { min, max }, got 1'],
    ['integer', [{ above: 1 }], 'an option of param.integer (min, max), got above'],
    ['ppm', [{ min: Number.NaN }], 'got NaN'],
    ['ppm', [{ min: 200_000 }], 'to allow a value, got from 200000 to 100000'],
    ['choice', ['a'], "a list of different texts like ['fast', 'slow'], got \"a\""],
    ['choice', [[]], 'got a list of 0'],
    ['choice', [['a', 'a']], 'a list of different texts'],
    ['choice', [[1]], 'a list of different texts'],
    ['choice', [], 'got nothing'],
    ['text', [{ max: 3 }], 'no options of param.text'],
    ['flag', [true], 'no options of param.flag, got true'],
    ['symbol', ['BTC-USD'], 'no options of param.symbol'],
    ['list', ['text'], 'the kind of the items of param.list'],
    ['list', [param.text], 'got a function'],
    ['list', [make('integer', { min: 'a' })], 'the option min of param.integer'],
    ['object', [{ inner: make('decimal', { min: 1 }) }], 'parameter period.inner: expected the option min'],
  ])('param.%s(%j) is refused by its name: %s', (kind, options, expected) => {
    const { code, message } = errorOf(defined(make(kind, ...options)));
    expect(code).toBe('STRATEGY_SCHEMA_INVALID');
    expect(message).toMatch(/^parameter period/);
    expect(message).toContain(expected);
  });

  test.each([
    [param.integer, 'a kind such as param.integer(), got a function'],
    ['text', 'a kind such as param.integer(), got "text"'],
    [undefined, 'a kind such as param.integer(), got nothing'],
    [param.durationMs().prefault(5 as never), 'its default as a duration from 0ms to 87600h, got 5'],
    [param.integer({ max: 3 }).prefault(4), 'its default as an integer up to 3, got 4'],
    [param.choice(['a', 'b']).prefault('c' as never), 'its default as one of a, b, got "c"'],
    [make('integer', { min: '1' }).optional(), 'the option min'],
    [make('text', {}).describe('with more to it').prefault('a'), 'no options of param.text'],
  ])('%s is refused by its name: %s', (parameter, expected) => {
    expect(errorOf(defined(parameter)).message).toContain(`parameter period: expected ${expected}`);
  });

  test('in its right form is taken, and each option may be left out', () => {
    const right = [
      param.decimal({ above: '0', max: '1' }),
      param.integer({ min: 1, max: 1 }).prefault('1'),
      param.ppm({ min: -5 }),
      param.durationMs({ min: '1s', max: '1s' }).prefault('1s'),
      param.list(param.choice(['a'])).prefault(['a']),
      param.decimal({ min: undefined as never }),
      z.string().optional(),
    ];
    for (const parameter of right) expect(defined(parameter)).not.toThrow();
  });
});

function errorOf(work: () => unknown): { readonly code: string; readonly message: string } {
  try {
    work();
  } catch (thrown) {
    return thrown as { code: string; message: string };
  }
  return { code: '', message: '' };
}

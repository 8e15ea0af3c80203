/**
 * What a file exports, another file of the product asks for: a test alone is no reason. What only tests need lives in
 * test/support, or is reached through what the product uses.
 */
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  doorOf,
  LISTED,
  namesIn,
  PICKED,
  packageDoors,
  type SourceFile,
  sourceFiles,
  TAKEN_APART,
} from './source.ts';

const source = sourceFiles('src');
const ASKING = [...source, ...['strategies', 'bench', 'scripts'].flatMap(sourceFiles)];

/**
 * Inner parts that a test may call, with its reason: through what the product uses the test would be poorer. The list may
 * only shrink.
 */
const INNER_FOR_TESTS: Readonly<Record<string, string>> = {
  'src/bot/execution/startup-check.ts startingPoint':
    'where a scope begins for any evidence, without a gateway',
  'src/bot/journal/records.ts encodeJournalJson':
    'any value survives a row, also those that no record holds today',
  'src/bot/journal/records.ts decodeJournalJson': 'as encodeJournalJson',
  'src/bot/kernel/levels.ts LEVELS_MAX': 'a change of all levels of a market fits into one batch',
  'src/bot/replay/run-log.ts RunLog': 'the entries of a run in memory, without a file',
  'src/bot/setup/operator-structs.ts structsOfDocument': 'documents of operators as texts, without files',
  'src/cli/terminal/progress-bar.ts barText': 'the words of the bar, without a terminal',
  'src/cli/terminal/status-line.ts renderStatus': 'the words of the line, without a terminal',
  'src/config/import-mapping.ts parseImportMapping': 'mappings as texts, without files',
  'src/config/operator-document.ts parseOperatorDocument': 'documents as texts, without files',
  'src/exchange/engine/prices/funding.ts hourlyRateE12': 'published vectors of the formula',
  'src/exchange/engine/prices/funding.ts premiumE12': 'published vectors of the formula',
  'src/exchange/engine/prices/mark-price.ts markPrice': 'the formula without a market',
  'src/exchange/engine/reasons.ts REJECT_REASONS': 'each reason has a row in the table of error codes',
  'src/report/metrics.ts downsideRisk': 'vectors of the statistic, of which the report shows the ratio alone',
  'src/report/page-data.ts packed': 'the browser unpacks what was packed',
  'src/research/backtest/paper-settings.ts fillModelSettingsOf':
    'the fill model of a configuration without a run',
  'src/research/backtest/what-if.ts whatIfOf': 'a replay of a run in memory',
  'src/research/bars/bar-file.ts barsOfRows': 'rows of a file, damaged ones too, without files',
  'src/research/sweep/sweep.ts windowsOf': 'the bounds of windows without backtests',
  'src/tape/importers/csv-table.ts CsvText': 'rows of texts, without files',
  'src/wire/crypto/address.ts checksumAddress': 'vectors of EIP-55, and the comparison with viem',
  'src/wire/crypto/load.ts loadCryptoFrom': 'back ends that fail, which no machine has at will',
  'src/wire/protocol/codec/order-id.ts unpackOrderId': 'packing and unpacking are inverse',
  'src/wire/protocol/schema/write.ts WRITE_ANSWER': 'the schema against openapi.yaml and samples of answers',
  'src/wire/protocol/schema/write.ts SEQUENCED_ANSWER':
    'the schema against openapi.yaml and samples of answers',
};

/** Exports of values: functions, classes, constants. Types are free. */
const EXPORTED = /^export (?:abstract |async )*(?:function\*?|class|const|let) (\w+)/gm;
const LAZY = /\bimport\(\s*'([^']+)'\s*\)/g;
const WHOLE = /\bimport\s+(?:type\s+)?\*\s+as\s+(\w+)\s+from\s*'([^']+)'/g;

const published = packageDoors();

/** `path name` of all that a file asks for, with what it hands on from elsewhere under `export`. */
function askedBy({ path, text }: SourceFile): string[] {
  const at = (specifier: string) => join(dirname(path), specifier).replaceAll('\\', '/');
  const isDoor = doorOf(path) !== undefined && !published.includes(path);
  return [
    ...[...text.matchAll(LISTED)].flatMap(([, verb, list = '', specifier = '']) =>
      verb === 'export' && isDoor ? [] : namesIn(list, 'inside').map((name) => `${at(specifier)} ${name}`),
    ),
    ...[...text.matchAll(TAKEN_APART)].flatMap(([, list = '', specifier = '']) =>
      namesIn(list, 'inside').map((name) => `${at(specifier)} ${name}`),
    ),
    ...[...text.matchAll(PICKED)].map(([, specifier = '', name = '']) => `${at(specifier)} ${name}`),
    ...[...text.matchAll(LAZY)].map(([, specifier = '']) => `${at(specifier)} *`),
    ...[...text.matchAll(WHOLE)].flatMap(([, space = '', specifier = '']) =>
      [...text.matchAll(new RegExp(`\\b${space}\\.(\\w+)`, 'g'))].map(
        ([, name]) => `${at(specifier)} ${name}`,
      ),
    ),
  ];
}

/** Where each name of a door comes from: `door name` to `file name`. */
const behindDoors = new Map<string, string>(
  source
    .filter(({ path }) => doorOf(path) !== undefined)
    .flatMap(({ path, text }) =>
      [...text.matchAll(LISTED)]
        .filter(([, verb]) => verb === 'export')
        .flatMap(([, , list = '', specifier = '']) =>
          list
            .split(',')
            .map((part) => part.trim().replace(/^type\s+/, ''))
            .filter((part) => part !== '')
            .map((part) => {
              const [inside = '', outside = inside] = part.split(/\s+as\s+/);
              return [`${path} ${outside}`, `${join(dirname(path), specifier)} ${inside}`] as const;
            }),
        ),
    ),
);

test('each export of a value is asked for by the product, not by tests alone', () => {
  const asked = new Set<string>();
  for (const name of ASKING.flatMap(askedBy)) {
    asked.add(name);
    for (let next = behindDoors.get(name); next !== undefined; next = behindDoors.get(next)) asked.add(next);
  }
  const exported = source.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORTED)].map(([, name = '']) => ({ path, name })),
  );
  expect(exported.length).toBeGreaterThan(1_000);
  const idle = exported
    .filter(({ path, name }) => !asked.has(`${path} ${name}`) && !asked.has(`${path} *`))
    .map(({ path, name }) => `${path} ${name}`);
  // Sorted both: a name of the list that the product asks for, or that is gone, leaves the list.
  expect(idle.sort()).toEqual(Object.keys(INNER_FOR_TESTS).sort());
  const tests = sourceFiles('test')
    .filter(({ path }) => !path.startsWith('test/tidy/'))
    .map(({ text }) => text)
    .join('\n');
  const uncalled = Object.keys(INNER_FOR_TESTS).filter(
    (inner) => !new RegExp(`\\b${inner.split(' ')[1]}\\b`).test(tests),
  );
  expect(uncalled).toEqual([]);
});

/**
 * @module The YAML file that says which columns of a third-party CSV hold what (`ballast import csv --mapping`). Every
 * finding is named with its location; whether the columns are there is for the import to see.
 */
import { basename } from 'node:path';
import { z } from 'zod';
import { ConfigError, readRegularFile, whyUnreadable } from '../core/index.ts';
import { describeFinding, describeFindings, type Finding } from '../core/yaml/index.ts';
import { readCheckedYaml } from './checked-yaml.ts';
import { choice, durationFrom, flag, integer } from './scalars.ts';

const text = z.string().min(1, 'a value');
const words = z.union([text.transform((word) => [word]), z.array(text)], 'a word or a list of words');
const time = z.strictObject({
  column: text,
  unit: choice('auto', 's', 'ms', 'us', 'ns').default('auto'),
});

const fileSchema = z.strictObject({
  name: text,
  rows: choice('trades', 'quotes', 'levels', 'books', 'candles'),
  separator: z.string().length(1, 'one character').default(','),
  hasHeader: flag.default(true),
  time,
  received: time.optional(),
  symbol: text.optional(),
  columns: z.record(z.string(), text, 'columns by role'),
  sides: z
    .strictObject({ buy: words, sell: words })
    .default({ buy: ['buy', 'b', 'bid'], sell: ['sell', 's', 'ask'] }),
  levels: integer(1, 1_000).optional(),
  interval: durationFrom().optional(),
});

const schema = z.strictObject({
  symbol: text.optional(),
  priceDecimals: integer(0, 12).optional(),
  sizeDecimals: integer(0, 12).optional(),
  gapAfter: durationFrom().optional(),
  files: z.array(fileSchema, 'a list of files').min(1, 'a list of at least one kind of file'),
});

type MappingValues = z.infer<typeof schema>;

/** A mapping as it was written, with defaults filled in. */
export interface ImportMapping extends Omit<MappingValues, 'gapAfter' | 'files'> {
  /** Silence of the book that counts as a gap, ms; `undefined`: the default of the kind of rows. */
  readonly silenceMs: number | undefined;
  /** Mapping of each kind of file. */
  readonly files: readonly (Omit<MappingValues['files'][number], 'interval'> & {
    readonly intervalMs: number | undefined;
  })[];
}

/** The largest file that is read. */
const MAPPING_BYTES_MAX = 1_000_000;

/** Reads and checks the mapping in `file`. @throws ConfigError `CONFIG_MAPPING_INVALID` with every finding. */
export function loadImportMapping(file: string): ImportMapping {
  let written: string;
  try {
    written = readRegularFile(file, MAPPING_BYTES_MAX);
  } catch (cause) {
    throw new ConfigError({
      code: 'CONFIG_MAPPING_INVALID',
      message: `expected a readable mapping at ${file}, but ${whyUnreadable(file, cause)}`,
      remedy: 'Name a YAML file; docs/guides/import-recordings.md has one to start from.',
      cause,
    });
  }
  return parseImportMapping(written, file);
}

/** As {@link loadImportMapping} for a text; `file` is named in findings. */
export function parseImportMapping(written: string, file: string): ImportMapping {
  const { check, find } = readCheckedYaml(written, {
    label: basename(file),
    page: 'docs/guides/import-recordings.md',
    invalid: invalidMapping,
  });
  const { gapAfter, files, ...rest } = check(schema);
  for (const [at, { rows, interval, levels }] of files.entries()) {
    if (rows === 'candles' && interval === undefined)
      throw invalidMapping([
        { ...find(['files', at], 'an interval, the length of its bars'), found: 'nothing' },
      ]);
    if (rows === 'books' && levels === undefined)
      throw invalidMapping([{ ...find(['files', at], 'levels, how many a side has'), found: 'nothing' }]);
  }
  return {
    ...rest,
    silenceMs: gapAfter,
    files: files.map(({ interval, ...one }) => ({ ...one, intervalMs: interval })),
  };
}

function invalidMapping(findings: readonly Finding[]): ConfigError {
  return new ConfigError({
    code: 'CONFIG_MAPPING_INVALID',
    message: describeFindings('the mapping', findings.map(describeFinding)),
    remedy: 'Correct the lines named above; docs/guides/import-recordings.md lists every key.',
  });
}

/**
 * @module docs/guides/import-recordings.md: its mapping is read as it stands, its table names every reason, its formats
 * are all.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseImportMapping } from '../../src/config/import-mapping.ts';
import { RECORDING_FORMATS } from '../../src/tape/format/recording-names.ts';
import { IMPORT_REASONS } from '../../src/tape/importers/import-counts.ts';
import { ROOT } from '../tidy/source.ts';

const page = readFileSync(join(ROOT, 'docs/guides/import-recordings.md'), 'utf8');

describe('docs/guides/import-recordings.md', () => {
  test('has a mapping that can be read', () => {
    const mappings = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(mappings.length).toBe(1);
    for (const text of mappings)
      expect(parseImportMapping(text, 'guide.yaml')).toMatchObject({
        symbol: 'GOLD-USD',
        priceDecimals: 2,
        files: [
          { rows: 'trades', separator: ',' },
          { rows: 'books', levels: 5 },
        ],
      });
  });

  test('says of every reason what it means, in the words that are printed', () => {
    for (const [reason, meaning] of Object.entries(IMPORT_REASONS))
      expect(page).toContain(`| \`${reason}\` | ${meaning} |`);
  });

  test('has a part for every format, as has the help', () => {
    const parts = [...page.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    expect(parts.toSorted()).toEqual([...RECORDING_FORMATS].sort());
    const help = readFileSync(join(ROOT, 'test/golden/snapshots/help/ballast-import.txt'), 'utf8');
    for (const format of RECORDING_FORMATS) expect(help).toContain(format);
  });
});

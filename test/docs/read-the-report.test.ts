/** docs/guides/read-the-report.md says of every figure of a report what it is, and names commands that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quantums } from '../../src/domain/index.ts';
import { jsonOfRun } from '../../src/report/index.ts';
import { aDay } from '../support/run-records.ts';
import { ROOT } from '../tidy/source.ts';

const PAGE = readFileSync(join(ROOT, 'docs/guides/read-the-report.md'), 'utf8');

/** Names of figures, wherever they stand; kinds of ledger entries are the exchange's own. */
function namesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap(namesOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'ledger' || name === 'run' ? [name] : [name, ...namesOf(inner)],
  );
}

test('names every figure of the document', () => {
  const band = { low: quantums(0n), high: quantums(0n), basis: '' };
  const names = new Set(namesOf(jsonOfRun({ ...aDay({ hours: 1 }), band })));
  for (const common of ['schema', 'version', 'run', 'symbol', 'queue']) names.delete(common);
  const missing = [...names].filter((name) => !new RegExp(`\`(?:queue\\.)?${name}\``).test(PAGE));
  expect(missing).toEqual([]);
});

test('names commands as the reference has them', () => {
  const reference = readFileSync(join(ROOT, 'docs/reference/cli.md'), 'utf8');
  const options = [...PAGE.matchAll(/^ballast .*?(?: {2,}#|$)/gm)].flatMap(([line]) =>
    line.match(/--[a-z-]+/g),
  );
  expect(options.length).toBeGreaterThan(4);
  for (const option of new Set(options)) expect(reference).toContain(option ?? '');
});

/** The page of a report had a container of a new name, its script looked for the old one: equity and drawdown were not drawn. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../src/report', path), 'utf8');

test('each container that the script of the page draws into is on the page', () => {
  const drawn = [...read('page/charts.ts').matchAll(/(?:add\(|getElementById\()'([a-z]+)'/g)].map(
    ([, id]) => id,
  );
  expect(drawn.length).toBeGreaterThan(2);
  const page = read('html.ts') + read('html-tables.ts') + read('html-details.ts');
  expect(drawn.filter((id) => !page.includes(`id="${id}"`))).toEqual([]);
});

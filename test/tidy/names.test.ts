/** One word, one meaning: inside a wing an exported name stands in one file. */
import { expect, test } from 'vitest';
import { sourceFiles } from './source.ts';

const WINGS = ['bot', 'domain', 'research'];
const EXPORTED =
  /^export (?:default |abstract |declare |async )*(?:const|let|function\*?|class|interface|type)\s+(\w+)/gm;

test.each(WINGS)('src/%s gives each exported name to one file', (wing) => {
  const places = new Map<string, string[]>();
  for (const { path, text } of sourceFiles(`src/${wing}`))
    for (const [, name = ''] of text.matchAll(EXPORTED))
      places.set(name, [...(places.get(name) ?? []), path]);
  expect(places.size).toBeGreaterThan(100);
  const doubles = [...places].filter(([, paths]) => paths.length > 1);
  expect(doubles.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
});

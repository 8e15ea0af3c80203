/** One word, one meaning: inside a wing an exported name stands in one file. What all wings speak of, they name alike. */
import { expect, test } from 'vitest';
import { sourceFiles } from './source.ts';

const WINGS: readonly (readonly string[])[] = [
  ['bot'],
  ['domain'],
  ['research'],
  ['core', 'wire', 'client', 'conformance'],
];
const EXPORTED =
  /^export (?:default |abstract |declare |async )*(?:const|let|function\*?|class|interface|type)\s+(\w+)/gm;

test.each(WINGS.map((wings) => ({ wings })))('$wings: each exported name is of one file', ({ wings }) => {
  const places = new Map<string, ReadonlySet<string>>();
  for (const { path, text } of wings.flatMap((wing) => sourceFiles(`src/${wing}`)))
    for (const [, name = ''] of text.matchAll(EXPORTED))
      places.set(name, new Set([...(places.get(name) ?? []), path]));
  expect(places.size).toBeGreaterThan(100);
  const doubles = [...places].filter(([, paths]) => paths.size > 1);
  expect(doubles.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type LiveListeners, liveListeners } from '../../src/bot/live/listeners.ts';

const PAGE = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

/** The rows of the table under a heading, without its head, cell by cell. */
function rowsUnder(heading: string): string[][] {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the page on architecture', () => {
  test('lists who takes the facts of a live run: the same names, in the same order, with the same facts', () => {
    // Nothing is taken here: the list is made of what the run hands over, none of it is called.
    const listed = liveListeners({} as LiveListeners).map(({ name, facts }, at) => [
      ...[String(at + 1), name],
      facts === 'all' ? 'all' : facts.map((type) => `\`${type}\``).join(', '),
    ]);
    const printed = rowsUnder('The listeners of a fact');
    expect(printed.map((cells) => cells.slice(0, 3))).toEqual(listed);
    expect(printed.every((cells) => cells.length === 4 && cells[3] !== '')).toBe(true);
  });
});

import { expect, test } from 'vitest';
import { heatMapOf, type SweepDocument } from '../../../src/report/index.ts';

function documentOf(paths: readonly string[], tape: string): SweepDocument {
  return {
    method: 'grid',
    tape: { name: tape, hash: '' },
    axes: paths.map((path) => ({ path, values: ['1', '2'] })),
    objectives: [{ statistic: 'pnl', better: 'higher' }],
    rows: [],
    windows: [],
  } as unknown as SweepDocument;
}

test.each([
  [['ladder.halfSpreadPpm', 'ladder.skewPpm'], 'sample'],
  [['a'], 'a-tape-with-a-name-longer-than-the-cells-of-its-heat-map-are-wide'],
])('a heat map of %j is as wide as its title and subtitle', (paths, tape) => {
  const svg = heatMapOf(documentOf(paths, tape)) ?? '';
  const width = Number(/width="(\d+)"/.exec(svg)?.[1]);
  const [title = '', subtitle = ''] = [...svg.matchAll(/class="(?:title|note)"[^>]*>([^<]*)</g)].map(
    ([, text]) => text,
  );
  // About as wide as the letters of the system fonts of 17 and 13 px are.
  expect(title.length).toBeGreaterThan(0);
  expect(width).toBeGreaterThanOrEqual(16 + title.length * 10.5);
  expect(width).toBeGreaterThanOrEqual(16 + subtitle.length * 7.5);
});

/** Every figure that the reference names is counted by somebody: a figure that stays at zero forever misleads. */
import { expect, test } from 'vitest';
import { METRICS } from '../../src/core/index.ts';
import { sourceFiles } from './source.ts';

test('each declared figure is counted outside of its declaration', () => {
  const texts = sourceFiles('src').flatMap(({ path, text }) =>
    path === 'src/core/metrics.ts' ? [] : [text],
  );
  const silent = Object.keys(METRICS).filter((name) => !texts.some((text) => text.includes(`'${name}'`)));
  expect(silent).toEqual([]);
});

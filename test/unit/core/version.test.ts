import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from '../../../src/core/index.ts';

test('the version that journals and runs name is that of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  expect(VERSION).toBe(version);
});

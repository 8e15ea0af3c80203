/**
 * @module
 * `--out /proc/x/y` never came back: Node's recursive mkdir tries forever where a folder is there below which none can
 * be made.
 */
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/core/index.ts';

test.runIf(process.platform === 'linux')('a folder below /proc is refused at once', () => {
  expect(() => makeFolder('/proc/ballast/runs')).toThrow(/ENOENT|EACCES|EPERM/);
});

/**
 * Symptom: `ballast demo` over a folder that is no recording ended with 69, as a gateway that cannot be reached: a
 * supervisor would have started it again and again.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';

test('ends as data that is not what it must be, and says which', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-foreign-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'x.txt'), 'no recording');
  const { exitCode, stderr } = await ballast(['demo', '--tape', folder, '--duration', '5s']);
  expect(exitCode).toBe(65);
  expect(stderr).toContain('TAPE_NOT_RECOGNIZED');
  expect(stderr).toContain(`ballast import <format> ${folder} --out <folder>`);
  expect(stderr).toContain(
    `SIM_TAPE_REFUSED: expected a tape that the embedded exchange can play, got ${folder}`,
  );
}, 20_000);

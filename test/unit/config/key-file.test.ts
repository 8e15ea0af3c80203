import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readKeyFile } from '../../../src/config/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A key file that is as it should be. */
function aKeyFile(): string {
  const file = join(folder, 'key');
  writeFileSync(file, '0xabc\n', { mode: 0o600 });
  return file;
}

describe('readKeyFile', () => {
  test('reads a file that only its owner can read', () => {
    expect(readKeyFile(aKeyFile())).toBe('0xabc');
  });

  test.each([0o640, 0o604, 0o620, 0o666])('refuses mode %o', (mode) => {
    const file = aKeyFile();
    chmodSync(file, mode);
    expect(() => readKeyFile(file)).toThrow(/expected mode 600/);
  });

  test('refuses a symbolic link', () => {
    const link = join(folder, 'link');
    symlinkSync(aKeyFile(), link);
    expect(() => readKeyFile(link)).toThrow(/expected a key file/);
  });

  test('refuses a second hard link', () => {
    const file = aKeyFile();
    linkSync(file, join(folder, 'other'));
    expect(() => readKeyFile(file)).toThrow(/expected one link/);
  });

  test('refuses a folder that others may write to', () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    writeFileSync(join(open, 'key'), '0xabc', { mode: 0o600 });
    expect(() => readKeyFile(join(open, 'key'))).toThrow(/only its owner may write/);
  });

  test('refuses a folder, a missing file and a huge one', () => {
    expect(() => readKeyFile(folder)).toThrow(/regular file|key file/);
    expect(() => readKeyFile(join(folder, 'none'))).toThrow(/expected a key file/);
    const huge = join(folder, 'huge');
    writeFileSync(huge, 'x'.repeat(20_000), { mode: 0o600 });
    expect(() => readKeyFile(huge)).toThrow(/at most 16384 bytes/);
  });
});

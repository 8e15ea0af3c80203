import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder, PRIVATE_FOLDER } from '../../../src/core/index.ts';

const root = mkdtempSync(join(tmpdir(), 'ballast-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('a folder', () => {
  test('is made with all that is missing above it, once and again', () => {
    const path = join(root, 'a', 'b', 'c');
    makeFolder(path, PRIVATE_FOLDER);
    makeFolder(path, PRIVATE_FOLDER);
    for (const made of [path, join(root, 'a')]) expect(statSync(made).mode & 0o777).toBe(PRIVATE_FOLDER);
  });

  test('is there where its name is a link to one', () => {
    symlinkSync(root, join(root, 'link'));
    makeFolder(join(root, 'link', 'below'));
    expect(statSync(join(root, 'below')).isDirectory()).toBe(true);
  });

  test('is refused where a file has its name, or a name above it', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow(/EEXIST/);
    expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR/);
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
    expect(() => makeFolder(join(root, 'dangling', 'below'))).toThrow(/ENOENT|EEXIST/);
  });
});

/**
 * @module
 * Finds the vectors and recorded data that lie in `../shared` beside the project root. They are read where they lie and
 * never copied; where they are absent, a test says so in one line and is skipped: `test.skipIf(!hasShared(...))`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../src/core/index.ts';

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared');
const reported = new Set<string>();

/** The path of a file or folder below `../shared`. */
export function sharedPath(...parts: readonly string[]): string {
  return join(SHARED, ...parts);
}

/** Is this file or folder there (without arguments: the whole of `../shared`)? Says so in one line when it is not. */
export function hasShared(...parts: readonly string[]): boolean {
  const path = sharedPath(...parts);
  if (existsSync(path)) return true;
  if (!reported.has(path)) console.warn(`skipped: ../shared/${parts.join('/')} is not there`);
  reported.add(path);
  return false;
}

/** The JSON document of a file below `../shared`; integers above 2^53 are bigints. The caller names its type. */
export function readSharedJson<T>(...parts: readonly string[]): T {
  return parseJson(readFileSync(sharedPath(...parts), 'utf8')) as T;
}

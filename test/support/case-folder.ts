/** @module Cases of ../shared/cases, each copied into a folder of its own, so that commands run in it as their page says. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ballast, type Ended } from './ballast-process.ts';
import { sharedPath } from './shared.ts';

/** A copy of a case until the test ends, and ballast in it. */
export interface CaseFolder {
  readonly folder: string;
  /** Runs `ballast` with these arguments in the folder. */
  run(...args: readonly string[]): Promise<Ended>;
}

/** The case `name` in a folder of its own. */
export function aCase(name: string): CaseFolder {
  const folder = mkdtempSync(join(tmpdir(), `case-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(sharedPath('cases', name), folder, { recursive: true });
  return { folder, run: (...args) => ballast(args, { cwd: folder }) };
}

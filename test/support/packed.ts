/**
 * @module
 * Packs the package once for all the files that install it: each build takes half a minute and the same folder. It is
 * packed where a run has left its keys and journals, which must not go in.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../tidy/source.ts';
import { pack } from './installed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed package. */
    readonly tarball: string;
  }
}

/** Where a run of a shipped configuration keeps its state; its folder is not in the repository. */
const STATE = join(ROOT, 'configs', '.ballast', 'packed');

export default async function setup(project: TestProject): Promise<() => void> {
  mkdirSync(STATE, { recursive: true });
  writeFileSync(join(STATE, 'left.key'), 'left by a run');
  const tarball = await pack();
  project.provide('tarball', tarball);
  return () => {
    rmSync(STATE, { recursive: true, force: true });
    rmSync(tarball);
  };
}

/**
 * @module
 * All faults and all oracles: whatever the files of their folders export as `FAULTS` and `ORACLES`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../src/core/index.ts';
import type { Fault, FaultId, Oracle } from './types.ts';

/** What a world can be struck by, and what watches it. */
export interface Registry {
  readonly faults: readonly Fault[];
  readonly oracles: readonly Oracle[];
}

/** Faults of the catalogue (F1 to F77) that no seed strikes with, and what stands for them. */
export const ELSEWHERE: Readonly<Record<FaultId, string>> = {
  F68: 'no code of a plugin is shut in: it has the rights of the bot (SECURITY.md). A run refuses code that nobody has read before any of it runs: test/unit/bot/setup/code-that-was-read.test.ts',
};

let loaded: Promise<Registry> | undefined;

/** Loads all of them, once. */
export function loadRegistry(): Promise<Registry> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Registry> {
  const faults: Fault[] = [];
  for (const name of modulesIn('faults')) {
    const module: { readonly FAULTS?: readonly Fault[] } = await import(`./faults/${name}.ts`);
    faults.push(...(module.FAULTS ?? []));
  }
  const oracles: Oracle[] = [];
  for (const name of modulesIn('oracles')) {
    const module: { readonly ORACLES?: readonly Oracle[] } = await import(`./oracles/${name}.ts`);
    oracles.push(...(module.ORACLES ?? []));
  }
  const seen = new Set<FaultId>();
  for (const { id } of faults) {
    assert(!seen.has(id), `each fault once, got ${id} twice`);
    seen.add(id);
  }
  faults.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
  return { faults, oracles };
}

function modulesIn(folder: string): readonly string[] {
  return readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}

/** @module All wrong clients. The simulation must catch each of them within 200 seeds. */
import { MUTANTS as BOOKS } from './books.ts';
import { MUTANTS as GATEWAY } from './gateway.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS as RISK } from './risk.ts';
import { MUTANTS as SAFETY } from './safety.ts';
import { MUTANTS as SEAM } from './seam.ts';
import { MUTANTS as WRITES } from './writes.ts';

/** All of them, by area. */
export const MUTANTS: readonly Mutant[] = [...WRITES, ...SEAM, ...SAFETY, ...RISK, ...BOOKS, ...GATEWAY];

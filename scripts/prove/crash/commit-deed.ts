/**
 * @module
 * The n-th commit after strategies began to quote fails, and all after it for a while: the bot halts by that name, and
 * goes on once the disk is repaired (obligations F55, F56).
 */
import { FSYNC_FAILED } from '../../../test/simulation/disk.ts';
import type { Sight } from '../../../test/simulation/types.ts';
import type { OpenWorld } from '../../../test/simulation/world.ts';
import type { Deed } from './deed.ts';

/** What is wrong with the commit. */
export const FAILED_COMMITS = ['disk full', 'sync failed'] as const;

/** See {@link FAILED_COMMITS}. */
export type FailedCommit = (typeof FAILED_COMMITS)[number];

const REPAIRED_AFTER_MS = 8_000;
const FULL = 'ENOSPC: database or disk is full';

/** See the module. */
export class CommitDeed implements Deed {
  readonly violations: string[] = [];
  isReached = false;
  deaths = 0;
  readonly #world: OpenWorld;
  readonly #kind: FailedCommit;
  readonly #nth: number;
  #isArranged = false;

  constructor(world: OpenWorld, kind: FailedCommit, nth: number) {
    this.#world = world;
    this.#kind = kind;
    this.#nth = nth;
    world.watch((sight) => {
      if (sight.kind === 'life') this.#live(sight);
    });
  }

  #live({ what, life, why = '' }: Extract<Sight, { readonly kind: 'life' }>): void {
    const { disk, clock, isHealed } = this.#world;
    if (what === 'ready' && !this.#isArranged) {
      this.#isArranged = true;
      disk.failFrom(this.#nth, this.#kind === 'disk full' ? FULL : FSYNC_FAILED);
    }
    if (what !== 'stopping' || life > 1 || isHealed) return;
    this.isReached = true;
    this.deaths++;
    if (!why.includes('JOURNAL_FAILED')) this.violations.push(`it halted as "${why}"`);
    clock.after(REPAIRED_AFTER_MS, () => disk.heal());
  }
}

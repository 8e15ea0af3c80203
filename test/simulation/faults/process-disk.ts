/**
 * @module
 * A disk that is full, fails, or gives back other bytes than it was given; the journal of somebody else (faults
 * F55 to F58).
 */
import { must, type Random } from '../../../src/core/index.ts';
import { FSYNC_FAILED, type SimulationDisk } from '../disk.ts';
import { DAMAGES, INTRUDERS } from '../disk-damage.ts';
import { logUniform, pickOne } from '../network/strikes.ts';
import type { Fault, FaultId, World } from '../types.ts';

const COMMITS_MAX = 6;
const FAILS_MS = { min: 5_000, max: 60_000 } as const;
const SLOW_MS = { min: 20, max: 5_000 } as const;
const SCARCE_BYTES = 1_000_000;

/** The disk of a world with all it can do. */
function diskOf(world: World): SimulationDisk {
  return world.disk as SimulationDisk;
}

/** One of the next commits fails, and all after it for a while: it counts once it did. */
function failCommits(
  world: World,
  draw: Random,
  fault: { readonly id: FaultId; readonly why: string },
): void {
  const { id, why } = fault;
  diskOf(world).failFrom(draw.integer(1, COMMITS_MAX), why, () => {
    world.hit(id);
    world.clock.after(logUniform(draw, FAILS_MS.min, FAILS_MS.max), () => world.disk.heal());
  });
}

/** What happens to the disk. */
export const FAULTS: readonly Fault[] = [
  {
    id: 'F55',
    what: 'disk full from the n-th commit on, or nearly full',
    perMinute: 0.3,
    strike: (world, draw) => {
      if (draw.chance(0.7)) {
        failCommits(world, draw, { id: 'F55', why: 'ENOSPC: database or disk is full' });
        return undefined;
      }
      world.disk.setFreeBytes(SCARCE_BYTES);
      world.hit('F55');
      return () => world.disk.heal();
    },
  },
  {
    id: 'F56',
    what: 'a failing or slow sync',
    perMinute: 0.3,
    strike: (world, draw) => {
      if (draw.chance(0.5)) {
        failCommits(world, draw, { id: 'F56', why: pickOne(draw, [FSYNC_FAILED, 'EIO: short write']) });
        return undefined;
      }
      world.disk.setCommitMs(logUniform(draw, SLOW_MS.min, SLOW_MS.max));
      world.hit('F56');
      return () => world.disk.heal();
    },
  },
  {
    id: 'F57',
    what: 'killed, and the journal is torn, changed or gone',
    perMinute: 0.15,
    strike: (world, draw) => {
      if (world.bot.life.state === 'over') return undefined;
      world.bot.kill('powerLoss');
      const kind = must(DAMAGES[draw.integer(0, DAMAGES.length - 1)], 'a damage');
      if (diskOf(world).damage(kind, draw) === 0) return undefined;
      world.hit('F57');
      return undefined;
    },
  },
  {
    id: 'F58',
    what: "killed, and started on somebody else's journal",
    perMinute: 0.15,
    strike: (world, draw) => {
      world.bot.kill('crash');
      diskOf(world).intrude(must(INTRUDERS[draw.integer(0, INTRUDERS.length - 1)], 'an intruder'));
      world.hit('F58');
      return undefined;
    },
  },
];

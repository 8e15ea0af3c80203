/**
 * @module
 * G5: a book frame leaves the exchange, the signed order it caused arrives back there. The whole framework beside the
 * naive stack, the bare stack and the physical floor, each with the same durable commit before its order leaves; ticks
 * back to back, all in one run. Without the commit the stacks are the bare ones.
 */
import { type GroupResult, type Limit, reached } from '../../goal.ts';
import { type Effort, inTurn, median, quantile, rounded, Samples } from '../../measure.ts';
import { say, showTable } from '../../show.ts';
import {
  BARE,
  BURSTS_PER_ROUND,
  inTickWorld,
  measureBurst,
  OURS,
  TICKS,
  type TickWorld,
  warmUp,
} from './tick-world.ts';

const ROUNDS_MAX = 7;
const NAIVE = 'naive';
const FLOOR = 'floor';
const BARE_NO_JOURNAL = 'bare, no journal';

const LIMITS = {
  p50: {
    id: 'G5',
    what: 'tick to signed order, p50, to the bare stack with the same commit',
    limit: 1.3,
    better: 'lower',
  },
  p99: {
    id: 'G5.p99',
    what: 'tick to signed order, p99, to the bare stack with the same commit',
    limit: 1.6,
    better: 'lower',
  },
  naive: {
    id: 'G5.naive',
    what: "tick to signed order, p50, to the naive stack, the journal's share taken off both",
    limit: 0.3,
    better: 'lower',
  },
  floor: {
    id: 'G5.floor',
    what: 'tick to signed order, p50, to the floor with the same commit',
    limit: 2.2,
    better: 'lower',
  },
} as const satisfies Record<string, Limit>;

/** Measures G5. */
export async function tickToOrder({ rounds }: Effort): Promise<GroupResult> {
  return resultOf(await inTickWorld((world) => measure(world, Math.min(rounds, ROUNDS_MAX))));
}

/** Percentiles of each round. */
interface Measured {
  readonly p50: Samples;
  readonly p99: Samples;
}

async function measure(world: TickWorld, rounds: number): Promise<Measured> {
  const p50 = new Samples();
  const p99 = new Samples();
  const all = [...world.ticks];
  await warmUp(world, all);
  for (let round = 0; round < rounds; round++) {
    const tookUs = new Map(all.map(([name]) => [name, [] as number[]]));
    for (let burst = 0; burst < BURSTS_PER_ROUND; burst++)
      for (const [name, us] of await measureBurst(world, inTurn(all, burst))) tookUs.get(name)?.push(...us);
    for (const [name, us] of tookUs) {
      p50.add(name, quantile(us, 0.5));
      p99.add(name, quantile(us, 0.99));
    }
  }
  return { p50, p99 };
}

function resultOf({ p50, p99 }: Measured): GroupResult {
  showTable(
    `G5 tick to signed order, ${BURSTS_PER_ROUND * TICKS} ticks a round, back to back, p50`,
    p50.rows(BARE).map((row) => ({ ...row, 'p99 us': rounded(p99.median(row.case)) })),
  );
  const journalUs = p50.of(BARE).map((us, round) => us - at(p50, BARE_NO_JOURNAL, round));
  const journalShare = 1 - p50.ratio(BARE_NO_JOURNAL, BARE);
  // The commit is the same wait for all: what it adds is the same disk, no stack.
  const netOfNaive = journalUs.map((us, round) => (at(p50, OURS, round) - us) / (at(p50, NAIVE, round) - us));
  const figures = {
    ...Object.fromEntries(p50.names().map((name) => [`G5 ${name}, p50 us`, rounded(p50.median(name))])),
    ...Object.fromEntries(p99.names().map((name) => [`G5 ${name}, p99 us`, rounded(p99.median(name))])),
    'G5 journal, us of the bare p50': rounded(median(journalUs)),
    'G5 journal, share of the bare p50': rounded(journalShare),
    'G5 ballast to naive, commit counted in both': rounded(p50.ratio(OURS, NAIVE)),
    'G5 floor to naive, commit counted in both': rounded(p50.ratio(FLOOR, NAIVE)),
  };
  say(`  of the bare stack's p50 the journal has a share of ${rounded(journalShare)}`);
  return {
    goals: [
      reached(LIMITS.p50, p50.ratio(OURS, BARE)),
      reached(LIMITS.p99, p99.ratio(OURS, BARE)),
      reached(LIMITS.naive, median(netOfNaive)),
      reached(LIMITS.floor, p50.ratio(OURS, FLOOR)),
    ],
    figures,
  };
}

function at(samples: Samples, name: string, round: number): number {
  return samples.of(name)[round] ?? Number.NaN;
}

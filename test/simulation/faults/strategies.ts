/**
 * @module
 * Strategies that misbehave (faults F61 to F67). An endless loop (F62) needs a process of its own: `scripts/prove/force`;
 * of a hostile one (F68) see `ELSEWHERE` of the registry. In worlds without a hostile strategy these faults do nothing.
 */
import type { Random } from '../../../src/core/index.ts';
import { during, pickOne } from '../network/strikes.ts';
import { Command, type Misdeed, MOMENTS } from '../strategies/misdeeds.ts';
import { NONSENSE } from '../strategies/nonsense.ts';
import type { Fault, FaultId, World } from '../types.ts';

const MIB = 1024 * 1024;
/** Small enough for two processes of a swarm, large enough to be seen by a garbage collector. */
const HOARD_MIB = [4, 32] as const;
/** Forms of one strike: all of them come up over the seeds. */
const FORMS = 40;
/** A flood of less than the most intents of one call goes on; one of more ends its author. */
const PER_CALL = [200, 1_500] as const;
const GHOST_MS = [1, 8_000] as const;
const NEXT_MS = 120_000;
/** Few seeds have strategies that can do this: there it is done often. */
const PER_MINUTE = 3;

type WithoutEnd = Misdeed extends infer One ? (One extends Misdeed ? Omit<One, 'onDone'> : never) : never;

function fault(id: FaultId, what: string, misdeedOf: (draw: Random, world: World) => WithoutEnd): Fault {
  return {
    id,
    what,
    perMinute: PER_MINUTE,
    strike: (world, draw) => {
      const misdeed = { ...misdeedOf(draw, world), onDone: () => world.hit(id) } as Misdeed;
      const isAtBirth = misdeed.kind === 'throw' && ['create', 'onLoad', 'onStart'].includes(misdeed.at);
      const command = Command.of(world);
      if (isAtBirth) return during(world, NEXT_MS, command.orderNext(misdeed));
      command.order(misdeed, draw.next());
      return undefined;
    },
  };
}

/** All faults of this file. */
export const FAULTS: readonly Fault[] = [
  fault('F61', 'a strategy throws in one of its handlers, when it is made, restored or saved', (draw) => {
    if (draw.chance(0.2)) return { kind: 'reject' };
    return { kind: 'throw', at: pickOne(draw, MOMENTS) };
  }),
  fault('F62', 'a handler returns a promise that never settles', () => ({ kind: 'neverSettle' })),
  fault('F63', 'a strategy keeps memory, in the heap and outside of it', (draw) => ({
    kind: 'hoard',
    bytes: draw.integer(...HOARD_MIB) * MIB,
    rounds: draw.integer(2, 20),
  })),
  fault('F64', 'a strategy asks for nonsense', (draw) => ({
    kind: 'nonsense',
    first: draw.integer(0, NONSENSE.length - 1),
    count: draw.integer(1, FORMS),
  })),
  fault('F65', 'a strategy floods the bot with intents', (draw) => {
    const kind = pickOne(draw, ['flood', 'pingPong', 'duplicates'] as const);
    switch (kind) {
      case 'flood':
        return { kind, perCall: draw.integer(...PER_CALL), calls: draw.integer(1, 5) };
      case 'pingPong':
        return { kind, calls: draw.integer(5, 60) };
      case 'duplicates':
        return { kind, count: draw.integer(2, 50) };
    }
  }),
  fault('F66', 'a strategy takes its time for each event', (draw, world) => {
    const ms = Math.round(100 * 100 ** draw.next());
    return { kind: 'slow', calls: ms > 2_000 ? 2 : draw.integer(2, 8), busy: () => world.bot.stall(ms) };
  }),
  fault('F67', 'a strategy acts on stale data, or when its time is over', (draw, world) => {
    if (draw.chance(0.4)) return { kind: 'stubborn', rounds: draw.integer(30, 200) };
    const delayMs = draw.integer(...GHOST_MS);
    return { kind: 'afterStop', leave: (act) => haunt(world, delayMs, act) };
  }),
];

/** What is left of a strategy acts once more, if its process still lives and runs. */
function haunt(world: World, delayMs: number, act: () => void): void {
  const { number } = world.bot.life;
  world.clock.after(delayMs, () => {
    const { life, isPaused } = world.bot;
    if (life.number === number && life.state !== 'over' && !isPaused) act();
  });
}

/**
 * @module
 * G6 and G7: a tick of the whole framework beside the bare stack with 5 ms between two of them, when nothing is warm; and the
 * processor time that the framework adds to a tick in a tight loop, one that ends in an order and one that does not. Both in
 * the world of G5 and in one run, since most of its time is the one in which the code is compiled.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { bookFrame } from '../../book-frames.ts';
import { type GroupResult, type Limit, reached } from '../../goal.ts';
import { type Effort, inTurn, median, quantile, rounded, Samples } from '../../measure.ts';
import { showTable } from '../../show.ts';
import {
  BARE,
  inTickWorld,
  measureBurst,
  OURS,
  someTurns,
  TICKS,
  type TickWorld,
  WARM_UP,
  warmUp,
} from './tick-world.ts';

const PACE_MS = 5;
const ROUNDS_MAX = 7;
/** Bursts of a round: its figure is of 300 ticks, with an order or paced. */
const BURSTS = 2;
/** Bursts of the framework alone before the first round: 5,000 orders, after which its medians stand still. */
const BURSTS_COLD = 26;
/** Frames of a round that nobody orders on. */
const FRAMES = 4_000;
/** How often the parts are run in a round. */
const LOOPS = 2_000;
const LEVELS = 20;

const LIMITS = {
  paced: {
    id: 'G6',
    what: `tick to signed order with ${PACE_MS} ms between ticks, p50, to the bare stack with the same commit`,
    limit: 1.35,
    better: 'lower',
  },
  order: {
    id: 'G7',
    what: 'processor time that the framework adds to a tick with an order, to the parts of the bare stack',
    limit: 0.4,
    better: 'lower',
  },
  noOrder: {
    id: 'G7.book',
    what: 'processor time that it adds to a tick without an order, to the bare way from frame to book',
    limit: 0.5,
    better: 'lower',
  },
} as const satisfies Record<string, Limit>;

/** Microseconds by case and round. */
interface Costs {
  readonly paced: Samples;
  readonly order: Samples;
  readonly book: Samples;
  /** In a tight loop, without a network: the parts of an order, and a book. */
  readonly parts: Samples;
  /** Of the frames without an order, the share that the strategy saw. */
  readonly seen: number[];
}

const PARTS = 'parts of an order';
const BOOK = 'frame to book';

/** Measures G6 and G7. */
export async function tickCosts({ rounds }: Effort): Promise<GroupResult> {
  return resultOf(await inTickWorld((world) => measure(world, Math.min(rounds, ROUNDS_MAX))));
}

async function measure(world: TickWorld, rounds: number): Promise<Costs> {
  const costs: Costs = {
    paced: new Samples(),
    order: new Samples(),
    book: new Samples(),
    parts: new Samples(),
    seen: [],
  };
  const pair = [...world.ticks].filter(([name]) => name === OURS || name === BARE);
  await warmUp(world, pair, BURSTS_COLD);
  for (let round = 0; round < rounds; round++) {
    const tookUs = new Map(pair.map(([name]) => [name, [] as number[]]));
    for (let burst = 0; burst < BURSTS; burst++)
      for (const [name, us] of await measureBurst(world, inTurn(pair, burst), () => rest(PACE_MS)))
        tookUs.get(name)?.push(...us);
    for (const [name, us] of tookUs) costs.paced.add(name, quantile(us, 0.5));
    await orders(world, costs.order, round);
    await books(world, costs, round);
    parts(world, costs.parts);
  }
  return costs;
}

/** Processor time of the thread that trades, for ticks with an order, back to back. */
async function orders({ ticks, framework, take }: TickWorld, costs: Samples, round: number): Promise<void> {
  for (const name of inTurn([OURS, BARE], round)) {
    await framework.rested();
    const tick = ticks.get(name);
    const run = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        await tick?.();
        await someTurns();
      }
    };
    await run(WARM_UP);
    costs.add(name, await threadUs(TICKS, () => run(TICKS)));
    await take();
  }
}

/** The same for frames that nobody orders on. */
async function books(
  world: TickWorld,
  { book, seen }: Pick<Costs, 'book' | 'seen'>,
  round: number,
): Promise<void> {
  const { stacks, framework } = world;
  for (const name of inTurn([OURS, BARE], round)) {
    await framework.rested();
    let books = FRAMES;
    const run = async (count: number): Promise<void> => {
      if (name === OURS) books = await world.floodOurs(count);
      else await world.floodBare(count, stacks.bookOf);
    };
    await run(FRAMES / 4);
    book.add(name, await threadUs(FRAMES, () => run(FRAMES)));
    if (name === OURS) seen.push(books / FRAMES);
  }
}

function parts({ stacks }: TickWorld, costs: Samples): void {
  for (const [name, part] of [
    [PARTS, stacks.partsOf],
    [BOOK, stacks.bookOf],
  ] as const) {
    for (let index = 0; index < LOOPS; index++) part(frameOf(index));
    const before = process.threadCpuUsage();
    for (let index = 0; index < LOOPS; index++) part(frameOf(index));
    const { user, system } = process.threadCpuUsage(before);
    costs.add(name, (user + system) / LOOPS);
  }
}

const FRAME_TEXTS = Array.from({ length: 64 }, (_, index) =>
  Buffer.from(bookFrame(LEVELS, index, { seq: 1_000_000 + index, isSnapshot: false })),
);

function frameOf(index: number): Buffer {
  return FRAME_TEXTS[index % FRAME_TEXTS.length] as Buffer;
}

/** Processor time of this thread for each of `count` units of work. */
async function threadUs(count: number, work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / count;
}

function resultOf({ paced, order, book, parts: alone, seen }: Costs): GroupResult {
  showTable(`G6 tick to signed order, ${PACE_MS} ms between ticks, p50`, paced.rows(BARE));
  showTable('G7 processor time of a tick with an order', order.rows(BARE));
  showTable('G7 processor time of a tick without an order', book.rows(BARE));
  const added = (costs: Samples, part: string): number =>
    median(costs.of(OURS).map((us, round) => (us - at(costs, BARE, round)) / at(alone, part, round)));
  const figures = {
    'G6 ballast, p50 us': rounded(paced.median(OURS)),
    'G6 bare, p50 us': rounded(paced.median(BARE)),
    'G7 ballast, us of the thread a tick with an order': rounded(order.median(OURS)),
    'G7 bare, us of the thread a tick with an order': rounded(order.median(BARE)),
    'G7 parts of an order, us': rounded(alone.median(PARTS)),
    'G7 ballast, us of the thread a tick without an order': rounded(book.median(OURS)),
    'G7 bare, us of the thread a tick without an order': rounded(book.median(BARE)),
    'G7 share of the frames without an order that the strategy saw': rounded(median(seen)),
    'G7 frame to book, us': rounded(alone.median(BOOK)),
  };
  return {
    goals: [
      reached(LIMITS.paced, paced.ratio(OURS, BARE)),
      reached(LIMITS.order, added(order, PARTS)),
      reached(LIMITS.noOrder, added(book, BOOK)),
    ],
    figures,
  };
}

function at(samples: Samples, name: string, round: number): number {
  return samples.of(name)[round] ?? Number.NaN;
}

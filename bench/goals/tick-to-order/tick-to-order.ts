/**
 * @module
 * G5: a book frame leaves the exchange, the signed order it caused arrives back there. The whole framework beside the
 * naive stack, the bare stack and the physical floor, each with the same durable commit before its order leaves; ticks
 * back to back, all in one run. Without the commit the stacks are the bare ones.
 */
import { setImmediate } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Child } from '../../child.ts';
import { type GroupResult, type Limit, reached } from '../../goal.ts';
import { type Effort, inTurn, median, quantile, rounded, Samples } from '../../measure.ts';
import { say, showTable } from '../../show.ts';
import { journalFolder, openCommit } from './commit.ts';
import { openFramework } from './framework.ts';
import { openStacks } from './stacks.ts';
import { BENCH_STREAM, type TickOrder, type TickServerReady } from './wire.ts';

/** Ticks of a burst that count, and those before them. */
const TICKS = 150;
const WARM_UP = 40;
/** The framework sends in bursts; four of them are a round of 600 ticks, of which there are 7. */
const BURSTS_PER_ROUND = 4;
const ROUNDS_MAX = 7;
/** Bursts before the first one that counts, until the code is compiled. */
const BURSTS_COLD = 6;
/**
 * Bursts of the framework alone behind them: most of it runs once for an order, and the compiler takes up such code after
 * 3,000 times. While it does, its threads take the second core from the journal's.
 */
const BURSTS_COLD_OURS = 110;
/** Turns of the event loop between two ticks of any stack: what is told of an order after its answer belongs to it. */
const TURNS_BETWEEN = 8;
/** Ticks of the bare stack after each rest, not counted. */
const AFTER_REST = 300;
const OURS = 'ballast';
const NAIVE = 'naive';
const BARE = 'bare';
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

/** Runs one tick: sends the frame off and resolves when its order is answered. */
type Tick = () => Promise<void>;

/** Measures G5. */
export async function tickToOrder({ rounds }: Effort): Promise<GroupResult> {
  const folder = journalFolder();
  const server = new Child(new URL('../../servers/tick-server.ts', import.meta.url));
  try {
    const { port, account } = await server.next<TickServerReady>();
    const origin = `http://127.0.0.1:${port}`;
    const ask = (to: 'bench' | 'bot') => server.send({ kind: 'tick', to } satisfies TickOrder);
    const commit = await openCommit(folder.path);
    const stacks = await openStacks(origin, commit);
    const stream = await openStream(`ws://127.0.0.1:${port}${BENCH_STREAM}`);
    const framework = await openFramework({ origin, account, folder: folder.path });

    const ticks = new Map<string, Tick>();
    for (const [name, stack] of Object.entries(stacks.byName)) {
      ticks.set(name, () => {
        const answered = new Promise<void>((resolve, reject) => {
          stream.onFrame = (frame) => void stack(frame).then(resolve, reject);
        });
        ask('bench');
        return answered;
      });
    }
    ticks.set(OURS, () => framework.order(() => ask('bot')));
    const take = () => server.ask<number[]>({ kind: 'take' } satisfies TickOrder);
    const measured = await measure({ ticks, take, rest: framework.rested }, Math.min(rounds, ROUNDS_MAX));

    await framework.close();
    stream.close();
    await stacks.close();
    await commit.close();
    return resultOf(measured);
  } finally {
    server.stop();
    folder.remove();
  }
}

/** What is measured. */
interface Run {
  readonly ticks: ReadonlyMap<string, Tick>;
  /** Microseconds of all ticks since it was asked last. */
  readonly take: () => Promise<number[]>;
  /** Waits until the framework may send another burst. */
  readonly rest: () => Promise<void>;
}

/** Percentiles of each round. */
interface Measured {
  readonly p50: Samples;
  readonly p99: Samples;
}

async function measure(run: Run, rounds: number): Promise<Measured> {
  const p50 = new Samples();
  const p99 = new Samples();
  const all = [...run.ticks];
  const ours = all.filter(([name]) => name === OURS);
  for (let burst = 0; burst < BURSTS_COLD; burst++) await measureBurst(run, inTurn(all, burst));
  for (let burst = 0; burst < BURSTS_COLD_OURS; burst++) await measureBurst(run, ours);
  for (let round = 0; round < rounds; round++) {
    const tookUs = new Map(all.map(([name]) => [name, [] as number[]]));
    for (let burst = 0; burst < BURSTS_PER_ROUND; burst++)
      for (const [name, us] of await measureBurst(run, inTurn(all, burst))) tookUs.get(name)?.push(...us);
    for (const [name, us] of tookUs) {
      p50.add(name, quantile(us, 0.5));
      p99.add(name, quantile(us, 0.99));
    }
  }
  return { p50, p99 };
}

/** Microseconds of a burst of ticks of each of `cases`, one after the other. */
async function measureBurst(
  { ticks, take, rest }: Run,
  cases: readonly (readonly [string, Tick])[],
): Promise<ReadonlyMap<string, number[]>> {
  const tookUs = new Map<string, number[]>();
  await rest();
  // After the rest all that is warm has gone cold: the first case must not pay for it.
  for (let index = 0; index < AFTER_REST; index++) await ticks.get(BARE)?.();
  await take();
  for (const [name, tick] of cases) {
    for (let index = 0; index < WARM_UP + TICKS; index++) {
      await tick();
      for (let turn = 0; turn < TURNS_BETWEEN; turn++) await setImmediate();
    }
    const us = await take();
    if (us.length !== WARM_UP + TICKS)
      throw new Error(`expected an order a tick of ${name}, got ${us.length} in ${WARM_UP + TICKS} ticks`);
    tookUs.set(name, us.slice(WARM_UP));
  }
  return tookUs;
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

/** A stream of frames as the bare stacks take it: bytes, as they come. */
async function openStream(url: string) {
  const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
  const stream = { onFrame: (_frame: Buffer): void => undefined, close: () => socket.terminate() };
  socket.on('message', (data: Buffer) => stream.onFrame(data));
  await new Promise((resolve) => socket.once('open', resolve));
  return stream;
}

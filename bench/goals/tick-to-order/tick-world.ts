/**
 * @module
 * What ticks are measured in: the exchange in a process of its own, the framework as a whole run and the stacks that it is
 * held against, in this one. Bursts of ticks of each, one after the other.
 */
import { setImmediate } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Child } from '../../child.ts';
import { inTurn } from '../../measure.ts';
import { journalFolder, openCommit } from './commit.ts';
import { type Framework, openFramework } from './framework.ts';
import { openStacks, type Stacks } from './stacks.ts';
import type { TickOrder, TickServerReady } from './wire.ts';
import { BENCH_STREAM } from './wire.ts';

/** Ticks of a burst that count, and those before them. */
export const TICKS = 150;
/** Not counted. */
export const WARM_UP = 40;
/** The framework sends in bursts; four of them are a round of 600 ticks. */
export const BURSTS_PER_ROUND = 4;
/** Bursts before the first one that counts, until the code is compiled. */
const BURSTS_COLD = 6;
/**
 * Bursts of the framework alone behind them: most of it runs once for an order, and the compiler takes up such code after
 * 3,000 times. While it does, its threads take the second core from the journal's.
 */
const BURSTS_COLD_OURS = 110;
/** Turns of the event loop between two ticks of any stack: the events of an order after its answer belong to it. */
const TURNS_BETWEEN = 8;
/** Ticks of the bare stack after each rest, not counted. */
const AFTER_REST = 300;
/** The case of the framework. */
export const OURS = 'ballast';
/** The case that is its yardstick. */
export const BARE = 'bare';

/** Runs one tick: sends the frame off and resolves when its order is answered. */
export type Tick = () => Promise<void>;

/** Where ticks are measured. */
export interface TickWorld {
  readonly stacks: Stacks;
  readonly framework: Framework;
  /** By name of a stack, {@link OURS} among them. */
  readonly ticks: ReadonlyMap<string, Tick>;
  /** Microseconds of all ticks since it was asked last. */
  take(): Promise<readonly number[]>;
  /**
   * Frames for the framework that nobody orders on, and one with an order behind them: resolves when that is over, with the
   * number of books that the strategy saw. Of frames that come at once it sees the newest.
   */
  floodOurs(count: number): Promise<number>;
  /** The same for `onFrame` and the bare stack. */
  floodBare(count: number, onFrame: (frame: Buffer) => void): Promise<void>;
}

/** Opens one, hands it to `measure` and closes it. Rejects unless the run of the framework proves its end. */
export async function inTickWorld<T>(measure: (world: TickWorld) => Promise<T>): Promise<T> {
  const folder = journalFolder();
  const server = new Child(new URL('../../servers/tick-server.ts', import.meta.url));
  try {
    const { port, account } = await server.next<TickServerReady>();
    const origin = `http://127.0.0.1:${port}`;
    const order = (what: TickOrder): void => server.send(what);
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
        order({ kind: 'tick', to: 'bench' });
        return answered;
      });
    }
    ticks.set(OURS, () => framework.order(() => order({ kind: 'tick', to: 'bot' })));
    const measured = await measure({
      ...{ stacks, framework, ticks },
      take: () => server.ask<number[]>({ kind: 'take' } satisfies TickOrder),
      floodOurs: async (count) => {
        const before = framework.books();
        await server.ask<string>({ kind: 'flood', to: 'bot', count } satisfies TickOrder);
        await ticks.get(OURS)?.();
        return framework.books() - before;
      },
      floodBare: async (count, onFrame) => {
        stream.onFrame = onFrame;
        await server.ask<string>({ kind: 'flood', to: 'bench', count } satisfies TickOrder);
        await ticks.get(BARE)?.();
      },
    });

    await framework.close();
    stream.close();
    await stacks.close();
    await commit.close();
    return measured;
  } finally {
    server.stop();
    folder.remove();
  }
}

/** Runs `cases` until their code is compiled, and the framework alone for `bursts` more. */
export async function warmUp(
  world: TickWorld,
  cases: readonly (readonly [string, Tick])[],
  bursts = BURSTS_COLD_OURS,
): Promise<void> {
  const ours = cases.filter(([name]) => name === OURS);
  for (let burst = 0; burst < BURSTS_COLD; burst++) await measureBurst(world, inTurn(cases, burst));
  for (let burst = 0; burst < bursts; burst++) await measureBurst(world, ours);
}

/** Microseconds of a burst of ticks of each of `cases`, one after the other; `between` passes the time between two of them. */
export async function measureBurst(
  { ticks, take, framework }: TickWorld,
  cases: readonly (readonly [string, Tick])[],
  between: () => Promise<unknown> = someTurns,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const tookUs = new Map<string, readonly number[]>();
  await framework.rested();
  // After the rest all that is warm has gone cold: the first case must not pay for it.
  for (let index = 0; index < AFTER_REST; index++) await ticks.get(BARE)?.();
  await take();
  for (const [name, tick] of cases) {
    for (let index = 0; index < WARM_UP + TICKS; index++) {
      await tick();
      await between();
    }
    const us = await take();
    if (us.length !== WARM_UP + TICKS)
      throw new Error(`expected an order a tick of ${name}, got ${us.length} in ${WARM_UP + TICKS} ticks`);
    tookUs.set(name, us.slice(WARM_UP));
  }
  return tookUs;
}

/** The turns of the event loop in which what belongs to a tick ends. */
export async function someTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS_BETWEEN; turn++) await setImmediate();
}

/** A stream of frames as the bare stacks take it: bytes, as they come. */
async function openStream(url: string) {
  const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
  const stream = { onFrame: (_frame: Buffer): void => undefined, close: () => socket.terminate() };
  socket.on('message', (data: Buffer) => stream.onFrame(data));
  await new Promise((resolve) => socket.once('open', resolve));
  return stream;
}

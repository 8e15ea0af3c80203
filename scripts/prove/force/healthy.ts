/**
 * The other side of the switch: a healthy bot on virtual time whose requests and frames are late by drawn amounts and
 * whose event loop is busy now and then. The switch must not fire and no heartbeat may go without a renewal.
 */
import type { Random } from '../../../src/core/index.ts';
import { planOf } from '../../../test/simulation/plan.ts';
import { type OpenWorld, openWorld } from '../../../test/simulation/world.ts';

/** What a healthy run showed. */
export interface HealthyRun {
  readonly schema: 1;
  readonly seed: number;
  readonly virtualHours: number;
  readonly renewals: number;
  /** Times the switch fired. */
  readonly fires: number;
  /** Heartbeats without a renewal. */
  readonly missed: number;
  /** How often the health turned red, or red for another reason. */
  readonly held: number;
  /** The longest time between two renewals, and the least that was ever left of the switch. */
  readonly gapMsMax: number;
  readonly leftMsMin: number;
  readonly stalls: number;
  readonly fills: number;
  readonly seconds: number;
}

const HOUR_MS = 3_600_000;
const HEARTBEAT_MS = 5_000;
/** Two renewals further apart than this have one between them that did not come. */
const MISSED_MS = 1.5 * HEARTBEAT_MS;
const START_MS_MAX = 60_000;
const PIECE_MS = 1_000;

/** Latencies of one way: exponential, and never above the most. */
const LATE_MS_MEAN = 60;
const LATE_MS_MAX = 350;
const STALL_EVERY_MS = 20_000;
const STALL_MS = [10, 400] as const;

/** Lets a bot live for so long. @throws Error when it does not come up. */
export async function runHealthy({ seed, hours }: { seed: number; hours: number }): Promise<HealthyRun> {
  const beganAtMs = performance.now();
  const plan = { ...planOf(seed, []), ambiguities: {}, config: 'calm', signatures: 'keyed' } as const;
  const world = await openWorld(plan);
  try {
    world.bot.start();
    await pass(world, START_MS_MAX, () => isRunning(world));
    if (!isRunning(world)) throw new Error('expected a bot that runs');
    const watch = new SwitchWatch(world);
    const stalls = disturb(world);
    await pass(world, hours * HOUR_MS, () => !isRunning(world));
    if (!isRunning(world)) throw new Error(`expected a bot that goes on: ${world.bot.life.failure?.message}`);
    return {
      ...{ schema: 1, seed, virtualHours: hours, ...watch.figures(), stalls: stalls() },
      seconds: Math.round((performance.now() - beganAtMs) / 100) / 10,
    };
  } finally {
    world.close();
  }
}

function isRunning({ bot }: OpenWorld): boolean {
  return bot.life.state === 'running';
}

async function pass(world: OpenWorld, forMs: number, holds: () => boolean): Promise<void> {
  const untilMs = world.clock.monotonicMs() + forMs;
  while (!holds() && world.clock.monotonicMs() < untilMs) await world.clock.advanceAsync(PIECE_MS);
}

/** Late requests, late frames in their order, a busy event loop; gives how often it was busy. */
function disturb(world: OpenWorld): () => number {
  const { clock, network, bot } = world;
  const random = world.random.fork('healthy');
  let stalls = 0;
  const late = (): number => Math.min(LATE_MS_MAX, Math.round(random.exponential(LATE_MS_MEAN)));
  network.onRequest(() =>
    random.chance(0.5)
      ? { kind: 'delayRequest', delayMs: late() }
      : { kind: 'delayResponse', delayMs: late() },
  );
  const dueAtMs = { toBot: 0, toExchange: 0 };
  network.onFrame((text, way) => {
    const nowMs = clock.monotonicMs();
    dueAtMs[way] = Math.max(dueAtMs[way], nowMs + late());
    return [{ text, delayMs: dueAtMs[way] - nowMs }];
  });
  const stall = (draws: Random): void => {
    clock.after(draws.exponential(STALL_EVERY_MS), () => {
      stalls++;
      bot.stall(draws.integer(...STALL_MS));
      stall(draws);
    });
  };
  stall(random.fork('stalls'));
  return () => stalls;
}

/** What the exchange says of the switch, and the bot of its health. */
class SwitchWatch {
  #renewals = 0;
  #fires = 0;
  #missed = 0;
  #held = 0;
  #fills = 0;
  #gapMsMax = 0;
  #leftMsMin = Number.POSITIVE_INFINITY;
  #lastAtMs: number | undefined;
  #triggerMs = 0;

  constructor(world: OpenWorld) {
    const { exchange, clock } = world;
    const { accountId } = world.account;
    exchange.control.watch(({ events }) => {
      for (const event of events) {
        if (event.kind === 'ScheduleCancelSet' && event.account === accountId)
          this.#renewed(clock.nowMs(), event.triggerMs);
        if (event.kind === 'ScheduleCancelFired' && event.account === accountId) this.#fires++;
        if (event.kind === 'Fill')
          this.#fills += [event.maker, event.taker].filter(({ account }) => account === accountId).length;
      }
    });
    world.watch((sight) => {
      if (sight.kind === 'log' && sight.message === "dead man's switch not renewed (health)") this.#held++;
    });
  }

  figures(): Omit<HealthyRun, 'schema' | 'seed' | 'virtualHours' | 'stalls' | 'seconds'> {
    return {
      renewals: this.#renewals,
      fires: this.#fires,
      missed: this.#missed,
      held: this.#held,
      gapMsMax: Math.round(this.#gapMsMax),
      leftMsMin: Math.round(this.#leftMsMin),
      fills: this.#fills,
    };
  }

  #renewed(nowMs: number, triggerMs: number): void {
    this.#renewals++;
    if (this.#lastAtMs !== undefined) {
      const gapMs = nowMs - this.#lastAtMs;
      this.#gapMsMax = Math.max(this.#gapMsMax, gapMs);
      this.#leftMsMin = Math.min(this.#leftMsMin, this.#triggerMs - nowMs);
      if (gapMs > MISSED_MS) this.#missed++;
    }
    this.#lastAtMs = nowMs;
    this.#triggerMs = triggerMs;
  }
}

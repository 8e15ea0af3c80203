/**
 * @module
 * Runs a plan and judges it: a first life that starts, mostly undisturbed, a time of faults in which the process is
 * started again whenever it is over, a healed time in which everything must come right, an ordered end.
 *
 *   start ─▶ faults, restarts ─▶ heal ─▶ quoting again, at rest the same books ─▶ SIGTERM ─▶ verdict
 */
import { messageOf, type Random } from '../../src/core/index.ts';
import { watchOver } from './operator.ts';
import { oracleWorldOf } from './oracle-world.ts';
import { convergenceOf } from './oracles/convergence.ts';
import { limitsOfConfig } from './oracles/support/limits.ts';
import { ToldWaits } from './oracles/support/refusals.ts';
import { isSwitchSpent } from './oracles/support/spent-switch.ts';
import { payInTokens } from './other-tokens.ts';
import { isOver } from './parts.ts';
import { Quiet } from './quiet.ts';
import { loadRegistry, type Registry } from './registry.ts';
import { Strikes } from './strikes.ts';
import { Trace } from './trace.ts';
import type {
  FaultId,
  InvariantId,
  OracleChecks,
  Sight,
  SimulationPlan,
  SimulationResult,
  Violation,
} from './types.ts';
import { type OpenWorld, openWorld } from './world.ts';

/** No invariant of the catalogue: the run itself broke, by an exception or because it did not go on. */
export const BROKEN: InvariantId = 'I0';

const VIOLATIONS_MAX = 50;
const FIRST_START_MS_MAX = 60_000;
/** After healing: how long until the books are compared, how often, and how long a moment of rest is looked for. */
const SETTLE_MS = 30_000;
const COMPARISONS = 3;
const REST_MS_MAX = 25_000;
const REST_BLOCKS_MAX = 30;
const REST_LOOK_MS = 10;
const END_MS_MAX = 90_000;
/** Halts that end a run, and the faults that give them reason: what a fault has begun may show after the healing. */
const ENDING_HALTS: Readonly<Record<string, FaultId>> = { EXECUTION_GRANT_INVALID: 'F45' };
/** Time passes in pieces of this length between looks at how far a run has come. */
const PIECE_MS = 250;
/** Less than this is no time. */
const LEFT_MS_MIN = 1e-6;
/** Wait before a process is started again: mostly a moment, now and then longer than the switch takes to fire. */
const RESTART_MS_MEAN = 2_000;
const LATE_RESTART_SHARE = 0.15;
/** So long after the trigger at the earliest, and so much longer: somebody has to come and look. */
const LATE_RESTART_MS = 2_000;
const ABSENCE_MS_MEAN = 40_000;

/** Looks at a world, or changes it, before its first life begins. */
export type Prepare = (world: OpenWorld) => void;

/** Runs a plan. Never rejects: what goes wrong is a violation. */
export async function runSimulation(plan: SimulationPlan, prepare?: Prepare): Promise<SimulationResult> {
  const registry = await loadRegistry();
  const world = await openWorld(plan);
  const simulation = new Simulation(world, registry);
  const onError = (thrown: unknown): void => simulation.noteBroken(thrown);
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  try {
    prepare?.(world);
    await simulation.run();
  } catch (thrown) {
    onError(thrown);
  } finally {
    process.off('uncaughtException', onError);
    process.off('unhandledRejection', onError);
    world.close();
  }
  return simulation.result();
}

class Simulation {
  readonly #world: OpenWorld;
  readonly #registry: Registry;
  readonly #random: Random;
  readonly #trace = new Trace();
  readonly #violations: Violation[] = [];
  readonly #checks: OracleChecks[];
  readonly #quiet: Quiet;
  readonly #waits = new ToldWaits();
  #writes = 0;
  #fills = 0;
  #isEnding = false;
  /** A fault has ended the present life, and until when this one or the next may take to come right. */
  #isEndedByFault = false;
  #excusedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(world: OpenWorld, registry: Registry) {
    this.#world = world;
    this.#registry = registry;
    this.#random = world.random.fork('run');
    const { exchange, account } = world;
    const oracleWorld = oracleWorldOf(this.#world, (id, what) => this.#violate(id, what));
    this.#checks = registry.oracles.map((oracle) => oracle.begin(oracleWorld));
    const sightChecks = this.#checks.filter((check) => check.onSight !== undefined);
    world.watch((sight) => {
      this.#trace.add(sight);
      this.#waits.take(sight, world.clock.nowMs());
      for (const check of sightChecks) check.onSight?.(sight);
      if (sight.kind !== 'life') return;
      this.#excuse(sight);
      this.#onLife(sight);
    });
    this.#quiet = new Quiet(world);
    exchange.control.watch(({ events, receipt }, entry) => {
      const { operation, isAgent } = receipt?.request ?? {};
      if (isAgent === true && operation?.account === account.accountId) this.#writes++;
      for (const event of events) {
        if (event.kind !== 'Fill') continue;
        for (const { account: id } of [event.maker, event.taker]) if (id === account.accountId) this.#fills++;
      }
      if (entry.kind === 'block') for (const check of this.#checks) check.onBlock?.();
    });
  }

  async run(): Promise<void> {
    const { bot, plan } = this.#world;
    const strikes = new Strikes(this.#world, (thrown) => this.noteBroken(thrown));
    bot.start();
    if (plan.isStartDisturbed) strikes.beginAtOnce(this.#registry.faults);
    else await this.#pass(FIRST_START_MS_MAX, () => bot.life.state === 'running');
    strikes.begin(this.#registry.faults);
    watchOver(this.#world, this.#random.fork('operator'));
    const { tokensPerMinute } = plan;
    if (tokensPerMinute !== undefined) payInTokens(this.#world, this.#random.fork('tokens'), tokensPerMinute);
    await this.#pass(plan.faultsForMs);
    strikes.end();
    this.#world.heal();
    // Who heals the world does not wait as long as somebody who was away.
    this.#startAfter(this.#random.exponential(RESTART_MS_MEAN));
    await this.#converge(plan.healedForMs);
    await this.#end();
  }

  result(): SimulationResult {
    const { plan, clock, bot, hits } = this.#world;
    const convergence = convergenceOf(this.#world);
    const faultHits = Object.entries(hits).filter(([what]) => /^F\d+$/.test(what));
    return {
      seed: plan.seed,
      violations: this.#violations,
      traceHash: this.#trace.hash(),
      virtualMs: Math.round(clock.monotonicMs()),
      writes: this.#writes,
      fills: this.#fills,
      faultsInjected: faultHits.reduce((sum, [, count]) => sum + count, 0),
      lives: bot.life.number,
      hits,
      ...(convergence === undefined ? {} : { convergence }),
    };
  }

  /** The run itself broke. */
  noteBroken(thrown: unknown): void {
    const stack = thrown instanceof Error ? (thrown.stack ?? messageOf(thrown)) : String(thrown);
    this.#violate(BROKEN, stack);
  }

  #violate(id: InvariantId, what: string): void {
    if (this.#violations.length >= VIOLATIONS_MAX) return;
    this.#violations.push({ id, atMs: Math.round(this.#world.clock.monotonicMs()), what });
  }

  /** Lets time pass, until something holds if that is sooner. */
  async #pass(forMs: number, holds: () => boolean = () => false): Promise<boolean> {
    const { clock } = this.#world;
    const untilMs = clock.monotonicMs() + forMs;
    while (!holds()) {
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs < LEFT_MS_MIN) return false;
      await clock.advanceAsync(Math.min(PIECE_MS, leftMs));
    }
    return true;
  }

  /** Compares the books a few times, each at a moment of rest; the first when nothing stands in the way that was before. */
  async #converge(forMs: number): Promise<void> {
    const { bot, clock, exchange, account } = this.#world;
    const untilRoomMs = (): number => this.#waits.untilRoomMs(bot.life.number) - clock.monotonicMs();
    await this.#pass(Math.max(0, untilRoomMs()) + SETTLE_MS);
    // What others had spent before the healing can be told by the first answer after it.
    await this.#pass(Math.max(0, untilRoomMs() + SETTLE_MS));
    const shareMs = (forMs - SETTLE_MS) / COMPARISONS;
    for (let i = 0; i < COMPARISONS; i++) {
      const beganAtMs = this.#world.clock.monotonicMs();
      if (await this.#rest()) for (const check of this.#checks) check.atQuiescence?.();
      // A bot that starts ends again where no switch can be armed, and is started again.
      else if (!isSwitchSpent({ exchange, accountId: account.accountId }))
        this.#violate('I13', this.#unrest());
      await this.#pass(shareMs - (this.#world.clock.monotonicMs() - beganAtMs));
    }
  }

  /** Rests lie between two blocks: slow ones give few. */
  get #restMsMax(): number {
    return Math.max(REST_MS_MAX, REST_BLOCKS_MAX * this.#world.exchange.settings.blockMs);
  }

  async #rest(): Promise<boolean> {
    const { clock } = this.#world;
    const untilMs = clock.monotonicMs() + this.#restMsMax;
    while (!this.#quiet.isNow()) {
      if (clock.monotonicMs() >= Math.max(untilMs, this.#excusedUntilMs)) return false;
      await clock.advanceAsync(REST_LOOK_MS);
    }
    return true;
  }

  #unrest(): string {
    const { life } = this.#world.bot;
    const view = life.view();
    const stand =
      view === undefined ? 'nothing known' : `account ${view.account}, ${view.unresolved} unresolved`;
    return `no moment of rest within ${this.#restMsMax} ms: life ${life.number} is ${life.state}, ${stand}, ${life.failure?.message ?? 'no failure'}`;
  }

  async #end(): Promise<void> {
    const { bot } = this.#world;
    this.#isEnding = true;
    bot.terminate();
    if (!(await this.#pass(END_MS_MAX, () => bot.life.state === 'over')))
      this.#violate('I27', `the process goes on ${END_MS_MAX} ms after SIGTERM`);
    // What it left at the exchange is seen there after a block.
    await this.#pass(2 * this.#world.exchange.settings.blockMs);
    for (const check of this.#checks) check.atEnd?.();
  }

  /** A run that a fault ends has the time that an end takes, and the next one that of a start. */
  #excuse({ what, why = '', atMs }: Extract<Sight, { readonly kind: 'life' }>): void {
    const fault = ENDING_HALTS[why.split(':')[0] ?? ''];
    if (what === 'stopping' && fault !== undefined && this.#world.hits[fault] !== undefined) {
      this.#isEndedByFault = true;
      this.#excusedUntilMs = atMs + END_MS_MAX;
    } else if (what === 'started' && this.#isEndedByFault) {
      this.#isEndedByFault = false;
      this.#excusedUntilMs = atMs + SETTLE_MS;
    }
  }

  /** A process that is over is started again, as by a supervisor. */
  #onLife({ what }: Extract<Sight, { readonly kind: 'life' }>): void {
    if (this.#isEnding || !isOver(what)) return;
    const { isHealed, plan } = this.#world;
    const isLate = !isHealed && this.#random.chance(LATE_RESTART_SHARE);
    const lateMs = limitsOfConfig(plan.config).switchMs + LATE_RESTART_MS;
    const waitMs = this.#random.exponential(isLate ? ABSENCE_MS_MEAN : RESTART_MS_MEAN);
    this.#startAfter(waitMs + (isLate ? lateMs : 0));
  }

  #startAfter(waitMs: number): void {
    const { bot, clock } = this.#world;
    clock.after(waitMs, () => {
      if (!bot.isAlive && !this.#isEnding) bot.start();
    });
  }
}

/**
 * @module
 * Runs one schedule and judges it by the oracles of the swarm: an undisturbed start, the scope with its deviations, then a
 * world that tells the truth, in which the bot must agree and quote again, and an ordered end.
 */
import { createHash } from 'node:crypto';
import { formatJson, messageOf } from '../../../src/core/index.ts';
import { oracleWorldOf } from '../oracle-world.ts';
import { convergenceOf } from '../oracles/convergence.ts';
import { isOver } from '../parts.ts';
import { Quiet } from '../quiet.ts';
import { loadRegistry } from '../registry.ts';
import { BROKEN } from '../run.ts';
import type { InvariantId, OracleChecks, OracleWorld, Violation } from '../types.ts';
import { type OpenWorld, openWorldWith, programOf, type SharedProgram } from '../world.ts';
import { Gatekeeper } from './gatekeeper.ts';
import type { Schedule, Steps } from './schedule.ts';
import { begin, furnish, SCOPE_MS, SCOPE_PLAN } from './scope.ts';

/** What a schedule showed. */
export interface Outcome {
  readonly steps: Steps;
  readonly violations: readonly Violation[];
  /** Hashes of the states of bot and exchange at the end of the scope and when all was at rest. */
  readonly states: readonly string[];
}

/** One line of a run that is shown. */
export interface TraceLine {
  readonly atMs: number;
  readonly what: string;
  /** Of a step its number. */
  readonly step?: number;
}

const START_MS_MAX = 30_000;
const RESTART_MS = 300;
/** Who finds no truth within this time is told by I13 and I31; both look at blocks. */
const HEALED_MS_MAX = 70_000;
const REST_MS_MAX = 10_000;
const END_MS_MAX = 90_000;
const PIECE_MS = 50;
const REST_LOOK_MS = 10;
const VIOLATIONS_MAX = 10;

let program: Promise<SharedProgram> | undefined;

/** Runs a schedule. Never rejects: what goes wrong is a violation. `onLine` hears what happens. */
export async function runSchedule(schedule: Schedule, onLine?: (line: TraceLine) => void): Promise<Outcome> {
  const { oracles } = await loadRegistry();
  let run: ScheduleRun | undefined;
  const gate = new Gatekeeper({
    schedule,
    die: (kind) => run?.die(kind),
    withhold: (text) => run?.withhold(text),
    ...(onLine === undefined
      ? {}
      : { onStep: (step, what, text) => run?.show(`${what}  ${text.slice(0, 400)}`, step) }),
  });
  program ??= programOf(SCOPE_PLAN);
  const world = await openWorldWith(SCOPE_PLAN, await program, gate.pass);
  run = new ScheduleRun(world, gate, onLine);
  const onError = (thrown: unknown): void => run?.broke(thrown);
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  try {
    run.judgeBy(oracles);
    await run.pass();
  } catch (thrown) {
    onError(thrown);
  } finally {
    process.off('uncaughtException', onError);
    process.off('unhandledRejection', onError);
    world.close();
  }
  return run.outcome();
}

class ScheduleRun {
  readonly #world: OpenWorld;
  readonly #gate: Gatekeeper;
  readonly #onLine: ((line: TraceLine) => void) | undefined;
  readonly #violations: Violation[] = [];
  readonly #states: string[] = [];
  readonly #quiet: Quiet;
  #checks: readonly OracleChecks[] = [];
  #isEnding = false;

  constructor(world: OpenWorld, gate: Gatekeeper, onLine: ((line: TraceLine) => void) | undefined) {
    this.#world = world;
    this.#gate = gate;
    this.#onLine = onLine;
    this.#quiet = new Quiet(world);
  }

  judgeBy(oracles: readonly { begin(world: OracleWorld): OracleChecks }[]): void {
    const world = this.#world;
    const oracleWorld = oracleWorldOf(this.#world, (id, what) => this.violate(id, what));
    this.#checks = oracles.map((oracle) => oracle.begin(oracleWorld));
    const sightChecks = this.#checks.filter((check) => check.onSight !== undefined);
    world.watch((sight) => {
      for (const check of sightChecks) check.onSight?.(sight);
      if (sight.kind === 'recorded' || sight.kind === 'durable')
        this.#gate.record(
          `the record ${sight.type} is ${sight.kind === 'recorded' ? 'handed over' : 'durable'}`,
        );
      else if (sight.kind === 'life') {
        this.show(`life ${sight.life} ${sight.what} ${sight.why ?? ''}`);
        if (isOver(sight.what)) this.#startAgain();
      } else if (sight.kind === 'log' && sight.level !== 'info')
        this.show(`${sight.level}: ${sight.message} ${formatJson(sight.fields)}`);
    });
    world.exchange.control.watch((_applied, { kind }) => {
      if (kind === 'block') for (const check of this.#checks) check.onBlock?.();
    });
  }

  async pass(): Promise<void> {
    const { bot, exchange } = this.#world;
    furnish(this.#world);
    bot.start();
    await this.#wait(START_MS_MAX, () => bot.life.state === 'running');
    this.#gate.watch();
    begin(this.#world);
    await this.#wait(SCOPE_MS);
    this.#gate.open();
    this.#note();
    this.#world.heal();
    await this.#wait(
      HEALED_MS_MAX,
      () => convergenceOf(this.#world) !== undefined || this.#violations.length > 0,
    );
    if (await this.#rest()) {
      for (const check of this.#checks) check.atQuiescence?.();
      this.#note();
    }
    this.#isEnding = true;
    bot.terminate();
    if (!(await this.#wait(END_MS_MAX, () => bot.life.state === 'over')))
      this.violate('I27', `the process goes on ${END_MS_MAX} ms after SIGTERM`);
    await this.#wait(2 * exchange.settings.blockMs);
    for (const check of this.#checks) check.atEnd?.();
  }

  outcome(): Outcome {
    return { steps: this.#gate.steps, violations: this.#violations, states: this.#states };
  }

  withhold(text: string): void {
    this.#world.withhold(text);
  }

  die(kind: 'crash' | 'powerLoss'): void {
    this.#world.bot.kill(kind);
  }

  broke(thrown: unknown): void {
    this.violate(BROKEN, thrown instanceof Error ? (thrown.stack ?? messageOf(thrown)) : String(thrown));
  }

  violate(id: InvariantId, what: string): void {
    if (this.#violations.length >= VIOLATIONS_MAX) return;
    const atMs = Math.round(this.#world.clock.monotonicMs());
    this.#violations.push({ id, atMs, what });
    this.show(`VIOLATION ${id}: ${what}`);
  }

  show(what: string, step?: number): void {
    const atMs = this.#world.clock.monotonicMs();
    this.#onLine?.({ atMs, what, ...(step === undefined ? {} : { step }) });
  }

  async #wait(forMs: number, holds: () => boolean = () => false): Promise<boolean> {
    const { clock } = this.#world;
    const untilMs = clock.monotonicMs() + forMs;
    while (!holds()) {
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs <= 0) return false;
      await clock.advanceAsync(Math.min(PIECE_MS, leftMs));
    }
    return true;
  }

  async #rest(): Promise<boolean> {
    const { clock, bot } = this.#world;
    const untilMs = clock.monotonicMs() + REST_MS_MAX;
    while (!this.#quiet.isNow()) {
      if (clock.monotonicMs() >= untilMs || bot.life.state === 'over') return false;
      await clock.advanceAsync(REST_LOOK_MS);
    }
    return true;
  }

  #startAgain(): void {
    if (this.#isEnding) return;
    const { bot, clock } = this.#world;
    clock.after(RESTART_MS, () => {
      if (!bot.isAlive && !this.#isEnding) bot.start();
    });
  }

  /** Notes the state of both sides: what they hold, not when. */
  #note(): void {
    const { bot, exchange, account } = this.#world;
    const { venue } = exchange.control;
    const { life } = bot;
    const view = life.view();
    const { collateral, scheduleCancelAtMs } = venue.account(account.accountId);
    const state = {
      life: [life.number, life.state],
      bot: view && {
        fills: view.fills,
        ledger: view.ledger,
        positions: view.positions,
        openOrders: view.openOrders,
        reserved: view.reserved,
        red: view.red.map(({ id }) => id),
        account: view.account,
        unresolved: view.unresolved,
        state: view.state,
        strategies: view.strategies,
      },
      collateral,
      isArmed: scheduleCancelAtMs !== 0,
      positions: venue.positions(account.accountId),
      orders: venue.openOrders(account.accountId),
      rows: this.#world.disk.rowCount,
    };
    this.#states.push(createHash('sha1').update(formatJson(state)).digest('base64url').slice(0, 16));
  }
}

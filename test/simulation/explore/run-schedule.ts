/**
 * @module
 * Runs one schedule and judges it by the oracles of the swarm: an undisturbed start, the scope with its deviations, then a
 * world that tells the truth, in which the bot must agree and quote again, and an ordered end.
 */
import { createHash, type Hash } from 'node:crypto';
import { formatJson, messageOf } from '../../../src/core/index.ts';
import { oracleWorldOf } from '../oracle-world.ts';
import { convergenceOf } from '../oracles/convergence.ts';
import { isOver } from '../parts.ts';
import { Quiet } from '../quiet.ts';
import { loadRegistry } from '../registry.ts';
import { BROKEN } from '../run.ts';
import type { InvariantId, OracleChecks, OracleWorld, Sight, Violation } from '../types.ts';
import { type OpenWorld, openWorldWith, programOf, type SharedProgram } from '../world.ts';
import { Gatekeeper } from './gatekeeper.ts';
import type { Schedule, Steps } from './schedule.ts';
import { begin, furnish, SCOPE_MS, SCOPE_PLAN } from './scope.ts';

/** What a schedule showed. */
export interface Outcome {
  readonly steps: Steps;
  /**
   * One mark a step, and one of the end. Where two runs have the same, both held the same before that step, and from there
   * on the same came at the same times.
   */
  readonly marks: readonly string[];
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
/** A process that has died is started again at the next of such moments that is not too near: deaths within a moment lead to one start. */
const RESTART_MS = 300;
const RESTARTS_EACH_MS = 100;
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
    onStep: (step, what, text) => run?.step(step, what, text),
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
  /** What each step was, and what was held before it. */
  readonly #before: string[] = [];
  /** Everything that the bot has sent or written down behind the scope. */
  readonly #behind = createHash('sha1');
  readonly #quiet: Quiet;
  #checks: readonly OracleChecks[] = [];
  #isScopeOver = false;
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
      if (this.#isScopeOver) this.#noteBehind(sight);
      if (sight.kind === 'life') {
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
    this.#isScopeOver = true;
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
    const marks = this.#marks();
    return { steps: this.#gate.steps, marks, violations: this.#violations, states: this.#states };
  }

  /** Each mark stands for its step and all behind it. */
  #marks(): readonly string[] {
    let mark = short(createHash('sha1').update(`${this.#states} ${this.#behind.digest('hex')}`));
    const marks = [mark];
    for (const before of this.#before.toReversed()) {
      mark = short(createHash('sha1').update(mark).update(before));
      marks.push(mark);
    }
    return marks.reverse();
  }

  /** What shows behind the scope that two runs are not alike: what the bot asks, writes down and goes through. */
  #noteBehind(sight: Sight): void {
    const { atMs, kind } = sight;
    if (kind === 'request') this.#behind.update(`${atMs} ${sight.path} ${sight.body}`);
    else if (kind === 'recorded') this.#behind.update(`${atMs} ${sight.type} ${sight.body}`);
    else if (kind === 'life') this.#behind.update(`${atMs} ${sight.what}`);
  }

  step(step: number, what: string, text: string): void {
    const atMs = this.#world.clock.monotonicMs();
    this.#before.push(formatJson([atMs, what, text, this.#state()]));
    this.show(`${what}  ${text.slice(0, 400)}`, step);
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
    const soonestMs = clock.monotonicMs() + RESTART_MS;
    clock.after(Math.ceil(soonestMs / RESTARTS_EACH_MS) * RESTARTS_EACH_MS - clock.monotonicMs(), () => {
      if (!bot.isAlive && !this.#isEnding) bot.start();
    });
  }

  /** Notes the state of both sides. */
  #note(): void {
    this.#states.push(short(createHash('sha1').update(formatJson(this.#state()))));
  }

  /** The state of both sides: what they hold, not when. */
  #state(): object {
    const { bot, exchange, account } = this.#world;
    const { venue } = exchange.control;
    const { life } = bot;
    const view = life.view();
    const { collateral, scheduleCancelAtMs } = venue.account(account.accountId);
    return {
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
        seen: view.seen,
      },
      collateral,
      isArmed: scheduleCancelAtMs !== 0,
      positions: venue.positions(account.accountId),
      orders: venue.openOrders(account.accountId),
      rows: this.#world.disk.rowCount,
    };
  }
}

function short(hash: Hash): string {
  return hash.digest('base64url').slice(0, 16);
}

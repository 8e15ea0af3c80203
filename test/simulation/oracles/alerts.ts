/**
 * @module
 * I28: every anomaly raises the warning or the error of its kind within a second, and a run without faults raises none.
 * Anomalies are taken from the audit, from the journal and from answers; a degraded account and a red health from what
 * the bot believes, which stays: that has been told as long as it lasts.
 */
import { must } from '../../../src/core/index.ts';
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { alarmOfAnswer, alarmOfAudit, alarmOfRow, type Expected } from './support/alarm-kinds.ts';
import { limitsOfConfig } from './support/limits.ts';
import { refusalOf } from './support/refusals.ts';
import { type Scene, sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I28'], begin }];

const WITHIN_MS = 1_000;
/** The health is looked at with each heartbeat; so much later it has been told what is red. */
const BEAT_SLACK_MS = 3_000;
const FALSE_ALARMS_TOLD_MAX = 3;

type Alarm = Extract<Sight, { kind: 'log' }>;

interface Waiting extends Expected {
  readonly atMs: number;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const alarms = new Alarms(scene);
  const states = new StandingStates(scene);
  const isFaultless = Object.keys(world.plan.faults).length === 0;
  let falseAlarms = 0;
  return {
    onSight: (sight) => {
      const write = sight.kind === 'answer' ? scene.writes.askedBy(sight.id) : undefined;
      scene.see(sight);
      if (sight.kind === 'life' && sight.what !== 'ready') {
        alarms.begin(sight.what === 'started');
        states.begin(sight.what === 'started');
      } else if (sight.kind === 'log' && sight.level !== 'info') {
        alarms.raised(sight);
        states.raised(sight);
        if (isFaultless && !takesNoFault(sight, world) && ++falseAlarms <= FALSE_ALARMS_TOLD_MAX)
          world.violate('I28', `an alarm without a fault: ${sight.message}`);
      } else if (sight.kind === 'audit') alarms.audited(sight);
      else if (sight.kind === 'recorded') alarms.expect(alarmOfRow(scene, sight));
      else if (sight.kind === 'answer')
        alarms.expect(alarmOfAnswer(sight, write, refusalOf(sight, world.clock.nowMs())));
    },
    onBlock: () => {
      if (world.isPaused()) states.stood();
      else {
        alarms.check();
        states.check();
      }
    },
  };
}

function takesNoFault(alarm: Alarm, world: OracleWorld): boolean {
  return (
    isOfHeldPosition(alarm, world) ||
    isOfOutweighedPosition(alarm, world) ||
    isOfQuoteInTheWay(alarm, world) ||
    // Its strategy has canceled all while the stop waited for its lane.
    alarm.message.includes('without its stop: INTENT_WITHDRAWN')
  );
}

/**
 * An exit that takes with the market, while a quote of the account rests between it and the market: no account trades with itself, and
 * the price is too far from that quote or meets it.
 */
function isOfQuoteInTheWay({ message, fields }: Alarm, world: OracleWorld): boolean {
  if (message.includes('without its stop: RISK_SELF_TRADE')) return true;
  const [, touch, price] =
    /without its stop: RISK_PRICE_CROSSES_TOO_FAR: .* the touch ([\d.]+), got ([\d.]+)$/.exec(message) ?? [];
  const side = Number(price) < Number(touch) ? 'buy' : 'sell';
  const open = world.view()?.openOrders ?? [];
  return touch !== undefined && open.some((one) => one.symbol === fields['symbol'] && one.side === side);
}

/**
 * A stop that is larger than what there is to close: others outweigh the strategy or close for it, or other orders of its own have closed
 * what the bracket has opened. The exchange keeps no stop larger than the position of the account, and risk none beside orders that
 * are out for it.
 */
function isOfOutweighedPosition({ message, fields }: Alarm, world: OracleWorld): boolean {
  const [, side, size] = OUTWEIGHED.exec(message) ?? [];
  if (side === undefined) return false;
  const symbol = String(fields['symbol']);
  const { venue } = world.exchange.control;
  const market = must(venue.markets().find((one) => one.market.symbol === symbol)?.market, 'a market');
  const held = venue.positions(world.accountId).find((one) => one.market === market.signingMarketId);
  const view = world.view();
  const ownLots = view?.owned[String(fields['strategy'])]?.[symbol] ?? 0;
  const { sellLots = 0, buyLots = 0 } = view?.reserved?.[symbol] ?? {};
  const outLots = side === 'sell' ? sellLots : buyLots;
  const sign = side === 'sell' ? 1 : -1;
  const leftLots = Math.min(sign * ownLots, sign * (held?.lots ?? 0) - outLots);
  return leftLots < Math.round(Number(size) * 10 ** market.sizeDecimals);
}

/** What a run says at its end of a position that nobody manages then, where there is one: that takes no fault. */
function isOfHeldPosition({ message }: Alarm, { exchange, accountId }: OracleWorld): boolean {
  const holds = exchange.control.venue.positions(accountId).some(({ lots }) => lots !== 0);
  return holds && message.startsWith('the run ends with a position');
}

const OUTWEIGHED =
  /without its stop: RISK_REDUCE_ONLY_WOULD_INCREASE: expected a reduce-only (buy|sell) of at most .*, got ([\d.]+)$/;

/** Anomalies that wait for their alarm. */
class Alarms {
  readonly #scene: Scene;
  #waiting: Waiting[] = [];
  /** Those of the last second. */
  #recent: Alarm[] = [];
  /** Names of lanes that halted in this life, each once, and controls that hold trading: they were told. */
  readonly #halted = new Set<unknown>();
  readonly #held = new Set<string>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  begin(isStart: boolean): void {
    this.#waiting = [];
    if (!isStart) return;
    this.#recent = [];
    this.#halted.clear();
    this.#held.clear();
  }

  raised(alarm: Alarm): void {
    if (alarm.message === 'lane halted') this.#halted.add(alarm.fields['lane']);
    this.#recent = this.#recent.filter(({ atMs }) => alarm.atMs - atMs <= WITHIN_MS);
    this.#recent.push(alarm);
    this.#waiting = this.#waiting.filter(({ isRaisedBy }) => !isRaisedBy(alarm));
  }

  audited({ event }: Extract<Sight, { kind: 'audit' }>): void {
    const expected = alarmOfAudit(event, this.#held);
    if (event.type === 'TradingStateChanged') {
      const control = String(event.fields['control']);
      if (event.fields['state'] === 'active') this.#held.delete(control);
      else this.#held.add(control);
    }
    this.expect(expected);
  }

  expect(expected: Expected | undefined): void {
    if (expected === undefined || this.#halted.has(expected.lane ?? NO_LANE)) return;
    const { nowMs } = this.#scene;
    const isRaised = this.#recent.some(
      (alarm) => nowMs - alarm.atMs <= WITHIN_MS && expected.isRaisedBy(alarm),
    );
    if (!isRaised) this.#waiting.push({ ...expected, atMs: nowMs });
  }

  check(): void {
    const { nowMs, world } = this.#scene;
    const late = this.#waiting.find(({ atMs }) => nowMs - atMs > WITHIN_MS);
    if (late === undefined) return;
    this.#waiting = [];
    world.violate('I28', `no alarm of its kind for ${late.what} of ${late.atMs} ms`);
  }
}

/** No lane has this name. */
const NO_LANE = '';

/** States that last, each told as long as it does: the account that is degraded, the health that is red. */
class StandingStates {
  readonly #scene: Scene;
  readonly #beatMs: number;
  /** An alarm has told of it since the account was last seen synced. */
  #isDegradationTold = false;
  #wasSynced = false;
  #redIds: readonly string[] = [];
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #stoodAtMs = Number.NEGATIVE_INFINITY;
  #isEmitted = false;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#beatMs = limitsOfConfig(scene.world.plan.config).heartbeatMs;
  }

  begin(isStart: boolean): void {
    this.stood();
    if (!isStart) return;
    this.#isDegradationTold = false;
    this.#wasSynced = false;
    this.#redIds = [];
    this.#toldAtMs = Number.NEGATIVE_INFINITY;
    this.#isEmitted = false;
  }

  /** The process stands, or stood until now: what it has to tell is told later. */
  stood(): void {
    this.#stoodAtMs = this.#scene.nowMs;
  }

  raised({ message, fields }: Alarm): void {
    if (message === 'the account is degraded') this.#isDegradationTold = true;
    if (message !== "dead man's switch not renewed (health)") return;
    const reasons = Array.isArray(fields['reasons']) ? fields['reasons'] : [];
    this.#redIds = reasons.map((reason) => String(reason).split(':')[0] ?? '');
    // What it does not name was green then, however briefly: the view is looked at now and then only.
    this.#toldAtMs = this.#scene.nowMs;
  }

  check(): void {
    const { nowMs, world } = this.#scene;
    const view = world.view();
    if (view === undefined || this.#isEmitted || world.life().state !== 'running') return;
    if (view.account === 'synced') {
      this.#wasSynced = true;
      this.#isDegradationTold = false;
    } else if (this.#wasSynced && !this.#isDegradationTold)
      this.#tell(`the account is ${view.account}, and no alarm says that it is degraded`);
    const readyAtMs = this.#scene.life?.readyAtMs ?? nowMs;
    for (const { id, sinceMs } of view.red) {
      const fromMs = Math.max(sinceMs, this.#stoodAtMs, readyAtMs, this.#toldAtMs);
      if (nowMs - fromMs > this.#beatMs + BEAT_SLACK_MS && !this.#redIds.includes(id))
        this.#tell(
          `${id} is red since ${sinceMs} ms, the last alarm named ${this.#redIds.join() || 'nothing'}`,
        );
    }
  }

  #tell(what: string): void {
    this.#isEmitted = true;
    this.#scene.world.violate('I28', what);
  }
}

/**
 * @module
 * I11 and I12: the dead man's switch. No order of the bot rests unless the switch is armed, and not further ahead than
 * its timeout; when the process is dead or stands still, its orders are gone a timeout and a block later. It is never
 * renewed while the bot knows itself to be unwell, nor while a cancel-all is owed; and a fence never renews it.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { limitsOfConfig } from './support/limits.ts';
import { type OwnOrder, type Scene, sceneOf } from './support/scene.ts';
import type { Applied, Position } from './support/truth.ts';
import { placesOf, type Write } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I11', 'I12'], begin }];

/** Bytes that were on their way for longer can meet a switch that has fired since: no client can help that. */
const LATE_MS = 2_000;
/** By how much two clocks may differ; and when clocks are disturbed themselves. */
const SLACK_MS = 500;
const DISTURBED_SLACK_MS = 15_000;
/** The time of the exchange is known to half a round trip, and an answer that is waited for may take 5 s (F9). */
const SLOW_ANSWER_SLACK_MS = 2_500;
/** Red items are looked at twice a second: what is still red after that was red all the time. */
const RED_MS_MAX = 5_000 + 1_000;
/** A stream on which nothing is heard makes the health red after this (H2). */
const SILENT_MS_MAX = 10_000;
/** An open write makes the health red after this. */
const OPEN_MS_MAX = 5_000;
const LOOK_MS = 600;
const SYNCED = 'the account is synced';
const FENCE_LEAD_MS = 1_000;

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const watch = new SwitchWatch(scene);
  scene.onLog((applied, entry, { receipt, at }) => {
    watch.applied(applied, at);
    if (entry.kind === 'endSwitch' && entry.how === 'forget' && entry.account === world.accountId)
      watch.forgotten();
    if (receipt !== undefined) watch.confirmed(scene.writes.byReceipt(receipt), applied);
    if (entry.kind === 'block' || receipt !== undefined) watch.check(at);
    if (entry.kind === 'block') {
      watch.noteStandstill();
      watch.noteEmptyBook();
      watch.checkDeath();
      watch.checkRed();
    }
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      watch.see(sight);
    },
  };
}

/** The switch is gone, and no write has set it since. */
interface Fired {
  readonly seq: number;
  /** Did it cancel anything? Orders tell of a firing only then: no answer and no channel tells of the switch itself. */
  readonly hasCanceled: boolean;
  knownAtMs: number | undefined;
}

class SwitchWatch {
  readonly #scene: Scene;
  readonly #timeoutMs: number;
  readonly #slackMs: number;
  /** How wrong the bot may be about the time of the exchange. */
  readonly #guessMs: number;
  /** The furthest trigger that a write of the bot ever set. */
  #furthestMs = 0;
  #fired: Fired | undefined;
  #stillSinceMs: number | undefined;
  /** An item that was red at a renewal, to be looked at again. */
  #suspect: { readonly id: string; readonly sinceMs: number; readonly atMs: number } | undefined;
  #freshAtMs = Number.NEGATIVE_INFINITY;
  /** When a stream of this life last brought anything: what the bot thinks of its own health is not asked. */
  #heardAtMs = 0;
  #judgedDeath = false;
  readonly #spared = new Set<bigint>();
  #isUnarmedTold = false;
  /** A cancel-all of this life was refused, and none has executed since: the switch is to fire. */
  #refusedAtMs: number | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#timeoutMs = limitsOfConfig(scene.world.plan.config).switchMs;
    this.#slackMs = scene.plans('F49', 'F52', 'F53', 'F54') ? DISTURBED_SLACK_MS : SLACK_MS;
    this.#guessMs = Math.max(this.#slackMs, scene.plans('F9') ? SLOW_ANSWER_SLACK_MS : 0);
  }

  see(sight: Sight): void {
    if (sight.kind === 'frame' || (sight.kind === 'life' && sight.what === 'started'))
      this.#heardAtMs = sight.atMs;
    if (sight.kind === 'life') this.#live(sight);
    else if (sight.kind === 'recorded') this.#noteCancelAll(sight);
    else if (sight.kind === 'frame') this.#hear(sight.text);
    else if (sight.kind === 'opened' && this.#fired?.seq === Number.POSITIVE_INFINITY)
      // A new connection may be one to an exchange that began again: from here on nothing is presumed armed.
      this.#fired.knownAtMs ??= sight.atMs;
    if (sight.kind === 'opened' || (sight.kind === 'log' && sight.message === SYNCED))
      this.#freshAtMs = sight.atMs;
    else if (sight.kind === 'request') {
      // The bot may have read it between two blocks, and place again before the next.
      this.noteEmptyBook();
      const sent = this.#scene.writes.sentBy(sight);
      if (sent?.write !== undefined && 'command' in sent.read && sent.read.command.kind === 'ScheduleCancel')
        this.#checkRenewal(sent.write, sent.read.command.triggerMs);
    }
  }

  applied({ events }: Applied, { blockAtMs }: Position): void {
    for (const event of events) {
      if (event.kind !== 'ScheduleCancelFired' || event.account !== this.#scene.world.accountId) continue;
      // A trigger that the bot has set itself it knows by the clock; any other one only when it is told.
      const isOwn = this.#furthestMs > 0 && blockAtMs >= this.#furthestMs;
      const hasCanceled = events.some(
        (one) => one.kind === 'OrderCanceled' && one.order.account === event.account,
      );
      this.#fired = { seq: event.seq, hasCanceled, knownAtMs: isOwn ? this.#scene.nowMs : undefined };
      this.#noteSpared(events);
    }
  }

  /** The exchange has lost it in a restart (ambiguity A14). */
  forgotten(): void {
    this.#fired = { seq: Number.POSITIVE_INFINITY, hasCanceled: false, knownAtMs: undefined };
  }

  confirmed(write: Write | undefined, { events }: Applied): void {
    if (write === undefined) return;
    for (const event of events)
      if (event.kind === 'ScheduleCancelSet') {
        this.#furthestMs = Math.max(this.#furthestMs, event.triggerMs);
        this.#fired = undefined;
      }
  }

  check({ blockAtMs }: Position): void {
    const { world } = this.#scene;
    const resting = this.#scene.restingOrders().filter((order) => this.#isBound(order));
    if (resting.length === 0) {
      this.#isUnarmedTold = false;
      return;
    }
    const leftMs = world.exchange.control.venue.account(world.accountId).scheduleCancelAtMs - blockAtMs;
    const isForeign = this.#scene.struck.has('F46') || this.#scene.struck.has('F70');
    // The time of the log is that of its last block.
    const mostMs = this.#timeoutMs + world.exchange.settings.blockMs + this.#slackMs;
    if (leftMs > mostMs && !isForeign)
      world.violate('I11', `the switch is set ${leftMs} ms ahead, the timeout is ${this.#timeoutMs} ms`);
    if (leftMs > 0 || this.#isUnarmedTold) return;
    this.#isUnarmedTold = true;
    world.violate('I11', `${resting.length} orders rest and the switch is not armed`);
  }

  /** Nobody hears anything while the process stands still. */
  noteStandstill(): void {
    if (this.#scene.world.isPaused()) this.#heardAtMs = this.#scene.nowMs;
  }

  /** Whatever emptied the book, there is nothing left that the switch would have to take. */
  noteEmptyBook(): void {
    if (this.#refusedAtMs !== undefined && this.#scene.restingOrders().length === 0)
      this.#refusedAtMs = undefined;
  }

  checkDeath(): void {
    const sinceMs = this.#stillSinceMs;
    if (sinceMs === undefined || this.#judgedDeath) return;
    const { world, nowMs } = this.#scene;
    const { blockMs } = world.exchange.settings;
    if (nowMs <= sinceMs + this.#timeoutMs + 2 * blockMs + this.#slackMs) return;
    this.#judgedDeath = true;
    const left = this.#scene
      .restingOrders()
      .filter(({ underWayMs, write }) => underWayMs <= LATE_MS && (write.sentAtMs.at(-1) ?? 0) <= sinceMs)
      .filter(({ orderSeq }) => !this.#spared.has(orderSeq));
    // Another bot that renews the switch, or an exchange that forgets it, is a fault of the run.
    if (left.length > 0 && !this.#scene.plans('F70') && world.plan.ambiguities['A14'] !== 'lost')
      world.violate('I11', `${left.length} orders rest ${nowMs - sinceMs} ms after the process stood still`);
  }

  checkRed(): void {
    const suspect = this.#suspect;
    const { world, nowMs } = this.#scene;
    if (suspect === undefined || nowMs < suspect.atMs + LOOK_MS) return;
    this.#suspect = undefined;
    // A stream that comes and goes, or is caught up and lags again, is green for moments that nobody looks at.
    if (suspect.id === 'H2' && this.#freshAtMs > suspect.sinceMs) return;
    const isStill = world
      .view()
      ?.red.some(({ id, sinceMs }) => id === suspect.id && sinceMs === suspect.sinceMs);
    if (isStill !== true || world.isPaused()) return;
    world.violate(
      'I12',
      `the switch was renewed while ${suspect.id} was red for ${suspect.atMs - suspect.sinceMs} ms`,
    );
  }

  #live({ what, atMs }: Extract<Sight, { kind: 'life' }>): void {
    this.#judgedDeath = false;
    this.#suspect = undefined;
    this.#refusedAtMs = undefined;
    if (what === 'started' || what === 'resumed') this.#stillSinceMs = undefined;
    else if (what !== 'ready' && what !== 'stopping') this.#stillSinceMs ??= atMs;
  }

  #noteCancelAll(sight: Extract<Sight, { kind: 'recorded' | 'durable' }>): void {
    const row = rowOf(sight);
    if (row?.type !== 'outcome') return;
    const { requestId, outcome } = row.value;
    const write = this.#scene.writes.byRequestId(requestId);
    if (write?.row?.command.kind !== 'cancelAll') return;
    // What a start finds out of an earlier life's is no matter of this one: it takes care of the orders it finds.
    if ((write.recordedAtMs ?? 0) < (this.#scene.life?.startedAtMs ?? 0)) return;
    if (outcome === 'executed') this.#refusedAtMs = undefined;
    else if (outcome === 'rejected' || outcome === 'refused') this.#refusedAtMs ??= sight.atMs;
  }

  /** Orders of the account were told after the firing: now the bot knows. */
  #hear(text: string): void {
    const fired = this.#fired;
    if (fired?.hasCanceled !== true || fired.knownAtMs !== undefined) return;
    if (!text.includes('"channel":"orders"')) return;
    const seq = Number(/"seq":"?([0-9]+)/.exec(text)?.[1] ?? 0);
    if (seq >= fired.seq) fired.knownAtMs = this.#scene.nowMs;
  }

  /**
   * Orders that wait as the switch fires, where it spares them (ambiguity A13): neither these nor what they become when they
   * fire later is for it to take. There a guardian must, which cancels by number; no process but the bot's lives here.
   */
  #noteSpared(events: Applied['events']): void {
    const { world, orders } = this.#scene;
    if (world.plan.ambiguities['A13'] !== 'plain') return;
    const { venue } = world.exchange.control;
    this.#spared.clear();
    for (const { market, orderSeq } of orders.values())
      if (venue.waitingOrder(market, orderSeq) !== undefined) this.#spared.add(orderSeq);
    const fired = events.findIndex(({ kind }) => kind === 'ScheduleCancelFired');
    // A block begins with the switch: what fires in it has waited until then.
    for (const event of events.slice(fired))
      if (event.kind === 'ConditionalFired') this.#spared.add(event.order.orderSeq);
  }

  /** Is this order one that must not rest without a switch? */
  #isBound({ underWayMs, write }: OwnOrder): boolean {
    if (underWayMs > LATE_MS) return false;
    const fired = this.#fired;
    if (fired === undefined) return true;
    // What was recorded before is on its way out already.
    const decidedAtMs = write.recordedAtMs ?? write.sentAtMs.at(-1) ?? 0;
    return fired.knownAtMs !== undefined && decidedAtMs > fired.knownAtMs;
  }

  #checkRenewal(write: Write, triggerMs: number): void {
    const { world, nowMs, writes } = this.#scene;
    if (triggerMs === 0) {
      const isPlacing = [...writes.open].some((open) => open !== write && placesOf(open).length > 0);
      if (isPlacing || this.#scene.restingOrders().length > 0)
        world.violate('I11', 'the switch is cleared while orders rest or may come to rest');
      return;
    }
    const soonMs = world.clock.nowMs() + FENCE_LEAD_MS + this.#guessMs;
    if (write.row?.kind === 'fence') {
      if (triggerMs > Math.max(this.#furthestMs, soonMs))
        world.violate('I12', `a fence sets the switch to ${triggerMs}, ${this.#furthestMs} was confirmed`);
      return;
    }
    if (triggerMs <= this.#furthestMs || triggerMs <= soonMs) return;
    const red = world.view()?.red.find(({ sinceMs }) => nowMs - sinceMs > RED_MS_MAX);
    if (red !== undefined) this.#suspect ??= { ...red, atMs: nowMs };
    const silentMs = nowMs - this.#heardAtMs;
    if (silentMs > SILENT_MS_MAX + RED_MS_MAX)
      world.violate(
        'I12',
        `the switch is renewed while no stream has brought anything for ${Math.round(silentMs)} ms (H2)`,
      );
    this.#checkOwed(write, triggerMs);
    const lifeMs = this.#scene.life?.startedAtMs ?? 0;
    // What was recorded was decided on then, and may wait for room in a budget or leave again: the health may have turned
    // red since, but not for longer than I12 allows.
    const decidedAtMs = write.recordedAtMs ?? nowMs;
    for (const open of writes.open) {
      const sinceMs = Math.max(open.sentAtMs[0] ?? nowMs, lifeMs);
      const isServed = world.agents().some((agent) => open.scope === `agent:${agent.toLowerCase()}`);
      const isTooLong = decidedAtMs - sinceMs > RED_MS_MAX || nowMs - sinceMs > OPEN_MS_MAX + RED_MS_MAX;
      if (isServed && open !== write && open.outcome === undefined && isTooLong)
        world.violate('I12', `the switch is renewed while nonce ${open.nonce} of ${open.scope} is open`);
    }
  }

  /** A switch that is ahead is left to fire once a cancel-all was refused: no renewal decided on after that moves it. */
  #checkOwed({ recordedAtMs }: Write, triggerMs: number): void {
    const { world, nowMs } = this.#scene;
    const armedMs = world.exchange.control.venue.account(world.accountId).scheduleCancelAtMs;
    const isAhead = armedMs > world.clock.nowMs() + this.#guessMs && armedMs < triggerMs;
    if (this.#refusedAtMs === undefined || (recordedAtMs ?? nowMs) <= this.#refusedAtMs || !isAhead) return;
    const orders = this.#scene.restingOrders().length;
    if (orders > 0)
      world.violate(
        'I12',
        `the switch is renewed while ${orders} orders rest that a refused cancel-all was for`,
      );
  }
}

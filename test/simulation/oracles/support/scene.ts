/**
 * @module
 * What all oracles of a world share, put together once: the log's truth, the writes, own orders, lives and faults. Each
 * oracle shows every sight to it first; it takes each once.
 */
import type { VenueOrder } from '../../../../src/exchange/engine/index.ts';
import type { FaultId, OracleWorld, Sight } from '../../types.ts';
import { ToldWaits } from './refusals.ts';
import { AccountTruth, type Applied, type Entry, type Position, type Receipt } from './truth.ts';
import { placesOf, type Write, WriteBook } from './write-book.ts';

/** An order that a write of the bot placed. */
export interface OwnOrder {
  readonly market: number;
  readonly orderSeq: bigint;
  readonly write: Write;
  readonly strategyId: string | undefined;
  readonly isReduceOnly: boolean;
  /** Between the last time its bytes left and the log. */
  readonly underWayMs: number;
}

/** One life as it was seen. */
export interface SeenLife {
  readonly number: number;
  readonly startedAtMs: number;
  readyAtMs: number | undefined;
  overAtMs: number | undefined;
  end: 'killed' | 'ended' | 'refused' | 'failed' | undefined;
}

/** Hears of entries of the log after the scene has taken them. */
export type LogListener = (applied: Applied, entry: Entry, own: OwnEntry) => void;

/** Where an entry stands, and the receipt when it is a request of an API wallet for the account. */
export interface OwnEntry {
  readonly receipt: Receipt | undefined;
  readonly at: Position;
}

/** The longest window of a budget, and longer than clocks take to be known. */
const CALM_AFTER_MS = 65_000;

/** See the module. */
export class Scene {
  readonly world: OracleWorld;
  readonly writes: WriteBook;
  readonly truth: AccountTruth;
  /** Accepted orders of the bot by number, as long as they may be open. */
  readonly orders = new Map<string, OwnOrder>();
  readonly lives: SeenLife[] = [];
  /** Faults that have struck so far. */
  readonly struck = new Set<FaultId>();
  /** Ids of fills and entries that were withheld from the bot at least once, in silence. */
  readonly withheld = new Set<string>();
  healedAtMs: number | undefined;
  readonly #waits = new ToldWaits();
  #last: Sight | undefined;
  readonly #listeners: LogListener[] = [];

  constructor(world: OracleWorld) {
    this.world = world;
    this.writes = new WriteBook(world);
    this.truth = new AccountTruth(world);
    world.exchange.control.watch((applied, entry, at) => this.#applied(applied, entry, at));
  }

  /** The life that runs, or ran last. */
  get life(): SeenLife | undefined {
    return this.lives.at(-1);
  }

  /**
   * Since when nothing has stood in the way of the last life: the healing or its own start, and the end of the waits that
   * the exchange itself had ordered before the healing (I14). `undefined`: not healed, or there was none.
   */
  get freeSinceMs(): number | undefined {
    const { healedAtMs, life } = this;
    if (healedAtMs === undefined || life === undefined) return undefined;
    return Math.max(healedAtMs, life.startedAtMs, this.#waits.untilMs(life.number));
  }

  /** {@link freeSinceMs}, and the end of the windows that others had spent before the healing: since when all may go. */
  get roomSinceMs(): number | undefined {
    const { freeSinceMs, life } = this;
    if (freeSinceMs === undefined || life === undefined) return undefined;
    return Math.max(freeSinceMs, this.#waits.untilRoomMs(life.number));
  }

  /**
   * Has nothing stood in the way for so long that what the faults had left has passed: clocks are known again, windows
   * of budgets have ended, answers to old requests have come?
   */
  get isCalmAgain(): boolean {
    const { roomSinceMs } = this;
    return roomSinceMs !== undefined && this.nowMs - roomSinceMs > CALM_AFTER_MS;
  }

  /** Virtual ms since the world began. */
  get nowMs(): number {
    return this.world.clock.monotonicMs();
  }

  /** Is one of these faults part of the run? */
  plans(...ids: readonly FaultId[]): boolean {
    return ids.some((id) => this.world.plan.faults[id] !== undefined);
  }

  /** Calls `listener` for each entry of the log, once the scene has taken it. */
  onLog(listener: LogListener): void {
    this.#listeners.push(listener);
  }

  /** Calls `listener` when prices may be others: with each block, and when an index price is set between two blocks. */
  onPrices(listener: () => void): void {
    this.onLog((_applied, { kind }) => {
      if (kind === 'block' || kind === 'indexPrice') listener();
    });
  }

  /** Takes a sight, once. */
  see(sight: Sight): void {
    if (sight === this.#last) return;
    this.#last = sight;
    if (sight.kind === 'life') this.#live(sight);
    else if (sight.kind === 'withheld')
      for (const [, id = ''] of sight.text.matchAll(/"id":"([\d-]+)"/g)) this.withheld.add(id);
    else if (sight.kind === 'healed') this.healedAtMs = sight.atMs;
    else if (sight.kind === 'fault' && sight.what === 'begun') {
      this.struck.add(sight.id);
      // The disk itself lied: what it held is not what it holds.
      if (sight.id === 'F57' || sight.id === 'F58') this.writes.forget();
    }
    this.writes.take(sight);
    this.#waits.take(sight, this.world.clock.nowMs());
  }

  /** The order of a number as it is open now: in the book, or waiting for its trigger. */
  openOrder(market: number, orderSeq: bigint): VenueOrder | undefined {
    const { venue } = this.world.exchange.control;
    return venue.openOrder(market, orderSeq) ?? venue.waitingOrder(market, orderSeq);
  }

  /** Own orders that rest at the venue now, or wait for their trigger. */
  restingOrders(): readonly OwnOrder[] {
    const resting: OwnOrder[] = [];
    for (const [key, order] of this.orders) {
      if (this.openOrder(order.market, order.orderSeq) === undefined) this.orders.delete(key);
      else resting.push(order);
    }
    return resting;
  }

  #live(sight: Extract<Sight, { kind: 'life' }>): void {
    const { life: number, what, atMs } = sight;
    if (what === 'started') {
      this.lives.push({
        number,
        startedAtMs: atMs,
        readyAtMs: undefined,
        overAtMs: undefined,
        end: undefined,
      });
      return;
    }
    const life = this.lives.findLast((one) => one.number === number);
    if (life === undefined) return;
    if (what === 'ready') life.readyAtMs ??= atMs;
    if (what !== 'killed' && what !== 'ended' && what !== 'refused' && what !== 'failed') return;
    life.overAtMs ??= atMs;
    life.end ??= what;
    this.writes.died(number);
  }

  #applied(applied: Applied, entry: Entry, at: Position): void {
    this.truth.take(applied, entry, at);
    const { receipt } = applied;
    const isOwn = receipt?.request.operation.account === this.world.accountId && receipt.request.isAgent;
    if (receipt !== undefined && isOwn) {
      this.writes.applied(receipt);
      this.#accept(receipt);
    }
    for (const listener of this.#listeners)
      listener(applied, entry, { receipt: isOwn ? receipt : undefined, at });
  }

  #accept(receipt: Receipt): void {
    const write = this.writes.byReceipt(receipt);
    const sentAtMs = write?.sentAtMs.at(-1);
    if (write === undefined || sentAtMs === undefined) return;
    for (const { kind, state, market, orderSeq, inputIndex } of receipt.items) {
      if (kind !== 'place' || state !== 'accepted' || orderSeq === undefined) continue;
      const underWayMs = this.nowMs - sentAtMs;
      const { strategyId, reduceOnly } = placesOf(write)[inputIndex] ?? {};
      const isReduceOnly = reduceOnly === true;
      const order = { market, orderSeq, write, strategyId, isReduceOnly, underWayMs };
      this.orders.set(`${market}-${orderSeq}`, order);
    }
  }
}

const scenes = new WeakMap<object, Scene>();

/** The scene of a world: one for all oracles. */
export function sceneOf(world: OracleWorld): Scene {
  const known = scenes.get(world.exchange);
  if (known !== undefined) return known;
  const scene = new Scene(world);
  scenes.set(world.exchange, scene);
  return scene;
}

/**
 * Since when receipts could be asked. A life that is still starting has to read markets and books before, and those reads
 * may not use what little is left of a window (obligation O116); a running one asks for receipts out of the reserve.
 */
export function recoversSinceMs({ freeSinceMs, roomSinceMs, life }: Scene): number | undefined {
  const isRunning = freeSinceMs !== undefined && (life?.readyAtMs ?? Infinity) <= freeSinceMs;
  return isRunning ? freeSinceMs : roomSinceMs;
}

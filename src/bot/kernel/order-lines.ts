/**
 * @module
 * Single orders that wait for their lane, first come, first served, and not for long: an order that is not sent soon was
 * meant for a market that is gone.
 */
import type { UnixMs } from '../../core/index.ts';
import type { LaneId, MarketSymbol, PlaceOrders, SetLeverage } from '../../domain/index.ts';
import type { DenialQueue } from './denial-queue.ts';
import type { ProblemText } from './levels.ts';
import type { SpecNames } from './order-spec.ts';
import type { StrategyHost } from './strategy-host.ts';

/** The most single orders that wait for one lane. */
const LINE_ORDERS_MAX = 100;
/** A single order that waited longer is denied. */
const LINE_AGE_MS_MAX = 1_000;
/** How long the write budget may hold a single order back (denials.md P11). */
export const THROTTLE_WAIT_MS_MAX = 100;

/** One that waits. */
export interface QueuedOrder {
  readonly host: StrategyHost;
  /** The number of the strategy instance that asked. */
  readonly instanceId: number;
  readonly names: SpecNames;
  readonly symbol: MarketSymbol;
  /** The order, or both legs of a position, or the leverage to set. */
  readonly command: PlaceOrders | SetLeverage;
  readonly atMs: UnixMs;
}

/** The lines of all lanes. */
export class OrderLines {
  readonly #lines = new Map<LaneId, QueuedOrder[]>();
  /** Lanes that nothing waits for, and why. */
  readonly #halted = new Map<LaneId, string>();
  readonly #denials: Pick<DenialQueue, 'refuse'>;
  #isEmpty = true;

  constructor(denials: Pick<DenialQueue, 'refuse'>) {
    this.#denials = denials;
  }

  /** True if nothing waits. Called with each quote that is sent. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Nothing waits for this lane until it is free. */
  halt(lane: LaneId, reason: string): void {
    this.#halted.set(lane, reason);
  }

  /** The lane is ready again. */
  free(lane: LaneId): void {
    this.#halted.delete(lane);
  }

  /** Joins the line, or says why it cannot. */
  join(order: QueuedOrder): ProblemText | undefined {
    const { lane } = order.host.setup;
    const halt = this.#halted.get(lane);
    if (halt !== undefined)
      return {
        code: 'INTENT_LANE_HALTED',
        message: `expected lane ${lane} to send orders, but it is halted: ${halt}`,
      };
    const line = this.#lines.get(lane);
    if (line === undefined) {
      this.#lines.set(lane, [order]);
      this.#isEmpty = false;
    } else if (line.length >= LINE_ORDERS_MAX)
      return {
        code: 'INTENT_QUEUE_FULL',
        message: `expected at most ${LINE_ORDERS_MAX} orders waiting for lane ${lane}, got one more`,
      };
    else line.push(order);
    return undefined;
  }

  /** Denies what waits and `isMeant` is true of, and takes it out. */
  refuse(isMeant: (order: QueuedOrder) => boolean, problemOf: (order: QueuedOrder) => ProblemText): void {
    for (const [lane, line] of this.#lines) {
      const left = line.filter((order) => !isMeant(order));
      if (left.length === line.length) continue;
      for (const order of line) if (isMeant(order)) this.#deny(order, problemOf(order));
      if (left.length === 0) this.#lines.delete(lane);
      else this.#lines.set(lane, left);
    }
    this.#isEmpty = this.#lines.size === 0;
  }

  /** Denies what has waited too long, and what an instance asked for that has ended. */
  expire(nowMs: UnixMs): void {
    const isOver = ({ host, instanceId }: QueuedOrder) => !host.isRunning || host.instanceId !== instanceId;
    this.refuse(
      (order) => nowMs - order.atMs > LINE_AGE_MS_MAX || isOver(order),
      (order) => {
        if (isOver(order)) return notRunning(order.host.state);
        const message = `expected to be sent within ${LINE_AGE_MS_MAX} ms, got ${nowMs - order.atMs} ms old`;
        return { code: 'INTENT_EXPIRED', message };
      },
    );
  }

  /** How long until the next one has waited too long, ms; `undefined`: none waits. */
  leftMs(nowMs: UnixMs): number | undefined {
    const firsts = Array.from(this.#lines.values(), ([first]) => first?.atMs ?? nowMs);
    return firsts.length === 0 ? undefined : Math.min(...firsts) + LINE_AGE_MS_MAX + 1 - nowMs;
  }

  /** Hands orders to `send` while their lane is ready; `send` says false to have one wait on. */
  advance(isReady: (lane: LaneId) => boolean, send: (lane: LaneId, order: QueuedOrder) => boolean): void {
    for (const [lane, line] of this.#lines) {
      while (isReady(lane)) {
        const next = line[0];
        if (next === undefined || !send(lane, next)) break;
        line.shift();
      }
      if (line.length === 0) this.#lines.delete(lane);
    }
    this.#isEmpty = this.#lines.size === 0;
  }

  /** An order, both legs of a position, or a leverage. */
  #deny({ host, names, symbol, command }: QueuedOrder, problem: ProblemText): void {
    const places = command.kind === 'place' ? command.orders : [names];
    for (const { intentId } of places) this.#denials.refuse(host, { ...names, intentId }, symbol, problem);
  }
}

/** Why an instance that is not running, or a run that is stopping, gets no orders. */
export function notRunning(state: string): ProblemText {
  return { code: 'INTENT_STRATEGY_NOT_RUNNING', message: `expected a running strategy, got ${state}` };
}

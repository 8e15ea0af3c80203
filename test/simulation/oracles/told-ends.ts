/**
 * @module
 * I30: what strategies are told of the end of an order is what became of it. Told as filled it is filled, told as canceled
 * or expired it is not, and told as over it rests no more: nothing is concluded from a snapshot that shows an order no more
 * while fills up to it may be missing (obligation O21).
 *
 * One end nothing may tell: a reduce-only order that waited fires, is cut to the position and filled. Where neither its
 * end nor its new size has reached the life that tells of it, an order that is gone with less filled than was asked for is
 * all there is to know, and canceled is the word for that. The same holds for a leg: it is as large as the position when it
 * fires, so that what was seen of it before does not say whether it was filled whole.
 */
import type { AuditEvent } from '../../../src/core/index.ts';
import type { VenueOrder } from '../../../src/exchange/engine/index.ts';
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { LEGS } from './support/agreement.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import type { Applied } from './support/truth.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I30'], begin }];

const CANCELED: readonly VenueOrder['status'][] = ['canceled', 'expired'];
/** Standings of an order that is over, with what it may have become. */
const MEANINGS: ReadonlyMap<unknown, readonly VenueOrder['status'][]> = new Map([
  ['filled', ['filled']],
  ['canceled', CANCELED],
  ['expired', CANCELED],
]);

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  // Where an order keeps the number of the one that it replaces, a number says nothing of which of them is over.
  const { A10 } = world.plan.ambiguities as { readonly A10?: string };
  if (A10 === 'kept') return {};
  /** Orders of the account as they were last, by epoch and number. */
  const orders = new Map<string, VenueOrder>();
  const cuts = new Cuts();
  const note = (order: VenueOrder): void => {
    if (order.account !== world.accountId) return;
    const key = keyOf(scene.truth.current.epoch, order.orderSeq.toString());
    cuts.note(key, orders.get(key), order);
    orders.set(key, order);
  };
  scene.onLog(({ events }) => {
    for (const event of events) noteOrders(event, note);
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      cuts.see(sight);
      if (sight.kind !== 'audit') return;
      const isUntold = (key: string): boolean => cuts.isUntold(key, sight.life);
      const problem = problemOf(scene, orders, isUntold, sight.event);
      if (problem !== undefined) world.violate('I30', problem);
    },
  };
}

/** Reads that show orders as they are: the open ones, and one of them. */
const ORDER_READS = /\/v1\/(?:account\/orders|orders\/)/;

/** Orders that waited and got their size when they fired, and which lives were shown any of them since. */
class Cuts {
  /** By epoch and number, as it fired. */
  readonly #cut = new Map<string, VenueOrder>();
  readonly #reads = new Set<number>();
  readonly #shown = new Set<string>();
  /** Connections that have had their list of open orders: before it no event of an order is to be used (obligation O91). */
  readonly #listed = new Set<number>();

  note(key: string, before: VenueOrder | undefined, order: VenueOrder): void {
    const waited = before?.waiting;
    if (before === undefined || waited === undefined || order.waiting !== undefined) return;
    const isCut = order.reduceOnly && order.lots < before.lots;
    if (isCut || LEGS.has(waited.kind)) this.#cut.set(key, order);
  }

  see(sight: Sight): void {
    const isOrders = sight.kind === 'frame' && sight.text.includes('"channel":"orders"');
    if (isOrders && sight.text.includes('"isSnapshot":true')) this.#listed.add(sight.socket);
    if (this.#cut.size === 0) return;
    // The refusal of a cancel names an order as well, and shows nothing of it.
    if (sight.kind === 'request' && sight.method === 'GET' && ORDER_READS.test(sight.path))
      this.#reads.add(sight.id);
    else if (sight.kind === 'answer' && this.#reads.delete(sight.id)) {
      const shownAt = positionOf(sight);
      this.#show(sight.life, sight.body, (order) => shownAt >= order.seq);
    } else if (isOrders && this.#listed.has(sight.socket)) {
      const seq = Number(/"seq":"?([0-9]+)/.exec(sight.text)?.[1] ?? Number.POSITIVE_INFINITY);
      this.#show(sight.life, sight.text, (order) => seq >= order.seq);
    }
  }

  isUntold(key: string, life: number): boolean {
    return this.#cut.has(key) && !this.#shown.has(`${life} ${key}`);
  }

  #show(life: number, text: string, isLater: (order: VenueOrder) => boolean): void {
    for (const [key, order] of this.#cut)
      if (isLater(order) && new RegExp(`\\b${order.orderSeq}\\b`).test(text))
        this.#shown.add(`${life} ${key}`);
  }
}

/** Where the log was when an answer was made: a replica may be behind, and an answer long on its way. */
function positionOf({ headers, body }: Extract<Sight, { kind: 'answer' }>): number {
  const named = Object.entries(headers).find(([name]) => name.endsWith('-seq'))?.[1];
  const said = named ?? [...body.matchAll(/"seq":"?([0-9]+)/g)].at(-1)?.[1];
  return said === undefined ? Number.POSITIVE_INFINITY : Number(said);
}

function noteOrders(event: Applied['events'][number], note: (order: VenueOrder) => void): void {
  if (event.kind === 'Fill') {
    note(event.makerOrder);
    note(event.takerOrder);
  } else if (
    event.kind === 'OrderAccepted' ||
    event.kind === 'OrderCanceled' ||
    event.kind === 'ConditionalPlaced' ||
    event.kind === 'ConditionalCanceled' ||
    event.kind === 'TwapPlaced' ||
    event.kind === 'TwapSliced' ||
    event.kind === 'TwapEnded' ||
    event.kind === 'OrderExpired'
  ) {
    note(event.order);
  }
}

function problemOf(
  scene: Scene,
  orders: ReadonlyMap<string, VenueOrder>,
  isUntold: (key: string) => boolean,
  { type, fields }: AuditEvent,
): string | undefined {
  if (type !== 'OrderChanged') return undefined;
  const { status, orderId, proof } = fields;
  const meanings = MEANINGS.get(status);
  if (meanings === undefined || typeof orderId !== 'string') return undefined;
  // Numbers begin again with a ledger, and what is told may be of the one before.
  const known = scene.truth.epochs.flatMap(({ epoch }) => {
    const key = keyOf(epoch, orderId);
    const order = orders.get(key);
    return order === undefined ? [] : [{ ...order, isUntold: isUntold(key) }];
  });
  const isTrue = ({ status, market, orderSeq, isUntold }: (typeof known)[number]): boolean =>
    meanings.includes(status) ||
    (meanings === CANCELED && status === 'filled' && isUntold) ||
    // Taken away without a word of its own, by the switch for example.
    (status === 'open' && scene.openOrder(market, orderSeq) === undefined);
  if (known.length === 0 || known.some(isTrue)) return undefined;
  return `order ${orderId} is told ${String(status)} by ${String(proof)}: it is ${known.at(-1)?.status}`;
}

function keyOf(epoch: string, orderSeq: string): string {
  return `${epoch} ${orderSeq}`;
}

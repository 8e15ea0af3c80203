/**
 * @module
 * I30: what strategies are told of the end of an order is what became of it. Told as filled it is filled, told as canceled
 * or expired it is not, and told as over it rests no more: nothing is concluded from a snapshot that shows an order no more
 * while fills up to it may be missing (obligation O21).
 */
import type { AuditEvent } from '../../../src/core/index.ts';
import type { VenueOrder } from '../../../src/exchange/engine/index.ts';
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
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
  const note = (order: VenueOrder): void => {
    if (order.account === world.accountId)
      orders.set(keyOf(scene.truth.current.epoch, order.orderSeq.toString()), order);
  };
  scene.onLog(({ events }) => {
    for (const event of events) noteOrders(event, note);
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      const problem = sight.kind === 'audit' ? problemOf(scene, orders, sight.event) : undefined;
      if (problem !== undefined) world.violate('I30', problem);
    },
  };
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
  { type, fields }: AuditEvent,
): string | undefined {
  if (type !== 'OrderChanged') return undefined;
  const { status, orderId, proof } = fields;
  const meanings = MEANINGS.get(status);
  if (meanings === undefined || typeof orderId !== 'string') return undefined;
  // Numbers begin again with a ledger, and what is told may be of the one before.
  const known = scene.truth.epochs.flatMap(({ epoch }) => orders.get(keyOf(epoch, orderId)) ?? []);
  const isTrue = ({ status, market, orderSeq }: VenueOrder): boolean =>
    meanings.includes(status) ||
    // Taken away without a word of its own, by the switch for example.
    (status === 'open' && scene.openOrder(market, orderSeq) === undefined);
  if (known.length === 0 || known.some(isTrue)) return undefined;
  return `order ${orderId} is told ${String(status)} by ${String(proof)}: it is ${known.at(-1)?.status}`;
}

function keyOf(epoch: string, orderSeq: string): string {
  return `${epoch} ${orderSeq}`;
}

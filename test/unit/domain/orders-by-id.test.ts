/** @module The bounded memory of orders by number: what is in columns is told as it was, what is overdue is forgotten. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lots, type OrderId, ticks, type WorkingOrder } from '../../../src/domain/index.ts';
import { OrdersById } from '../../../src/domain/orders-by-id.ts';
import { newRecord, setFills, type TrackedOrder } from '../../../src/domain/tracked-order.ts';
import { aWorkingOrder, BTC, seq } from '../../support/trading-builders.ts';

const idOf = (number: number) => `order-${number}` as OrderId;
const NO_WRITES = { isOpen: () => false };

function ended(number: number, changes: Partial<WorkingOrder> = {}): TrackedOrder {
  const order = aWorkingOrder(idOf(number), { priceTicks: ticks(100 + number), ...changes });
  const record = newRecord(BTC, idOf(number), {
    strategyId: order.strategyId,
    intentId: order.intentId,
  });
  record.order = order;
  record.endedAs = 'canceled';
  record.seq = seq(number);
  record.remainingLots = lots(number);
  record.reportedLots = 3;
  record.requestId = undefined;
  return record;
}

test('an order that ended long ago is told as it was', () => {
  const orders = new OrdersById(1_000);
  const all = Array.from({ length: 300 }, (_none, number) =>
    ended(number, number % 2 === 0 ? {} : { side: 'sell', timeInForce: 'ioc', reduceOnly: true }),
  );
  for (const record of all) {
    orders.add(record);
    orders.keep(record);
  }
  orders.cool(NO_WRITES);
  for (const record of all) {
    const known = orders.get(record.orderId);
    expect(known).toEqual(record);
    expect(orders.get(record.orderId)).toBe(known);
  }
  expect(orders.get(idOf(0))).not.toBe(all[0]);
  expect(orders.get(idOf(299))).toBe(all[299]);
});

test('an order of which more is known stays as it is', () => {
  const orders = new OrdersById(1_000);
  const filled = ended(1);
  setFills(filled, [{ seq: seq(5), lots: lots(1) }]);
  const replaced = ended(2);
  replaced.hasOpenEnd = true;
  const ofOpenWrite = ended(3);
  ofOpenWrite.canceledBy = 'open';
  const late = ended(4);
  late.seq = BigInt(2 ** 60) as TrackedOrder['seq'];
  const special = [filled, replaced, ofOpenWrite, late];
  for (const record of special) orders.keep(record);
  for (let number = 10; number < 300; number++) orders.keep(ended(number));
  orders.cool({ isOpen: (requestId: string) => requestId === 'open' });
  for (const record of special) expect(orders.get(record.orderId)).toBe(record);
});

test('of so many numbers the oldest is forgotten, one that works is not', () => {
  const orders = new OrdersById(10);
  const working = ended(0);
  working.endedAs = undefined;
  orders.add(working);
  for (let number = 1; number <= 25; number++) {
    orders.keep(ended(number));
    orders.cool(NO_WRITES);
  }
  const known = Array.from({ length: 26 }, (_none, number) => orders.get(idOf(number)) !== undefined);
  expect(known).toEqual(Array.from({ length: 26 }, (_none, number) => number === 0 || number > 15));
  working.endedAs = 'filled';
  orders.keep(working);
  expect(orders.get(idOf(0))).toBe(working);
  expect(orders.get(idOf(16))).toBeUndefined();
});

/** What is remembered, in one map: each number with the order that was kept under it last. */
class Remembered {
  readonly keptMax: number;
  #kept = new Map<OrderId, { readonly record: TrackedOrder; readonly at: number }>();
  #working = new Map<OrderId, TrackedOrder>();
  #count = 0;

  constructor(keptMax: number) {
    this.keptMax = keptMax;
  }

  get(orderId: OrderId): TrackedOrder | undefined {
    const kept = this.#kept.get(orderId);
    const isKept = kept !== undefined && kept.at > this.#count - this.keptMax;
    return this.#working.get(orderId) ?? (isKept ? kept.record : undefined);
  }

  add(record: TrackedOrder): void {
    this.#working.set(record.orderId, record);
  }

  keep(record: TrackedOrder): void {
    this.#working.delete(record.orderId);
    this.#kept.set(record.orderId, { record, at: ++this.#count });
  }
}

test('each number is found as long as it is remembered, in whatever order numbers come', () => {
  const id = fc.oneof(
    fc.integer({ min: 0, max: 400 }).map(String),
    fc.integer({ min: 0, max: 9 }).map((number) => `other-0${number}`),
    fc.constantFrom('none', 'of these'),
  );
  const step = fc.record({ id, isAsked: fc.boolean(), isCooled: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 2, max: 120 }), (steps, keptMax) => {
      const orders = new OrdersById(keptMax);
      const model = new Remembered(keptMax);
      let count = 0;
      for (const { id: text, isAsked, isCooled } of steps) {
        const orderId = text as OrderId;
        const record = ended(0, { orderId });
        const next: TrackedOrder = { ...record, orderId, fillLots: 0, reportedLots: ++count };
        if (model.get(orderId) === undefined) {
          for (const one of [orders, model]) one.add(next);
          expect(orders.get(orderId)).toBe(next);
          for (const one of [orders, model]) one.keep(next);
        }
        if (isCooled) orders.cool(NO_WRITES);
        if (isAsked) expect(orders.get(orderId)?.reportedLots).toBe(model.get(orderId)?.reportedLots);
      }
      for (const { id: text } of steps)
        expect(orders.get(text as OrderId)?.reportedLots).toBe(model.get(text as OrderId)?.reportedLots);
    }),
  );
});

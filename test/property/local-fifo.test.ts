import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Random, seededRandom } from '../../src/core/index.ts';
import type { OrderId } from '../../src/domain/index.ts';
import { type BookSide, BUY, type MakerPolicy, OrderBook, SELL } from '../../src/exchange/engine/index.ts';
import { LocalRig } from '../support/local-rig.ts';

const MID = 1000;
const OWN = 1_000_000;

interface Stranger {
  readonly id: number;
  readonly side: BookSide;
  readonly price: number;
  left: number;
  slotA: number;
  slotB: number;
}

/**
 * One flow of strangers in three markets: A without us, which is recorded; B with us, which is the truth; C, the local
 * venue that is fed with the recording of A and our orders. RecordedOrders rest on their own side of a middle and take what is
 * there, so that nothing they do in A depends on us: then C must give the fills of B, one by one.
 */
class ThreeMarkets {
  readonly rig = new LocalRig({ model: 'fifo' });
  readonly a = new OrderBook();
  readonly b = new OrderBook();
  readonly strangers = new Map<number, Stranger>();
  readonly slots = new Map<number, number>();
  /** Own orders in B: number in B, order in C, slot and what is left. */
  readonly own: { id: number; orderId: OrderId; slot: number; left: number }[] = [];
  /** Fills of B: number and lots. */
  readonly truth: [number, number][] = [];
  readonly random: Random;
  #ids = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  rest(): void {
    const side = this.random.chance(0.5) ? BUY : SELL;
    const price = this.price(side);
    const size = this.random.integer(1, 9);
    const id = ++this.#ids;
    const stranger = { id, side, price, left: size, slotA: this.a.rest(id, side, price, size), slotB: 0 };
    stranger.slotB = this.b.rest(id, side, price, size);
    this.strangers.set(id, stranger);
    this.rig.frame([side === BUY ? 'bidOrder' : 'askOrder', price, size, id]);
  }

  cancel(): void {
    const stranger = this.one();
    if (stranger === undefined) return;
    const { id, slotA, slotB } = stranger;
    if (this.random.chance(0.4) && stranger.left > 1) {
      const lots = this.random.integer(1, stranger.left - 1);
      this.a.reduce(slotA, id, lots);
      this.b.reduce(slotB, id, lots);
      stranger.left -= lots;
      this.rig.frame(['orderReduced', 0, lots, id]);
      return;
    }
    this.a.cancel(slotA, id);
    this.b.cancel(slotB, id);
    this.strangers.delete(id);
    this.rig.frame(['orderDeleted', 0, 0, id]);
  }

  /** Somebody takes a part of what stands in A, at any price. */
  take(): void {
    const side = this.random.chance(0.5) ? BUY : SELL;
    const makers: [number, number][] = [];
    this.a.forEachOrder(
      side === BUY ? SELL : BUY,
      (slot, _price, lots) => makers.push([this.a.idIn(slot), lots]) > 0,
    );
    const depth = makers.reduce((sum, [, lots]) => sum + lots, 0);
    if (depth === 0) return;
    const size = this.random.integer(1, Math.min(depth, 25));
    const executed: [number, number, number][] = [];
    const ofA: MakerPolicy = {
      lotsAllowed: (slot) => this.a.lotsIn(slot),
      onFilled: (slot, lots, price) => executed.push([this.a.idIn(slot), lots, price]),
      onDropped: () => undefined,
    };
    this.a.take(side, size, side === BUY ? Number.MAX_SAFE_INTEGER : 0, ofA);
    const ofB: MakerPolicy = {
      lotsAllowed: (slot) => this.b.lotsIn(slot),
      onFilled: (slot, lots) => {
        const id = this.b.idIn(slot);
        const own = this.own.find((order) => order.id === id);
        if (own === undefined) return;
        own.left -= lots;
        this.truth.push([id, lots]);
      },
      onDropped: () => undefined,
    };
    this.b.take(side, size, side === BUY ? Number.MAX_SAFE_INTEGER : 0, ofB);
    for (const [id, lots] of executed) {
      const stranger = this.strangers.get(id)!;
      stranger.left -= lots;
      if (stranger.left === 0) this.strangers.delete(id);
    }
    this.rig.frame(...executed.map(([id, lots, price]) => ['orderExecuted', price, lots, id] as const));
  }

  place(): void {
    const side = this.random.chance(0.5) ? BUY : SELL;
    const price = this.price(side);
    const size = this.random.integer(1, 9);
    const id = OWN + this.own.length;
    const slot = this.b.rest(id, side, price, size);
    const orderId = this.rig.rest(side === BUY ? 'buy' : 'sell', price, size, 'postOnly');
    this.own.push({ id, orderId, slot, left: size });
  }

  withdraw(): void {
    const open = this.own.filter(({ left }) => left > 0);
    const own = open[this.random.integer(0, Math.max(0, open.length - 1))];
    if (own === undefined) return;
    this.b.cancel(own.slot, own.id);
    own.left = 0;
    this.rig.cancel(own.orderId);
  }

  /** What stands before each own order in B. */
  aheadInB(id: number, side: BookSide, price: number): number {
    let ahead = 0;
    this.b.forEachOrder(side, (slot, at, lots) => {
      if (this.b.idIn(slot) === id) return false;
      if (at === price) ahead += lots;
      return true;
    });
    return ahead;
  }

  price(side: BookSide): number {
    const away = this.random.integer(1, 5);
    return side === BUY ? MID - away : MID + away;
  }

  one(): Stranger | undefined {
    const all = [...this.strangers.values()];
    return all[this.random.integer(0, Math.max(0, all.length - 1))];
  }
}

test('fifo gives the fills of the exchange one by one, queues included', () => {
  let fills = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
      const markets = new ThreeMarkets(seed);
      const { random, rig, own } = markets;
      for (let step = 0; step < 200; step++) {
        const draw = random.next();
        if (draw < 0.4) markets.rest();
        else if (draw < 0.55) markets.cancel();
        else if (draw < 0.8) markets.take();
        else if (draw < 0.93) markets.place();
        else markets.withdraw();
      }
      rig.tick();
      const orderIdOf = new Map(own.map(({ id, orderId }) => [id, orderId]));
      expect(
        rig.fills.map(([orderId, lots]) => [orderId, lots]),
        `seed ${seed}`,
      ).toEqual(markets.truth.map(([id, lots]) => [orderIdOf.get(id), lots]));
      fills += rig.fills.length;
      for (const { id, orderId, left } of own.filter((order) => order.left > 0)) {
        const order = rig.account.workingOrder(orderId);
        expect(order?.remainingLots, `seed ${seed}`).toBe(left);
        const ahead = markets.aheadInB(id, order!.side === 'buy' ? BUY : SELL, order!.priceTicks);
        expect(rig.venue.queueOf(orderId)?.aheadLots, `seed ${seed}`).toBe(ahead);
      }
    }),
    { numRuns: 40, seed: 20261122 },
  );
  expect(fills).toBeGreaterThan(300);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lots, ppm, quantums, type Side, type TimeInForce, ticks } from '../../src/domain/index.ts';
import { BUY, OrderBook, SELL, type VenueEvent } from '../../src/exchange/engine/index.ts';
import { aMarket, anOrder, Desk, eventsOf } from '../unit/exchange/engine/desk.ts';

/** The plainest book there is: a list of orders, sorted for each taker. */
class ModelBook {
  orders: { id: number; side: Side; price: number; size: number; account: number }[] = [];

  /** Trades as [maker, price, size], own orders in the way leave. Gives the size left. */
  take(order: { side: Side; price: number; size: number; account: number }, trades: number[][]): number {
    let left = order.size;
    const sign = order.side === 'buy' ? 1 : -1;
    const makers = this.orders
      .filter((maker) => maker.side !== order.side && sign * (order.price - maker.price) >= 0)
      .sort((a, b) => sign * (a.price - b.price) || a.id - b.id);
    for (const maker of makers) {
      if (left === 0) break;
      if (maker.account === order.account) maker.size = 0;
      const size = Math.min(left, maker.size);
      if (size > 0) trades.push([maker.id, maker.price, size]);
      maker.size -= size;
      left -= size;
    }
    this.orders = this.orders.filter(({ size }) => size > 0);
    return left;
  }

  levels(side: Side): [number, number][] {
    const sums = new Map<number, number>();
    for (const order of this.orders.filter((other) => other.side === side)) {
      sums.set(order.price, (sums.get(order.price) ?? 0) + order.size);
    }
    return [...sums].sort((a, b) => (side === 'buy' ? b[0] - a[0] : a[0] - b[0]));
  }
}

const sides = fc.constantFrom<Side>('buy', 'sell');
/** Mostly near, sometimes on pages far away. */
const prices = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 240, max: 270 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 255, 256, 511, 512, 70_000, 4_000_000_000, 4_294_967_295) },
);

describe('the order book core', () => {
  test('trades and rests like the plainest price-time book', () => {
    const steps = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ side: sides, price: prices, size: fc.integer({ min: 1, max: 9 }) }),
      },
      { weight: 2, arbitrary: fc.record({ cancel: fc.nat(200) }) },
    );
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 120 }), (sequence) => {
        const book = new OrderBook(1);
        const model = new ModelBook();
        const slots: number[] = [];
        for (const [id, step] of sequence.entries()) {
          if ('cancel' in step) {
            const wanted = model.orders.find((order) => order.id === step.cancel);
            model.orders = model.orders.filter((order) => order !== wanted);
            expect(book.cancel(slots[step.cancel] ?? -1, step.cancel)).toBe(wanted?.size ?? 0);
          } else {
            const side = step.side === 'buy' ? BUY : SELL;
            const [wanted, trades]: number[][][] = [[], []];
            const left = model.take({ ...step, account: id }, wanted ?? []);
            const traded = book.take(side, step.size, step.price, {
              lotsAllowed: (slot) => book.lotsIn(slot),
              onFilled: (slot, size, price) => trades?.push([slots.lastIndexOf(slot), price, size]),
              onDropped: () => expect.unreachable('nothing is dropped'),
            });
            expect([traded, trades]).toEqual([left, wanted]);
            slots[id] = left > 0 ? book.rest(id, side, step.price, left) : -1;
            if (left > 0) model.orders.push({ ...step, id, size: left, account: id });
          }
          for (const [side, of] of [[BUY, 'buy'] as const, [SELL, 'sell'] as const]) {
            const levels: [number, number][] = [];
            book.forEachLevel(side, (price, size) => levels.push([price, size]) > 0);
            expect(levels).toEqual(model.levels(of));
          }
          expect(book.bidTicks < book.askTicks).toBe(true);
          expect(book.restingCount).toBe(model.orders.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const ACCOUNTS = [1, 2, 3, 4];
const account = fc.constantFrom(...ACCOUNTS);
const tif = fc.constantFrom<TimeInForce>('gtc', 'gtc', 'ioc', 'fok', 'postOnly');
const order = fc.record({
  market: fc.constantFrom(0, 0, 0, 1, 9),
  side: sides,
  price: fc.integer({ min: 90, max: 110 }),
  size: fc.integer({ min: 0, max: 12 }),
  tif,
  reduceOnly: fc.boolean(),
});
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('place' as const), account, order, goodForMs: fc.nat(900) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      account,
      cancels: fc.array(fc.nat(60), { maxLength: 4 }),
      orders: fc.array(order, { maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('modify' as const), account, target: fc.nat(60), order }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancelAll' as const), account }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('schedule' as const), account, inMs: fc.nat(900) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('leverage' as const),
      account,
      market: fc.constantFrom(0, 1),
      rate: fc.integer({ min: 40_000, max: 400_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('index' as const),
      market: fc.constantFrom(0, 1),
      price: fc.integer({ min: 85, max: 115 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('block' as const), passedMs: fc.integer({ min: 1, max: 700 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      account,
      amount: fc.bigInt(1n, 900_000n),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      account,
      amount: fc.bigInt(1n, 900_000n),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two markets of different sizes, odd fee rates and short funding intervals, so that everything rounds. */
function openDesk(): Desk {
  const second = aMarket({ signingMarketId: 1, quantumsPerTickLot: 7n, lotStep: lots(2) });
  const desk = new Desk({
    markets: [
      { market: aMarket({ quantumsPerTickLot: 13n }), indexTicks: ticks(100) },
      { market: second, indexTicks: ticks(100) },
    ],
    takerFeePpm: ppm(4570),
    makerFeePpm: ppm(-3100),
    fundingIntervalMs: 1000,
    impactNotional: quantums(5000n),
    openOrdersMax: 12,
  });
  for (const [i] of ACCOUNTS.entries()) desk.trader([5_000n, 20_000n, 100_000n, 1_000_000n][i]);
  return desk;
}

function run(desk: Desk, placed: bigint[], one: Step): void {
  const wanted = (o: Extract<Step, { kind: 'place' }>['order']) => anOrder(o.side, o.price, o.size, o);
  const target = (i: number) => ({ market: 0, orderSeq: placed[placed.length - 1 - i] ?? 0n });
  const execute = (command: Parameters<Desk['execute']>[0]) => {
    for (const item of desk.execute(command).items) {
      if (item.kind === 'place' && item.orderSeq !== undefined) placed.push(item.orderSeq);
    }
  };
  const base = { nowMs: 0 };
  if (one.kind === 'place') {
    const goodTilMs = one.goodForMs < 450 ? 0 : desk.nowMs + one.goodForMs;
    const routing = { router: 0, routerFeePpm: 0, goodTilMs, ...base };
    execute({ kind: 'PlaceOrder', account: one.account, ...wanted(one.order), ...routing });
  } else if (one.kind === 'replace') {
    const cancels = one.cancels.map(target);
    execute({ kind: 'BatchReplace', account: one.account, cancels, orders: one.orders.map(wanted), ...base });
  } else if (one.kind === 'modify') {
    const change = { ...wanted(one.order), goodTilMs: 0, ...base };
    execute({ kind: 'ModifyOrder', account: one.account, orderId: target(one.target), ...change });
  } else if (one.kind === 'cancelAll') execute({ kind: 'CancelAll', account: one.account });
  else if (one.kind === 'schedule') {
    execute({ kind: 'ScheduleCancel', account: one.account, triggerMs: desk.nowMs + one.inMs, ...base });
  } else if (one.kind === 'leverage') {
    execute({ kind: 'SetLeverage', account: one.account, market: one.market, customImfPpm: one.rate });
  } else if (one.kind === 'index') desk.index(one.price, one.market);
  else if (one.kind === 'block') desk.block(one.passedMs);
  else if (one.kind === 'withdraw')
    desk.keep(desk.venue.withdraw(one.account, quantums(one.amount), desk.at) || []);
  else {
    const move = { from: one.account, to: (one.account % ACCOUNTS.length) + 1, amount: quantums(one.amount) };
    desk.keep(desk.venue.transfer(move, desk.at) || []);
  }
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** What must hold of money and positions after every step. */
function checkMoney(desk: Desk): void {
  const { venue, events } = desk;
  const entries = eventsOf(events, 'LedgerAppended');
  const everyone = [0, ...ACCOUNTS];
  for (const number of everyone) {
    const own = entries.filter((entry) => entry.account === number);
    expect(venue.account(number).collateral).toBe(sum(own.map(({ amount }) => amount)));
  }
  const deposited = sum(eventsOf(events, 'Deposited').map(({ amount }) => amount));
  const withdrawn = sum(
    entries.filter(({ entryKind }) => entryKind === 'withdrawal').map(({ amount }) => amount),
  );
  expect(sum(everyone.map((number) => venue.account(number).collateral))).toBe(deposited + withdrawn);
  for (const { market, openInterestLots, indexTicks } of venue.markets()) {
    const held = everyone.map((number) => desk.lotsOf(number, market.signingMarketId));
    expect(held.reduce((a, b) => a + b, 0)).toBe(0);
    expect(held.reduce((a, b) => a + Math.max(b, 0), 0)).toBe(openInterestLots);
    expect(indexTicks).toBeGreaterThan(0);
  }
  for (const number of everyone) {
    const { equity, collateral } = venue.account(number);
    const positions = venue.positions(number);
    const value = sum(positions.map((p) => p.costBasis + p.unrealizedPnl + p.accruedFunding));
    expect(equity).toBe(collateral + value);
  }
}

/** Reserved margin is at least that of the worst case of what rests, worked out again. */
function checkReserved(desk: Desk): void {
  for (const owner of ACCOUNTS) {
    let worst = 0n;
    for (const { market, markTicks } of desk.venue.markets()) {
      const position = desk.lotsOf(owner, market.signingMarketId);
      const sizeOf = (side: Side) =>
        desk.venue
          .openOrders(owner)
          .filter((o) => o.market === market.signingMarketId && o.side === side && !o.reduceOnly)
          .reduce((total, o) => total + o.remainingLots, 0);
      const size = Math.max(Math.abs(position), position + sizeOf('buy'), sizeOf('sell') - position);
      const rate = BigInt(
        desk.venue.positions(owner).find((p) => p.market === market.signingMarketId)?.initialMarginPpm ??
          50_000,
      );
      worst += (BigInt(size * markTicks) * market.quantumsPerTickLot * rate + 999_999n) / 1_000_000n;
    }
    const { initialMargin, orderMargin } = desk.venue.account(owner);
    expect(initialMargin + orderMargin).toBeGreaterThanOrEqual(worst);
  }
}

/** Nothing stays reserved when nothing rests. */
function checkReleased(desk: Desk): void {
  for (const owner of ACCOUNTS) {
    desk.execute({ kind: 'CancelAll', account: owner });
    expect(desk.venue.account(owner).orderMargin).toBe(0n);
  }
}

/** What must hold of books and orders after every step. */
function checkBooks(desk: Desk): void {
  for (const number of [0, 1]) {
    const { bids, asks } = desk.bookOf(number);
    const [bid, ask] = [bids[0]?.[0] ?? 0, asks[0]?.[0] ?? Number.POSITIVE_INFINITY];
    expect(bid).toBeLessThan(ask);
    const resting = ACCOUNTS.flatMap((one) => desk.venue.openOrders(one)).filter((o) => o.market === number);
    const model = new ModelBook();
    for (const [id, o] of resting.entries()) {
      model.orders.push({ id, side: o.side, price: o.priceTicks, size: o.remainingLots, account: o.account });
    }
    expect([bids, asks]).toEqual([model.levels('buy'), model.levels('sell')]);
    for (const { reduceOnly, account: owner, side } of resting) {
      // What still rests as reduce-only has something to reduce.
      if (reduceOnly) expect(desk.lotsOf(owner, number) * (side === 'sell' ? 1 : -1)).toBeGreaterThan(0);
    }
  }
  for (const owner of ACCOUNTS) expect(desk.venue.openOrders(owner).length).toBeLessThanOrEqual(12);
}

/** No order outlives its validity. */
function checkValidity(desk: Desk): void {
  for (const { goodTilMs } of ACCOUNTS.flatMap((owner) => desk.venue.openOrders(owner))) {
    if (goodTilMs !== 0) expect(goodTilMs).toBeGreaterThanOrEqual(desk.nowMs);
  }
}

/** The fills of one taker order carry parts of one truncated charge. */
function checkFees(events: readonly VenueEvent[]): void {
  const perTickLot: Record<number, bigint> = { 0: 13n, 1: 7n };
  const legs = Map.groupBy(eventsOf(events, 'Fill'), ({ taker }) => taker.orderSeq);
  for (const [orderSeq, fills] of legs) {
    const notional = sum(
      fills.map((fill) => BigInt(fill.priceTicks * fill.lots) * (perTickLot[fill.market] ?? 0n)),
    );
    const charge = (notional * 4570n) / 1_000_000n;
    expect(sum(fills.map(({ taker }) => taker.fee))).toBe(charge);
    const charged = eventsOf(events, 'LedgerAppended').filter(
      (entry) => entry.entryKind === 'taker_fee' && entry.orderSeq === orderSeq,
    );
    expect(sum(charged.map(({ amount }) => amount))).toBe(-charge);
  }
}

describe('the venue', () => {
  test('keeps money, positions and books exact whatever is done to it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const desk = openDesk();
        desk.block(0);
        const placed: bigint[] = [];
        for (const one of steps) {
          run(desk, placed, one);
          checkMoney(desk);
          checkBooks(desk);
          checkReserved(desk);
          if (one.kind === 'block') checkValidity(desk);
        }
        checkReleased(desk);
        checkFees(desk.events);
        const identities = desk.events.map(({ seq, sub, idx }) => `${seq}-${sub}-${idx}`);
        expect(new Set(identities).size).toBe(identities.length);
        for (const { maker, taker } of eventsOf(desk.events, 'Fill')) {
          expect(maker.account).not.toBe(taker.account);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('never lets an order through that margin does not cover, nor a reduce-only order turn a position over', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const desk = openDesk();
        desk.block(0);
        const placed: bigint[] = [];
        for (const one of steps) {
          const before = new Map(ACCOUNTS.map((owner) => [owner, desk.lotsOf(owner)]));
          const from = desk.events.length;
          run(desk, placed, one);
          if (one.kind !== 'place' || one.order.market !== 0) continue;
          const accepted = eventsOf(desk.events.slice(from), 'OrderAccepted')[0];
          if (accepted === undefined) continue;
          const was = before.get(one.account) ?? 0;
          const is = desk.lotsOf(one.account);
          if (one.order.reduceOnly) {
            expect(Math.abs(is)).toBeLessThanOrEqual(Math.abs(was));
            expect(is * was).toBeGreaterThanOrEqual(0);
          } else if (Math.abs(is) > Math.abs(was)) {
            const { netCollateral, initialMargin, orderMargin } = desk.venue.account(one.account);
            expect(netCollateral).toBeGreaterThanOrEqual(initialMargin + orderMargin);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('does the same again for the same calls, to the byte', () => {
    const text = (events: readonly VenueEvent[]) =>
      JSON.stringify(events, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [first, second] = [openDesk(), openDesk()];
        for (const desk of [first, second]) {
          const placed: bigint[] = [];
          for (const one of steps) run(desk, placed, one);
        }
        expect(text(second.events)).toBe(text(first.events));
      }),
      { numRuns: 30 },
    );
  });
});

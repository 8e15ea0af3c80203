/** @module Scenarios of orders: what becomes of writes, and what an exchange does to orders that rest. */
import { type Lots, lots, type OrderId, quantums } from '../../domain/index.ts';
import { type Scenario, scenesOf } from './scenario.ts';
import type { Stage } from './stage.ts';

const MINUTE_MS = 60_000;

const orders = scenesOf('orders');

/** Reasons for which an exchange rejects an order. */
const REJECTIONS = [
  ['post-only-refused', 'PostOnlyWouldCross'],
  ['rejected-for-margin', 'InsufficientMargin'],
  ['rejected-as-too-large', 'OrderTooLarge'],
  ['rejected-off-the-steps', 'OrderNotAligned'],
  ['rejected-for-too-many', 'EquityTierLimitExceeded'],
  ['rejected-market-closed', 'MarketNotTrading'],
  ['rejected-reduce-only', 'ReduceOnlyNoPosition'],
  ['rejected-unknown-reason', 'SomethingNew'],
] as const;

/** See the module. */
export const ORDER_SCENARIOS: readonly Scenario[] = [
  ...REJECTIONS.map(([name, reason]) =>
    orders(name, `Orders are rejected: ${reason}`, (stage) => {
      stage.venue.rejection = () => reason;
      stage.calm(30_000);
      stage.venue.rejection = () => undefined;
    }),
  ),
  orders('every-other-rejected', 'One order of two is rejected', (stage) => {
    let count = 0;
    stage.venue.rejection = () => (count++ % 2 === 0 ? 'InsufficientMargin' : undefined);
    stage.calm(MINUTE_MS);
    stage.venue.rejection = () => undefined;
  }),
  orders('writes-refused', 'Whole writes are refused', (stage) => {
    stage.venue.fate = () => 'refused';
    stage.calm(30_000);
    stage.venue.fate = () => 'executed';
  }),
  orders('slow-answers', 'Each answer takes three seconds', (stage) => {
    stage.venue.latencyMs = 3_000;
    stage.calm(MINUTE_MS);
    stage.venue.latencyMs = 20;
  }),
  orders('answers-lost', 'Answers are lost, the writes were executed', (stage) => {
    stage.venue.fate = () => 'lost-executed';
    stage.calm(30_000);
    stage.venue.fate = () => 'executed';
  }),
  orders('writes-lost', 'Answers are lost, the writes never execute', (stage) => {
    stage.venue.fate = () => 'lost-never';
    stage.calm(30_000);
    stage.venue.fate = () => 'executed';
  }),
  orders('fill-before-answer', 'Fills come before the answer to their order', (stage) => {
    stage.venue.isFillFirst = true;
    stage.calm(30_000);
    stage.venue.isFillFirst = false;
  }),
  orders('partial-fills', 'Each resting order is filled in crumbs', (stage) => {
    for (let at = 0; at < 60; at++) {
      for (const order of stage.ordersOf())
        stage.do(`a crumb of order ${order.orderId} is filled`, () =>
          stage.venue.fill(order, Math.max(1, Math.floor(order.spec.sizeLots / 20))),
        );
      stage.calm(500);
    }
  }),
  orders('bids-filled', 'Each bid is filled at once, five minutes long', (stage) => fillSide(stage, 'buy'), {
    isLast: true,
  }),
  orders('asks-filled', 'Each ask is filled at once, five minutes long', (stage) => fillSide(stage, 'sell'), {
    isLast: true,
  }),
  orders('all-filled', 'Each order is filled at once', (stage) => {
    for (let at = 0; at < 60; at++) {
      fillAll(stage);
      stage.calm(1_000);
    }
  }),
  orders('fills-in-one-turn', 'All orders are filled in one millisecond', (stage) => {
    for (let at = 0; at < 30; at++) {
      stage.do('all orders are filled', () => {
        for (const order of stage.ordersOf()) stage.venue.fill(order);
      });
      stage.wait(50);
      for (const one of stage.markets.values()) stage.book(one);
    }
  }),
  orders('fill-after-cancel', 'An order that was canceled is filled', (stage) => {
    for (let at = 0; at < 10; at++) {
      const [order] = stage.ordersOf();
      if (order !== undefined) {
        stage.do('an order is canceled', () => stage.venue.end(order, 'canceled'));
        const sizeLots = Math.max(1, Math.floor(order.remainingLots / 2));
        stage.tell('a fill of it comes', stage.venue.fillOf(order, order.priceTicks, sizeLots, 'maker'));
      }
      stage.calm(2_000);
    }
  }),
  orders('unknown-fill', 'A fill of an order that nobody knows', (stage) => {
    const { symbol, midTicks, market } = stage.market;
    for (let at = 0; at < 3; at++) {
      const order = { orderId: `${900_000 + at}` as OrderId, symbol, side: 'buy' as const };
      const price = Math.round(midTicks / market.tickStep) * market.tickStep;
      stage.tell('a fill of an unknown order', stage.venue.fillOf(order, price, market.lotStep, 'maker'));
      stage.calm(2_000);
    }
  }),
  orders('cancels-too-late', 'Cancels come too late: orders are filled', (stage) => {
    stage.venue.areCancelsLate = true;
    stage.calm(30_000, { stepPpm: 60 });
    stage.venue.areCancelsLate = false;
  }),
  orders('canceled-by-exchange', 'The exchange cancels each order', (stage) => {
    for (let at = 0; at < 10; at++) {
      for (const order of stage.ordersOf())
        stage.do(`order ${order.orderId} is canceled`, () => stage.venue.end(order, 'canceled'));
      stage.calm(2_000);
    }
  }),
  orders('orders-expired', 'Orders expire', (stage) => {
    for (const order of stage.ordersOf())
      stage.do(`order ${order.orderId} expires`, () => stage.venue.end(order, 'expired'));
  }),
  orders('switch-fired', "The dead man's switch fires", (stage) => {
    stage.do('the switch fires', () => {
      for (const order of stage.ordersOf()) stage.venue.end(order, 'canceled');
      stage.venue.tell({ type: 'SwitchFired', atMs: stage.clock.nowMs() });
    });
  }),
  orders('position-moved', 'The exchange takes half of the position away', (stage) => {
    fillAll(stage);
    stage.calm(1_000);
    for (const { symbol } of stage.markets.values()) {
      const ofLots = stage.heldLots(symbol) as Lots;
      const change = -Math.trunc(ofLots / 2);
      if (change === 0) continue;
      const move = { symbol, changeLots: change as Lots, ofLots, cash: quantums(0n), seq: stage.nextSeq() };
      stage.tell('a part of the position is taken away', { type: 'PositionMoved', move });
    }
  }),
  orders('opened-by-others', 'An order of another client shows', (stage) => {
    const [level] = stage.market.bids.slice(-1);
    if (level === undefined) return;
    const { symbol } = stage.market;
    const sizeLots = lots(stage.market.lotsWorth(500));
    stage.tell('an order of another client opens', {
      type: 'OrderOpened',
      order: {
        ...{ symbol, orderId: '990000' as OrderId, side: 'buy', priceTicks: level[0] as never, sizeLots },
        ...{ remainingLots: sizeLots, timeInForce: 'gtc', reduceOnly: false },
      },
      seq: stage.nextSeq(),
    });
  }),
];

function fillAll(stage: Stage): void {
  for (const order of stage.ordersOf())
    stage.do(`order ${order.orderId} is filled`, () => stage.venue.fill(order));
}

/** Fills all of one side as soon as it rests. The price moves against it. */
function fillSide(stage: Stage, side: 'buy' | 'sell'): void {
  for (let at = 0; at < 600 && stage.finding === undefined; at++) {
    for (const order of stage.ordersOf(side))
      stage.do(`${side} order ${order.orderId} is filled`, () => stage.venue.fill(order));
    stage.calm(500);
  }
}

/**
 * @module
 * I10: after any approved sequence, every subset of what is open, in flight, unresolved, in the shadow of a refusal or
 * being replaced can be executed, and the limits still hold.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ExposureItem,
  lots,
  notionalOf,
  type OrderRef,
  type OrderSpec,
  ppm,
  quantums,
  type RoutedCommand,
  type StrategyId,
  type TradingCommand,
} from '../../src/domain/index.ts';
import { RiskWorld } from '../support/risk-scene.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aSummary,
  atMs,
  BTC,
  ETH,
  LANE,
  MAKER,
  proof,
  resolved,
  START_MS,
  sent,
  seq,
  sideOf,
  usd,
} from '../support/trading-builders.ts';

const LIMITS = {
  positionNotionalMax: usd(6_000),
  openNotionalPerMarketMax: usd(20_000),
  openOrdersPerSideMax: 8,
  laneWritesPerS: 1e9,
  laneWriteBurst: 1e9,
  accountWritesPerS: 1e9,
};

const round = fc.record({
  orders: fc.array(
    fc.record({
      isBuy: fc.boolean(),
      step: fc.integer({ min: -9, max: 200 }),
      sizeLots: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 4 },
  ),
  /** Which of the working orders the round cancels. */
  cancels: fc.array(fc.nat(9), { maxLength: 4 }),
  /** What becomes of the write. */
  fate: fc.constantFrom('accepted', 'unresolved', 'inFlight', 'refused', 'rejected'),
  /** How many working orders are then filled. */
  fills: fc.array(fc.nat(9), { maxLength: 2 }),
});
type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;

let writeCount = 0;
let orderCount = 0;

function playRound(world: RiskWorld, plan: Round): void {
  const orders: OrderSpec[] = plan.orders.map(({ isBuy, step, sizeLots }) =>
    aSpec({ side: sideOf(isBuy), priceTicks: isBuy ? 1_000_000 - step : 1_000_000 + step, sizeLots }),
  );
  const working = world.account.workingOrders(BTC);
  const cancels = [...new Set(plan.cancels)].flatMap((at): OrderRef[] => {
    const order = working[at];
    return order === undefined ? [] : [{ symbol: BTC, orderId: order.orderId }];
  });
  for (const { command } of world.replace(orders, cancels).approved) send(world, command, plan.fate);
  for (const at of plan.fills) {
    const order = world.account.workingOrders(BTC)[at];
    if (order === undefined) continue;
    const { orderId, side, priceTicks, remainingLots } = order;
    world.fold({ type: 'FillRecorded', fill: aFill({ orderId, side, priceTicks, sizeLots: remainingLots }) });
  }
}

function send(
  world: RiskWorld,
  command: RoutedCommand<TradingCommand>['command'],
  fate: Round['fate'],
): void {
  if (command.kind !== 'replace') return;
  const id = `w${writeCount++}`;
  world.account.reserve({ lane: LANE, places: command.orders, cancels: command.cancels, atMs: START_MS });
  world.fold(sent(id, command.orders, { cancels: command.cancels }));
  if (fate === 'unresolved')
    world.fold({ type: 'WriteUnresolved', lane: LANE, requestId: id as never, why: 'timeout' });
  if (fate === 'unresolved' || fate === 'inFlight') return;
  for (const ref of fate === 'accepted' ? command.cancels : [])
    world.fold({ type: 'CancelExecuted', ref, canceledLots: lots(1), proof: proof() });
  for (const spec of command.orders) {
    if (fate === 'accepted') world.fold(accepted(spec, `${5_000 + orderCount++}`));
    else
      world.fold({
        type: 'OrderRejected',
        spec,
        reason: fate,
        proof: proof(fate === 'refused' ? 'refusal' : 'receipt'),
      });
  }
  world.fold(resolved(id, fate === 'accepted' ? 'executed' : 'rejected'));
}

/** Everything that could still be executed, worked out from the facts of the state, not by its own sums. */
function openItems(world: RiskWorld): readonly ExposureItem[] {
  return [
    ...world.account.workingOrders(BTC).map((order) => ({ ...order, sizeLots: order.remainingLots })),
    ...Array.from(world.account.reservations(), (reservation) => reservation.spec),
  ];
}

describe('the risk gate', () => {
  test('keeps every subset of what is open within the position limit, after any sequence (I10, O80)', () => {
    fc.assert(
      fc.property(
        fc.array(round, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.boolean()),
        (plans, chance) => {
          const world = new RiskWorld({ ...LIMITS, strategyDefaults: generous });
          for (const plan of plans) {
            playRound(world, plan);
            const items = openItems(world);
            const subsets = [
              items.filter((item) => item.side === 'buy'),
              items.filter((item) => item.side === 'sell'),
              ...Array.from({ length: 8 }, () => items.filter(() => chance.next().value === true)),
            ];
            for (const subset of subsets) {
              const change = subset.reduce(
                (sum, { side, sizeLots }) => sum + (side === 'buy' ? sizeLots : -sizeLots),
                0,
              );
              const position = world.account.positionLots(BTC) + change;
              const worth = notionalOf(aMarket(), 1_000_000 as never, lots(Math.abs(position)));
              expect(worth).toBeLessThanOrEqual(LIMITS.positionNotionalMax);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('approves nothing that could trade with an own order, whatever is in flight (P12)', () => {
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 10 }), (plans) => {
        const world = new RiskWorld({ ...LIMITS, strategyDefaults: generous });
        for (const plan of plans) {
          playRound(world, plan);
          // What a write in flight cancels first cannot meet its own placements, refused or not.
          const items = [
            ...world.account
              .workingOrders(BTC)
              .filter((order) => !world.account.isCancelPending(order.orderId)),
            ...Array.from(world.account.reservations()).flatMap(({ spec, stage }) =>
              stage === 'shadow' ? [] : [spec],
            ),
          ];
          const prices = (side: string) =>
            items.flatMap((item) => (item.side === side ? [item.priceTicks] : []));
          expect(Math.max(...prices('buy'), 0)).toBeLessThan(Math.min(...prices('sell'), Number.MAX_VALUE));
        }
      }),
      { numRuns: 100 },
    );
  });
});

const generous = {
  ordersMax: 1_000,
  openNotionalMax: usd(1e6),
  positionNotionalMax: usd(1e6),
  lossMax: usd(1e6),
  isPostOnly: true,
};

const batchOrder = fc.record({
  isBuy: fc.boolean(),
  isEth: fc.boolean(),
  isMaker: fc.boolean(),
  step: fc.integer({ min: 0, max: 40 }),
  sizeLots: fc.integer({ min: 1, max: 40 }),
});
type BatchOrder = typeof batchOrder extends fc.Arbitrary<infer T> ? T : never;

function batchSpec({ isBuy, isEth, isMaker, step, sizeLots }: BatchOrder): OrderSpec {
  return aSpec({
    side: sideOf(isBuy),
    symbol: isEth ? ETH : BTC,
    strategyId: isMaker ? MAKER : ('other' as StrategyId),
    priceTicks: isBuy ? 999_990 - step : 1_000_010 + step,
    sizeLots,
  });
}

/** A world in which every amount is `scale` times what it is in dollars. */
function scaledWorld(scale: bigint, reserved: readonly BatchOrder[]): RiskWorld {
  const amount = (dollars: number) => quantums(usd(dollars) * scale);
  const world = new RiskWorld({
    ...{ laneWritesPerS: 1e9, laneWriteBurst: 1e9, accountWritesPerS: 1e9, openOrdersMax: 9 },
    ...{ orderNotionalMax: amount(3_900), openNotionalMax: amount(15_000) },
    ...{ openNotionalPerMarketMax: amount(12_000), positionNotionalMax: amount(8_000) },
    ...{ grossNotionalMax: amount(11_000), netNotionalMax: amount(9_000), leveragePpmMax: ppm(100_000) },
    strategyDefaults: {
      ...{ ordersMax: 6, openNotionalMax: amount(11_000), positionNotionalMax: amount(6_000) },
      ...{ lossMax: amount(1e6), isPostOnly: true },
    },
  });
  const minNotional = quantums(0n);
  for (const symbol of [BTC, ETH])
    world.fold({
      type: 'MarketChanged',
      market: aMarket({ symbol, quantumsPerTickLot: 100n * scale, minNotional }),
    });
  const account = { ...aSummary(0), equity: amount(100_000) };
  world.fold({ type: 'AccountUpdated', account, seq: seq(2) });
  const places = reserved.map(batchSpec);
  world.account.reserve({ lane: LANE, places, cancels: [], atMs: atMs(-5_000) });
  return world;
}

describe('the orders of one write', () => {
  /** With the larger one no sum of quantums fits a number exactly. */
  const scales = fc.constantFrom(1n, 10n ** 12n);
  const orders = fc.array(batchOrder, { minLength: 1, maxLength: 8 });

  test('are judged as they would be one by one, whatever their markets and strategies (I10)', () => {
    const codes = new Set<string>();
    fc.assert(
      fc.property(scales, fc.array(batchOrder, { maxLength: 3 }), orders, (scale, reserved, batch) => {
        const specs = batch.map(batchSpec);
        const together = scaledWorld(scale, reserved).place(specs).denied;
        const world = scaledWorld(scale, reserved);
        const apart = specs.flatMap((spec) => {
          const { approved, denied } = world.place([spec]);
          if (approved.length > 0)
            world.account.reserve({ lane: LANE, places: [spec], cancels: [], atMs: START_MS });
          return denied;
        });
        expect(together).toEqual(apart);
        for (const { code } of together) codes.add(code);
      }),
      { numRuns: 300 },
    );
    expect(codes.size).toBeGreaterThanOrEqual(6);
  });

  test('are denied the same by amounts that fit numbers and by amounts that do not', () => {
    fc.assert(
      fc.property(fc.array(batchOrder, { maxLength: 3 }), orders, (reserved, batch) => {
        const specs = batch.map(batchSpec);
        const [small, large] = [1n, 10n ** 12n].map((scale) =>
          scaledWorld(scale, reserved)
            .place(specs)
            .denied.map(({ code, intentId }) => `${code} ${intentId}`),
        );
        expect(large).toEqual(small);
      }),
      { numRuns: 200 },
    );
  });
});

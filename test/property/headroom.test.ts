/**
 * @module
 * Orders that are far from every limit pass without the checks of sums: the gate says the same of every write, to the
 * letter, as one that asks each check of each order.
 */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { OrderCheck } from '../../src/bot/risk/check.ts';
import { ORDER_CHECKS } from '../../src/bot/risk/checks/index.ts';
import { SUM_CHECKS } from '../../src/bot/risk/headroom.ts';
import type { LimitOverrides, Review } from '../../src/bot/risk/index.ts';
import {
  lots,
  type MarketSymbol,
  type OrderRef,
  type OrderSpec,
  ppm,
  quantums,
  type StrategyId,
} from '../../src/domain/index.ts';
import { RiskWorld } from '../support/risk-scene.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aSummary,
  BTC,
  ETH,
  LANE,
  MAKER,
  proof,
  resolved,
  sent,
  seq,
  sideOf,
  usd,
} from '../support/trading-builders.ts';

/** Amounts that numbers hold, and amounts that they do not. */
const SCALES = [1n, 10n ** 12n] as const;
/** With a check behind them that has nothing against anything, no order is let through before it is asked. */
const ALL_ASKED: readonly OrderCheck[] = [
  ...ORDER_CHECKS,
  { control: 'none', codes: [], review: () => undefined },
];
/** A market that has an order, but no price. */
const UNPRICED = 'SOL-PERP' as MarketSymbol;
const OTHER = 'other' as StrategyId;

/** An amount that sums come to exactly, or one quantum beside it, or one that they never reach. */
const limit = fc.oneof(
  { weight: 16, arbitrary: fc.constant(usd(1e9)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(120), fc.constantFrom(999_990n, 1_000_000n, 1_000_010n), fc.constantFrom(-1n, 0n, 1n))
      .map(([size, price, by]) => (BigInt(size) * price * 100n + by) as ReturnType<typeof usd>),
  },
  { weight: 1, arbitrary: fc.constantFrom(usd(2 ** 60), usd(0), usd(-1)) },
);
const often = <T>(value: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });
const share = (most: number) => often(ppm(0), fc.nat({ max: most }).map(ppm));
const count = often(1_000, fc.nat(12));
const overrides: fc.Arbitrary<LimitOverrides> = fc.record({
  orderNotionalMax: fc.constant(usd(1e12)),
  positionNotionalMax: limit,
  grossNotionalMax: limit,
  netNotionalMax: limit,
  openOrdersPerSideMax: count,
  openOrdersMax: count,
  openNotionalPerMarketMax: limit,
  openNotionalMax: limit,
  leveragePpmMax: often(ppm(1e9), fc.nat({ max: 3_000_000 }).map(ppm)),
  maintenanceCoverPpmMin: share(20_000_000),
  freeCollateralPpmMin: share(1_100_000),
  liquidationDistancePpmMin: share(9_000_000),
  laneWritesPerS: fc.constant(1e9),
  laneWriteBurst: fc.constant(1e9),
  accountWritesPerS: fc.constant(1e9),
  duplicateWindowMs: fc.constant(0),
  strategyDefaults: fc.record({
    ordersMax: count,
    openNotionalMax: limit,
    positionNotionalMax: limit,
    lossMax: often(usd(1e9), fc.constantFrom(usd(0), usd(0.002), usd(1))),
    isPostOnly: fc.constant(true),
  }),
});

/** Limits of amounts that are `scale` times as large. */
function scaled(limits: LimitOverrides, scale: bigint): LimitOverrides {
  const larger = <T extends object>(part: T): T =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, typeof value === 'bigint' ? value * scale : value]),
    ) as T;
  return scale === 1n
    ? limits
    : { ...larger(limits), strategyDefaults: larger(limits.strategyDefaults ?? {}) as never };
}

const order = fc.record({
  isBuy: fc.boolean(),
  isEth: fc.boolean(),
  isOther: fc.boolean(),
  isReduceOnly: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  step: fc.oneof(fc.constant(0), fc.nat(40)),
  sizeLots: fc.integer({ min: 1, max: 40 }),
});
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

const round = fc.record({
  orders: fc.array(order, { maxLength: 4 }),
  cancels: fc.array(fc.nat(9), { maxLength: 3 }),
  fate: fc.constantFrom('accepted', 'accepted', 'inFlight', 'rejected'),
  fills: fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 40 })), { maxLength: 3 }),
});
type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;

function specOf({ isBuy, isEth, isOther, isReduceOnly, step, sizeLots }: Order): OrderSpec {
  return aSpec({
    side: sideOf(isBuy),
    symbol: isEth ? ETH : BTC,
    strategyId: isOther ? OTHER : MAKER,
    reduceOnly: isReduceOnly,
    priceTicks: isBuy ? 999_990 - step : 1_000_010 + step,
    sizeLots,
  });
}

let orderCount = 0;

/** Both worlds go the same way; what the gate of the first says of each write must be what that of the second says. */
function play([quick, slow]: readonly [RiskWorld, RiskWorld], plan: Round, at: number): Review {
  const specs = plan.orders.map(specOf);
  const working = quick.account.workingOrders(BTC);
  const cancels = [...new Set(plan.cancels)].flatMap((place): OrderRef[] => {
    const found = working[place];
    return found === undefined ? [] : [{ symbol: BTC, orderId: found.orderId }];
  });
  const review = quick.replace(specs, cancels);
  expect(review).toEqual(slow.replace(specs, cancels));
  for (const { lane, command } of review.approved) {
    if (command.kind !== 'replace') continue;
    const id = `h${at}`;
    const from = orderCount;
    orderCount += command.orders.length;
    for (const world of [quick, slow]) {
      world.account.reserve({ lane, places: command.orders, cancels: command.cancels, atMs: world.nowMs });
      world.fold(sent(id, command.orders, { cancels: command.cancels }));
      if (plan.fate === 'inFlight') continue;
      for (const ref of plan.fate === 'accepted' ? command.cancels : [])
        world.fold({ type: 'CancelExecuted', ref, canceledLots: lots(1), proof: proof() });
      for (const [place, spec] of command.orders.entries())
        world.fold(
          plan.fate === 'accepted'
            ? accepted(spec, `${7_000 + from + place}`)
            : { type: 'OrderRejected', spec, reason: 'no', proof: proof('receipt') },
        );
      world.fold(resolved(id, plan.fate === 'accepted' ? 'executed' : 'rejected'));
    }
  }
  for (const [place, sizeLots] of plan.fills) fill([quick, slow], place, sizeLots);
  return review;
}

function fill(worlds: readonly RiskWorld[], place: number, sizeLots: number): void {
  const found = [BTC, ETH].flatMap((symbol) => worlds[0]?.account.workingOrders(symbol) ?? [])[place];
  if (found === undefined) return;
  const { orderId, symbol, side, priceTicks, remainingLots } = found;
  const filled = lots(Math.min(sizeLots, remainingLots));
  const told = aFill({ orderId, symbol, side, priceTicks, sizeLots: filled });
  for (const world of worlds) world.fold({ type: 'FillRecorded', fill: told });
}

test('says the same of every write as with all checks asked, near to limits and far from them', () => {
  const codes = new Map<string, number>();
  let passed = 0;
  fc.assert(
    fc.property(
      overrides,
      fc.array(round, { minLength: 1, maxLength: 10 }),
      often(100_000, fc.constantFrom(0, 40, 1_000, 12_345)),
      fc.constantFrom(...SCALES),
      often(false, fc.constant(true)),
      (limits, plans, equityUsd, scale, hasUnpriced) => {
        const unpriced = aSpec({ symbol: UNPRICED });
        const given = scaled(limits, scale);
        const worlds = [new RiskWorld(given), new RiskWorld(given, ALL_ASKED)] as const;
        const account = { ...aSummary(0), equity: quantums(usd(equityUsd) * scale) };
        for (const world of worlds) {
          for (const symbol of [BTC, ETH])
            world.fold({
              type: 'MarketChanged',
              market: aMarket({ symbol, quantumsPerTickLot: 100n * scale }),
            });
          world.fold({ type: 'AccountUpdated', account, seq: seq(2) });
          if (!hasUnpriced) continue;
          world.fold({ type: 'MarketChanged', market: aMarket({ symbol: UNPRICED }) });
          world.account.reserve({ lane: LANE, places: [unpriced], cancels: [], atMs: world.nowMs });
        }
        for (const [at, plan] of plans.entries()) {
          const { approved, denied } = play(worlds, plan, at);
          for (const { code } of denied) codes.set(code, (codes.get(code) ?? 0) + 1);
          passed += approved.length;
        }
      },
    ),
    { numRuns: 2_000 },
  );
  expect(passed).toBeGreaterThan(500);
  const silent = SUM_CHECKS.flatMap((check) => check.codes).filter((code) => !codes.has(code));
  expect(silent).toEqual([]);
});

test('asks no check of sums of an order that is far from every limit, and each of one that is not', () => {
  const asked = SUM_CHECKS.map((check) => vi.spyOn(check, 'review'));
  new RiskWorld().place([aSpec()]);
  expect(asked.map(({ mock }) => mock.calls.length)).toEqual(asked.map(() => 0));
  new RiskWorld({ openOrdersMax: 1 }).place([aSpec()]);
  expect(asked.map(({ mock }) => mock.calls.length)).toEqual(asked.map(() => 0));
  new RiskWorld({ openNotionalMax: usd(999.99) }).place([aSpec()]);
  expect(asked.map(({ mock }) => mock.calls.length)).toEqual(asked.map(() => 1));
  vi.restoreAllMocks();
});

/** Books that balance no matter who fails: liquidation, insurance fund, auto-deleverage, socialized loss. A failing run prints its seed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CanonicalCommand, ppm, quantums, type Side, ticks } from '../../src/domain/index.ts';
import { aMarket, Desk, eventsOf } from '../unit/exchange/engine/desk.ts';

const MARKETS = [0, 1];
const side = fc.constantFrom<Side>('buy', 'sell');
const account = fc.constantFrom(1, 2, 3, 4, 5);
const market = fc.constantFrom(...MARKETS);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      account,
      market,
      side,
      /** Distance from the index price in ticks. */
      away: fc.integer({ min: -2, max: 2 }),
      size: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('index' as const),
      market,
      move: fc.integer({ min: -12, max: 12 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('block' as const), passedMs: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), account }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('waiting' as const),
      what: fc.constantFrom('twap' as const, 'stop' as const, 'pair' as const, 'tied' as const),
      account,
      market,
      side,
      size: fc.integer({ min: 1, max: 12 }),
      /** Distance of the trigger from the index price, or the tolerance in ppm by 10,000. */
      away: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), market }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two markets at 100, accounts of very different means, odd rates so that everything rounds. */
function openDesk(insuranceFund: bigint): Desk {
  const told = (signingMarketId: number, quantumsPerTickLot: bigint) => ({
    market: aMarket({ signingMarketId, quantumsPerTickLot }),
    indexTicks: ticks(100),
  });
  const desk = new Desk({
    markets: [told(0, 13n), told(1, 7n)],
    takerFeePpm: ppm(457),
    makerFeePpm: ppm(-31),
    fundingIntervalMs: 1_000,
    impactNotional: quantums(5_000n),
    insuranceFund: quantums(insuranceFund),
  });
  for (const deposit of [700n, 1_500n, 4_000n, 9_000n, 200_000n]) desk.trader(deposit);
  desk.block(0);
  return desk;
}

function run(desk: Desk, one: Step): void {
  if (one.kind === 'order') {
    const price = Math.max(1, desk.venue.marketView(one.market).indexTicks + one.away);
    desk.place(one.account, one.side, price, one.size, { market: one.market });
  } else if (one.kind === 'index') {
    desk.index(Math.max(20, desk.venue.marketView(one.market).indexTicks + one.move), one.market);
  } else if (one.kind === 'block') desk.block(one.passedMs);
  else if (one.kind === 'waiting') desk.execute(waitingOrder(desk, one));
  else if (one.kind === 'clear') desk.execute({ kind: 'CancelAll', account: one.account });
  else {
    desk.keep(desk.venue.setMarketStatus(one.market, 'FinalSettlement', desk.at));
    desk.block(1);
    desk.keep(desk.venue.setMarketStatus(one.market, 'Active', desk.at));
  }
}

/** A time-weighted order, a stop, or a pair that follows the position or the newest order of the account. */
function waitingOrder(desk: Desk, one: Extract<Step, { kind: 'waiting' }>): CanonicalCommand {
  const { what, account: owner, side: wanted, size, away } = one;
  const { indexTicks } = desk.venue.marketView(one.market);
  const base = { account: owner, market: one.market, nowMs: 0 };
  const lots = BigInt(size);
  if (what === 'twap')
    return {
      kind: 'PlaceTwap',
      ...base,
      side: wanted,
      totalLots: lots,
      slices: Math.min(3, size),
      intervalMs: 300,
      priceTolerancePpm: away * 10_000,
      reduceOnly: size % 2 === 0,
    };
  const sign = wanted === 'sell' ? 1 : -1;
  const far = wanted === 'sell' ? 1 : 1_000;
  if (what === 'stop')
    return {
      kind: 'PlaceConditional',
      ...base,
      side: wanted,
      price: far,
      lots,
      tif: 'ioc',
      reduceOnly: size % 2 === 0,
      goodTilMs: 0,
      triggerPrice: indexTicks - sign * away,
      triggerAbove: sign < 0,
    };
  const parent = desk.venue.openOrders(owner).at(-1);
  return {
    kind: 'PlaceTpslPair',
    ...base,
    closeSide: wanted,
    lots,
    tpTrigger: indexTicks + sign * away,
    tpPrice: far,
    slTrigger: indexTicks - sign * away,
    slPrice: far,
    positionTpsl: what === 'pair',
    parentOrderId: what === 'pair' ? undefined : { market: one.market, orderSeq: parent?.orderSeq ?? 1n },
  };
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const EVERYBODY = [0, 1, 2, 3, 4, 5];

function check(desk: Desk, isBlock: boolean): void {
  const { venue, events } = desk;
  const entries = eventsOf(events, 'LedgerAppended');
  for (const number of EVERYBODY) {
    const own = entries.filter((entry) => entry.account === number).map(({ amount }) => amount);
    expect(venue.account(number).collateral).toBe(sum(own));
  }
  const deposited = sum(eventsOf(events, 'Deposited').map(({ amount }) => amount));
  expect(sum(EVERYBODY.map((number) => venue.account(number).collateral))).toBe(deposited);
  for (const number of MARKETS) {
    const held = EVERYBODY.map((one) => desk.lotsOf(one, number));
    expect(held.reduce((a, b) => a + b, 0)).toBe(0);
    expect(held.reduce((a, b) => a + Math.max(b, 0), 0)).toBe(venue.marketView(number).openInterestLots);
  }
  const fund = eventsOf(events, 'InsuranceFundChanged').at(-1)?.fund ?? 0n;
  expect(fund).toBe(sum(eventsOf(events, 'InsuranceFundChanged').map(({ change }) => change)));
  expect(fund).toBeGreaterThanOrEqual(0n);
  if (!isBlock) return;
  for (const number of EVERYBODY.slice(1)) {
    const { collateral, netCollateral, maintenanceMargin } = venue.account(number);
    if (venue.positions(number).length === 0) expect(collateral).toBeGreaterThanOrEqual(0n);
    // Nobody who has nothing goes on: the other side is always there.
    else if (maintenanceMargin > 0n) expect(netCollateral).toBeGreaterThan(0n);
  }
}

describe('accounts that fail', () => {
  test('leave ledgers, positions and the insurance fund balanced to the last unit', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.constantFrom(0n, 0n, 500n, 100_000n),
        fc.array(step, { minLength: 30, maxLength: 90 }),
        (fund, steps) => {
          const desk = openDesk(fund);
          for (const one of steps) {
            run(desk, one);
            check(desk, one.kind === 'block');
          }
          for (const { kind } of desk.events) seen.add(kind);
        },
      ),
      { numRuns: 300 },
    );
    const wanted = [
      'Liquidation',
      'Deleverage',
      'SocializedLoss',
      'InsuranceFundChanged',
      'FinalSettled',
      'ConditionalFired',
      'ConditionalCanceled',
      'TwapSliced',
      'TwapEnded',
    ];
    expect(wanted.filter((kind) => !seen.has(kind))).toEqual([]);
  });
});

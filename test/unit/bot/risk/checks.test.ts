/**
 * @module
 * Every denial code has a case that only its check denies (denials.md): with that one check gone the same order is
 * approved, so a check that is removed, or never called, fails here.
 */
import { describe, expect, test } from 'vitest';
import { ORDER_CHECKS } from '../../../../src/bot/risk/checks/index.ts';
import type { DenialCode } from '../../../../src/bot/risk/codes.ts';
import { DENIAL_CODES, type LimitOverrides } from '../../../../src/bot/risk/index.ts';
import {
  type Fact,
  lots,
  type OrderId,
  type OrderSpec,
  type Ppm,
  quantums,
  ticks,
} from '../../../../src/domain/index.ts';
import { RiskWorld } from '../../../support/risk-scene.ts';
import {
  aBbo,
  aBook,
  accepted,
  aFill,
  aMarket,
  aSpec,
  aSummary,
  atMs,
  BTC,
  ETH,
  MAKER,
  proof,
  START_MS,
  sent,
  seq,
  somePrices,
  usd,
} from '../../../support/trading-builders.ts';

interface Case {
  readonly code: DenialCode;
  readonly when: string;
  readonly spec?: Parameters<typeof aSpec>[0];
  readonly facts?: readonly Fact[];
  readonly limits?: LimitOverrides;
  readonly setUp?: (world: RiskWorld) => void;
}

/** 0.5 BTC at 100,000 is half of the capital of 100,000 USD; a lot is worth 100 USD. */
const held = (sizeLots: number, isLong = true): Fact => ({
  type: 'FillRecorded',
  fill: aFill({ side: isLong ? 'buy' : 'sell', sizeLots, priceTicks: 1_000_000 }),
});
const budget = {
  ordersMax: 20,
  openNotionalMax: usd(100_000),
  positionNotionalMax: usd(50_000),
  lossMax: usd(1_000),
  isPostOnly: true,
};
const tight = (changes: Partial<typeof budget>): LimitOverrides => ({
  strategyDefaults: { ...budget, ...changes },
});
const inFlight = (...specs: readonly OrderSpec[]): Fact => sent('r-old', specs);
const unboundedPositions: LimitOverrides = {
  positionNotionalMax: usd(1e9),
  grossNotionalMax: usd(1e9),
  netNotionalMax: usd(1e9),
  openNotionalMax: usd(1e9),
  openNotionalPerMarketMax: usd(1e9),
  orderNotionalMax: usd(1e9),
  leveragePpmMax: 1e9 as Ppm,
  strategyDefaults: { ...budget, openNotionalMax: usd(1e9), positionNotionalMax: usd(1e9) },
};
const filledAs = (strategySpec: OrderSpec, priceTicks: number): readonly Fact[] => [
  sent('r-fill', [strategySpec]),
  accepted(strategySpec, '70'),
  { type: 'FillRecorded', fill: aFill({ orderId: '70', sizeLots: strategySpec.sizeLots, priceTicks }) },
];

const CASES: readonly Case[] = [
  {
    code: 'RISK_ORDER_MALFORMED',
    when: 'the time in force is not one of the four',
    spec: { timeInForce: 'gtx' as never },
    limits: tight({ isPostOnly: false }),
  },
  {
    code: 'RISK_MARKET_UNKNOWN',
    when: 'the exchange has not described the market',
    spec: { symbol: 'DOGE' as never },
    facts: [{ type: 'BookUpdated', book: aBook({ symbol: 'DOGE' as never }) }],
  },
  {
    code: 'RISK_MARKET_NOT_ALLOWED',
    when: 'the market is known but not allowed',
    spec: { symbol: 'XRP' as never },
    facts: [
      { type: 'MarketChanged', market: aMarket({ symbol: 'XRP' as never }) },
      { type: 'BookUpdated', book: aBook({ symbol: 'XRP' as never }) },
    ],
  },
  {
    code: 'RISK_MARKET_NOT_TRADABLE',
    when: 'the status of the market is an unseen word (O10)',
    facts: [{ type: 'MarketChanged', market: aMarket({ status: 'Auction' }) }],
  },
  {
    code: 'RISK_TWAP_NOT_OF_VAULT',
    when: 'the account is that of a vault (O40)',
    spec: { twap: { slices: 2, intervalMs: 1_000, priceTolerancePpm: 1_000 } },
    limits: { isOfVault: true },
  },
  {
    code: 'RISK_TPSL_NOT_OF_VAULT',
    when: 'the account is that of a vault (O40)',
    spec: { reduceOnly: true, trigger: { priceTicks: ticks(1_000_000), isAbove: true, leg: 'takeProfit' } },
    limits: { isOfVault: true },
  },
  {
    code: 'RISK_PRICE_INVALID',
    when: 'the price is off the tick (O8)',
    spec: { priceTicks: 999_993 },
    facts: [{ type: 'MarketChanged', market: aMarket({ tickStep: ticks(5) }) }],
  },
  {
    code: 'RISK_SIZE_INVALID',
    when: 'the size is off the lot step (O8)',
    spec: { sizeLots: 12 },
    facts: [{ type: 'MarketChanged', market: aMarket({ lotStep: lots(10) }) }],
  },
  {
    code: 'RISK_NOTIONAL_BELOW_MINIMUM',
    when: 'the order is worth less than the market takes',
    facts: [{ type: 'MarketChanged', market: aMarket({ minNotional: usd(2_000) }) }],
  },
  {
    code: 'RISK_ORDER_NOTIONAL_ABOVE_LIMIT',
    when: 'the order is worth more than 0.1 C',
    spec: { sizeLots: 101 },
  },
  {
    code: 'RISK_ORDER_SIZE_ABOVE_LIMIT',
    when: 'the order passes the size limit of its market',
    limits: { orderLotsMax: new Map([[BTC, lots(9)]]) },
  },
  {
    code: 'RISK_PRICE_OUTSIDE_COLLAR',
    when: 'the price is 4 % from the reference',
    spec: { priceTicks: 960_000 },
  },
  {
    code: 'RISK_PRICE_CROSSES_TOO_FAR',
    when: 'the price goes 0.6 % through the other side',
    spec: { priceTicks: 1_006_500, timeInForce: 'ioc' },
    limits: tight({ isPostOnly: false }),
  },
  {
    code: 'RISK_REFERENCE_MISSING',
    when: 'nothing tells a price',
    facts: [
      { type: 'BookUpdated', book: aBook({ bids: [], asks: [] }) },
      {
        type: 'PricesUpdated',
        prices: somePrices(1, { markTicks: undefined, lastTicks: undefined, indexTicks: undefined }),
      },
    ],
  },
  {
    code: 'RISK_REFERENCE_DIVERGED',
    when: 'mark and middle are 1.5 % apart',
    facts: [{ type: 'PricesUpdated', prices: somePrices(1_015_000) }],
  },
  {
    code: 'RISK_POSITION_ABOVE_LIMIT',
    when: 'what is held, open and in flight would pass 0.5 C',
    facts: [held(300), inFlight(aSpec({ sizeLots: 195, priceTicks: 999_000 }))],
    limits: { ...tight({ positionNotionalMax: usd(1e9) }) },
  },
  {
    code: 'RISK_GROSS_POSITION_ABOVE_LIMIT',
    when: 'positions of both signs add up beyond the limit',
    facts: [held(300), { type: 'FillRecorded', fill: aFill({ symbol: ETH, side: 'sell', sizeLots: 300 }) }],
    limits: { grossNotionalMax: usd(60_500) },
  },
  {
    code: 'RISK_NET_POSITION_ABOVE_LIMIT',
    when: 'positions of one sign add up beyond the limit',
    facts: [held(300), { type: 'FillRecorded', fill: aFill({ symbol: ETH, sizeLots: 300 }) }],
    limits: { netNotionalMax: usd(60_500) },
  },
  {
    code: 'RISK_OPEN_ORDERS_PER_SIDE_ABOVE_LIMIT',
    when: 'a sixth order joins one side',
    facts: [inFlight(...[1, 2, 3, 4, 5].map((step) => aSpec({ priceTicks: 999_000 + step })))],
  },
  {
    code: 'RISK_OPEN_ORDERS_ABOVE_LIMIT',
    when: 'there are too many orders in all',
    facts: [inFlight(aSpec({ priceTicks: 999_000 }), aSpec({ symbol: ETH }))],
    limits: { openOrdersMax: 2 },
  },
  {
    code: 'RISK_OPEN_NOTIONAL_PER_MARKET_ABOVE_LIMIT',
    when: 'the open orders of the market are worth too much',
    facts: [inFlight(aSpec({ sizeLots: 50, priceTicks: 999_000 }))],
    limits: { openNotionalPerMarketMax: usd(5_500) },
  },
  {
    code: 'RISK_OPEN_NOTIONAL_ABOVE_LIMIT',
    when: 'all open orders are worth too much',
    facts: [inFlight(aSpec({ symbol: ETH, sizeLots: 50 }))],
    limits: { openNotionalMax: usd(5_500) },
  },
  {
    code: 'RISK_LEVERAGE_ABOVE_LIMIT',
    when: 'gross notional would pass three times the equity',
    facts: [{ type: 'AccountUpdated', account: aSummary(10_000), seq: seq(2) }, held(295)],
    limits: tight({ positionNotionalMax: usd(1e9) }),
  },
  {
    code: 'RISK_EQUITY_UNKNOWN',
    when: 'there is no equity left',
    facts: [{ type: 'AccountUpdated', account: aSummary(0), seq: seq(2) }],
  },
  {
    code: 'RISK_MARGIN_COVERAGE_BELOW_LIMIT',
    when: 'equity would cover the maintenance margin less than twice',
    facts: [{ type: 'AccountUpdated', account: aSummary(10_000), seq: seq(2) }, held(1_600)],
    limits: { ...unboundedPositions, freeCollateralPpmMin: 0 as Ppm, liquidationDistancePpmMin: 0 as Ppm },
    spec: { sizeLots: 100 },
  },
  {
    code: 'RISK_FREE_COLLATERAL_BELOW_LIMIT',
    when: 'less than a fifth of the equity would be free',
    facts: [{ type: 'AccountUpdated', account: aSummary(10_000), seq: seq(2) }, held(1_600)],
    limits: { ...unboundedPositions, liquidationDistancePpmMin: 0 as Ppm },
  },
  {
    code: 'RISK_LIQUIDATION_TOO_CLOSE',
    when: 'a tenth against the position would liquidate it',
    facts: [{ type: 'AccountUpdated', account: aSummary(10_000), seq: seq(2) }, held(800)],
    limits: unboundedPositions,
  },
  {
    code: 'RISK_DUPLICATE_ORDER',
    when: 'the same order was sent and has no outcome yet',
    facts: [inFlight(aSpec())],
  },
  {
    code: 'RISK_SELF_TRADE',
    when: 'it would trade with an own order of another strategy',
    spec: { priceTicks: 1_000_005 },
    facts: [inFlight(aSpec({ side: 'sell', priceTicks: 1_000_005, strategyId: 'other' as never }))],
  },
  {
    code: 'RISK_REDUCE_ONLY_WOULD_INCREASE',
    when: 'other closing orders may already close the position',
    spec: { side: 'sell', priceTicks: 1_000_010, reduceOnly: true, sizeLots: 10 },
    facts: [held(15), inFlight(aSpec({ side: 'sell', priceTicks: 1_000_020, sizeLots: 10 }))],
  },
  { code: 'RISK_EXPIRY_PAST', when: 'it would be expired on arrival', spec: { expiresAtMs: atMs(-1) } },
  {
    code: 'RISK_EXPIRY_TOO_FAR',
    when: 'it would live for two minutes',
    spec: { expiresAtMs: atMs(120_000) },
  },
  {
    code: 'RISK_SWITCH_NOT_ARMED',
    when: 'the switch fires in four seconds',
    facts: [{ type: 'SwitchArmed', triggerAtMs: atMs(4_000), atMs: START_MS }],
  },
  {
    code: 'RISK_MARKET_DATA_STALE',
    when: 'book and best quotes are older than two seconds',
    setUp: (world) => {
      world.nowMs = atMs(2_001);
    },
  },
  {
    code: 'RISK_ACCOUNT_NOT_SYNCED',
    when: 'the private stream has a gap',
    facts: [{ type: 'AccountDegraded', reason: 'lagged' }],
  },
  {
    code: 'RISK_POST_ONLY_REQUIRED',
    when: 'a maker sends an order that can take',
    spec: { timeInForce: 'gtc' },
  },
  {
    code: 'RISK_POST_ONLY_WOULD_CROSS',
    when: 'a post-only order meets the other side',
    spec: { priceTicks: 1_000_010 },
  },
  {
    code: 'RISK_STRATEGY_ORDERS_ABOVE_LIMIT',
    when: 'the strategy has used up its orders',
    facts: [inFlight(aSpec({ priceTicks: 999_000 }))],
    limits: tight({ ordersMax: 1 }),
  },
  {
    code: 'RISK_STRATEGY_NOTIONAL_ABOVE_LIMIT',
    when: 'the strategy has used up its open notional',
    facts: [inFlight(aSpec({ priceTicks: 999_000 }))],
    limits: tight({ openNotionalMax: usd(1_500) }),
  },
  {
    code: 'RISK_STRATEGY_POSITION_ABOVE_LIMIT',
    when: 'the strategy could hold more than its share',
    facts: [inFlight(aSpec({ priceTicks: 999_000 }))],
    limits: tight({ positionNotionalMax: usd(1_500) }),
  },
  {
    code: 'RISK_STRATEGY_LOSS_ABOVE_LIMIT',
    when: 'the strategy has lost its budget',
    facts: filledAs(aSpec({ sizeLots: 100, priceTicks: 1_000_000 }), 1_110_000),
  },
  {
    code: 'RISK_TRADING_REDUCING',
    when: 'the market is being reduced',
    setUp: ({ trading }) =>
      trading.set({ kind: 'market', symbol: BTC }, 'operator', { state: 'reducing', reason: 'by hand' }),
  },
  {
    code: 'RISK_TRADING_HALTED',
    when: 'the account is halted',
    setUp: ({ trading }) => trading.set({ kind: 'account' }, 'monitor', { state: 'halted', reason: 'M2' }),
  },
];

function worldOf(item: Case, checks = ORDER_CHECKS): RiskWorld {
  const world = new RiskWorld(item.limits, checks).fold(...(item.facts ?? []));
  item.setUp?.(world);
  return world;
}

describe('every check', () => {
  test.each(CASES)('$code: denies when $when', (item) => {
    const review = worldOf(item).place([aSpec(item.spec)]);
    expect(review.denied.map((denial) => denial.code)).toEqual([item.code]);
    expect(review.approved).toEqual([]);
    const [denial] = review.denied;
    expect(denial?.message).toMatch(/^expected .+(got|would|next)/);
    expect(denial?.remedy).toBe(DENIAL_CODES[item.code].remedy);
    expect(denial).toMatchObject({ strategyId: MAKER });
  });

  test.each(CASES)('$code: the same order passes when only that check is gone', (item) => {
    const owners = ORDER_CHECKS.filter((check) => check.codes.includes(item.code));
    const others = ORDER_CHECKS.filter((check) => !owners.includes(check));
    expect(owners.length).toBeGreaterThan(0);
    expect(worldOf(item, others).codesOf(aSpec(item.spec))).toEqual([]);
  });

  test('a plain order passes, and every code that checks can give has a case', () => {
    expect(new RiskWorld().codesOf(aSpec())).toEqual([]);
    const elsewhere = new Set<string>([
      'RISK_LANE_RATE_EXCEEDED',
      'RISK_STRATEGY_RATE_EXCEEDED',
      'RISK_STRATEGY_THROTTLED',
      'RISK_LEVERAGE_SETTING_INVALID',
      'RISK_EXPIRY_UNSUPPORTED',
    ]);
    const tested = CASES.map((item) => item.code);
    expect(Object.keys(DENIAL_CODES).filter((code) => !elsewhere.has(code))).toEqual(
      expect.arrayContaining([...new Set(tested)]),
    );
    expect(new Set(tested).size + elsewhere.size).toBe(Object.keys(DENIAL_CODES).length);
  });

  test('every code belongs to exactly the controls of the table', () => {
    for (const check of ORDER_CHECKS) {
      for (const code of check.codes) {
        const shared = code === 'RISK_REFERENCE_MISSING' ? ['P4', 'P5'] : [check.control];
        expect(shared).toContain(check.control);
        if (shared.length === 1) expect(DENIAL_CODES[code].control).toBe(check.control);
      }
    }
  });
});

describe('single rules', () => {
  const old = aSpec({ sizeLots: 10 });
  const oldRef = { symbol: BTC, orderId: '7' as OrderId };
  const working = [sent('r1', [old]), accepted(old, '7')] as const;

  test('a size that is no whole number never reaches the arithmetic (P1)', () => {
    for (const sizeLots of [1.5, Number.NaN, -0, -3, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(new RiskWorld().codesOf(aSpec({ sizeLots }))).toEqual(['RISK_SIZE_INVALID']);
  });

  test('a batch or a replace cannot carry an expiry (P14)', () => {
    const batch = [aSpec({ expiresAtMs: atMs(1_000) }), aSpec({ priceTicks: 999_980 })];
    const codes = new RiskWorld().place(batch).denied.map((denial) => denial.code);
    expect(codes).toEqual(['RISK_EXPIRY_UNSUPPORTED']);
  });

  test('a replaced order counts beside its replacement for the position (O80), but not as open', () => {
    const world = new RiskWorld({
      ...tight({ positionNotionalMax: usd(1e9) }),
      openOrdersPerSideMax: 1,
      positionNotionalMax: usd(1_500),
    }).fold(...working);
    const next = aSpec({ sizeLots: 10, priceTicks: 999_980 });
    expect(world.replace([next], [oldRef]).denied[0]?.code).toBe('RISK_POSITION_ABOVE_LIMIT');
    const small = aSpec({ sizeLots: 5, priceTicks: 999_980 });
    expect(world.replace([small], [oldRef]).denied).toEqual([]);
  });

  test('a replace may cross an own quote that it cancels first (P12, P17)', () => {
    const ask = aSpec({ side: 'sell', priceTicks: 1_000_010, sizeLots: 10 });
    const world = new RiskWorld().fold(sent('r1', [ask]), accepted(ask, '7'), {
      type: 'BookUpdated',
      book: aBook({
        asks: [
          [1_000_010, 10],
          [1_000_050, 5],
        ],
      }),
    });
    const bid = aSpec({ priceTicks: 1_000_020 });
    expect(world.replace([bid], [oldRef]).denied).toEqual([]);
    expect(world.replace([bid], []).denied[0]?.code).toBe('RISK_POST_ONLY_WOULD_CROSS');
    const far = aSpec({ priceTicks: 1_000_050 });
    expect(world.replace([far], [oldRef]).denied[0]?.code).toBe('RISK_POST_ONLY_WOULD_CROSS');
    world.fold({
      type: 'BboUpdated',
      bbo: aBbo(999_990, 1_000_010, { receivedAtMs: atMs(1), askLots: lots(10) }),
    });
    expect(world.replace([bid], [oldRef]).denied).toEqual([]);
  });

  test('an order denied inside a replace leaves the cancels and the others standing', () => {
    const world = new RiskWorld().fold(...working);
    const [good, bad] = [aSpec({ priceTicks: 999_980 }), aSpec({ priceTicks: 900_000 })];
    const review = world.replace([good, bad], [oldRef]);
    expect(review.approved).toEqual([
      { lane: 'lane-1', command: { kind: 'replace', symbol: BTC, cancels: [oldRef], orders: [good] } },
    ]);
    expect(review.denied.map((denial) => denial.intentId)).toEqual([bad.intentId]);
    expect(world.replace([bad], [oldRef]).approved).toMatchObject([
      { command: { orders: [], cancels: [oldRef] } },
    ]);
  });

  test('what reduces a position that is too large passes, whatever the state', () => {
    const world = new RiskWorld(tight({ lossMax: usd(1) })).fold(
      ...filledAs(aSpec({ sizeLots: 100, priceTicks: 1_000_000 }), 1_110_000),
      held(900),
      { type: 'AccountUpdated', account: aSummary(5_000), seq: seq(2) },
    );
    world.trading.set({ kind: 'account' }, 'monitor', { state: 'halted', reason: 'drawdown' });
    const closing = aSpec({ side: 'sell', priceTicks: 1_000_010, sizeLots: 90, reduceOnly: true });
    expect(world.codesOf(closing)).toEqual([]);
  });

  test('an order whose outcome is unknown counts as a duplicate for as long as it is unknown (P10)', () => {
    const spec = aSpec();
    const world = new RiskWorld().fold(sent('r1', [spec]), {
      type: 'WriteUnresolved',
      lane: 'lane-1' as never,
      requestId: 'r1' as never,
      why: 'timeout',
    });
    world.nowMs = atMs(1_900);
    expect(world.codesOf(aSpec())).toEqual(['RISK_DUPLICATE_ORDER']);
    world.fold({ type: 'OrderNotExecuted', spec, proof: proof('conflict') });
    expect(world.codesOf(aSpec())).toEqual([]);
  });

  test('a position in a market without a price stops what would raise risk anywhere (P5)', () => {
    const world = new RiskWorld().fold(
      { type: 'MarketChanged', market: aMarket({ symbol: 'XRP' as never }) },
      { type: 'FillRecorded', fill: aFill({ symbol: 'XRP' as never }) },
    );
    expect(world.codesOf(aSpec())).toEqual(['RISK_REFERENCE_MISSING']);
  });

  test('fees count as a loss of the strategy (P18)', () => {
    const spec = aSpec({ sizeLots: 10 });
    const world = new RiskWorld(tight({ lossMax: usd(2) })).fold(sent('r1', [spec]), accepted(spec, '7'), {
      type: 'FillRecorded',
      fill: aFill({ orderId: '7', sizeLots: 10, fee: quantums(3_000_000n) }),
    });
    expect(world.codesOf(aSpec())).toEqual(['RISK_STRATEGY_LOSS_ABOVE_LIMIT']);
  });
});

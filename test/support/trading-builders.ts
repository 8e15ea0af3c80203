/**
 * @module
 * Builders of trading nouns for tests: each has plain defaults, and names only what the test is about.
 */
import { type UnixMs, unixMs } from '../../src/core/index.ts';
import {
  type AccountSummary,
  type Bbo,
  type Book,
  bookOf,
  type ClientOrderId,
  type Cursor,
  type Fact,
  type Fill,
  type IntentId,
  type LaneId,
  lots,
  type Market,
  type MarketSymbol,
  type OrderId,
  type OrderSpec,
  type Ppm,
  type Prices,
  type Proof,
  type Quantums,
  quantums,
  type RequestId,
  type Seq,
  type Side,
  type StrategyId,
  ticks,
  type WorkingOrder,
} from '../../src/domain/index.ts';

export const BTC = 'BTC-PERP' as MarketSymbol;
export const ETH = 'ETH-PERP' as MarketSymbol;
export const MAKER = 'maker' as StrategyId;
export const LANE = 'lane-1' as LaneId;
export const START_MS = unixMs(1_800_000_000_000);

/** `amount` whole units of collateral with six decimals. */
export const usd = (amount: number): Quantums => quantums(BigInt(Math.round(amount * 1_000_000)));
export const seq = (value: number): Seq => BigInt(value) as Seq;
export const atMs = (offsetMs: number): UnixMs => unixMs(START_MS + offsetMs);

/** Price 10^-1, size 10^-3, collateral 10^-6: one tick times one lot is 100 quantums. */
export function aMarket(changes: Partial<Market> = {}): Market {
  return {
    symbol: BTC,
    signingMarketId: 0,
    priceDecimals: 1,
    sizeDecimals: 3,
    tickStep: ticks(1),
    lotStep: lots(1),
    status: 'Active',
    quantumsPerTickLot: 100n,
    initialMarginPpm: 50_000 as Ppm,
    maintenanceFractionPpm: 600_000 as Ppm,
    minNotional: usd(10),
    ...changes,
  };
}

type Level = readonly [priceTicks: number, sizeLots: number];

/** A book around 100,000.0 (1,000,000 ticks), a tick of 10 cents. */
export function aBook(
  changes: {
    readonly symbol?: MarketSymbol;
    readonly bids?: readonly Level[];
    readonly asks?: readonly Level[];
    readonly receivedAtMs?: UnixMs;
    readonly isFresh?: boolean;
  } = {},
): Book {
  const { symbol = BTC, bids = [[999_990, 500]], asks = [[1_000_010, 500]] } = changes;
  const { receivedAtMs = START_MS, isFresh = true } = changes;
  return bookOf({ symbol, bids, asks }, { receivedAtMs, isFresh });
}

export function aBbo(bidTicks: number, askTicks: number, changes: Partial<Bbo> = {}): Bbo {
  return {
    symbol: BTC,
    bidTicks: ticks(bidTicks),
    bidLots: lots(500),
    askTicks: ticks(askTicks),
    askLots: lots(500),
    receivedAtMs: START_MS,
    ...changes,
  };
}

export function somePrices(markTicks: number, changes: Partial<Prices> = {}): Prices {
  return {
    symbol: BTC,
    markTicks: ticks(markTicks),
    indexTicks: ticks(markTicks),
    lastTicks: ticks(markTicks),
    fundingRatePpm: undefined,
    nextFundingAtMs: undefined,
    openInterestLots: undefined,
    ...changes,
  };
}

let intentCount = 0;

/** A post-only buy of 0.01 at 99,999.0 by default, with an intent of its own. */
export function aSpec(
  changes: Partial<Omit<OrderSpec, 'priceTicks' | 'sizeLots'>> & {
    readonly priceTicks?: number;
    readonly sizeLots?: number;
  } = {},
): OrderSpec {
  intentCount++;
  const { priceTicks = 999_990, sizeLots = 10, ...rest } = changes;
  return {
    intentId: `intent-${intentCount}` as IntentId,
    strategyId: MAKER,
    symbol: BTC,
    side: 'buy',
    priceTicks: priceTicks as OrderSpec['priceTicks'],
    sizeLots: sizeLots as OrderSpec['sizeLots'],
    timeInForce: 'postOnly',
    reduceOnly: false,
    clientOrderId: `label-${intentCount}` as ClientOrderId,
    expiresAtMs: 0,
    ...rest,
  };
}

export function aWorkingOrder(
  orderId: string,
  changes: Partial<Omit<WorkingOrder, 'orderId'>> = {},
): WorkingOrder {
  const sizeLots = changes.sizeLots ?? lots(10);
  return {
    orderId: orderId as OrderId,
    symbol: BTC,
    side: 'buy',
    priceTicks: ticks(999_990),
    remainingLots: sizeLots,
    timeInForce: 'postOnly',
    reduceOnly: false,
    ...changes,
    sizeLots,
  };
}

/** An id is a place in the log: behind all that tests name, whichever of them ran before in this worker. */
let fillCount = 100_000;

export function aFill(
  changes: Partial<Omit<Fill, 'priceTicks' | 'sizeLots' | 'orderId'>> & {
    readonly orderId?: string;
    readonly priceTicks?: number;
    readonly sizeLots?: number;
  } = {},
): Fill {
  fillCount++;
  const { orderId = '1', priceTicks = 1_000_000, sizeLots = 10, ...rest } = changes;
  return {
    id: `${fillCount}-0-0` as Cursor,
    orderId: orderId as OrderId,
    symbol: BTC,
    side: 'buy',
    role: 'maker',
    priceTicks: ticks(priceTicks),
    sizeLots: lots(sizeLots),
    fee: quantums(0n),
    atMs: START_MS,
    ...rest,
  };
}

export function aSummary(equityUsd: number, changes: Partial<AccountSummary> = {}): AccountSummary {
  return {
    collateral: usd(equityUsd),
    equity: usd(equityUsd),
    initialMargin: quantums(0n),
    maintenanceMargin: quantums(0n),
    withdrawable: usd(equityUsd),
    takerFeePpm: 500 as Ppm,
    makerFeePpm: -100 as Ppm,
    ...changes,
  };
}

export const proof = (by: Proof['by'] = 'answer', id = 'proof-1'): Proof => ({ by, id });

/** The write that carries `places` has left. */
export function sent(
  requestId: string,
  places: readonly OrderSpec[],
  changes: {
    readonly cancels?: readonly { readonly symbol: MarketSymbol; readonly orderId: OrderId }[];
    readonly lane?: LaneId;
    readonly atMs?: UnixMs;
  } = {},
): Fact {
  return {
    type: 'WriteSent',
    lane: changes.lane ?? LANE,
    requestId: requestId as RequestId,
    places,
    cancels: changes.cancels ?? [],
    atMs: changes.atMs ?? START_MS,
  };
}

/** `spec` was accepted and rests, but for `filledLots`. */
export function accepted(
  spec: OrderSpec,
  orderId: string,
  changes: {
    readonly filledLots?: number;
    readonly acceptedLots?: number;
    readonly isResting?: boolean;
    readonly seq?: number;
  } = {},
): Fact {
  return {
    type: 'OrderAccepted',
    spec,
    orderId: orderId as OrderId,
    acceptedLots: lots(changes.acceptedLots ?? spec.sizeLots),
    filledLots: lots(changes.filledLots ?? 0),
    isResting: changes.isResting ?? true,
    seq: changes.seq === undefined ? undefined : seq(changes.seq),
    proof: proof(),
  };
}

export function resolved(
  requestId: string,
  outcome: 'executed' | 'rejected' | 'refused' | 'superseded' = 'executed',
  changes: { readonly seq?: number; readonly lane?: LaneId } = {},
): Fact {
  return {
    type: 'WriteResolved',
    lane: changes.lane ?? LANE,
    requestId: requestId as RequestId,
    outcome,
    seq: changes.seq === undefined ? undefined : seq(changes.seq),
  };
}

export const sideOf = (isBuy: boolean): Side => (isBuy ? 'buy' : 'sell');

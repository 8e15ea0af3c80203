/**
 * @module
 * Orders, fills, positions, ledger entries and the account summary as the bot's own records: readers of single entries
 * (shared by frames and answers) and the decoders of the answers. What would hide an order or a fill is never dropped: an
 * unknown time in force counts as one that rests, an unknown role as the dearer one (obligation O14).
 */
import {
  eachOf,
  fieldOf,
  INTEGER,
  type JsonObject,
  NATURAL,
  OBJECT,
  objectOf,
  optionalOf,
  TEXT,
  type UnixMs,
} from '../../../core/index.ts';
import {
  type AccountSummary,
  type ClientOrderId,
  type Epoch,
  type Fill,
  type LedgerEntry,
  type Lots,
  type MarketSymbol,
  type OrderId,
  type Position,
  type Ppm,
  type Quantums,
  type Seq,
  TIMES_IN_FORCE,
  type Ticks,
  type Trigger,
  type TwapProgress,
  type WorkingOrder,
} from '../../../domain/index.ts';
import { ACCOUNT, FILL, LEDGER_ENTRY, ORDER, ORDER_END, POSITION, TRIGGER, TWAP } from '../schema/account.ts';
import { type Exact, exactly, type Scale, withSeq } from '../schema/schema.ts';
import { caught, type Decoded } from './decoded.ts';
import { amountScale, type DecodeContext, decoded, marketOf, optionalEpoch, scaleOf } from './fields.ts';

/** An order with its state, as events and snapshots show it. */
export interface OrderState extends WorkingOrder {
  readonly status: Exact<typeof ORDER>['status'];
  /** Log position of its last change, if the entry has one. */
  readonly seq: Seq | undefined;
  /** Last valid instant; 0: none. */
  readonly expiresAtMs: UnixMs | 0;
  /** Absent: the order is in the book, or ended as a plain one. */
  readonly waiting?: WaitingState;
}

/** What an order outside the book waits for. A kind that is not known shows in `kind` as it came. */
export interface WaitingState {
  readonly kind: string;
  readonly trigger?: {
    readonly priceTicks: Ticks;
    readonly isAbove: boolean;
    readonly parentOrderId: OrderId | undefined;
  };
  readonly twap?: TwapProgress;
}

/** Of a time-weighted order whose plan cannot be read: it is one all the same. */
const UNREAD_TWAP: TwapProgress = {
  slices: 0,
  slicesDone: 0,
  intervalMs: 0,
  priceTolerancePpm: 0,
  nextSliceAtMs: 0,
};

const exactOrder = exactly(ORDER);
const exactTrigger = exactly(TRIGGER);
const exactTwap = exactly(TWAP);

/** One order. */
export function readOrder(fields: JsonObject, context: DecodeContext): OrderState {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  const clientOrderId = exactOrder.clientOrderId(fields, scale);
  const { kind } = fields;
  const waiting = typeof kind === 'string' ? readWaiting(kind, fields, scale) : undefined;
  return {
    symbol: market.symbol,
    orderId: exactOrder.orderId(fields, scale),
    side: exactOrder.side(fields, scale),
    priceTicks: exactOrder.price(fields, scale),
    sizeLots: exactOrder.size(fields, scale),
    remainingLots: exactOrder.remaining(fields, scale),
    timeInForce: TIMES_IN_FORCE.find((known) => known === fields['timeInForce']) ?? 'gtc',
    reduceOnly: fields['reduceOnly'] === true,
    ...(clientOrderId === null ? {} : { clientOrderId: clientOrderId as ClientOrderId }),
    status: exactOrder.status(fields, scale),
    seq: exactOrder.seq(fields, scale),
    expiresAtMs: exactOrder.expiresAt(fields, scale) ?? 0,
    ...(waiting === undefined ? {} : { waiting }),
    ...(waiting === undefined
      ? {}
      : waiting.kind === 'twap'
        ? { twap: waiting.twap ?? UNREAD_TWAP }
        : { trigger: triggerOf(waiting) }),
  };
}

/** The end of an order, as its event shows it. */
export interface OrderEnd {
  readonly orderId: OrderId;
  readonly status: Exact<typeof ORDER_END>['status'];
  /** `undefined`: not said, it is that of the order that is known. */
  readonly symbol: MarketSymbol | undefined;
  /** What was left of it; `undefined`: not said. */
  readonly remainingLots: Lots | undefined;
  /** Log position of its end, if the event has one. */
  readonly seq: Seq | undefined;
}

const exactEnd = exactly(ORDER_END);

/** One event of the channel `orders`: an order as it is, or that it has ended. */
export function readOrderEvent(fields: JsonObject, context: DecodeContext): OrderState | OrderEnd {
  if (fields['status'] === 'open') return readOrder(fields, context);
  const symbol = exactEnd.symbol(fields, amountScale(0));
  const scale = symbol === undefined ? undefined : scaleOf(marketOf(fields, context), context);
  const any = scale ?? amountScale(0);
  return {
    orderId: exactEnd.orderId(fields, any),
    status: exactEnd.status(fields, any),
    symbol: symbol as MarketSymbol | undefined,
    // Without its market a size cannot be counted.
    remainingLots: scale === undefined ? undefined : exactEnd.remaining(fields, scale),
    seq: exactEnd.seq(fields, any),
  };
}

/** These fields are assumed: an exchange that writes them otherwise hides them, never the order. */
function readWaiting(kind: string, fields: JsonObject, scale: Scale): WaitingState {
  const trigger = caught(() => readTrigger(fieldOf(fields, 'trigger', OBJECT), scale));
  const twap = caught(() => readTwap(fieldOf(fields, 'twap', OBJECT), scale));
  return {
    kind,
    ...(trigger.ok ? { trigger: trigger.value } : {}),
    ...(twap.ok ? { twap: twap.value } : {}),
  };
}

/** What it waits for; a price of 0 where that cannot be read, for it waits all the same. */
function triggerOf({ kind, trigger }: WaitingState): Trigger {
  const { priceTicks = 0 as Ticks, isAbove = false, parentOrderId } = trigger ?? {};
  // With a parent it closes what that has traded; without one it follows the position.
  const isLeg = (kind === 'takeProfit' || kind === 'stopLoss') && parentOrderId === undefined;
  return isLeg ? { priceTicks, isAbove, leg: kind } : { priceTicks, isAbove };
}

function readTrigger(fields: JsonObject, scale: Scale): NonNullable<WaitingState['trigger']> {
  return {
    priceTicks: exactTrigger.price(fields, scale),
    isAbove: exactTrigger.above(fields, scale),
    parentOrderId: exactTrigger.parentOrderId(fields, scale) ?? undefined,
  };
}

function readTwap(fields: JsonObject, scale: Scale): NonNullable<WaitingState['twap']> {
  return {
    slices: exactTwap.slices(fields, scale),
    slicesDone: exactTwap.slicesDone(fields, scale),
    intervalMs: exactTwap.intervalMs(fields, scale),
    priceTolerancePpm: exactTwap.priceTolerancePpm(fields, scale),
    nextSliceAtMs: exactTwap.nextSliceAt(fields, scale),
  };
}

const exactFill = exactly(FILL);

/**
 * One fill, by the number of the order that was asked for: a slice of a time-weighted order has a number that nobody knows. A
 * fee that is absent or null is not known, which is not zero.
 */
export function readFill(fields: JsonObject, context: DecodeContext): Fill {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  return {
    id: exactFill.id(fields, scale),
    orderId: exactFill.parentOrderId(fields, scale) ?? exactFill.orderId(fields, scale),
    symbol: market.symbol,
    side: exactFill.side(fields, scale),
    role: fields['role'] === 'maker' ? 'maker' : 'taker',
    priceTicks: exactFill.price(fields, scale),
    sizeLots: exactFill.size(fields, scale),
    fee: exactFill.fee(fields, scale),
    atMs: exactFill.ts(fields, scale),
  };
}

const exactEntry = exactly(LEDGER_ENTRY);

/** One ledger entry. One of another token moves no collateral, and its amount has its own decimals. */
export function readLedgerEntry(fields: JsonObject, context: DecodeContext): LedgerEntry {
  const collateral = context.collateralToken ?? 0;
  const token = optionalOf(fields, 'token', INTEGER, collateral);
  const isCollateral = token === collateral;
  const scale = amountScale(context.collateralDecimals);
  return {
    id: exactEntry.id(fields, scale),
    kind: exactEntry.kind(fields, scale),
    amount: isCollateral ? exactEntry.amount(fields, scale) : (0n as Quantums),
    ...(isCollateral ? {} : { otherToken: { token, amount: fieldOf(fields, 'amount', TEXT) } }),
    symbol: exactEntry.symbol(fields, scale) as MarketSymbol | null,
    orderId: exactEntry.parentOrderId(fields, scale) ?? exactEntry.orderId(fields, scale),
    atMs: exactEntry.ts(fields, scale),
  };
}

const exactPosition = exactly(POSITION);

/** One position. */
export function readPosition(fields: JsonObject, context: DecodeContext): Position {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  return {
    symbol: market.symbol,
    sizeLots: exactPosition.size(fields, scale),
    costBasis: exactPosition.costBasis(fields, scale),
    unrealizedPnl: exactPosition.unrealizedPnl(fields, scale) ?? (0n as Quantums),
    accruedFunding: exactPosition.accruedFunding(fields, scale) ?? (0n as Quantums),
  };
}

const exactAccount = exactly(ACCOUNT);

/** The summary of an account. */
export function readAccountSummary(fields: JsonObject, context: DecodeContext): AccountSummary {
  const scale = amountScale(context.collateralDecimals);
  return {
    collateral: exactAccount.collateral(fields, scale),
    equity: exactAccount.equity(fields, scale),
    initialMargin: exactAccount.initialMargin(fields, scale),
    maintenanceMargin: exactAccount.maintenanceMargin(fields, scale),
    withdrawable: exactAccount.withdrawable(fields, scale),
    takerFeePpm: exactAccount.takerFeePpm(fields, scale) ?? (0 as Ppm),
    makerFeePpm: exactAccount.makerFeePpm(fields, scale) ?? (0 as Ppm),
  };
}

/** A snapshot of an account's orders or positions, or its summary, at a log position. */
export interface AtSeq<T> {
  readonly value: T;
  /** Of the body, or of its header. */
  readonly seq: Seq;
  /** Epoch of the ledger; `undefined`: not reported. */
  readonly epoch: Epoch | undefined;
}

/** The answer of GET /v1/account/orders and of its history. `seq`, here and below: the position in the header. */
export function decodeOrders(
  text: string,
  context: DecodeContext,
  seq?: bigint,
): Decoded<AtSeq<readonly OrderState[]>> {
  return decodeAtSeq(text, seq, (fields) => eachOf(fields, 'orders', (item) => readOrder(item, context)));
}

/** The answer of GET /v1/account/positions. */
export function decodePositions(
  text: string,
  context: DecodeContext,
  seq?: bigint,
): Decoded<AtSeq<readonly Position[]>> {
  return decodeAtSeq(text, seq, (fields) =>
    eachOf(fields, 'positions', (item) => readPosition(item, context)),
  );
}

/** The answer of GET /v1/account. */
export function decodeAccount(
  text: string,
  context: DecodeContext,
  seq?: bigint,
): Decoded<AtSeq<AccountSummary>> {
  return decodeAtSeq(text, seq, (fields) => readAccountSummary(fields, context));
}

function decodeAtSeq<T>(
  text: string,
  seq: bigint | undefined,
  read: (fields: JsonObject) => T,
): Decoded<AtSeq<T>> {
  return decoded(text, (value) => {
    const fields = objectOf(withSeq(value, seq));
    return { value: read(fields), seq: fieldOf(fields, 'seq', NATURAL) as Seq, epoch: optionalEpoch(fields) };
  });
}

/**
 * @module
 * Orders, fills, positions, ledger entries and the account summary: readers of single entries (shared by frames and
 * answers) and the decoders of the answers. What would hide an order or a fill is never dropped: an unknown time in force
 * counts as one that rests, an unknown role as the dearer one (obligation O14).
 */
import type { UnixMs } from '../../../core/index.ts';
import {
  type AccountSummary,
  type ClientOrderId,
  type Epoch,
  type Fill,
  type LedgerEntry,
  type Market,
  type OrderId,
  type Position,
  type Ppm,
  type Quantums,
  type Seq,
  TIMES_IN_FORCE,
  type Ticks,
  type WorkingOrder,
} from '../../../domain/index.ts';
import {
  amountOf,
  caught,
  choiceOf,
  cursorOf,
  type DecodeContext,
  type Decoded,
  decoded,
  eachOf,
  type Fields,
  flagOf,
  integerOf,
  marketOf,
  objectOf,
  optionalId,
  optionalInteger,
  optionalOrderId,
  optionalSeq,
  optionalText,
  orderIdOf,
  priceOf,
  seqOf,
  signedSizeOf,
  sizeOf,
  textOf,
} from './fields.ts';

/** The wire's words for the state of an order. */
export const ORDER_STATUSES = ['open', 'filled', 'canceled', 'expired'] as const;

/** An order with its state, as events and snapshots show it. */
export interface OrderState extends WorkingOrder {
  readonly status: (typeof ORDER_STATUSES)[number];
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
  readonly twap?: {
    readonly slices: number;
    readonly slicesDone: number;
    readonly intervalMs: number;
    readonly priceTolerancePpm: number;
    readonly nextSliceAtMs: UnixMs;
  };
}

/** One order. */
export function readOrder(fields: Fields, context: DecodeContext): OrderState {
  const market = marketOf(fields, context);
  const clientOrderId = optionalText(fields, 'clientOrderId') as ClientOrderId | undefined;
  return {
    symbol: market.symbol,
    orderId: orderIdOf(fields, 'orderId'),
    side: choiceOf(fields, 'side', ['buy', 'sell']),
    priceTicks: priceOf(fields, 'price', market),
    sizeLots: sizeOf(fields, 'size', market),
    remainingLots: sizeOf(fields, 'remaining', market),
    timeInForce: TIMES_IN_FORCE.find((known) => known === fields['timeInForce']) ?? 'gtc',
    reduceOnly: fields['reduceOnly'] === true,
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    status: choiceOf(fields, 'status', ORDER_STATUSES),
    seq: optionalSeq(fields),
    expiresAtMs: optionalInteger(fields, 'expiresAt', 0) as UnixMs | 0,
    ...(typeof fields['kind'] === 'string' ? { waiting: readWaiting(fields['kind'], fields, market) } : {}),
  };
}

/** These fields are assumed: an exchange that writes them otherwise hides them, never the order. */
function readWaiting(kind: string, fields: Fields, market: Market): WaitingState {
  const trigger = caught(() => readTrigger(objectOf(fields['trigger'], 'trigger'), market));
  const twap = caught(() => readTwap(objectOf(fields['twap'], 'twap')));
  return {
    kind,
    ...(trigger.ok ? { trigger: trigger.value } : {}),
    ...(twap.ok ? { twap: twap.value } : {}),
  };
}

function readTrigger(fields: Fields, market: Market): NonNullable<WaitingState['trigger']> {
  return {
    priceTicks: priceOf(fields, 'price', market),
    isAbove: flagOf(fields, 'above'),
    parentOrderId: optionalOrderId(fields, 'parentOrderId'),
  };
}

function readTwap(fields: Fields): NonNullable<WaitingState['twap']> {
  return {
    slices: integerOf(fields, 'slices'),
    slicesDone: integerOf(fields, 'slicesDone'),
    intervalMs: integerOf(fields, 'intervalMs'),
    priceTolerancePpm: integerOf(fields, 'priceTolerancePpm'),
    nextSliceAtMs: integerOf(fields, 'nextSliceAt') as UnixMs,
  };
}

/** One fill. A fee that is absent or null is not known, which is not zero. */
export function readFill(fields: Fields, context: DecodeContext): Fill {
  const market = marketOf(fields, context);
  const fee = fields['fee'];
  return {
    id: cursorOf(fields, 'id'),
    orderId: orderIdOf(fields, 'orderId'),
    symbol: market.symbol,
    side: choiceOf(fields, 'side', ['buy', 'sell']),
    role: fields['role'] === 'maker' ? 'maker' : 'taker',
    priceTicks: priceOf(fields, 'price', market),
    sizeLots: sizeOf(fields, 'size', market),
    fee: fee === undefined || fee === null ? null : amountOf(fields, 'fee', context),
    atMs: optionalInteger(fields, 'ts', null) as UnixMs | null,
  };
}

/** One ledger entry. One of another token moves no collateral, and its amount has decimals of its own. */
export function readLedgerEntry(fields: Fields, context: DecodeContext): LedgerEntry {
  const collateral = context.collateralToken ?? 0;
  const token = optionalInteger(fields, 'token', collateral);
  const isCollateral = token === collateral;
  return {
    id: cursorOf(fields, 'id'),
    kind: textOf(fields, 'kind'),
    amount: isCollateral ? amountOf(fields, 'amount', context) : (0n as Quantums),
    ...(isCollateral ? {} : { otherToken: { token, amount: textOf(fields, 'amount') } }),
    symbol: (optionalText(fields, 'symbol') ?? null) as LedgerEntry['symbol'],
    orderId: optionalOrderId(fields, 'orderId') ?? null,
    atMs: optionalInteger(fields, 'ts', null) as UnixMs | null,
  };
}

/** One position. */
export function readPosition(fields: Fields, context: DecodeContext): Position {
  const market = marketOf(fields, context);
  return {
    symbol: market.symbol,
    sizeLots: signedSizeOf(fields, 'size', market),
    costBasis: amountOf(fields, 'costBasis', context),
    unrealizedPnl: amountOf(fields, 'unrealizedPnl', context),
    accruedFunding: optionalAmount(fields, 'accruedFunding', context),
  };
}

/** The summary of an account. */
export function readAccount(fields: Fields, context: DecodeContext): AccountSummary {
  return {
    collateral: amountOf(fields, 'collateral', context),
    equity: amountOf(fields, 'equity', context),
    initialMargin: amountOf(fields, 'initialMargin', context),
    maintenanceMargin: amountOf(fields, 'maintenanceMargin', context),
    withdrawable: amountOf(fields, 'withdrawable', context),
    takerFeePpm: optionalInteger(fields, 'takerFeePpm', 0) as Ppm,
    makerFeePpm: optionalInteger(fields, 'makerFeePpm', 0) as Ppm,
  };
}

function optionalAmount(fields: Fields, name: string, context: DecodeContext): Quantums {
  const value = fields[name];
  return value === undefined || value === null ? (0n as Quantums) : amountOf(fields, name, context);
}

/** A snapshot of an account's orders or positions, or its summary, at a log position. */
export interface AtSeq<T> {
  readonly value: T;
  readonly seq: Seq;
  readonly epoch: Epoch | undefined;
}

/** The answer of GET /v1/account/orders and of its history. */
export function decodeOrders(text: string, context: DecodeContext): Decoded<AtSeq<readonly OrderState[]>> {
  return decodeAtSeq(text, (fields) => eachOf(fields, 'orders', (item) => readOrder(item, context)));
}

/** The answer of GET /v1/account/positions. */
export function decodePositions(text: string, context: DecodeContext): Decoded<AtSeq<readonly Position[]>> {
  return decodeAtSeq(text, (fields) => eachOf(fields, 'positions', (item) => readPosition(item, context)));
}

/** The answer of GET /v1/account. */
export function decodeAccount(text: string, context: DecodeContext): Decoded<AtSeq<AccountSummary>> {
  return decodeAtSeq(text, (fields) => readAccount(fields, context));
}

function decodeAtSeq<T>(text: string, read: (fields: Fields) => T): Decoded<AtSeq<T>> {
  return decoded(text, (value) => {
    const fields = objectOf(value, 'answer');
    return {
      value: read(fields),
      seq: seqOf(fields),
      epoch: optionalId(fields, 'epoch') as Epoch | undefined,
    };
  });
}

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
  type MarketSymbol,
  type OrderId,
  type Position,
  type Ppm,
  type Quantums,
  type Seq,
  TIMES_IN_FORCE,
  type Ticks,
  type WorkingOrder,
} from '../../../domain/index.ts';
import { ACCOUNT, FILL, LEDGER_ENTRY, ORDER, POSITION, TRIGGER, TWAP } from '../schema/account.ts';
import { type Exact, exactly, type Scale } from '../schema/schema.ts';
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
  readonly twap?: {
    readonly slices: number;
    readonly slicesDone: number;
    readonly intervalMs: number;
    readonly priceTolerancePpm: number;
    readonly nextSliceAtMs: UnixMs;
  };
}

const exactOrder = exactly(
  ORDER,
  'orderId',
  'clientOrderId',
  'side',
  'price',
  'size',
  'remaining',
  'status',
  'seq',
  'expiresAt',
);
const exactTrigger = exactly(TRIGGER, 'price', 'above', 'parentOrderId');
const exactTwap = exactly(TWAP, 'slices', 'slicesDone', 'intervalMs', 'priceTolerancePpm', 'nextSliceAt');

/** One order. */
export function readOrder(fields: JsonObject, context: DecodeContext): OrderState {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  const order = exactOrder(fields, scale);
  const { kind } = fields;
  return {
    symbol: market.symbol,
    orderId: order.orderId,
    side: order.side,
    priceTicks: order.price,
    sizeLots: order.size,
    remainingLots: order.remaining,
    timeInForce: TIMES_IN_FORCE.find((known) => known === fields['timeInForce']) ?? 'gtc',
    reduceOnly: fields['reduceOnly'] === true,
    ...(order.clientOrderId === null ? {} : { clientOrderId: order.clientOrderId as ClientOrderId }),
    status: order.status,
    seq: order.seq,
    expiresAtMs: order.expiresAt ?? 0,
    ...(typeof kind === 'string' ? { waiting: readWaiting(kind, fields, scale) } : {}),
  };
}

/** These fields are assumed: an exchange that writes them otherwise hides them, never the order. */
function readWaiting(kind: string, fields: JsonObject, scale: Scale): WaitingState {
  const trigger = caught(() => exactTrigger(fieldOf(fields, 'trigger', OBJECT), scale));
  const twap = caught(() => exactTwap(fieldOf(fields, 'twap', OBJECT), scale));
  return {
    kind,
    ...(trigger.ok ? { trigger: waitingTrigger(trigger.value) } : {}),
    ...(twap.ok ? { twap: waitingTwap(twap.value) } : {}),
  };
}

function waitingTrigger({ price, above, parentOrderId }: Exact<typeof TRIGGER>) {
  return { priceTicks: price, isAbove: above, parentOrderId: parentOrderId ?? undefined };
}

function waitingTwap({ nextSliceAt, ...plan }: Exact<typeof TWAP>) {
  return { ...plan, nextSliceAtMs: nextSliceAt };
}

const exactFill = exactly(FILL, 'id', 'orderId', 'side', 'price', 'size', 'fee', 'ts');

/** One fill. A fee that is absent or null is not known, which is not zero. */
export function readFill(fields: JsonObject, context: DecodeContext): Fill {
  const market = marketOf(fields, context);
  const fill = exactFill(fields, scaleOf(market, context));
  return {
    id: fill.id,
    orderId: fill.orderId,
    symbol: market.symbol,
    side: fill.side,
    role: fields['role'] === 'maker' ? 'maker' : 'taker',
    priceTicks: fill.price,
    sizeLots: fill.size,
    fee: fill.fee,
    atMs: fill.ts,
  };
}

const exactEntry = exactly(LEDGER_ENTRY, 'id', 'kind', 'symbol', 'orderId', 'ts');
const exactAmount = exactly(LEDGER_ENTRY, 'amount');

/** One ledger entry. One of another token moves no collateral, and its amount has its own decimals. */
export function readLedgerEntry(fields: JsonObject, context: DecodeContext): LedgerEntry {
  const collateral = context.collateralToken ?? 0;
  const token = optionalOf(fields, 'token', INTEGER, collateral);
  const isCollateral = token === collateral;
  const scale = amountScale(context.collateralDecimals);
  const entry = exactEntry(fields, scale);
  return {
    id: entry.id,
    kind: entry.kind,
    amount: isCollateral ? exactAmount(fields, scale).amount : (0n as Quantums),
    ...(isCollateral ? {} : { otherToken: { token, amount: fieldOf(fields, 'amount', TEXT) } }),
    symbol: entry.symbol as MarketSymbol | null,
    orderId: entry.orderId,
    atMs: entry.ts,
  };
}

const exactPosition = exactly(POSITION, 'size', 'costBasis', 'unrealizedPnl', 'accruedFunding');

/** One position. */
export function readPosition(fields: JsonObject, context: DecodeContext): Position {
  const market = marketOf(fields, context);
  const position = exactPosition(fields, scaleOf(market, context));
  return {
    symbol: market.symbol,
    sizeLots: position.size,
    costBasis: position.costBasis,
    unrealizedPnl: position.unrealizedPnl,
    accruedFunding: position.accruedFunding ?? (0n as Quantums),
  };
}

const exactAccount = exactly(
  ACCOUNT,
  'collateral',
  'equity',
  'initialMargin',
  'maintenanceMargin',
  'withdrawable',
  'takerFeePpm',
  'makerFeePpm',
);

/** The summary of an account. */
export function readAccount(fields: JsonObject, context: DecodeContext): AccountSummary {
  const {
    takerFeePpm = 0,
    makerFeePpm = 0,
    ...amounts
  } = exactAccount(fields, amountScale(context.collateralDecimals));
  return { ...amounts, takerFeePpm: takerFeePpm as Ppm, makerFeePpm: makerFeePpm as Ppm };
}

/** A snapshot of an account's orders or positions, or its summary, at a log position. */
export interface AtSeq<T> {
  readonly value: T;
  readonly seq: Seq;
  /** Epoch of the ledger; `undefined`: not reported. */
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

function decodeAtSeq<T>(text: string, read: (fields: JsonObject) => T): Decoded<AtSeq<T>> {
  return decoded(text, (value) => {
    const fields = objectOf(value);
    return {
      value: read(fields),
      seq: fieldOf(fields, 'seq', NATURAL) as Seq,
      epoch: optionalEpoch(fields),
    };
  });
}

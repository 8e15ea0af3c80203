/**
 * @module
 * What accounts answer. Amounts are in the token's own unit (USDC), sizes of positions are signed. Answers that show a state
 * carry the log position and the ledger epoch they hold at.
 */
import {
  alsoNamed,
  asItCame,
  assumed,
  assumedOrNull,
  list,
  mayBeAbsent,
  nullable,
  record,
  type Schema,
} from './schema.ts';
import {
  amount,
  choice,
  cursor,
  epoch,
  flag,
  id,
  integer,
  object,
  orderId,
  position,
  ppm,
  price,
  seq,
  side,
  signedSize,
  size,
  text,
  timestamp,
  timestampText,
  word,
} from './values.ts';

/** GET /v1/account, and `data` of the `account` channel. */
export const ACCOUNT = record({
  accountId: assumed(integer),
  collateral: amount,
  equity: amount,
  initialMargin: amount,
  maintenanceMargin: amount,
  withdrawable: amount,
  balances: assumed(
    list(
      record({
        token: integer,
        symbol: assumed(text),
        amount,
        available: assumed(amount),
        hold: assumed(amount),
      }),
    ),
  ),
  feeTier: nullable(integer),
  takerFeePpm: assumed(ppm),
  makerFeePpm: assumed(ppm),
  seq: assumed(seq),
  epoch: assumed(epoch),
});

/** A position: `size` above 0 is long, `costBasis` is the signed notional paid. */
export const POSITION = record({
  symbol: text,
  size: signedSize,
  costBasis: amount,
  entryPrice: nullable(price),
  markPrice: nullable(price),
  unrealizedPnl: assumed(amount),
  accruedFunding: assumedOrNull(amount),
  initialMarginPpm: assumed(ppm),
});

/** GET /v1/account/positions. */
export const POSITIONS = record({ positions: list(POSITION), seq: assumed(seq), epoch: assumed(epoch) });

/** What an order waits for: the index price at or above (or at or below) a price, at the beginning of a block. */
export const TRIGGER = record({
  price,
  above: flag,
  /** The order whose fills the leg closes; null: none. */
  parentOrderId: nullable(orderId),
});

/** How far a time-weighted order is. */
export const TWAP = record({
  slices: integer,
  slicesDone: integer,
  intervalMs: integer,
  priceTolerancePpm: integer,
  nextSliceAt: timestamp,
});

/** One order: in GET /v1/account/orders, in the order history, and on the `orders` channel. */
export const ORDER = record({
  orderId,
  /** A label; never evidence. */
  clientOrderId: nullable(text),
  symbol: text,
  side,
  price,
  size,
  remaining: size,
  timeInForce: word('gtc', 'ioc', 'fok', 'postOnly'),
  reduceOnly: assumed(flag),
  /** Last valid instant, 0: none. */
  expiresAt: assumed(timestamp),
  status: choice('open', 'filled', 'canceled', 'expired'),
  createdAt: assumed(timestamp),
  /** Log position of its last change. */
  seq: assumed(seq),
  /** Only of an order that waits outside the book; absent: it rests, or has ended as a plain order. */
  kind: mayBeAbsent(word('conditional', 'takeProfit', 'stopLoss', 'twap')),
  /** Of all such kinds but `twap`. */
  trigger: mayBeAbsent(TRIGGER),
  /** Of `twap`: its `price` is the limit its next slice would have now. */
  twap: mayBeAbsent(TWAP),
});

/** The end of an order on the `orders` channel: what is known of it need not be said again. */
export const ORDER_END = record({
  orderId,
  symbol: assumed(text),
  status: choice('filled', 'canceled', 'expired'),
  remaining: assumed(size),
  seq: assumed(seq),
});

/** GET /v1/account/orders and /v1/account/orders/history (newest first). */
export const ORDERS = record({ orders: list(ORDER), seq: assumed(seq), epoch: assumed(epoch) });

/** The position of an entry in history, and its numbers. */
const ENTRY = { id: cursor, seq: assumed(seq), sub: assumed(integer), idx: assumed(integer) } as const;

/** One fill from the account's own view. `fee` positive: paid, negative: a rebate, null: not known. */
export const FILL = record({
  ...ENTRY,
  symbol: text,
  orderId,
  /** Of a slice: the time-weighted order that it is of. */
  parentOrderId: mayBeAbsent(orderId),
  counterOrderId: assumed(orderId),
  side,
  role: choice('maker', 'taker'),
  price,
  size,
  fee: nullable(amount),
  ts: nullable(timestamp),
});

/** One ledger entry; the sum of all `amount`s of a token is its balance. Kinds are an open list. */
export const LEDGER_ENTRY = record({
  ...ENTRY,
  kind: text,
  token: assumed(integer),
  amount,
  symbol: nullable(text),
  orderId: nullable(orderId),
  /** Of a slice: the time-weighted order that it is of. */
  parentOrderId: mayBeAbsent(orderId),
  counterOrderId: nullable(orderId),
  reference: nullable(id),
  ts: nullable(timestamp),
});

/** One raw execution event. Kinds are an open list; `data` depends on the kind. */
export const EVENT = record({ ...ENTRY, kind: text, ts: assumedOrNull(timestamp), data: object });

/** A page of history: `epoch` and `upper` go unchanged into every later question, `next` as its `after`. */
function pageOf<W, P, E>(entry: Schema<W, P, E>) {
  return record({
    epoch,
    upper: id,
    next: nullable(id),
    hasMore: flag,
    data: alsoNamed(list(entry), 'fills', 'entries', 'events'),
  });
}

/** A page of any history, its entries as they came. */
export const ANY_PAGE = pageOf(asItCame(object));

/** GET /v1/account/fills, ascending by id. */
export const FILLS_PAGE = pageOf(FILL);

/** GET /v1/account/ledger, ascending by id. */
export const LEDGER_PAGE = pageOf(LEDGER_ENTRY);

/** GET /v1/events, ascending by id. */
export const EVENTS_PAGE = pageOf(EVENT);

/** GET /v1/account/funding, newest first: above 0 it was received. */
export const FUNDING_PAYMENTS = record({
  payments: list(record({ id, symbol: text, amount, ts: nullable(timestamp) })),
});

/** GET /v1/account/withdrawals: those under way. */
export const WITHDRAWALS = record({
  withdrawals: list(
    record({ id, token: integer, amount, status: choice('pending', 'acked'), ts: assumedOrNull(timestamp) }),
  ),
});

/** GET /v1/account/subaccounts: its index (0 is the main account) and its number in signed structs. */
export const SUBACCOUNTS = record({ subaccounts: list(record({ subaccount: integer, accountId: integer })) });

/** GET /v1/account/agents. `validUntilMs` 0: never expires. */
export const AGENTS = record({
  accountId: assumed(integer),
  agents: list(
    record({ address: text, validUntilMs: timestampText, expired: flag, nextNonce: assumed(position) }),
  ),
});

/** One account of {@link AGENT_ACCOUNTS}. `account`: its address, or its number in signed structs. */
export const AGENT_GRANT = record({
  account: alsoNamed(id, 'master'),
  subaccount: assumed(integer),
  accountId: assumed(integer),
  validUntilMs: timestampText,
  expired: flag,
});

/** GET /v1/agents/{address}. */
export const AGENT_ACCOUNTS = record({
  agent: text,
  nextNonce: assumed(position),
  grants: list(AGENT_GRANT),
});

/** GET /v1/account/nonce. */
export const NONCE = record({ nonce: position, signingAccountId: integer, scope: text });

/** GET /v1/account/portfolio, ascending: account value, and that less what was paid in plus what was taken out. */
export const PORTFOLIO = record({
  points: list(record({ ts: timestamp, accountValue: amount, pnl: amount })),
});

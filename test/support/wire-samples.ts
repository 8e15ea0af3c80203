/**
 * @module
 * One well-formed sample of every answer, frame and write, held to the TypeScript wire types by the compiler and to
 * openapi.yaml by test/contract.
 */
import type {
  WireAccount,
  WireAgentAccounts,
  WireAgents,
  WireBbo,
  WireBook,
  WireCandle,
  WireCandles,
  WireClientFrame,
  WireErrorBody,
  WireEvent,
  WireExchange,
  WireFees,
  WireFill,
  WireFunding,
  WireFundingHistory,
  WireLedgerEntry,
  WireMarket,
  WireMarkets,
  WireNonce,
  WireOrder,
  WireOrders,
  WirePage,
  WirePosition,
  WirePositions,
  WirePrice,
  WirePrices,
  WireReceipt,
  WireSubaccounts,
  WireTime,
  WireTrade,
  WireTrades,
  WireWithdrawals,
} from '../../src/wire/protocol/index.ts';
import type { Wire } from '../../src/wire/protocol/schema/schema.ts';
import type { WireFundingPayments } from '../../src/wire/protocol/schema/wire.ts';
import type { SEQUENCED_ANSWER, WRITE_ANSWER } from '../../src/wire/protocol/schema/write.ts';
import { FEE_ANSWERS } from './fee-samples.ts';
import { VAULT_ANSWERS } from './vault-samples.ts';

/** A main wallet and an API wallet; nobody has their keys. */
export const OWNER = '0x1111111111111111111111111111111111111111';
/** An API wallet. */
export const AGENT = '0x2222222222222222222222222222222222222222';
const EPOCH = 'k1790239771298524311-1696007';
const REQUEST_ID = '0x71587bc425d492851f77e84902e22829413b866c3ccdfc3097c938d65021cd5a';
const ACCOUNT = { address: OWNER, subaccount: 0, epoch: EPOCH } as const;

const time: WireTime = { serverTime: 1790239780062 };

const exchange: WireExchange = {
  chainId: 31337,
  domain: {
    name: 'dex-os',
    version: '1',
    chainId: 31337,
    verifyingContract: '0x0000000000000000000000000000000000000000',
  },
  depositSystemAddress: '0x3333333333333333333333333333333333333333',
  tokens: [{ token: 0, symbol: 'USDC', decimals: 6, address: '0x4444444444444444444444444444444444444444' }],
  version: { pkg: '0.1.0', snapshotVersion: 22, codecVersion: 1, buildId: 'dev' },
  numericConventions: {
    price: 'decimal text',
    size: 'decimal text',
    amount: 'decimal text',
    rate: 'parts per million',
  },
  fundingIntervalMs: 3_600_000,
};

const market: WireMarket = {
  symbol: 'BTC-USD',
  kind: 'perp',
  status: 'Active',
  signingMarketId: 0,
  priceDecimals: 1,
  sizeDecimals: 3,
  tickSize: '0.5',
  lotSize: '0.001',
  initialMarginPpm: 50000,
  maintenanceFractionPpm: 600000,
  minNotional: '10',
};
const markets: WireMarkets = { markets: [market] };

const price: WirePrice = {
  symbol: 'BTC-USD',
  markPrice: '118000.5',
  indexPrice: '118000.0',
  lastPrice: null,
  bestBid: '117977.0',
  bestAsk: '118023.0',
  openInterest: '0.200',
  fundingRatePpm: 12,
  nextFundingTime: 1790240400000,
};
const prices: WirePrices = { seq: 8812, prices: [price] };

const book: WireBook = {
  symbol: 'BTC-USD',
  seq: 8812,
  ts: 1790239780062,
  bids: [
    ['117977.0', '0.020'],
    ['117953.5', '0.020'],
  ],
  asks: [['118023.0', '0.020']],
};
const bbo: WireBbo = { symbol: 'BTC-USD', ts: 1790239780062, bid: ['117977.0', '0.020'], ask: null };

const trade: WireTrade = {
  id: '73-0-1',
  symbol: 'BTC-USD',
  side: 'buy',
  price: '100050.0',
  size: '0.001',
  ts: 1790239780062,
};
const trades: WireTrades = { trades: [trade] };

const candle: WireCandle = {
  symbol: 'BTC-USD',
  interval: '1m',
  startTime: 1790239740000,
  open: '100000.0',
  high: '100050.0',
  low: '99999.5',
  close: '100050.0',
  volume: '0.012',
  trades: 3,
};
const candles: WireCandles = { candles: [candle] };

const funding: WireFunding = { symbol: 'BTC-USD', ratePpm: -3, indexPrice: '100000.0', ts: 1790240400000 };
const fundingHistory: WireFundingHistory = { funding: [funding] };

const fees: WireFees = {
  base: { takerFeePpm: 500, makerFeePpm: 0 },
  tiers: [{ tier: 2, volume: '1000000', takerFeePpm: 350, makerFeePpm: -20 }],
};

const account: WireAccount = {
  accountId: 2,
  collateral: '5100.350000',
  equity: '5000.350000',
  initialMargin: '5.000000',
  maintenanceMargin: '3.000000',
  withdrawable: '4995.350000',
  balances: [{ token: 0, symbol: 'USDC', amount: '5100.350000', available: '5100.350000', hold: '0.000000' }],
  feeTier: null,
  takerFeePpm: 500,
  makerFeePpm: -20,
  seq: 88,
  epoch: EPOCH,
};

const position: WirePosition = {
  symbol: 'BTC-USD',
  size: '-0.001',
  costBasis: '-100.050000',
  entryPrice: '100050.0',
  markPrice: '100000.0',
  unrealizedPnl: '0.050000',
  accruedFunding: '0.000000',
  initialMarginPpm: 50000,
};
const positions: WirePositions = { positions: [position], seq: 88, epoch: EPOCH };

const order: WireOrder = {
  orderId: '4521985',
  clientOrderId: 'maker-1',
  symbol: 'BTC-USD',
  side: 'sell',
  price: '100050.0',
  size: '0.005',
  remaining: '0.003',
  timeInForce: 'postOnly',
  reduceOnly: false,
  expiresAt: 0,
  status: 'open',
  createdAt: 1790239780062,
  seq: 77,
};
const orders: WireOrders = { orders: [order], seq: 88, epoch: EPOCH };

const fill: WireFill = {
  id: '73-0-1',
  seq: 73,
  sub: 0,
  idx: 1,
  symbol: 'BTC-USD',
  orderId: '4521985',
  counterOrderId: '4784128',
  side: 'sell',
  role: 'maker',
  price: '100050.0',
  size: '0.001',
  fee: '-0.002001',
  ts: 1790239780062,
};
const fillsPage: WirePage<WireFill> = {
  epoch: EPOCH,
  upper: '88-65535-4294967295',
  next: '73-0-1',
  hasMore: true,
  data: [fill],
};

const ledgerEntry: WireLedgerEntry = {
  id: '73-0-2',
  seq: 73,
  sub: 0,
  idx: 2,
  kind: 'trade',
  token: 0,
  amount: '100.050000',
  symbol: 'BTC-USD',
  orderId: '4521985',
  counterOrderId: '4784128',
  reference: null,
  ts: 1790239780062,
};
const ledgerPage: WirePage<WireLedgerEntry> = {
  epoch: EPOCH,
  upper: '88-65535-4294967295',
  next: null,
  hasMore: false,
  data: [ledgerEntry],
};

const event: WireEvent = {
  id: '73-0-1',
  seq: 73,
  sub: 0,
  idx: 1,
  kind: 'Fill',
  ts: 1790239780062,
  data: { symbol: 'BTC-USD', price: '100050.0', size: '0.001' },
};
const eventsPage: WirePage<WireEvent> = { ...ledgerPage, data: [event] };

const fundingPayments: WireFundingPayments = {
  payments: [{ id: '80-65535-0', symbol: 'BTC-USD', amount: '-0.000300', ts: null }],
};
const withdrawals: WireWithdrawals = {
  withdrawals: [{ id: '90-0-0', token: 0, amount: '12.000000', status: 'pending', ts: 1790239780062 }],
};
const subaccounts: WireSubaccounts = { subaccounts: [{ subaccount: 0, accountId: 2 }] };
const agents: WireAgents = {
  accountId: 2,
  agents: [{ address: AGENT, validUntilMs: '1803887990472', expired: false, nextNonce: 2 }],
};
const agentAccounts: WireAgentAccounts = {
  agent: AGENT,
  nextNonce: 3,
  grants: [{ account: OWNER, subaccount: 0, accountId: 2, validUntilMs: '0', expired: false }],
};
const nonce: WireNonce = { nonce: 2, signingAccountId: 2, scope: `agent:${AGENT}` };

const writeAnswer: Wire<typeof WRITE_ANSWER> = {
  requestId: REQUEST_ID,
  status: 'executed',
  epoch: EPOCH,
  seq: 69,
  sub: 0,
  nonceConsumed: true,
  batchStatus: 'partial',
  items: [
    {
      inputIndex: 0,
      kind: 'cancel',
      symbol: 'BTC-USD',
      state: 'canceled',
      orderId: '4259841',
      canceledSize: '0.005',
    },
    {
      inputIndex: 0,
      kind: 'place',
      symbol: 'BTC-USD',
      state: 'accepted',
      orderId: '4521985',
      clientOrderId: 'maker-1',
      size: '0.005',
      filledSize: '0.000',
      resting: true,
    },
    {
      inputIndex: 1,
      kind: 'place',
      symbol: 'BTC-USD',
      state: 'rejected',
      reason: 'PostOnlyWouldCross',
    },
  ],
};
const sequenced: Wire<typeof SEQUENCED_ANSWER> = { status: 'sequenced', requestId: REQUEST_ID, seq: 69 };
const receipt: WireReceipt = {
  requestId: REQUEST_ID,
  status: 'executed',
  epoch: EPOCH,
  seq: 69,
  sub: 0,
  signer: AGENT,
  nonceScope: `agent:${AGENT}`,
  nonce: 1,
  nonceConsumed: true,
  items: writeAnswer.items,
};
const errorBody: WireErrorBody = {
  error: {
    code: 'not_found',
    num: 1201,
    message: 'request not found',
    details: { status: 'not_found', asOfSeq: 88, epoch: EPOCH },
  },
};

/** A sample of the answer of each read endpoint that the embedded exchange serves. */
export const ANSWERS = {
  ...FEE_ANSWERS,
  time,
  exchange,
  account,
  positions,
  openOrders: orders,
  orderHistory: orders,
  orderByClientId: order,
  order,
  fills: fillsPage,
  ledger: ledgerPage,
  fundingPayments,
  withdrawals,
  subaccounts,
  agents,
  agentAccounts,
  nonce,
  receipt,
  events: eventsPage,
  markets,
  market,
  prices,
  book,
  trades,
  candles,
  fundingHistory,
  fees,
  ...VAULT_ANSWERS,
} as const;

/** Samples of what a write is answered with. */
export const WRITE_ANSWERS = { result: writeAnswer, sequenced, error: errorBody } as const;

/** A frame, as far as tests look into it. */
export interface SampleFrame {
  readonly channel: string;
  readonly isSnapshot?: boolean;
  readonly data: object;
  readonly [name: string]: unknown;
}

/** A sample of every frame of the server. */
export const SERVER_FRAMES: readonly SampleFrame[] = [
  { channel: 'subscribed', data: { channel: 'book', symbol: 'BTC-USD', depth: 20 }, epoch: EPOCH, id: 1 },
  { channel: 'unsubscribed', data: { channel: 'orders', address: OWNER, subaccount: 0 }, id: 2 },
  { channel: 'pong', data: { ts: 1790239780062 } },
  { channel: 'error', data: { code: 'InvalidRequest', message: 'unknown symbol' }, id: 3 },
  { channel: 'lagged', data: { dropped: 12, epoch: EPOCH, upper: '88-65535-4294967295' } },
  { channel: 'prices', isSnapshot: true, seq: 8812, data: { prices: [price] } },
  { channel: 'book', isSnapshot: false, seq: 8812, data: book },
  { channel: 'bbo', isSnapshot: true, seq: 8812, data: bbo },
  { channel: 'trades', seq: 73, data: trade },
  { channel: 'candles', seq: 73, data: candle },
  { channel: 'funding', seq: 80, data: funding },
  { channel: 'orders', ...ACCOUNT, isSnapshot: true, seq: 88, data: { orders: [order] } },
  { channel: 'orders', ...ACCOUNT, isSnapshot: false, seq: 88, data: { ...order, status: 'filled' } },
  { channel: 'fills', ...ACCOUNT, seq: 73, data: fill },
  { channel: 'positions', ...ACCOUNT, isSnapshot: true, seq: 88, data: { positions: [position] } },
  { channel: 'account', ...ACCOUNT, isSnapshot: true, seq: 88, data: account },
  { channel: 'ledger', ...ACCOUNT, seq: 73, data: ledgerEntry },
  { channel: 'ledger', vault: '9', epoch: EPOCH, seq: 73, data: ledgerEntry },
  { channel: 'events', epoch: EPOCH, seq: 73, data: event },
];

/** Frames of the client. */
export const CLIENT_FRAMES: readonly WireClientFrame[] = [
  { method: 'subscribe', params: { channel: 'candles', symbol: 'BTC-USD', interval: '1m' }, id: 1 },
  { method: 'unsubscribe', params: { channel: 'orders', address: OWNER, subaccount: 0 }, id: 2 },
  { method: 'ping' },
];

/**
 * @module
 * What each call of a client takes: names and types of all its parameters. The compiler compares the names with the types of
 * the functions, in both directions; docs/reference/client.md shows them.
 */
import { type ArgumentReader, itemsOf, mayGive, mustGive, orNull, withFields } from './argument.ts';
import { type Call, call, listen, mayCall, nothing, walk } from './checked.ts';
import {
  COUNT,
  DECIMAL,
  DEPTH,
  FLAG_VALUE,
  HASH,
  INTERVAL,
  LABEL,
  LEVERAGE,
  LIMIT,
  LISTENER,
  LOG_POSITION,
  NATURAL_NUMBER,
  ORDER_ID,
  ORDER_SIDE,
  objectWith,
  oneWord,
  SECRET_KEY,
  SUBACCOUNT,
  SYMBOL,
  TEXT_VALUE,
  TEXTS,
  TIME_IN_FORCE,
  TIME_MS,
  VAULT_ID,
  WALLET_ADDRESS,
} from './values.ts';

const MIN_SEQ = { minSeq: mayGive(LOG_POSITION) };
const LIMITED = { limit: mayGive(LIMIT) };
const MARKET = { symbol: mustGive(SYMBOL) };
const VAULT = { id: mustGive(VAULT_ID) };
const OF_VAULT = { vault: mayGive(VAULT_ID) };
/** An account as reads and subscriptions select it. */
const SELECTOR = [{ address: mayGive(WALLET_ADDRESS), subaccount: mayGive(SUBACCOUNT) }, OF_VAULT] as const;
/** The account that a write is for. */
const WRITER = [{ subaccount: mayGive(SUBACCOUNT) }, OF_VAULT] as const;
const DEPOSITOR = { subaccount: mayGive(SUBACCOUNT), ...MIN_SEQ };
const PAGE = {
  ...{ ...LIMITED, ...MIN_SEQ },
  after: mayGive(TEXT_VALUE),
  epoch: mayGive(TEXT_VALUE),
  upper: mayGive(TEXT_VALUE),
};
const WALK = { ...PAGE, onEpochChange: mayGive(oneWord('throw', 'restart')) };
const FROM_VALUE: ArgumentReader = {
  ...oneWord('now', 'start'),
  expected: 'one of now, start, or an object with epoch and after',
  read: (given, place) => (typeof given === 'object' ? AFTER : oneWord('now', 'start')).read(given, place),
};
const AFTER = withFields({ epoch: mustGive(TEXT_VALUE), after: mustGive(TEXT_VALUE) });
const FROM = { from: mayGive(FROM_VALUE) };

const ORDER = {
  ...{ ...MARKET, side: mustGive(ORDER_SIDE), price: mustGive(DECIMAL), size: mustGive(DECIMAL) },
  timeInForce: mayGive(TIME_IN_FORCE),
  reduceOnly: mayGive(FLAG_VALUE),
  clientOrderId: mayGive(LABEL),
};
const EXPIRING_ORDER = { ...ORDER, expiresAt: mayGive(TIME_MS) };
const BUILDER = withFields({ accountId: mustGive(COUNT), feePpm: mustGive(NATURAL_NUMBER) });
const ORDER_REF = { ...MARKET, orderId: mustGive(ORDER_ID) };
const LEG = withFields({ triggerPrice: mustGive(DECIMAL), price: mustGive(DECIMAL) });

const ofAccount = withFields(MIN_SEQ, SELECTOR);
const listOfAccount = withFields({ ...MIN_SEQ, ...LIMITED }, SELECTOR);
const ofMarket = withFields(MARKET);
const limitedMarket = withFields({ ...MARKET, ...LIMITED });
const limitedVault = withFields({ ...VAULT, ...LIMITED });
const selected = withFields({}, SELECTOR);

/** What each call takes, by group. */
export const CALLS = {
  environment: { time: nothing(), info: nothing() },
  markets: {
    list: nothing(),
    get: call(ofMarket),
    prices: nothing(),
    book: call(withFields({ ...MARKET, depth: mayGive(DEPTH) })),
    trades: call(limitedMarket),
    candles: call(
      withFields({
        ...{ ...MARKET, ...LIMITED, interval: mustGive(INTERVAL) },
        startTime: mayGive(TIME_MS),
        endTime: mayGive(TIME_MS),
      }),
    ),
    funding: call(limitedMarket),
    fees: nothing(),
  },
  dexes: {
    list: nothing(),
    get: call(withFields({ id: mustGive(TEXT_VALUE) })),
    builder: call(withFields({ address: mustGive(WALLET_ADDRESS) })),
  },
  account: {
    summary: mayCall(ofAccount),
    positions: mayCall(ofAccount),
    orders: mayCall(ofAccount),
    orderHistory: mayCall(listOfAccount),
    orderByClientId: call(withFields({ clientOrderId: mustGive(TEXT_VALUE), ...MIN_SEQ }, SELECTOR)),
    order: call(withFields({ orderId: mustGive(ORDER_ID), ...MIN_SEQ })),
    fills: walk(withFields(WALK, SELECTOR)),
    fillsPage: mayCall(withFields(PAGE, SELECTOR)),
    ledger: walk(withFields(WALK, SELECTOR)),
    ledgerPage: mayCall(withFields(PAGE, SELECTOR)),
    fundingPayments: mayCall(listOfAccount),
    withdrawals: mayCall(ofAccount),
    subaccounts: mayCall(withFields({ address: mayGive(WALLET_ADDRESS), ...MIN_SEQ })),
    nonce: mayCall(withFields({ signer: mayGive(WALLET_ADDRESS), ...MIN_SEQ }, SELECTOR)),
    portfolio: mayCall(listOfAccount),
    vaults: mayCall(ofAccount),
    setLeverage: call(withFields({ ...MARKET, leverage: mustGive(LEVERAGE), ...MIN_SEQ }, WRITER)),
    createSubaccount: mayCall(withFields(MIN_SEQ)),
  },
  orders: {
    place: call(
      withFields(MIN_SEQ, WRITER, [
        { ...EXPIRING_ORDER, builder: mayGive(BUILDER) },
        { orders: mustGive(itemsOf(withFields(ORDER))) },
      ]),
    ),
    cancel: call(
      withFields(MIN_SEQ, WRITER, [ORDER_REF, { orders: mustGive(itemsOf(withFields(ORDER_REF))) }]),
    ),
    cancelAll: mayCall(withFields(MIN_SEQ, WRITER)),
    replace: call(
      withFields(
        {
          cancels: mustGive(itemsOf(withFields(ORDER_REF), 0)),
          orders: mustGive(itemsOf(withFields(ORDER), 0)),
          ...MIN_SEQ,
        },
        WRITER,
      ),
    ),
    scheduleCancel: call(withFields({ triggerAt: mustGive(TIME_MS), ...MIN_SEQ }, WRITER)),
    trigger: call(
      withFields(
        {
          ...{ ...EXPIRING_ORDER, ...MIN_SEQ },
          triggerPrice: mustGive(DECIMAL),
          triggerAbove: mustGive(FLAG_VALUE),
        },
        WRITER,
      ),
    ),
    twap: call(
      withFields(
        {
          ...{ ...MARKET, side: mustGive(ORDER_SIDE), size: mustGive(DECIMAL), ...MIN_SEQ },
          slices: mustGive(COUNT),
          intervalMs: mustGive(COUNT),
          priceTolerancePpm: mustGive(NATURAL_NUMBER),
          reduceOnly: mayGive(FLAG_VALUE),
        },
        WRITER,
      ),
    ),
    tpsl: call(
      withFields(
        {
          ...{ ...MARKET, closeSide: mustGive(ORDER_SIDE), size: mayGive(DECIMAL), ...MIN_SEQ },
          takeProfit: mayGive(LEG),
          stopLoss: mayGive(LEG),
          parentOrderId: mayGive(ORDER_ID),
        },
        WRITER,
      ),
    ),
  },
  requests: {
    receipt: call(
      withFields({ requestId: mustGive(HASH), ...MIN_SEQ }, [
        {},
        { scope: mustGive(TEXT_VALUE), nonce: mustGive(LOG_POSITION), commandHash: mayGive(HASH) },
      ]),
    ),
  },
  events: {
    list: walk(withFields({ ...WALK, symbol: mayGive(SYMBOL) })),
    page: mayCall(withFields({ ...PAGE, symbol: mayGive(SYMBOL) })),
  },
  apiWallets: {
    list: mayCall(ofAccount),
    accounts: call(withFields({ address: mustGive(WALLET_ADDRESS), ...MIN_SEQ })),
    approve: call(
      withFields({ address: mustGive(WALLET_ADDRESS), validUntil: mustGive(TIME_MS), ...MIN_SEQ }, WRITER),
    ),
    revoke: call(withFields({ address: mustGive(WALLET_ADDRESS), ...MIN_SEQ }, WRITER)),
  },
  vaults: {
    list: nothing(),
    get: call(withFields(VAULT)),
    nav: call(limitedVault),
    depositors: call(limitedVault),
    create: call(withFields({ name: mustGive(TEXT_VALUE), ...DEPOSITOR })),
    deposit: call(withFields({ ...VAULT, amount: mustGive(DECIMAL), ...DEPOSITOR })),
    redeem: call(withFields({ ...VAULT, shares: mustGive(DECIMAL), ...DEPOSITOR })),
    claim: call(withFields({ ...VAULT, ...DEPOSITOR })),
    configure: call(
      withFields({
        ...{ ...VAULT, ...DEPOSITOR },
        depositCap: mustGive(orNull(DECIMAL)),
        leverageMax: mustGive(orNull(COUNT)),
      }),
    ),
  },
  streams: {
    prices: call(LISTENER),
    book: listen(withFields({ ...MARKET, depth: mayGive(DEPTH) })),
    bbo: listen(ofMarket),
    trades: listen(ofMarket),
    candles: listen(withFields({ ...MARKET, interval: mustGive(INTERVAL) })),
    funding: listen(ofMarket),
    orders: listen(selected),
    fills: listen(withFields(FROM, SELECTOR)),
    positions: listen(selected),
    account: listen(selected),
    ledger: listen(withFields(FROM, SELECTOR)),
    events: listen(withFields({ symbol: mayGive(SYMBOL), address: mayGive(WALLET_ADDRESS), ...FROM })),
  },
};

/** What `client.get` takes. */
export const GET: Call = { args: [mustGive(TEXT_VALUE), mayGive(TEXTS)], isWalk: false };

/** Beside a vault the address is its manager's: an API wallet writes for it. */
const OWN_ACCOUNT = withFields({ address: mayGive(WALLET_ADDRESS) }, WRITER);
/** The account of a client: an address as text, or a selector. */
const ACCOUNT: ArgumentReader = {
  ...OWN_ACCOUNT,
  expected: 'an address, or an object with address and subaccount, or with vault',
  read: (given, place) =>
    typeof given === 'string'
      ? { address: WALLET_ADDRESS.read(given, place) }
      : OWN_ACCOUNT.read(given, place),
};

/** What `createClient` takes. */
export const OPTIONS = withFields({
  baseUrl: mustGive(TEXT_VALUE),
  wallet: mayGive(SECRET_KEY),
  account: mayGive(ACCOUNT),
  resolveWithinMs: mayGive(COUNT),
  ack: mayGive(oneWord('result', 'sequenced')),
  journal: mayGive(
    withFields({
      folder: mustGive(TEXT_VALUE),
      instance: mayGive(TEXT_VALUE),
      lockFolder: mayGive(TEXT_VALUE),
    }),
  ),
  structs: mayGive(TEXTS),
  headerPrefix: mayGive(TEXT_VALUE),
  transport: mayGive(objectWith('request')),
  clock: mayGive(objectWith('nowMs', 'monotonicMs', 'after')),
  random: mayGive(objectWith('fork')),
  log: mayGive(objectWith('info', 'error')),
  meter: mayGive(objectWith('count')),
  crypto: mayGive(objectWith('sign')),
});

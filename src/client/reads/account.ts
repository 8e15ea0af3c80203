/**
 * @module
 * Reads of one account, public like all others. Without a selector they are about the client's own account, and they
 * include what the client itself has written. Amounts are in USDC, times in Unix milliseconds.
 */

import {
  ACCOUNT,
  ACCOUNT_VAULTS,
  EVENTS_PAGE,
  FILLS_PAGE,
  FUNDING_PAYMENTS,
  LEDGER_PAGE,
  NONCE,
  ORDER,
  ORDERS,
  OUTCOME,
  type PeopleSchema,
  PORTFOLIO,
  POSITIONS,
  SUBACCOUNTS,
  WITHDRAWALS,
} from '../../wire/protocol/index.ts';
import { type PageParams, type PagingParams, walkPages } from '../history.ts';
import { type AccountSelector, accountMissing } from '../selection.ts';
import type { Session } from '../session.ts';
import type {
  AccountFill,
  AccountLedgerEntry,
  AccountSummary,
  ExchangeLogEvent,
  FundingPayment,
  HistoryPage,
  NonceRecord,
  Order,
  PortfolioPoint,
  Position,
  Receipt,
  Subaccount,
  VaultHolding,
  Withdrawal,
} from '../shapes.ts';
import type { LimitParam } from './market.ts';

/** Which account, and how fresh the answer must be. */
export interface AccountQuery extends AccountSelector {
  /** The least log position the answer must include; default: that of the client's own newest write. */
  readonly minSeq?: bigint | undefined;
}

/** Reads of an account. */
export interface AccountReads {
  /**
   * Cash, equity (positions at the index price), margins and what could be withdrawn (both at the mark price), in USDC;
   * fee rates in parts per million.
   * @throws ApiError `NotFound` for an account that does not exist yet.
   * @example
   * const { equity, withdrawable } = await client.account.summary();
   * assert(withdrawable.lessThanOrEqualTo(equity));
   */
  summary(params?: AccountQuery): Promise<AccountSummary>;
  /**
   * The open positions; `size` above 0 is long. `unrealizedPnl` uses the index price; margins use the mark price.
   * @throws ApiError `NotFound`
   * @example
   * for (const { symbol, size } of await client.account.positions()) assert(!size.isZero(), symbol);
   */
  positions(params?: AccountQuery): Promise<readonly Position[]>;
  /**
   * The open orders.
   * @throws ApiError `NotFound`
   * @example
   * const open = await client.account.orders();
   * assert(open.every(({ status }) => status === 'open'));
   */
  orders(params?: AccountQuery): Promise<readonly Order[]>;
  /**
   * Orders that ended, newest first.
   * @throws ApiError `NotFound`
   * @example
   * const ended = await client.account.orderHistory({ limit: 20 });
   */
  orderHistory(params?: AccountQuery & LimitParam): Promise<readonly Order[]>;
  /**
   * The newest order with a client order id: a label, never a proof.
   * @throws ApiError `NotFound`
   * @example
   * await client.orders.place({ symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.001', clientOrderId: 'mine' });
   * const order = await client.account.orderByClientId({ clientOrderId: 'mine' });
   * assert(order.status === 'open');
   */
  orderByClientId(params: AccountQuery & { readonly clientOrderId: string }): Promise<Order>;
  /**
   * One open order by its number. A 404 says only that it is not open.
   * @throws ApiError `NotFound`
   * @example
   * const { items } = await client.orders.place({ symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.001' });
   * const order = await client.account.order({ orderId: items[0].orderId });
   * assert(order.remaining.equals('0.001'));
   */
  order(params: { readonly orderId: string; readonly minSeq?: bigint | undefined }): Promise<Order>;
  /**
   * All fills up to now, oldest first, as an async iterator over the pages.
   * @throws ApiError `history_epoch_mismatch` when the ledger was restarted: cursors are void.
   * @example
   * for await (const fill of client.account.fills({ limit: 100 })) {
   *   assert(fill.size.greaterThan(0), fill.id);
   * }
   */
  fills(params?: AccountSelector & PagingParams): AsyncGenerator<AccountFill, void, undefined>;
  /**
   * One page of fills. The first has neither `after` nor bounds; later ones send `next` as `after` with both bounds.
   * @throws ApiError `InvalidPagination`, `HistoryNotComplete`, `history_epoch_mismatch`, `history_unavailable`
   * @example
   * const first = await client.account.fillsPage({ limit: 1 });
   * if (first.hasMore) await client.account.fillsPage({ after: first.next, epoch: first.epoch, upper: first.upper });
   */
  fillsPage(params?: AccountSelector & PageParams): Promise<HistoryPage<AccountFill>>;
  /**
   * All ledger entries up to now, oldest first. The sum of the amounts of a token is its balance.
   * @throws ApiError `history_epoch_mismatch`
   * @example
   * let balance = new Decimal(0);
   * for await (const { token, amount } of client.account.ledger())
   *   if (token === 0) balance = balance.plus(amount);
   * assert(balance.equals((await client.account.summary()).collateral));
   */
  ledger(params?: AccountSelector & PagingParams): AsyncGenerator<AccountLedgerEntry, void, undefined>;
  /**
   * One page of the ledger; see `fillsPage`.
   * @throws ApiError as `fillsPage`
   * @example
   * const { data, upper } = await client.account.ledgerPage({ limit: 10 });
   */
  ledgerPage(params?: AccountSelector & PageParams): Promise<HistoryPage<AccountLedgerEntry>>;
  /**
   * Funding payments, newest first; above 0 it was received.
   * @throws ApiError `NotFound`
   * @example
   * const payments = await client.account.fundingPayments({ limit: 24 });
   */
  fundingPayments(params?: AccountQuery & LimitParam): Promise<readonly FundingPayment[]>;
  /**
   * Withdrawals that are under way.
   * @throws ApiError `NotFound`
   * @example
   * const withdrawals = await client.account.withdrawals();
   */
  withdrawals(params?: AccountQuery): Promise<readonly Withdrawal[]>;
  /**
   * The subaccounts of a main wallet, the main account (0) among them.
   * @throws ApiError `NotFound`
   * @example
   * const [main] = await client.account.subaccounts();
   * assert(main.subaccount === 0);
   */
  subaccounts(params?: {
    readonly address?: string | undefined;
    readonly minSeq?: bigint | undefined;
  }): Promise<readonly Subaccount[]>;
  /**
   * The next nonce of the account's own scope, or of an API wallet's with `signer`. For a look: writes keep their own.
   * @throws ApiError `NotFound`
   * @example
   * const { nonce, scope } = await client.account.nonce();
   */
  nonce(params?: AccountQuery & { readonly signer?: string | undefined }): Promise<NonceRecord>;
  /**
   * Value and profit of the account over time, in USDC.
   * @throws ApiError `NotFound`
   * @example
   * const points = await client.account.portfolio({ limit: 100 });
   * assert(points.at(-1).accountValue.greaterThan(0));
   */
  portfolio(params?: AccountQuery & LimitParam): Promise<readonly PortfolioPoint[]>;
  /**
   * What the account holds of vaults: shares, and their value in USDC.
   * @throws ApiError `NotFound`
   * @example
   * const held = await client.account.vaults();
   * assert(held.every(({ shares }) => shares.greaterThan(0)));
   */
  vaults(params?: AccountQuery): Promise<readonly VaultHolding[]>;
}

/** Reads of requests: the receipts of writes. */
export interface RequestReads {
  /**
   * The receipt of a write. `pending` is waited on; `rejected` is final only when `nonceConsumed` is true.
   * @throws ApiError `not_found` (not final), `conflict` (it will never execute), `history_unavailable`
   * @example
   * const { requestId } = await client.orders.cancelAll();
   * const receipt = await client.requests.receipt({ requestId });
   * assert(receipt.status === 'executed');
   */
  receipt(params: {
    readonly requestId: string;
    /** Scope and nonce go together: then a conflict is found. */
    readonly scope?: string | undefined;
    readonly nonce?: bigint | undefined;
    /** Of an API wallet's write. */
    readonly commandHash?: string | undefined;
    readonly minSeq?: bigint | undefined;
  }): Promise<Receipt>;
}

/** Which events. */
export interface EventFilter {
  /** Symbol of a market; `undefined`: events of all markets, and of none. */
  readonly symbol?: string | undefined;
}

/** Reads of the exchange's log: each event of it, raw. */
export interface EventReads {
  /**
   * All raw execution events up to now, oldest kept first; with `symbol` those of one market.
   * @throws ApiError `history_epoch_mismatch`
   * @example
   * for await (const { id, kind } of client.events.list({ limit: 500 })) {
   *   assert(kind !== '', id);
   * }
   */
  list(params?: PagingParams & EventFilter): AsyncGenerator<ExchangeLogEvent, void, undefined>;
  /**
   * One page of raw execution events, with `symbol` of one market; see `client.account.fillsPage`.
   * @throws ApiError as `client.account.fillsPage`
   * @example
   * const { data, hasMore } = await client.events.page({ limit: 10 });
   */
  page(params?: PageParams & EventFilter): Promise<HistoryPage<ExchangeLogEvent>>;
}

type AccountEndpoint = Parameters<Session['read']>[0]['endpoint'];

/** The reads of accounts over a session. */
export function accountReads(session: Session): AccountReads {
  const read = async <T>(
    endpoint: AccountEndpoint,
    shape: PeopleSchema<T>,
    params: AccountQuery & LimitParam = {},
  ) => {
    const { limit, minSeq } = params;
    const query = { ...(await session.select(params)), limit };
    return session.readOwn({ endpoint, query }, shape, minSeq);
  };
  const ofAddress = async <T>(
    endpoint: AccountEndpoint,
    shape: PeopleSchema<T>,
    { address, minSeq }: { readonly address?: string | undefined; readonly minSeq?: bigint | undefined } = {},
  ) => {
    const own = address ?? (await session.ownAccount()).address;
    if (own === undefined) throw accountMissing();
    const query = { address: own };
    return session.readOwn({ endpoint, query }, shape, minSeq);
  };
  const fillsPage = (params: AccountSelector & PageParams = {}) =>
    accountPage(session, { endpoint: 'fills', shape: FILLS_PAGE }, params);
  const ledgerPage = (params: AccountSelector & PageParams = {}) =>
    accountPage(session, { endpoint: 'ledger', shape: LEDGER_PAGE }, params);
  return {
    summary: (params) => read('account', ACCOUNT, params),
    positions: async (params) => (await read('positions', POSITIONS, params)).positions,
    orders: async (params) => (await read('openOrders', ORDERS, params)).orders,
    orderHistory: async (params) => (await read('orderHistory', ORDERS, params)).orders,
    orderByClientId: async ({ clientOrderId, minSeq, ...selector }) =>
      session.readOwn(
        {
          endpoint: 'orderByClientId',
          path: { clientOrderId },
          query: { ...(await session.select(selector)) },
        },
        ORDER,
        minSeq,
      ),
    order: ({ orderId, minSeq }) => session.readOwn({ endpoint: 'order', path: { orderId } }, ORDER, minSeq),
    fills: (params = {}) => walk(session, params, (page) => fillsPage({ ...pickAccount(params), ...page })),
    fillsPage,
    ledger: (params = {}) => walk(session, params, (page) => ledgerPage({ ...pickAccount(params), ...page })),
    ledgerPage,
    fundingPayments: async (params) => (await read('fundingPayments', FUNDING_PAYMENTS, params)).payments,
    withdrawals: async (params) => (await read('withdrawals', WITHDRAWALS, params)).withdrawals,
    subaccounts: async (params) => (await ofAddress('subaccounts', SUBACCOUNTS, params)).subaccounts,
    nonce: async ({ signer, minSeq, ...selector } = {}) => {
      const query = { ...(await session.select(selector)), signer };
      return session.readOwn({ endpoint: 'nonce', query }, NONCE, minSeq);
    },
    portfolio: async (params) => (await read('portfolio', PORTFOLIO, params)).points,
    vaults: async (params) => (await read('accountVaults', ACCOUNT_VAULTS, params)).vaults,
  };
}

/** The reads of requests over a session. */
export function requestReads(session: Session): RequestReads {
  return {
    receipt: ({ requestId, scope, nonce, commandHash, minSeq }) =>
      session.read(
        {
          endpoint: 'receipt',
          path: { requestId },
          query: { scope, nonce, commandHash },
          minSeq,
          isUrgent: true,
        },
        OUTCOME,
      ),
  };
}

/** The reads of the exchange's log over a session. */
export function eventReads(session: Session): EventReads {
  const page = ({ minSeq, limit, after, epoch, upper, symbol }: PageParams & EventFilter = {}) =>
    session.read({ endpoint: 'events', query: { limit, after, epoch, upper, symbol }, minSeq }, EVENTS_PAGE);
  return {
    list: (params = {}) => walk(session, params, (asked) => page({ ...asked, symbol: params.symbol })),
    page,
  };
}

async function accountPage<Entry>(
  session: Session,
  page: { readonly endpoint: 'fills' | 'ledger'; readonly shape: PeopleSchema<HistoryPage<Entry>> },
  { limit, after, epoch, upper, minSeq, ...selector }: AccountSelector & PageParams,
): Promise<HistoryPage<Entry>> {
  const query = { ...(await session.select(pickAccount(selector))), limit, after, epoch, upper };
  // A later page has its bound already: only a first one must be as new as our own writes.
  const call = { endpoint: page.endpoint, query } as const;
  if (upper === undefined) return session.readOwn(call, page.shape, minSeq);
  return session.read({ ...call, minSeq }, page.shape);
}

function walk<Entry>(
  session: Session,
  params: PagingParams,
  page: (params: PageParams) => Promise<HistoryPage<Entry>>,
): AsyncGenerator<Entry, void, undefined> {
  const { limit, after, epoch, upper, minSeq, onEpochChange } = params;
  return walkPages({
    clock: session.parts.clock,
    params: { limit, after, epoch, upper, minSeq, onEpochChange: onEpochChange ?? 'throw' },
    page,
  });
}

function pickAccount({ address, subaccount, vault }: AccountSelector): AccountSelector {
  return { address, subaccount, vault };
}

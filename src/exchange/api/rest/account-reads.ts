/**
 * @module
 * Reads of one account: summary, positions, orders, grants, nonce. Account data is public, nothing is signed.
 */
import { ADDRESS } from '../../../core/index.ts';
import type { Address } from '../../../domain/index.ts';
import {
  PAGE_LIMIT_DEFAULT,
  type WireAgentAccounts,
  type WireAgents,
  type WireNonce,
  type WireOrder,
  type WireOrders,
  type WirePositions,
  type WireSubaccounts,
  type WireWithdrawals,
} from '../../../wire/protocol/index.ts';
import type { VenueOrder } from '../../engine/index.ts';
import type { AccountHolder, ExchangeState } from '../../state/index.ts';
import { accountScope, agentScope, COLLATERAL, isExpired } from '../../state/index.ts';
import { accountJson, grantJson, orderJson, positionJson } from '../json/account-json.ts';
import { amountText } from '../json/market-json.ts';
import { type EndpointResult, ok, refuse } from './answer.ts';
import {
  addressOfPath,
  isRefusal,
  PAGE_LIMIT,
  queryOf,
  type ReadContext,
  type ReadHandler,
  type ReadTable,
  selectAccount,
} from './read.ts';

/** Handlers by endpoint. */
export const ACCOUNT_READS: ReadTable = {
  account: ofAccount(({ state }, { id }) => ok(accountJson(state.venue.account(id), state))),
  positions: ofAccount(readPositions),
  openOrders: ofAccount(({ state }, { id }) =>
    ok(
      ordersJson(state, [
        ...state.venue.openOrders(id),
        ...state.venue.waitingOrders(id),
      ]) satisfies WireOrders,
    ),
  ),
  orderHistory: ofAccount(readOrderHistory),
  orderByClientId: ofAccount(readOrderByClientId),
  order: readOrder,
  withdrawals: ofAccount(readWithdrawals),
  subaccounts: readSubaccounts,
  agents: ofAccount(readAgents),
  agentAccounts: readAgentAccounts,
  nonce: ofAccount(readNonce),
};

/** A handler that needs the account the query selects. */
function ofAccount(handler: (context: ReadContext, account: AccountHolder) => EndpointResult): ReadHandler {
  return (context) => {
    const account = selectAccount(context);
    return isRefusal(account) ? refuse(account) : handler(context, account);
  };
}

function readPositions({ state }: ReadContext, { id }: AccountHolder): EndpointResult {
  const positions = state.venue.positions(id).map((position) => {
    const { market, markTicks } = state.venue.marketView(position.market);
    return positionJson(market, position, markTicks);
  });
  return ok({ positions, seq: state.seq, epoch: state.epoch } satisfies WirePositions);
}

function readWithdrawals({ state }: ReadContext, { id }: AccountHolder): EndpointResult {
  const withdrawals = state.withdrawals
    .listed(id, state.blockAtMs)
    .map(({ id: place, amount, atMs, status }) => ({
      id: place,
      token: COLLATERAL.token,
      amount: amountText(amount),
      status,
      ts: atMs,
    }));
  return ok({ withdrawals } satisfies WireWithdrawals);
}

function readOrderHistory({ state, query }: ReadContext, { id }: AccountHolder): EndpointResult {
  const limit = queryOf(query, 'limit', PAGE_LIMIT, PAGE_LIMIT_DEFAULT);
  if (isRefusal(limit)) return refuse(limit);
  const ended = state.history.account(id)?.orders.newest(limit) ?? [];
  return ok(
    ordersJson(
      state,
      ended.map(({ order }) => order),
    ),
  );
}

function readOrderByClientId({ state, params }: ReadContext, { id }: AccountHolder): EndpointResult {
  const history = state.history.account(id);
  const found = history?.byLabel(params['clientOrderId'] ?? '');
  const order =
    found === undefined
      ? undefined
      : (openOrder(state, found.market, found.orderSeq) ?? history?.ended(found.orderSeq));
  if (order === undefined) return refuse({ code: 'NotFound', message: 'no order with this client order id' });
  return ok(orderWithLabel(state, order));
}

/** Open orders only: 404 is no proof that there never was one (obligation O21). */
function readOrder({ state, params }: ReadContext): EndpointResult {
  const text = params['orderId'] ?? '';
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(text))
    return refuse({ code: 'InvalidRequest', message: 'expected orderId as a decimal integer' });
  for (const { market } of state.venue.markets()) {
    const order = openOrder(state, market.signingMarketId, BigInt(text));
    if (order !== undefined) return ok(orderWithLabel(state, order));
  }
  return refuse({ code: 'NotFound', message: 'no open order of this number' });
}

/** An order that rests, or waits outside the book. */
function openOrder({ venue }: ExchangeState, market: number, orderSeq: bigint): VenueOrder | undefined {
  return venue.openOrder(market, orderSeq) ?? venue.waitingOrder(market, orderSeq);
}

function readSubaccounts({ state, query }: ReadContext): EndpointResult {
  const address = queryOf(query, 'address', ADDRESS);
  if (isRefusal(address)) return refuse(address);
  const accounts = state.registry.accountsOf(address as Address);
  if (accounts.length === 0) return refuse({ code: 'NotFound', message: 'no such account: deposit first' });
  return ok({
    subaccounts: accounts.map(({ subaccount, id }) => ({ subaccount, accountId: id })),
  } satisfies WireSubaccounts);
}

/** API wallets write for a vault by their grant on the account that its manager claimed it with. */
function readAgents({ state }: ReadContext, { id }: AccountHolder): EndpointResult {
  const vault = state.vaults.byId(id);
  const granting = vault === undefined ? id : vault.manager?.id;
  const agents = (granting === undefined ? [] : state.grants.ofAccount(granting)).map((grant) =>
    grantJson(grant, { nowMs: state.blockAtMs, nextNonce: state.nonces.next(agentScope(grant.agent)) }),
  );
  return ok({ accountId: id, agents } satisfies WireAgents);
}

function readAgentAccounts(context: ReadContext): EndpointResult {
  const { state } = context;
  const agent = addressOfPath(context);
  if (isRefusal(agent)) return refuse(agent);
  const grants = state.grants.ofAgent(agent).flatMap((grant) => {
    const account = state.registry.byId(grant.account);
    return account === undefined
      ? []
      : {
          account: account.owner,
          subaccount: account.subaccount,
          accountId: account.id,
          validUntilMs: String(grant.validUntilMs),
          expired: isExpired(grant, state.blockAtMs),
        };
  });
  if (grants.length === 0) return refuse({ code: 'NotFound', message: 'no grant of this API wallet' });
  return ok({
    agent,
    nextNonce: Number(state.nonces.next(agentScope(agent))),
    grants,
  } satisfies WireAgentAccounts);
}

function readNonce({ state, query }: ReadContext, { id }: AccountHolder): EndpointResult {
  const signer = query.has('signer') ? queryOf(query, 'signer', ADDRESS) : undefined;
  if (isRefusal(signer)) return refuse(signer);
  const scope = signer === undefined ? accountScope(id) : agentScope(signer as Address);
  return ok({
    nonce: Number(state.nonces.next(scope)),
    signingAccountId: id,
    scope,
  } satisfies WireNonce);
}

function ordersJson(state: ExchangeState, orders: readonly VenueOrder[]): WireOrders {
  return {
    orders: orders.map((order) => orderWithLabel(state, order)),
    seq: state.seq,
    epoch: state.epoch,
  };
}

function orderWithLabel(state: ExchangeState, order: VenueOrder): WireOrder {
  const label = state.history.account(order.account)?.labelOf(order.orderSeq);
  return orderJson(state.venue.market(order.market), order, label);
}

/**
 * @module
 * The reads of a bot, exact to the tick: environment, account, history. Reads of an account name the main wallet's address,
 * never the API wallet's (obligation O15). `minSeq` makes a read include our own writes (O18). An account that does not
 * exist yet is `undefined`, which is not "flat" (O17). All throw what `Reader.read` throws.
 */
import {
  type AccountSelection,
  type AccountSummary,
  type Address,
  type Candle,
  type CandleInterval,
  type Fill,
  grantingAccount,
  type LedgerEntry,
  type MarketSymbol,
  type Position,
  type RequestId,
} from '../../../domain/index.ts';
import {
  type AgentGrant,
  type AtSeq,
  type DecodeContext,
  decodeAccount,
  decodeAgentAccounts,
  decodeAgents,
  decodeCandles,
  decodeExchange,
  decodeFillsPage,
  decodeLedgerPage,
  decodeMarkets,
  decodeNonce,
  decodeOrders,
  decodePositions,
  decodeReceipt,
  decodeVault,
  type ExchangeEnvironment,
  type Grant,
  type MarketTable,
  type OrderState,
  type Page,
  type ReceiptOrders,
  type ScopeNonce,
  type VaultManagement,
} from '../../protocol/index.ts';
import type { PageCall } from './history-reader.ts';
import type { Reader } from './read.ts';
import { accountQuery } from './write-pipe.ts';

/** Signing domain, chain id, tokens, version: read per environment, never hard-coded (obligation O3). */
export function readExchange(reader: Reader, onAttempt?: () => void): Promise<ExchangeEnvironment> {
  return reader.read({ endpoint: 'exchange', ...(onAttempt && { onAttempt }) }, decodeExchange);
}

/** All markets; those that cannot be traded exactly are listed apart with the reason. */
export function readMarkets(
  reader: Reader,
  collateralDecimals: number,
  onAttempt?: () => void,
): Promise<MarketTable> {
  return reader.read({ endpoint: 'markets', ...(onAttempt && { onAttempt }) }, (text) =>
    decodeMarkets(text, collateralDecimals),
  );
}

/** The newest `limit` candles of one interval, oldest first. */
export function readCandles(
  reader: Reader,
  {
    symbol,
    context,
    interval,
    limit,
  }: {
    readonly symbol: MarketSymbol;
    readonly context: DecodeContext;
    readonly interval: CandleInterval;
    readonly limit?: number;
  },
): Promise<readonly Candle[]> {
  return reader.read({ endpoint: 'candles', path: { symbol }, query: { interval, limit } }, (text) =>
    decodeCandles(text, context),
  );
}

/** What account reads have in common. */
export interface AccountReadOptions {
  readonly selection: AccountSelection;
  readonly context: DecodeContext;
  /** The position that the answer must include. */
  readonly minSeq?: bigint | undefined;
}

/** The summary: collateral, equity, margins in quantums, fee rates. */
export function readAccount(
  reader: Reader,
  { selection, context, minSeq }: AccountReadOptions,
): Promise<AtSeq<AccountSummary> | undefined> {
  return reader.readIfThere({ endpoint: 'account', query: accountQuery(selection), minSeq }, (text, seq) =>
    decodeAccount(text, context, seq),
  );
}

/** The positions that are not flat. */
export function readPositions(
  reader: Reader,
  { selection, context, minSeq }: AccountReadOptions,
): Promise<AtSeq<readonly Position[]> | undefined> {
  return reader.readIfThere({ endpoint: 'positions', query: accountQuery(selection), minSeq }, (text, seq) =>
    decodePositions(text, context, seq),
  );
}

/** The open orders. */
export function readOpenOrders(
  reader: Reader,
  { selection, context, minSeq }: AccountReadOptions,
): Promise<AtSeq<readonly OrderState[]> | undefined> {
  return reader.readIfThere({ endpoint: 'openOrders', query: accountQuery(selection), minSeq }, (text, seq) =>
    decodeOrders(text, context, seq),
  );
}

/**
 * The next nonce of the account's own scope, or of an API wallet's: then both addresses are sent, and the scope that comes
 * back must be checked against the signer (obligation O31).
 */
export function readNonce(
  reader: Reader,
  selection: AccountSelection,
  signer?: Address,
): Promise<ScopeNonce | undefined> {
  return reader.readIfThere(
    { endpoint: 'nonce', query: { ...accountQuery(selection), signer } },
    decodeNonce,
  );
}

/** Who manages a vault; `undefined`: there is no such vault. */
export function readVault(reader: Reader, id: string): Promise<VaultManagement | undefined> {
  return reader.readIfThere({ endpoint: 'vault', path: { id } }, decodeVault);
}

/** The API wallets that the account has approved; for a vault those of the account that claimed it (obligation O53). `minSeq`: the position of an approval that must be among them (obligation O18). */
export async function readAgents(
  reader: Reader,
  selection: AccountSelection,
  minSeq?: bigint,
): Promise<readonly Grant[]> {
  const query = accountQuery(grantingAccount(selection));
  const call = { endpoint: 'agents', query, minSeq } as const;
  return (await reader.readIfThere(call, decodeAgents)) ?? [];
}

/** The accounts that an API wallet may act for; none when it has no grant at all. `minSeq` as for {@link readAgents}. */
export async function readAgentAccounts(
  reader: Reader,
  address: Address,
  minSeq?: bigint,
): Promise<readonly AgentGrant[]> {
  const call = { endpoint: 'agentAccounts', path: { address }, minSeq } as const;
  return (await reader.readIfThere(call, decodeAgentAccounts)) ?? [];
}

/** What a page of an account's history is asked by. One page a call: bounds and cursors are the caller's (O105, O106). */
export interface HistoryReadOptions {
  readonly selection: AccountSelection;
  readonly context: DecodeContext;
  /** Bounds of the page; absent: the first page. */
  readonly page?: PageCall;
}

/** A page of fills. */
export function readFillsPage(
  reader: Reader,
  { selection, context, page = {} }: HistoryReadOptions,
): Promise<Page<Fill>> {
  const { minSeq, ...query } = page;
  return reader.read({ endpoint: 'fills', query: { ...accountQuery(selection), ...query }, minSeq }, (text) =>
    decodeFillsPage(text, context),
  );
}

/** A page of the ledger: the sum of all amounts is the cash. */
export function readLedgerPage(
  reader: Reader,
  { selection, context, page = {} }: HistoryReadOptions,
): Promise<Page<LedgerEntry>> {
  const { minSeq, ...query } = page;
  return reader.read(
    { endpoint: 'ledger', query: { ...accountQuery(selection), ...query }, minSeq },
    (text) => decodeLedgerPage(text, context),
  );
}

/**
 * The receipt of a write at or after `minSeq`; `undefined` when it is not found up to there, which proves nothing of later
 * (obligation O63).
 */
export function readReceipt(
  reader: Reader,
  requestId: RequestId,
  minSeq: bigint | undefined,
): Promise<ReceiptOrders | undefined> {
  const call = { endpoint: 'receipt', path: { requestId }, minSeq, isUrgent: true } as const;
  return reader.readIfThere(call, decodeReceipt);
}

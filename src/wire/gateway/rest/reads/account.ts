/**
 * @module
 * Reads of one account: summary, positions, orders, nonces, grants, subaccounts. They name the main wallet's address, never
 * the API wallet's (obligation O15). `minSeq` makes a read include our own writes (O18). An account that does not exist yet
 * is `undefined`, which is not "flat" (O17). All throw what `Reader.read` throws.
 */
import type { AccountSelection, AccountSummary, Address, Position } from '../../../../domain/index.ts';
import {
  type AgentGrant,
  type AtSeq,
  type DecodeContext,
  decodeAccount,
  decodeAgentAccounts,
  decodeAgents,
  decodeNonce,
  decodeOrders,
  decodePositions,
  type Grant,
  type NonceRecord,
  type OrderState,
  type WireSubaccounts,
} from '../../../protocol/index.ts';
import type { Reader } from '../read.ts';
import { selectorOf } from '../write-pipe.ts';
import { decodeList } from './decode-list.ts';

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
  return reader.readIfThere({ endpoint: 'account', query: selectorOf(selection), minSeq }, (text) =>
    decodeAccount(text, context),
  );
}

/** The positions that are not flat. */
export function readPositions(
  reader: Reader,
  { selection, context, minSeq }: AccountReadOptions,
): Promise<AtSeq<readonly Position[]> | undefined> {
  return reader.readIfThere({ endpoint: 'positions', query: selectorOf(selection), minSeq }, (text) =>
    decodePositions(text, context),
  );
}

/** The open orders. */
export function readOpenOrders(
  reader: Reader,
  { selection, context, minSeq }: AccountReadOptions,
): Promise<AtSeq<readonly OrderState[]> | undefined> {
  return reader.readIfThere({ endpoint: 'openOrders', query: selectorOf(selection), minSeq }, (text) =>
    decodeOrders(text, context),
  );
}

/** Orders that ended, newest first; at most `limit`. */
export function readOrderHistory(
  reader: Reader,
  { selection, context, minSeq, limit }: AccountReadOptions & { readonly limit?: number },
): Promise<AtSeq<readonly OrderState[]> | undefined> {
  const query = { ...selectorOf(selection), limit };
  return reader.readIfThere({ endpoint: 'orderHistory', query, minSeq }, (text) =>
    decodeOrders(text, context),
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
): Promise<NonceRecord | undefined> {
  return reader.readIfThere({ endpoint: 'nonce', query: { ...selectorOf(selection), signer } }, decodeNonce);
}

/** The API wallets that the account has approved. `minSeq`: the position of an approval that must be among them (obligation O18). */
export function readAgents(
  reader: Reader,
  selection: AccountSelection,
  minSeq?: bigint,
): Promise<readonly Grant[]> {
  return reader
    .readIfThere({ endpoint: 'agents', query: selectorOf(selection), minSeq }, decodeAgents)
    .then(orEmpty);
}

/** The accounts that an API wallet may act for; none when it has no grant at all. `minSeq` as for {@link readAgents}. */
export function readAgentAccounts(
  reader: Reader,
  address: Address,
  minSeq?: bigint,
): Promise<readonly AgentGrant[]> {
  return reader
    .readIfThere({ endpoint: 'agentAccounts', path: { address }, minSeq }, decodeAgentAccounts)
    .then(orEmpty);
}

/** The subaccounts of a main wallet. */
export function readSubaccounts(
  reader: Reader,
  address: Address,
): Promise<WireSubaccounts['subaccounts'] | undefined> {
  return reader.readIfThere({ endpoint: 'subaccounts', query: { address } }, (text) =>
    decodeList(text, 'subaccounts', (list) => list as WireSubaccounts['subaccounts']),
  );
}

function orEmpty<T>(list: readonly T[] | undefined): readonly T[] {
  return list ?? [];
}

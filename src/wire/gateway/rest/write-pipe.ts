/**
 * @module
 * The pipe of signed writes for one account: writes, receipts, nonces and the proof that no order is open, each asked once and
 * handed over as it came. What an answer means is decided by `execution`. Satisfies its port `WritePipe`.
 */
import type { Hex } from '../../../core/index.ts';
import type { AccountSelection, Address, Nonce, RequestId } from '../../../domain/index.ts';
import type { NoAnswer } from '../transport.ts';
import type { Answer, RestClient, WriteCall } from './client.ts';

/** What a receipt is asked by; `scope` and `nonce` go together (obligation O62). */
export interface ReceiptCall {
  readonly requestId: RequestId;
  /** The nonce scope: the exchange's counter of one API wallet. */
  readonly scope: string;
  readonly nonce: Nonce;
  readonly commandHash: Hex;
}

/** Writes of one account and what belongs to them. Promises never reject. */
export interface AccountWritePipe {
  /** Sends a write once. */
  post(write: WriteCall): Promise<Answer | NoAnswer>;
  /** Asks for the receipt of a request. */
  receipt(query: ReceiptCall, minSeq?: bigint): Promise<Answer | NoAnswer>;
  /** Asks for the next nonce of a signer. */
  nonce(signer: Address, minSeq?: bigint): Promise<Answer | NoAnswer>;
  /** Asks for the open orders of the account. */
  openOrders(minSeq: bigint | undefined): Promise<Answer | NoAnswer>;
}

/**
 * The pipe of the account `selection`. Reads name the main wallet's address, never the API wallet's (obligation O15); the
 * nonce of an API wallet is asked with both (obligation O31).
 */
export function createWritePipe(client: RestClient, selection: AccountSelection): AccountWritePipe {
  const account = accountQuery(selection);
  return {
    post: (write) => client.post(write),
    receipt: ({ requestId, scope, nonce, commandHash }, seq) =>
      client.get({
        endpoint: 'receipt',
        path: { requestId },
        query: { scope, nonce, commandHash },
        minSeq: seq,
        isUrgent: true,
      }),
    nonce: (signer, seq) =>
      client.get({ endpoint: 'nonce', query: { ...account, signer }, minSeq: seq, isUrgent: true }),
    openOrders: (seq) => client.get({ endpoint: 'openOrders', query: account, minSeq: seq, isUrgent: true }),
  };
}

/** The query that selects an account (openapi.yaml); subaccount 0 is said too, a vault excludes both (obligation O16). */
export function accountQuery({
  address,
  subaccount,
  vault,
}: AccountSelection): { readonly address: string; readonly subaccount: number } | { readonly vault: string } {
  return vault === undefined ? { address, subaccount } : { vault };
}

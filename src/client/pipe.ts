/**
 * @module The pipe of one lane of a client: carries what the lane asks, and keeps every answer that is about the lane's
 * current write, so that its outcome can be shown as the gateway reported it. Interprets nothing. Satisfies `WritePipe`
 * of execution.
 */

import type { NoAnswer, OutgoingWrite, RawAnswer, ReceiptQuery, WritePipe } from '../bot/execution/index.ts';
import type { Address } from '../domain/index.ts';
import type { Gateway } from '../wire/gateway/index.ts';
import type { SelectorQuery } from './selection.ts';

/** An answer about a write, and what it was the answer to. */
export interface KeptAnswer {
  /** Source of the text: response of the write, or receipt. */
  readonly by: 'answer' | 'receipt';
  /** The response as received. */
  readonly answer: RawAnswer;
  /** Of a receipt: whose it is. */
  readonly requestId: string | undefined;
}

/** Answers that are kept of one write; a pending receipt may be asked for very often. */
const KEPT_MAX = 50;

/** How a pipe is made. */
export interface PipeOptions {
  /** Connection to the gateway. */
  readonly gateway: Gateway;
  /** The account of the lane. */
  readonly selector: SelectorQuery;
  /** The API wallet that signs; `undefined`: the main wallet. */
  readonly signer: Address | undefined;
  /** What `ack` a write asks for. */
  readonly ack: 'result' | 'sequenced';
}

/** Carries one lane's writes. */
export class LanePipe implements WritePipe {
  readonly #options: PipeOptions;
  /** The text of the current write; another one is a fence's. */
  #body: string | undefined;
  #kept: KeptAnswer[] = [];

  constructor(options: PipeOptions) {
    this.#options = options;
  }

  /** A new write begins: what is kept from now on is about it. */
  begin(): void {
    this.#body = undefined;
    this.#kept = [];
  }

  /** Answers about the write `requestId`, oldest first; receipts of a fence are left out. */
  about(requestId: string): readonly KeptAnswer[] {
    return this.#kept.filter((kept) => (kept.requestId ?? requestId) === requestId);
  }

  async post(write: OutgoingWrite): Promise<RawAnswer | NoAnswer> {
    const { gateway, ack } = this.#options;
    this.#body ??= write.body;
    const path = ack === 'sequenced' ? `${write.path}?ack=sequenced` : write.path;
    const result = await gateway.client.post({ ...write, path });
    if (result.kind === 'answer' && write.body === this.#body)
      this.#keep({ by: 'answer', answer: result, requestId: undefined });
    return result;
  }

  async receipt(query: ReceiptQuery, minSeq?: bigint): Promise<RawAnswer | NoAnswer> {
    const { gateway, signer } = this.#options;
    const { requestId, scope, nonce, commandHash } = query;
    // A command hash belongs only to an API wallet's write (exchange.md#receipts).
    const asked = signer === undefined ? { scope, nonce } : { scope, nonce, commandHash };
    const call = { endpoint: 'receipt', path: { requestId }, query: asked, minSeq, isUrgent: true } as const;
    const result = await gateway.client.get(call);
    if (result.kind === 'answer') this.#keep({ by: 'receipt', answer: result, requestId });
    return result;
  }

  nonce(_signer: Address, minSeq?: bigint): Promise<RawAnswer | NoAnswer> {
    const { gateway, selector, signer } = this.#options;
    return gateway.client.get({
      endpoint: 'nonce',
      query: { ...selector, signer },
      minSeq,
      isUrgent: true,
    });
  }

  openOrders(minSeq: bigint | undefined): Promise<RawAnswer | NoAnswer> {
    const { gateway, selector } = this.#options;
    return gateway.client.get({ endpoint: 'openOrders', query: { ...selector }, minSeq, isUrgent: true });
  }

  #keep(kept: KeptAnswer): void {
    this.#kept.push(kept);
    if (this.#kept.length > KEPT_MAX) this.#kept.shift();
  }
}

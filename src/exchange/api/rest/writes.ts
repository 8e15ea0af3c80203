/**
 * @module
 * Signed writes: check, charge, put into the log, answer. The stream has published the events before the answer is
 * made.
 *
 *   body ─▶ authenticate ─▶ wallet's budget ─▶ seen before? ─▶ log ─▶ wait for the result ─▶ 200, 202 or refusal
 */

import { must } from '../../../core/index.ts';
import { type HeaderNames, isPreNonceReason } from '../../../wire/protocol/index.ts';
import type {
  ExchangeSettings,
  ExchangeState,
  ForcedRejection,
  QuirkSwitches,
  Receipt,
  Sequencer,
  VerifiedRequest,
} from '../../state/index.ts';
import { grantRefusalOf } from '../../state/index.ts';
import { writeAnswerText } from '../json/write-answer.ts';
import { type EndpointResult, type ExchangeRequest, ok, refuse } from './answer.ts';
import type { Authenticator } from './auth.ts';
import type { BoundedWait } from './bounded-wait.ts';
import { isRefusal } from './read.ts';
import { vaultRefusalOf } from './vault-ownership.ts';
import type { WeightLimit } from './weight-limit.ts';

/** What a write needs. */
export interface WriteParts {
  /** The log of the exchange and its state. */
  readonly sequencer: Sequencer;
  /** Verifies signatures and decodes commands. */
  readonly authenticator: Authenticator;
  /** Request weight budget by wallet. */
  readonly accountWeightLimit: WeightLimit;
  /** Settings of the exchange. */
  readonly settings: ExchangeSettings;
  /** Names of the exchange's own headers. */
  readonly headers: HeaderNames;
  /** Waits for a log position, up to a deadline. */
  readonly boundedWait: BoundedWait;
  /** Chosen answers to the open points of the interface. */
  readonly quirks: QuirkSwitches;
}

/** Which acknowledgement the client waits for. */
type Ack = 'result' | 'sequenced';

/** What a gateway refuses a write with before it looks at it (ambiguity A6). */
const DOOR_CODES: ReadonlySet<string> = new Set(['ReplicaBehind', 'WrongNode', 'RateLimited']);

/** Carries out writes. */
export class Writes {
  readonly #parts: WriteParts;

  constructor(parts: WriteParts) {
    this.#parts = parts;
  }

  /** Answers one POST whose path is an operation of weight `weight`. */
  handle(
    request: ExchangeRequest,
    target: {
      readonly path: string;
      readonly query: URLSearchParams;
      readonly weight: number;
      /** What the gateway that answers knows of grants. */
      readonly grants: () => ExchangeState;
    },
  ): EndpointResult | Promise<EndpointResult> {
    const { authenticator, accountWeightLimit, headers } = this.#parts;
    const ack = target.query.get('ack') ?? 'result';
    if (ack !== 'result' && ack !== 'sequenced')
      return refuse({ code: 'InvalidRequest', message: 'expected ack as result or sequenced' });
    const write = authenticator.authenticate(target.path, request.body);
    if (isRefusal(write)) return refuse(write);
    const charge = accountWeightLimit.charge(write.wallet, target.weight);
    if (!charge.isWithin) {
      this.#spend(write.request, 'RateLimited');
      return refuse({
        code: 'RateLimited',
        message: 'the budget of this wallet is used up',
        details: { bucket: accountWeightLimit.bucket },
        headers: {
          [headers.accountRateLimit]: charge.header,
          [headers.retryAfter]: String(charge.resetSeconds),
        },
      });
    }
    const foreign = vaultRefusalOf(this.#parts.sequencer.state, write);
    const refusal =
      foreign === undefined ? this.#replicaRefusal(write.request, target.grants()) : refuse(foreign);
    if (refusal !== undefined) return { ...refusal, headers: { [headers.accountRateLimit]: charge.header } };
    return this.#execute(write.request, ack, charge.header);
  }

  /** Hears of a write that was refused with `code` before it was understood. */
  refusedAtDoor(request: ExchangeRequest, path: string, code: string): void {
    if (!DOOR_CODES.has(code)) return;
    const write = this.#parts.authenticator.authenticate(path, request.body);
    if (!isRefusal(write)) this.#spend(write.request, code);
  }

  /** Rejects a write for no reason in it; `undefined` when it is none, or was executed before. */
  force(request: ExchangeRequest, path: string, forced: ForcedRejection): EndpointResult | undefined {
    const { authenticator, sequencer } = this.#parts;
    const write = authenticator.authenticate(path, request.body);
    if (isRefusal(write)) return undefined;
    if (sequencer.state.receipts.find(write.request.requestId)?.nonceConsumed === true) return undefined;
    const { receipt } = sequencer.append({ kind: 'request', request: write.request, forced });
    return receipt === undefined ? undefined : this.#rejection(receipt, this.#headers(receipt), false);
  }

  /** Under `A6=consumed` a refused write costs its nonce, once. */
  #spend(request: VerifiedRequest, code: string): void {
    const { sequencer, quirks } = this.#parts;
    if (quirks.takes('A6', 'kept')) return;
    if (sequencer.state.receipts.find(request.requestId)?.nonceConsumed === true) return;
    sequencer.append({ kind: 'request', request, forced: { reason: code, isNonceConsumed: true } });
  }

  /** `budget`: what is left of the wallet's, as a header. */
  #execute(request: VerifiedRequest, ack: Ack, budget: string): EndpointResult | Promise<EndpointResult> {
    const { sequencer, boundedWait, settings } = this.#parts;
    const before = sequencer.state.receipts.find(request.requestId);
    const isDuplicate = before?.nonceConsumed === true;
    const receipt = isDuplicate ? before : this.#append(request);
    if (ack === 'sequenced') return this.#sequenced(receipt, budget);
    if (sequencer.durableSeq() >= receipt.seq) return this.#outcome(receipt, budget, isDuplicate);
    return boundedWait
      .until(() => sequencer.durableSeq() >= receipt.seq, settings.resultTimeoutMs)
      .then((isThere) =>
        isThere ? this.#outcome(receipt, budget, isDuplicate) : this.#sequenced(receipt, budget),
      );
  }

  #append(request: VerifiedRequest): Receipt {
    return must(
      this.#parts.sequencer.append({ kind: 'request', request }).receipt,
      'a receipt of the request',
    );
  }

  /** A gateway behind a lagging replica does not know a fresh grant yet (obligation O50). Nothing is sequenced. */
  #replicaRefusal(request: VerifiedRequest, replica: ExchangeState): EndpointResult | undefined {
    const { sequencer } = this.#parts;
    if (replica === sequencer.state || !request.isAgent) return undefined;
    const reason = grantRefusalOf(replica, request, sequencer.blockAtMs);
    return reason === 'UnknownAgent'
      ? refuse({ code: reason, message: 'no grant of this API wallet on this replica' })
      : undefined;
  }

  #sequenced(receipt: Receipt, budget: string): EndpointResult {
    const { requestId } = receipt.request;
    return {
      status: 202,
      body: { status: 'sequenced', requestId, seq: receipt.seq },
      headers: this.#headers(receipt, budget),
    };
  }

  #outcome(receipt: Receipt, budget: string, isDuplicate: boolean): EndpointResult {
    const { state } = this.#parts.sequencer;
    const headers = this.#headers(receipt, budget);
    if (receipt.status === 'rejected' && receipt.items.length === 0)
      return this.#rejection(receipt, headers, isDuplicate);
    return ok(writeAnswerText(receipt, state, isDuplicate), headers);
  }

  #rejection(
    receipt: Receipt,
    headers: Readonly<Record<string, string>>,
    isDuplicate: boolean,
  ): EndpointResult {
    const { state } = this.#parts.sequencer;
    const code = receipt.reason ?? 'InternalError';
    return refuse({
      code,
      // A refusal that cost the nonce is a business rejection, whatever its code means elsewhere.
      ...(receipt.nonceConsumed || code === 'OrderExpired' ? { status: 422 } : {}),
      message: isPreNonceReason(code)
        ? `refused before the nonce: ${code}`
        : `rejected by the exchange: ${code}`,
      details: {
        requestId: receipt.request.requestId,
        nonceConsumed: receipt.nonceConsumed,
        epoch: state.epoch,
        seq: receipt.seq,
        sub: receipt.sub,
        ...(isDuplicate ? { duplicate: true } : {}),
        ...(code === 'NonceMismatch' ? this.#nonceDetails(receipt) : {}),
      },
      headers,
    });
  }

  #nonceDetails({ scope, request }: Receipt): Readonly<Record<string, unknown>> {
    const { nonces } = this.#parts.sequencer.state;
    const winner = nonces.consumer(scope, request.nonce);
    return {
      nonceScope: scope,
      nextNonce: Number(nonces.next(scope)),
      ...(winner === undefined ? {} : { conflictingRequest: winner }),
    };
  }

  #headers({ seq }: Receipt, budget?: string): Readonly<Record<string, string>> {
    const { headers } = this.#parts;
    if (budget === undefined) return { [headers.seq]: String(seq) };
    return { [headers.accountRateLimit]: budget, [headers.seq]: String(seq) };
  }
}

/**
 * @module
 * GET /v1/requests/{requestId}: what is known of a write. Only `executed`, a rejection that cost the nonce, and
 * `conflict` are final; everything else leaves the question open (exchange.md#receipts).
 */
import { isHex } from '../../../core/index.ts';
import type { WireReceipt } from '../../../wire/protocol/index.ts';
import type { Receipt } from '../../state/index.ts';
import { itemsJson } from '../json/item-json.ts';
import { vaultEffectJson } from '../json/vault-json.ts';
import { type EndpointResult, ok, type Refusal, refuse } from './answer.ts';
import { historyUnavailable } from './history-reads.ts';
import { isRefusal, type ReadContext } from './read.ts';

/** The nonce a receipt is asked with. */
interface NonceQuery {
  readonly scope: string;
  readonly nonce: bigint;
  readonly hasCommandHash: boolean;
}

/** Answers a receipt query. */
export function readReceipt(context: ReadContext): EndpointResult {
  const requestId = (context.params['requestId'] ?? '').toLowerCase();
  if (!isHex(requestId, 32)) return refuse({ code: 'InvalidRequest', message: 'bad request id' });
  const asked = readNonceQuery(context.query);
  if (isRefusal(asked)) return refuse(asked);
  const receipt = context.state.receipts.find(requestId);
  if (isHidden(context, receipt, asked)) return refuse(historyUnavailable(context, context.gaps));
  return receipt === undefined ? refuse(absence(context, requestId, asked)) : presence(context, receipt);
}

/**
 * A gap hides receipts within it. It hides an absence too, unless the counter of an API wallet proves that the nonce
 * was never consumed (exchange.md#receipts, commandHash).
 */
function isHidden({ gaps, state }: ReadContext, receipt?: Receipt, asked?: NonceQuery): boolean {
  if (gaps.length === 0) return false;
  if (receipt !== undefined)
    return gaps.some(({ first, last }) => receipt.seq >= first && receipt.seq <= last);
  return !(asked?.hasCommandHash && state.nonces.next(asked.scope) <= asked.nonce);
}

function presence(context: ReadContext, receipt: Receipt): EndpointResult {
  const { state, durableSeq } = context;
  const { request, scope } = receipt;
  const head = {
    requestId: request.requestId,
    epoch: state.epoch,
    seq: receipt.seq,
    sub: receipt.sub,
    signer: request.signer,
    nonceScope: scope,
    nonce: Number(request.nonce),
  };
  if (receipt.nonceConsumed) context.quirks.meet('A16');
  if (receipt.seq > durableSeq) return ok({ ...head, status: 'pending' } satisfies WireReceipt);
  if (!receipt.nonceConsumed) {
    const winner = winnerOf(context, scope, request.nonce);
    if (winner !== undefined) return refuse(conflict(context, winner));
  }
  return ok({
    ...head,
    status: receipt.status,
    nonceConsumed: receipt.nonceConsumed,
    ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
    ...(receipt.nonceConsumed ? { items: itemsJson(receipt, state) } : {}),
    ...(receipt.vault === undefined ? {} : { vault: vaultEffectJson(receipt.vault) }),
  } satisfies WireReceipt);
}

function absence(context: ReadContext, requestId: string, asked: NonceQuery | undefined): Refusal {
  const { state, durableSeq } = context;
  if (asked !== undefined) {
    const winner = winnerOf(context, asked.scope, asked.nonce);
    if (winner !== undefined) return conflict(context, winner);
    const isSpent = state.nonces.next(asked.scope) > asked.nonce;
    const { evictedUpToSeq } = state.receipts;
    if (isSpent && evictedUpToSeq > 0)
      return historyUnavailable(context, [{ first: 1, last: evictedUpToSeq }]);
  }
  return {
    code: 'not_found',
    message: `no execution of ${requestId} up to this position`,
    details: {
      status: 'not_found',
      epoch: state.epoch,
      asOfSeq: Math.min(state.seq, durableSeq),
      ...(asked?.hasCommandHash
        ? { basis: 'agent_nonce', nextNonce: Number(state.nonces.next(asked.scope)) }
        : {}),
    },
  };
}

/**
 * The receipt of the request that consumed this nonce. Receipts of an earlier epoch prove nothing and are not there:
 * the same request may have been delivered and refused in this one.
 */
function winnerOf({ state }: ReadContext, scope: string, nonce: bigint): Receipt | undefined {
  const consumer = state.nonces.consumer(scope, nonce);
  const receipt = consumer === undefined ? undefined : state.receipts.find(consumer);
  return receipt?.nonceConsumed === true ? receipt : undefined;
}

function conflict({ state }: ReadContext, winner: Receipt): Refusal {
  return {
    code: 'conflict',
    message: `the nonce was consumed by ${winner.request.requestId}`,
    details: {
      status: 'conflict',
      epoch: state.epoch,
      nonceScope: winner.scope,
      nonce: Number(winner.request.nonce),
      conflictingRequest: winner.request.requestId,
      seq: winner.seq,
      sub: winner.sub,
    },
  };
}

/** `scope` and `nonce` go together; `commandHash` only with the scope of an API wallet (obligation O62). */
function readNonceQuery(query: URLSearchParams): NonceQuery | Refusal | undefined {
  const scope = query.get('scope');
  const nonce = query.get('nonce');
  const commandHash = query.get('commandHash');
  if (scope === null && nonce === null && commandHash === null) return undefined;
  if (scope === null || nonce === null)
    return { code: 'InvalidRequest', message: 'expected scope and nonce together' };
  if (!/^(?:account:[0-9]{1,10}|agent:0x[0-9a-f]{40}|owner:0x[0-9a-f]{40})$/.test(scope))
    return { code: 'InvalidRequest', message: 'expected scope as account:<id> or agent:0x...' };
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(nonce))
    return { code: 'InvalidRequest', message: 'expected nonce as an integer' };
  if (commandHash !== null && (!scope.startsWith('agent:') || !isHex(commandHash, 32)))
    return { code: 'InvalidRequest', message: 'expected commandHash as 32 bytes, with an agent scope' };
  return { scope, nonce: BigInt(nonce), hasCommandHash: commandHash !== null };
}

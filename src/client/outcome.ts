/**
 * @module The outcome of a write, for its caller: the lane says how it ended, the answers that were kept say the rest.
 * Interprets an outcome that is proven; proves nothing itself.
 */

import type { WriteEnd } from '../bot/execution/index.ts';
import { type BotError, isRecord, parseJson, TransportError } from '../core/index.ts';
import { decodeAnswer, OUTCOME } from '../wire/protocol/index.ts';
import { ApiError } from './errors.ts';
import type { KeptAnswer } from './pipe.ts';
import type { WriteResult } from './write-result.ts';

/** How a write ended, and what was heard of it. */
export interface EndedWrite {
  /** Id of the write. */
  readonly requestId: string;
  /** How the lane ended the write. */
  readonly end: WriteEnd;
  /** Responses of the gateway, oldest first. */
  readonly kept: readonly KeptAnswer[];
  /** It belongs to a ledger that is gone: what it did is part of the state of the new one. */
  readonly isVoid: boolean;
}

/** The result of an executed write. @throws ApiError when it was rejected, refused or superseded; TransportError when it never left. */
export function resultOf(ended: EndedWrite): WriteResult {
  const { requestId, end, kept } = ended;
  if (end !== 'executed') throw failureOf(ended);
  for (const { by, answer } of kept.toReversed()) {
    const decoded = decodeAnswer(OUTCOME, answer.body, answer.seq);
    if (!decoded.ok || decoded.value.status !== 'executed') continue;
    const { seq, epoch, items, vault } = decoded.value;
    return { requestId, seq, epoch, items: items ?? [], vault, proof: by };
  }
  // The proof was read by the lane: here are only its words missing.
  return { requestId, seq: undefined, epoch: undefined, items: [], proof: 'receipt' };
}

function failureOf({ requestId, end, kept, isVoid }: EndedWrite): BotError {
  if (end === 'notSent') return neverLeft(requestId);
  if (isVoid) return voided(requestId);
  const last = kept.at(-1)?.answer;
  const [status, body] = [last?.status ?? 0, last?.body ?? ''];
  if (end === 'superseded') {
    return new ApiError({
      code: 'conflict',
      status,
      body,
      requestId,
      effect: 'none',
      message: `expected ${requestId} to be executed, its nonce was used by another request`,
    });
  }
  const said = saidIn(body);
  return new ApiError({
    code: said,
    status,
    body,
    requestId,
    effect: 'none',
    message: `expected ${requestId} to be executed, got ${end} with status ${status} ${said ?? ''}`.trimEnd(),
  });
}

/** The reason in a body: of an error its code, of a rejected write its reason. */
function saidIn(body: string): string | undefined {
  try {
    const value = parseJson(body);
    if (!isRecord(value)) return undefined;
    const { error, reason } = value;
    const code = isRecord(error) ? error['code'] : reason;
    return typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}

function neverLeft(requestId: string): TransportError {
  return new TransportError({
    code: 'CLIENT_WRITE_NOT_SENT',
    message: `expected ${requestId} to be sent, not one byte of it has left`,
    remedy: 'Nothing has happened: fix the cause in the journal or the network and ask for it again.',
    details: { requestId },
    effect: 'none',
  });
}

/** The error of a write whose ledger is gone. */
export function voided(requestId: string): ApiError {
  return new ApiError({
    code: 'CLIENT_WRITE_VOIDED',
    status: 0,
    body: '',
    requestId,
    effect: 'unknown',
    message: `expected an outcome of ${requestId}, a new ledger began before it was proven`,
    remedy: 'Read the state of the new ledger: it includes what the write did there.',
  });
}

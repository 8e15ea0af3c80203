/** @module The error of a write whose outcome is not known, with the handle to it. */
import { ApiError } from './errors.ts';
import type { WriteResult } from './write-result.ts';

/**
 * The outcome of a write is not known yet: it may have happened. Its lane continues to ask for the receipt and, if that
 * never comes, consumes the nonce on a harmless write; `resolution` settles with what is proven then. Do not send it
 * again.
 */
export class UnresolvedWriteError extends ApiError {
  override readonly requestId: string;
  /** Settles with the proven outcome, or rejects with a ApiError that says that it never happened. */
  readonly resolution: Promise<WriteResult>;

  constructor(parts: { requestId: string; why: string; waitedMs: number; resolution: Promise<WriteResult> }) {
    super({
      code: 'CLIENT_OUTCOME_UNKNOWN',
      status: 0,
      body: '',
      effect: 'unknown',
      requestId: parts.requestId,
      message: `expected the outcome of ${parts.requestId} within ${parts.waitedMs} ms, got ${parts.why}`,
      remedy: 'Await `resolution` of this error; do not send the write again before it has settled.',
    });
    this.requestId = parts.requestId;
    this.resolution = parts.resolution;
  }
}

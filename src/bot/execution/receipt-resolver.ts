/**
 * @module
 * Asks the receipts of all requests that were signed for one nonce and says what they prove together. At most one of
 * them can have used the nonce: whose receipt is final closes the others. It decides nothing by time or by count.
 */
import { assert, type Clock } from '../../core/index.ts';
import { type FinalOutcome, NONCE_MISMATCH } from './classify.ts';
import type { FenceGate } from './fence.ts';
import type { InFlightWrite } from './in-flight-write.ts';
import type { WritePipe } from './ports.ts';
import { readReceipt } from './receipt.ts';

/** What the receipts of one nonce prove. */
export type ReceiptVerdict =
  /** `flight` used the nonce. */
  | {
      readonly kind: 'won';
      readonly flight: InFlightWrite;
      readonly outcome: FinalOutcome;
      /** Whether the answer to the write or its receipt decided. */
      readonly by: 'answer' | 'receipt';
    }
  /** A request that is none of ours used it; `by`: which one, if that was said. */
  | { readonly kind: 'otherRequest'; readonly by: string | undefined }
  | { readonly kind: 'otherEpoch'; readonly epoch: string; readonly seq: bigint | undefined }
  /** Nobody has used it, as far as the log was read. `refusedAt`: where the log refused a fence for its nonce. */
  | { readonly kind: 'open'; readonly refusedAt?: bigint | undefined }
  /** Not known yet. */
  | { readonly kind: 'wait'; readonly why: string; readonly afterMs: number };

/** The requests of one nonce. */
export interface Contest {
  readonly contenders: readonly InFlightWrite[];
  /** The epoch they were sent in. */
  readonly epoch: string;
}

/** What a round of receipts is asked with. */
export interface ReceiptTools {
  /** Asks for receipts. */
  readonly pipe: Pick<WritePipe, 'receipt'>;
  readonly gate: FenceGate;
  readonly clock: Clock;
  /**
   * No answer may be older than this position. Asked again for each receipt: a ledger that is restarted while one is
   * waited for makes it void (obligation O20).
   */
  minSeq(): bigint | undefined;
}

/** One round: every contender is asked once. */
export async function askReceipts(
  { contenders, epoch }: Contest,
  { pipe, gate, clock, minSeq: position }: ReceiptTools,
): Promise<ReceiptVerdict> {
  assert(contenders.length > 0, 'a request whose receipt can be asked');
  let waitWhy: string | undefined;
  // A wait counts from the answer that asked for it: the receipts after it may have waited in line just as long.
  let askAgainAtMs = 0;
  let refusedAt: bigint | undefined;
  for (const flight of [...contenders]) {
    const minSeq = position();
    const reading = readReceipt(await pipe.receipt(flight.query, minSeq), flight.expected, epoch);
    switch (reading.kind) {
      case 'final':
        return { kind: 'won', flight, outcome: reading.outcome, by: 'receipt' };
      case 'otherEpoch':
        return reading;
      case 'conflict': {
        // One that names the request itself only says that it has used the nonce, not its outcome.
        flight.isConflicted ||= reading.by !== flight.record.requestId.toLowerCase();
        waitWhy ??= 'the receipt of the request that used the nonce';
        const winner = contenders.find((other) => other.record.requestId.toLowerCase() === reading.by);
        if (winner !== undefined) winner.isNamedWinner = true;
        else if (reading.by !== undefined) return { kind: 'otherRequest', by: reading.by };
        break;
      }
      case 'open':
        // Not found up to a seq before the one that was asked for says nothing of what is between (obligation O63).
        if (reading.rejection === undefined && isBefore(reading.asOfSeq, minSeq)) {
          waitWhy ??= 'a receipt from before the position that was asked for';
          break;
        }
        gate.observe(reading.asOfSeq);
        // Its own receipt does not say whether the nonce was consumed; the receipt of another one does.
        if (
          reading.rejection !== undefined &&
          reading.rejection.nonceConsumed === undefined &&
          flight.isNamedWinner
        )
          return { kind: 'won', flight, outcome: reading.rejection.outcome, by: 'receipt' };
        if (flight.record.kind === 'fence' && reading.rejection?.reason === NONCE_MISMATCH)
          refusedAt = latest(refusedAt, reading.asOfSeq);
        break;
      case 'pending':
        waitWhy ??= 'sequenced, result not durable yet';
        break;
      case 'none':
        waitWhy ??= reading.why;
        askAgainAtMs = Math.max(askAgainAtMs, clock.monotonicMs() + (reading.afterMs ?? 0));
        break;
    }
  }
  if (contenders.every((flight) => flight.isConflicted)) return { kind: 'otherRequest', by: undefined };
  if (waitWhy === undefined) return { kind: 'open', refusedAt };
  return { kind: 'wait', why: waitWhy, afterMs: Math.max(0, askAgainAtMs - clock.monotonicMs()) };
}

function latest(before: bigint | undefined, next: bigint | undefined): bigint | undefined {
  return before === undefined || (next !== undefined && next > before) ? next : before;
}

function isBefore(seq: bigint | undefined, minSeq: bigint | undefined): boolean {
  return seq !== undefined && minSeq !== undefined && seq < minSeq;
}

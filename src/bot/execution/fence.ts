/**
 * @module
 * The fence (outcomes-and-receipts.md): a harmless write signed for the nonce of an open one. At most one payload of a
 * nonce can execute, so whichever does closes the other. It is never a renewal of the dead man's switch: it repeats the
 * last confirmed trigger.
 */
import type { UnixMs } from '../../core/index.ts';
import type { ScheduleCancel } from '../../domain/index.ts';

/** How long the next log position is waited for before an open write is fenced. */
const FENCE_WAIT_MS = 2000;
/** The lead of a trigger when the last confirmed one has passed, or there is none. */
export const FENCE_LEAD_MS = 1000;

/** The command of a fence. `lastTriggerAtMs`: the last confirmed trigger. */
export function fenceCommand(serverNowMs: UnixMs, lastTriggerAtMs: UnixMs | 0 | undefined): ScheduleCancel {
  const isAhead = lastTriggerAtMs !== undefined && lastTriggerAtMs > serverNowMs;
  return {
    kind: 'scheduleCancel',
    triggerAtMs: isAhead ? lastTriggerAtMs : ((serverNowMs + FENCE_LEAD_MS) as UnixMs),
  };
}

/**
 * Decides when an open write may be fenced. Once the log has moved on past the first position seen after its connection ended,
 * or after {@link FENCE_WAIT_MS}. Earlier would be safe too; the wait only spares a write that is merely slow.
 */
export class FenceGate {
  #sinceMs: number;
  #firstSeq: bigint | undefined;
  #hasMoved = false;

  /** `nowMs`: monotonic, when nothing more could be on its way. */
  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** Takes a receipt's `asOfSeq`. */
  observe(asOfSeq: bigint | undefined): void {
    if (asOfSeq === undefined) return;
    if (this.#firstSeq === undefined) this.#firstSeq = asOfSeq;
    else if (asOfSeq > this.#firstSeq) this.#hasMoved = true;
  }

  /** True if a fence may be signed now. */
  isOpen(nowMs: number): boolean {
    return this.#hasMoved || nowMs - this.#sinceMs >= FENCE_WAIT_MS;
  }

  /** Another payload is on its way: waits again. */
  restart(nowMs: number): void {
    this.#sinceMs = nowMs;
    this.#firstSeq = undefined;
    this.#hasMoved = false;
  }
}

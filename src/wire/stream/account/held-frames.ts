/**
 * @module
 * Frames of an account that came before they may be applied: states before the epoch is confirmed, history before the
 * walks are over. Bounded; what of the history does not fit counts as missed, and the next walk brings it.
 */
import { compareCursors, type Fill, type LedgerEntry, type Seq, seqOfCursor } from '../../../domain/index.ts';
import type { AccountFrame } from '../../protocol/index.ts';
import type { HistoryFrame, StateFrame } from './account-facts.ts';
import { BUFFERED_MAX } from './resync-state.ts';

/** True for a frame that is one entry of a history. */
export function isHistory(frame: AccountFrame): frame is HistoryFrame {
  return frame.channel === 'fills' || frame.channel === 'ledger';
}

/** The place of an entry in its history. */
export function placeOf(frame: HistoryFrame): Seq {
  return seqOfCursor(frame.channel === 'fills' ? frame.fill.id : frame.entry.id);
}

/** See the module. */
export class HeldFrames {
  #frames: AccountFrame[] = [];
  #missedSeq: Seq | undefined;

  /** How many wait. */
  get size(): number {
    return this.#frames.length;
  }

  /** Takes a frame; `full`: it did not fit, and a walk brings it; `lost`: nothing does. */
  add(frame: AccountFrame): 'kept' | 'full' | 'lost' {
    if (this.#frames.length < BUFFERED_MAX) {
      this.#frames.push(frame);
      return 'kept';
    }
    if (!isHistory(frame)) return 'lost';
    const seq = placeOf(frame);
    if (this.#missedSeq === undefined || seq > this.#missedSeq) this.#missedSeq = seq;
    return 'full';
  }

  /** The position that a walk must reach for what did not fit, once. What is held is older: that walk brings it too. */
  takeMissed(): Seq | undefined {
    const missedSeq = this.#missedSeq;
    this.#missedSeq = undefined;
    if (missedSeq !== undefined) this.#frames = [];
    return missedSeq;
  }

  /** The states, in the order in which they came; histories stay. */
  takeStates(): readonly StateFrame[] {
    const states = this.#frames.filter((frame): frame is StateFrame => !isHistory(frame));
    this.#frames = this.#frames.filter(isHistory);
    return states;
  }

  /** The entries of both histories, each in its order. */
  takeHistory(): { readonly fills: readonly Fill[]; readonly entries: readonly LedgerEntry[] } {
    const held = this.#frames;
    this.#frames = [];
    const fills = held.flatMap((frame) => (frame.channel === 'fills' ? [frame.fill] : []));
    const entries = held.flatMap((frame) => (frame.channel === 'ledger' ? [frame.entry] : []));
    return {
      fills: fills.sort((a, b) => compareCursors(a.id, b.id)),
      entries: entries.sort((a, b) => compareCursors(a.id, b.id)),
    };
  }

  /** Forgets all: the connection is gone. */
  clear(): void {
    this.#frames = [];
    this.#missedSeq = undefined;
  }
}

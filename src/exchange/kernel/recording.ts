/**
 * @module What a snapshot is made of: everything that an exchange received from outside, in order, and when its blocks
 * began. What its own participants did is not written down: they do it again, the same, when it is replayed.
 */
import type { LogPosition } from '../engine/index.ts';
import type { Participants } from '../flow/index.ts';
import type { LogEntry } from '../state/index.ts';

/** One thing that happened, at the position it took in the log. */
export type RecordedStep =
  | { readonly seq: number; readonly blockAtMs: number }
  | { readonly seq: number; readonly entry: LogEntry }
  /** Participants came in after this position. */
  | { readonly seq: number; readonly flow: object };

/** Steps that are kept; about four days of blocks. */
const STEPS_MAX = 4_000_000;

/** Keeps the steps of one exchange. */
export class Recording {
  #steps: RecordedStep[] = [];
  #isInside = false;
  #lastSeq = 0;
  /** Why no snapshot can be made of it. */
  #gap: string | undefined;

  /** What happened so far. */
  get steps(): readonly RecordedStep[] {
    return this.#steps;
  }

  /** Why no snapshot can be made any more; `undefined`: one can. */
  get gap(): string | undefined {
    return this.#gap;
  }

  /** Runs what participants do: it is not kept. */
  inside(act: () => void): void {
    this.#isInside = true;
    try {
      act();
    } finally {
      this.#isInside = false;
    }
  }

  /** Hears of an entry of the log. */
  note(entry: LogEntry, at: LogPosition): void {
    if (at.seq <= this.#lastSeq) this.#give('its log was cut by a restart that rolled back');
    this.#lastSeq = at.seq;
    if (this.#isInside || this.#gap !== undefined) return;
    if (this.#steps.length >= STEPS_MAX) this.#give(`more than ${STEPS_MAX} steps have happened`);
    else if (entry.kind === 'block') this.#steps.push({ seq: at.seq, blockAtMs: at.blockAtMs });
    else this.#steps.push({ seq: at.seq, entry });
  }

  /** Hears of participants that come in. */
  noteParticipants(participants: Participants, seq: number): void {
    if (participants.recipe === undefined)
      this.#give(`participants named ${participants.name} drive it, from outside of it`);
    else this.#steps.push({ seq, flow: participants.recipe });
  }

  #give(gap: string): void {
    this.#gap ??= gap;
    this.#steps = [];
  }
}

/**
 * @module
 * What a check before a live run is: what it looks at, when it refuses, and who looks. One list of them stands behind
 * `ballast doctor` and the start of `ballast run`, so that both refuse for the same things in the same words.
 */
import type { Examination } from './examination.ts';

/** What a check found where nothing keeps a run from starting; what does is thrown as the error of the start. */
export interface CheckFinding {
  /** `warn`: a run starts all the same; `skip`: it does not apply here, or another check failed that it needs. */
  readonly status: 'ok' | 'warn' | 'skip';
  /** One sentence, with its numbers. */
  readonly detail: string;
  /** What to do; empty: nothing. */
  readonly fix: string;
}

/**
 * Who looks when a run starts. `list`: the run takes the check from the list, before it opens anything. `start`: the start
 * itself does what the check does, in its turn, by the same function. `doctor`: nobody, it never refuses.
 */
export type LookedAtBy = 'list' | 'start' | 'doctor';

/** One check. */
export interface Check {
  /** Stable name: in rows of the doctor, in refusals of a run and in docs/reference/preflight.md. */
  readonly id: string;
  /** What it looks at. */
  readonly looksAt: string;
  /** When a run is refused; empty: never, it only warns. */
  readonly refuses: string;
  /** What to do then, or about what it warns of. */
  readonly remedy: string;
  /** Beginnings of the codes of its refusals. */
  readonly codes: readonly string[];
  readonly by: LookedAtBy;
  /** `machine`: files and this machine alone. `gateway`: a connection. */
  readonly needs: 'machine' | 'gateway';
  /** It is made for each wallet. */
  readonly ofEachWallet?: true;
  /** @throws BotError that keeps a run from starting. */
  readonly look: (at: Examination, wallet: string) => CheckFinding | Promise<CheckFinding>;
}

/** All is well. */
export function fine(detail: string): CheckFinding {
  return { status: 'ok', detail, fix: '' };
}

/** A run starts, and a person should look. */
export function warned(detail: string, fix: string): CheckFinding {
  return { status: 'warn', detail, fix };
}

/** Not looked at. */
export function skipped(detail: string): CheckFinding {
  return { status: 'skip', detail, fix: '' };
}

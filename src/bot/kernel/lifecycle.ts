/**
 * @module
 * The states of a run and the ways between them.
 *
 *   starting ─► reconciling ─► armed ◄─► quoting
 *                    │           ▲  ╲     ╱
 *                    └─► degraded ◄──────┘        any ─► stopping ─► stopped
 *
 * Degraded has reasons, each put up and taken down by its own name; the run is degraded while there is one.
 */
import { assert } from '../../core/index.ts';

/** All states of a run. */
const RUN_STATES = [
  'starting',
  'reconciling',
  'armed',
  'quoting',
  'degraded',
  'stopping',
  'stopped',
] as const;
/** One of {@link RUN_STATES}. */
export type RunState = (typeof RUN_STATES)[number];

const NEXT: Readonly<Record<RunState, readonly RunState[]>> = {
  starting: ['reconciling', 'stopping'],
  reconciling: ['armed', 'degraded', 'stopping'],
  armed: ['quoting', 'degraded', 'stopping'],
  quoting: ['armed', 'degraded', 'stopping'],
  degraded: ['armed', 'quoting', 'stopping'],
  stopping: ['stopped'],
  stopped: [],
};

/** Called with every change of state. */
export type LifecycleListener = (change: {
  readonly from: RunState;
  readonly to: RunState;
  readonly reason: string;
}) => void;

/** The state of one run. */
export class Lifecycle {
  readonly #listener: LifecycleListener;
  readonly #reasons = new Map<string, string>();
  #state: RunState = 'starting';
  #wasArmed = false;

  constructor(listener: LifecycleListener) {
    this.#listener = listener;
  }

  get state(): RunState {
    return this.#state;
  }

  /** True once the run was ready to trade. Strategies start when it is for the first time. */
  get wasArmed(): boolean {
    return this.#wasArmed;
  }

  /** Why the run is degraded, or would be once it is ready. */
  get reasons(): readonly string[] {
    return [...this.#reasons.values()];
  }

  /** The first of them, with the name it was put up by; `undefined`: there is none. */
  firstReason(): readonly [name: string, text: string] | undefined {
    return this.#reasons.size === 0 ? undefined : this.#reasons.entries().next().value;
  }

  /** True if the run is stopping or over. */
  get isEnding(): boolean {
    return this.#state === 'stopping' || this.#state === 'stopped';
  }

  /** Puts a reason up, or takes it down (`undefined`). */
  reason(name: string, text: string | undefined): void {
    if (text === undefined) {
      // There is hardly ever one, and it is asked with every fact about the account.
      if (this.#reasons.size > 0) this.#reasons.delete(name);
    } else this.#reasons.set(name, text);
  }

  /** Waits for the first complete state of the account. */
  begin(): void {
    this.#move('reconciling', 'started');
  }

  /** Works out the state from the reasons and from whether orders are out that may rest. Nothing happens before {@link begin}. */
  settle(hasQuotes: boolean): void {
    const to = this.#due(hasQuotes);
    if (to === this.#state) return;
    if (to === 'degraded') {
      this.#move(to, this.reasons.join('; '));
      return;
    }
    this.#wasArmed = true;
    this.#move(to, to === 'quoting' ? 'orders are out' : 'ready, no orders are out');
  }

  /** True if {@link settle} would change nothing. */
  isSettled(hasQuotes: boolean): boolean {
    return this.#due(hasQuotes) === this.#state;
  }

  /** The state that it should be in. */
  #due(hasQuotes: boolean): RunState {
    if (this.#state === 'starting' || this.isEnding) return this.#state;
    // Before the first time everything is ready, what is missing is reconciliation, not degradation.
    if (this.#reasons.size > 0) return this.#wasArmed ? 'degraded' : this.#state;
    return hasQuotes && this.#wasArmed ? 'quoting' : 'armed';
  }

  /** Begins the end. */
  stop(reason: string): void {
    if (!this.isEnding) this.#move('stopping', reason);
  }

  /** The end. */
  end(reason: string): void {
    if (this.#state === 'stopping') this.#move('stopped', reason);
  }

  #move(to: RunState, reason: string): void {
    const from = this.#state;
    assert(NEXT[from].includes(to), `a way from ${from} to ${to}`);
    this.#state = to;
    this.#listener({ from, to, reason });
  }
}

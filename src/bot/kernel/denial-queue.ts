/**
 * @module
 * Denials on their way to the strategies they concern. They are reported at the end of the turn, when everything is sent, so
 * that a handler that asks again cannot recurse: an order that it asks for waits for the next turn, a cancel leaves at once.
 */
import type { Denial, MarketSymbol } from '../../domain/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { DecisionTap } from './decisions.ts';
import { INTENT_CODES } from './intent-codes.ts';
import type { ProblemText } from './levels.ts';
import type { SpecNames } from './order-spec.ts';
import type { CourseObserver } from './ports.ts';
import type { StrategyHost } from './strategy-host.ts';

/** Denials of one run. */
export class DenialQueue {
  readonly #recorder: Recorder;
  readonly #tap: DecisionTap | undefined;
  readonly #course: CourseObserver | undefined;
  #waiting: { readonly host: StrategyHost; readonly denial: Denial }[] = [];
  #count = 0;

  constructor(recorder: Recorder, tap?: DecisionTap, course?: CourseObserver) {
    this.#recorder = recorder;
    this.#tap = tap;
    this.#course = course;
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** Denies an intent that cannot be used. */
  refuse(host: StrategyHost, names: SpecNames, symbol: MarketSymbol | undefined, problem: ProblemText): void {
    const { code, message } = problem;
    this.add(host, { ...names, symbol, code, message, remedy: INTENT_CODES[code].remedy });
  }

  /** Takes a denial in. */
  add(host: StrategyHost, denial: Denial): void {
    this.#count++;
    this.#waiting.push({ host, denial });
    this.#tap?.denied(denial);
    this.#course?.denied(denial);
    const { strategyId, symbol, code, message } = denial;
    this.#recorder.record('IntentDenied', { strategy: strategyId, symbol, code, message }, denial.intentId);
  }

  /** Notifies the strategies. */
  report(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { host, denial } of waiting) host.deny(denial);
  }
}

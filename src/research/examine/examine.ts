/**
 * @module
 * The runner of examinations: one strategy through every scenario, each on stages of its own, with the event that broke it.
 * Synchronous, and a function of the code of the strategy and its parameters.
 */
import { BotError, ConfigError, messageOf, nearestName } from '../../core/index.ts';
import { CODE_SCENARIOS } from './code-scenarios.ts';
import { endedAfter } from './endless.ts';
import { removeHiddenInputs } from './hidden-inputs.ts';
import { MARKET_SCENARIOS } from './market-scenarios.ts';
import { ORDER_SCENARIOS } from './order-scenarios.ts';
import { PARAMETER_SCENARIOS } from './parameter-scenarios.ts';
import { RUN_SCENARIOS } from './run-scenarios.ts';
import { type Exam, RECOVERY_MS, type Scenario, WARM_MS } from './scenario.ts';
import { Stage } from './stage.ts';
import type { StageOptions } from './stage-options.ts';
import type { Finding, Subject } from './subject.ts';

/** How long a strategy must be active in a calm market to be held to be so always, ms. */
const CALM_MS = 300_000;
/** A scenario that takes longer than this is ended, ms; the longest one takes about two seconds. */
const LIMIT_MS = 30_000;
/** After so many that were ended no more are played. */
const ENDED_MAX = 3;

/** All scenarios, in the order in which they are played. */
export const SCENARIOS: readonly Scenario[] = [
  ...MARKET_SCENARIOS,
  ...ORDER_SCENARIOS,
  ...RUN_SCENARIOS,
  ...PARAMETER_SCENARIOS,
  ...CODE_SCENARIOS,
];

/** How one scenario went. */
export interface ScenarioResult {
  readonly scenario: Pick<Scenario, 'name' | 'group' | 'summary'>;
  /** What is wrong; `undefined`: it passed. */
  readonly finding: Finding | undefined;
}

/** What an examination is asked for. */
export interface ExamOptions {
  /** Names of scenarios or groups; absent: all. */
  readonly only?: readonly string[] | undefined;
  /** Hidden inputs that the module used while it was loaded. */
  readonly loading?: Exam['loading'];
  /** A scenario that takes longer is ended and not passed, ms of the machine; absent: 30,000. */
  readonly limitMs?: number | undefined;
  /** Called with each result. */
  readonly onResult?: (result: ScenarioResult) => void;
}

/** Puts a strategy through scenarios. @throws ConfigError `EXAMINE_SCENARIO_UNKNOWN`. */
export function examine(subject: Subject, options: ExamOptions = {}): readonly ScenarioResult[] {
  const { only, loading = [], limitMs = LIMIT_MS, onResult } = options;
  const exam = new OneExam(subject, loading, limitMs);
  return chosen(only).map((scenario) => {
    const result = { scenario, finding: exam.endedCount < ENDED_MAX ? exam.play(scenario) : NOT_PLAYED };
    onResult?.(result);
    return result;
  });
}

/** Of scenarios after too many that had to be ended. */
const NOT_PLAYED: Finding = {
  event: { number: 0, atMs: 0, text: 'not played' },
  expected: 'handlers that return at once',
  got: `${ENDED_MAX} scenarios before it had to be ended`,
};

/** The scenarios of these names or groups. @throws ConfigError `EXAMINE_SCENARIO_UNKNOWN` with the nearest name. */
export function chosen(only: readonly string[] = []): readonly Scenario[] {
  const known = [...new Set(SCENARIOS.flatMap(({ name, group }) => [name, group]))];
  const unknown = only.find((one) => !known.includes(one));
  if (unknown !== undefined) {
    const nearest = nearestName(known, unknown);
    throw new ConfigError({
      code: 'EXAMINE_SCENARIO_UNKNOWN',
      message: `expected the name of a scenario or of a group, got ${unknown}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`,
      remedy: 'docs/guides/examine.md lists them.',
    });
  }
  return SCENARIOS.filter(
    ({ name, group }) => only.length === 0 || only.includes(name) || only.includes(group),
  );
}

class OneExam implements Exam {
  readonly subject: Subject;
  readonly loading: Exam['loading'];
  /** The stage that was opened last. */
  newest: Stage | undefined;
  /** Scenarios that had to be ended. */
  endedCount = 0;
  /** What was called of the strategy last. */
  #call = 'create';
  readonly #limitMs: number;
  #isActive: boolean | undefined;

  constructor(subject: Subject, loading: Exam['loading'], limitMs: number) {
    this.subject = subject;
    this.loading = loading;
    this.#limitMs = limitMs;
  }

  /** What is wrong in a scenario; `undefined`: nothing. */
  play(scenario: Scenario): Finding | undefined {
    try {
      const played = endedAfter(this.#limitMs, () => scenario.run(this));
      if (played !== undefined) return played.value;
    } catch (thrown) {
      const event = this.newest?.event ?? { number: 0, atMs: 0, text: 'the start' };
      const got = thrown instanceof BotError ? `${thrown.code}: ${thrown.message}` : messageOf(thrown);
      return this.newest?.finding ?? { event, expected: 'a strategy that can be made and run', got };
    }
    this.endedCount++;
    removeHiddenInputs();
    const got = `${this.#call} had not returned after ${this.#limitMs / 1_000} s, and was ended`;
    return { event: this.newest?.event ?? NOT_PLAYED.event, expected: NOT_PLAYED.expected, got };
  }

  stage(options: StageOptions = {}): Stage {
    const { watch } = options;
    const within = <T>(run: () => T, call: string): T => {
      this.#call = call;
      return watch?.within === undefined ? run() : watch.within(run, call);
    };
    this.newest = new Stage(this.subject, { ...options, watch: { ...watch, within } });
    return this.newest;
  }

  get isActiveInCalm(): boolean {
    this.#isActive ??= this.#calm();
    return this.#isActive;
  }

  #calm(): boolean {
    const stage = this.stage().start();
    stage.calm(WARM_MS);
    for (let at = 0; at < CALM_MS; at += RECOVERY_MS / 3) {
      const before = stage.record.intentCount;
      stage.calm(RECOVERY_MS / 3);
      if (stage.record.intentCount === before) return false;
    }
    return true;
  }
}

/**
 * @module
 * A scenario of an examination is a value: a name, what happens, and how it is played. One runner plays all of them. What
 * every scenario expects is in the stage: handlers that do not throw, intents in their form, own sides that do not meet,
 * orders within the limits.
 */
import type { Stage } from './stage.ts';
import type { StageOptions } from './stage-options.ts';
import type { Finding, Subject } from './subject.ts';

/** What scenarios are about. */
type ScenarioGroup = 'market' | 'orders' | 'run' | 'parameters' | 'code';

/** See the module. */
export interface Scenario {
  /** Lower-case letters and dashes. */
  readonly name: string;
  readonly group: ScenarioGroup;
  /** What happens, one line. */
  readonly summary: string;
  /** What is wrong with the subject of `exam`; `undefined`: nothing. @throws what making the strategy throws. */
  run(exam: Exam): Finding | undefined;
}

/** What a scenario is given. */
export interface Exam {
  readonly subject: Subject;
  /** A new stage, not started yet. */
  stage(options?: StageOptions): Stage;
  /** True if the strategy asks for something in each ten seconds of a calm market. */
  readonly isActiveInCalm: boolean;
  /** Hidden inputs that were used while the module was loaded, in words, by their kind. */
  readonly loading: readonly { readonly kind: string; readonly name: string }[];
}

/** How a scene is played otherwise. */
export interface SceneOptions {
  /** What is otherwise on its stage. */
  readonly stage?: StageOptions;
  /** The strategy need not go on afterwards. */
  readonly isLast?: boolean;
}

/** Before anything happens, ms. */
export const WARM_MS = 15_000;
/** After it, until the strategy must be at work again, and for how long that is looked for, ms. */
export const RECOVERY_MS = 30_000;

/** Makes a scenario of a group: something happens after a calm time, and the strategy goes on after it. */
export function scenesOf(group: Scenario['group']) {
  return (
    name: string,
    summary: string,
    play: (stage: Stage) => void,
    options: SceneOptions = {},
  ): Scenario => ({
    ...{ group, name, summary },
    run: (exam) => {
      const stage = exam.stage(options.stage).start();
      stage.calm(WARM_MS);
      if (stage.finding === undefined) play(stage);
      if (options.isLast !== true) goOn(stage, exam);
      return stage.finding;
    },
  });
}

/** A calm time at the end, in which a strategy that is active in calm markets must ask for something. */
function goOn(stage: Stage, exam: Exam): void {
  stage.calm(RECOVERY_MS);
  const before = stage.record.intentCount;
  stage.calm(RECOVERY_MS);
  if (stage.finding !== undefined || stage.record.ended !== undefined || !exam.isActiveInCalm) return;
  if (stage.record.intentCount === before)
    stage.fail(
      'a strategy that goes on once the market is calm again',
      `nothing asked for in ${RECOVERY_MS / 1_000} s`,
    );
}

/** @module Scenarios of parameters: each at its edges, wrong ones, and new ones while a strategy runs. */
import { messageOf } from '../../core/index.ts';
import { refuses } from './run-scenarios.ts';
import type { Exam, Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import type { StageOptions } from './stage-options.ts';
import type { Finding } from './subject.ts';

/** How long a strategy runs with each, ms. */
const TRY_MS = 5_000;

/** What is no value of most kinds. */
const WRONG: readonly unknown[] = [
  null,
  {},
  [],
  'x',
  '',
  '-1',
  '1e400',
  'NaN',
  -1,
  1.5,
  Number.NaN,
  'x'.repeat(2_000),
];

/** See the module. */
export const PARAMETER_SCENARIOS: readonly Scenario[] = [
  {
    ...{ group: 'parameters', name: 'parameter-edges', summary: 'Each parameter at each edge of its schema' },
    run: (exam) => {
      for (const { name, edges } of exam.subject.definition.forms())
        for (const edge of edges) {
          const finding = tried(
            exam,
            { ...exam.subject.parameters, [name]: edge },
            `${name} is ${JSON.stringify(edge)}`,
          );
          if (finding !== undefined) return finding;
        }
      return undefined;
    },
  },
  {
    ...{
      group: 'parameters',
      name: 'wrong-parameters',
      summary: 'Values of wrong kinds',
    },
    run: (exam) => {
      for (const { name } of exam.subject.definition.forms())
        for (const wrong of WRONG) {
          const text = `${name} is ${String(JSON.stringify(wrong)).slice(0, 40)}`;
          const finding = tried(exam, { ...exam.subject.parameters, [name]: wrong }, text);
          if (finding !== undefined) return finding;
        }
      return undefined;
    },
  },
  {
    ...{ group: 'parameters', name: 'unknown-parameter', summary: 'A parameter that it does not have' },
    run: (exam) => {
      const stage = exam.stage();
      stage.do('a parameter has a misspelt name', () => undefined);
      const { definition, parameters } = exam.subject;
      if (definition.check({ ...parameters, 'no-such-parameter': 1 }).isValid)
        stage.fail(
          'a parameter that it does not have to be refused: make them with param.object',
          'it was taken',
        );
      return stage.finding;
    },
  },
  {
    ...{
      group: 'parameters',
      name: 'new-parameters',
      summary: 'Parameters change while it runs',
    },
    run: (exam) => {
      const stage = exam.stage().start();
      stage.calm(TRY_MS);
      const { parameters, definition } = exam.subject;
      const set = (text: string, raw: unknown) =>
        stage.do(text, () =>
          stage.bot.setParameters(stage.id, raw, { actor: 'examination', reason: 'a scenario' }),
        );
      set('the same parameters again', parameters);
      stage.calm(TRY_MS);
      for (const { name, edges } of definition.forms())
        for (const edge of edges) {
          const raw = { ...parameters, [name]: edge };
          if (!definition.check(raw).isValid) continue;
          set(`${name} becomes ${JSON.stringify(edge)}`, raw);
          if (stage.isRefused) return undefined;
        }
      set('parameters become text', 'x');
      set('the first parameters again', parameters);
      stage.calm(TRY_MS);
      return stage.isRefused ? undefined : stage.finding;
    },
  },
];

/** Limits are not those of such parameters, and a strategy may refuse them in words where its markets do not allow them. */
const TRY: StageOptions = { areLimitsIgnored: true };

/** A short run with parameters, if they are taken. */
function tried(exam: Exam, parameters: unknown, text: string): Finding | undefined {
  const stage = exam.stage({ ...TRY, parameters });
  stage.do(text, () => undefined);
  try {
    if (!exam.subject.definition.check(parameters).isValid) return undefined;
    if (refuses(() => stage.start())) return undefined;
  } catch (thrown) {
    stage.fail('parameters to be refused in words, or taken', messageOf(thrown));
    return stage.finding;
  }
  run(stage);
  return stage.isRefused ? undefined : stage.finding;
}

function run(stage: Stage): void {
  for (let frame = 0; frame < TRY_MS / 1_000 && stage.finding === undefined; frame++)
    stage.frame(frame, { frameMs: 1_000 });
}

/**
 * @module
 * What the commands share that ask a run or change it: their options and the form of their answers. `run-actions.ts` does
 * what they ask for.
 */
import type { Argv } from 'yargs';
import type { ActionAnswer, ListedRun, OperatorActionName, ReadDocuments } from '../../bot/operator/index.ts';
import { labeledText } from '../../core/index.ts';
import { run } from './command-process.ts';
import { EXIT } from './exit-codes.ts';
import { flagOption, type Given, jsonOption, textOption } from './options.ts';
import { writeDocument, writeLine, writeNote } from './output.ts';
import {
  carryOut,
  carryOutOrGuardian,
  type Outcome,
  type RunEnd,
  runToChange,
  runToRead,
  whoAndWhy,
} from './run-actions.ts';

/** `[run]`, the last word of each of these commands. */
export const runNamePosition = {
  type: 'string',
  describe: 'Name of a bot, id of a run, or latest',
} as const;

/** The options of an action. */
export const ACTION_OPTIONS = {
  reason: textOption('Why, for the journal'),
  json: jsonOption,
} as const;

/** The options of an action that may be about a part of the account. */
export const SCOPE_OPTIONS = {
  strategy: textOption('Only this strategy; else the account'),
  market: textOption('Only this market; else the account'),
} as const;

const GUARDIAN_OPTION = { guardian: flagOption('Let its guardian end the run and cancel everything') };

/** Reads one document of a run and shows it: as JSON, or in the words of `describe`. */
async function showRead<Name extends keyof ReadDocuments>(
  name: Name,
  args: { readonly run: string | undefined; readonly json: boolean | undefined },
  describe: (document: ReadDocuments[Name], run: ListedRun) => string,
): Promise<number> {
  const { doorOf } = await import('../../bot/operator/index.ts');
  const found = await runToRead(args.run);
  const document = await doorOf(found).read(name);
  if (args.json) writeDocument({ schema: 1, runId: found.runId, name: found.name, ...document });
  else writeLine(describe(document, found));
  return EXIT.ok;
}

/** Adds a command that reads one document. */
export function readCommand<Name extends keyof ReadDocuments>(
  cli: Argv,
  name: Name & string,
  about: string,
  describe: (document: ReadDocuments[Name], run: ListedRun) => string,
): Argv {
  return readSubcommand(cli, { command: name, name }, about, describe);
}

/** Adds a command that reads the document `name`, under a word of its own. */
export function readSubcommand<Name extends keyof ReadDocuments, C>(
  cli: Argv<C>,
  { command, name }: { readonly command: string; readonly name: Name & string },
  about: string,
  describe: (document: ReadDocuments[Name], run: ListedRun) => string,
): Argv<C> {
  return cli.command(
    `${command} [run]`,
    about,
    (one) => one.positional('run', runNamePosition).options({ json: jsonOption }),
    (args) => run(() => showRead(name, args, describe)),
  );
}

/** Adds a command that is one action, about the account or a part of it. */
export function actionCommand(
  cli: Argv,
  name: OperatorActionName,
  about: string,
  change?: {
    /** Another way than {@link act}, for an action that is more than one question to the door. */
    readonly act?: typeof act;
    /** False: it is about the account or a market. */
    readonly hasStrategy?: boolean;
    /** True: `--guardian` asks the guardian of the run. */
    readonly hasGuardian?: boolean;
  },
): Argv {
  const { act: carryOut = act, hasStrategy = true, hasGuardian = false } = change ?? {};
  const { strategy, market } = SCOPE_OPTIONS;
  return cli.command(
    `${name} [run]`,
    about,
    (one) =>
      one
        .positional('run', runNamePosition)
        .options({ ...(hasStrategy ? { strategy } : {}), market, ...ACTION_OPTIONS })
        .options(hasGuardian ? GUARDIAN_OPTION : {}),
    (args) => {
      const given = args as Given<typeof ACTION_OPTIONS & typeof SCOPE_OPTIONS> & { run?: string };
      return run(() =>
        carryOut(name, given, {
          ...(given.strategy === undefined ? {} : { strategy: given.strategy }),
          ...(given.market === undefined ? {} : { market: given.market }),
        }),
      );
    },
  );
}

/** Carries an action out and shows its answer; exit code 1 while its effect is not confirmed. */
export async function act(
  name: OperatorActionName,
  args: { readonly run?: string | undefined } & Given<typeof ACTION_OPTIONS>,
  parameters: Readonly<Record<string, unknown>>,
  owner: 'control' | 'guardian' = 'control',
): Promise<number> {
  const found = await runToChange(args.run);
  const given = { ...parameters, ...whoAndWhy(args.reason) };
  return showOutcome(found, { answer: await carryOut(found, name, given, owner) }, args.json);
}

/** As {@link act}, with the guardian where the run does not answer: see {@link carryOutOrGuardian}. */
export async function actOrGuardian(
  name: OperatorActionName,
  args: Parameters<typeof act>[1] & { readonly guardian?: boolean | undefined },
  parameters: Readonly<Record<string, unknown>>,
): Promise<number> {
  const found = await runToChange(args.run);
  const given = { ...parameters, ...whoAndWhy(args.reason) };
  const outcome = await carryOutOrGuardian(found, name, given, {
    isGuardian: args.guardian === true,
    onSilent: () => writeNote('the run does not answer: its guardian is asked'),
  });
  return showOutcome(found, outcome, args.json);
}

function showOutcome(found: ListedRun, outcome: Outcome, isJson: boolean | undefined): number {
  if ('ended' in outcome) return showEnd(found, outcome.ended, isJson);
  const { answer } = outcome;
  if (isJson) writeDocument({ schema: 1, runId: found.runId, name: found.name, ...answer });
  else writeLine(describeAnswer(found, answer));
  return answer.isConfirmed ? EXIT.ok : EXIT.failure;
}

/** Shows how a run ended: exit code 0 with the proof that no order is open. */
export function showEnd({ runId, name }: ListedRun, ended: RunEnd, isJson: boolean | undefined): number {
  if (isJson) writeDocument({ schema: 1, runId, name, ended });
  else {
    const proof = ended.isProven ? 'no order is open, proven' : 'it is not proven that no order is open';
    writeLine(`${answerLine('ended', `${name} (${runId}): ${ended.reason}`)}\n${proof}`);
  }
  return ended.isProven ? EXIT.ok : EXIT.failure;
}

function describeAnswer(
  { name, runId }: ListedRun,
  { action, scope, before, after, isConfirmed, waitsFor, halts }: ActionAnswer,
): string {
  const from = typeof before === 'string' ? before : JSON.stringify(before);
  const to = typeof after === 'string' ? after : JSON.stringify(after);
  const lines = [
    answerLine(action, `${name} (${runId}), ${scope}: ${from === to ? to : `${from} to ${to}`}`),
    isConfirmed ? 'confirmed' : labeledText('', `not confirmed yet: ${waitsFor.join('; ')}`, 0),
    ...halts.map((halt) => answerLine('halted', `${halt.scope} by ${halt.control}: ${halt.reason}`)),
  ];
  return lines.join('\n');
}

/** A line of an answer; a long one goes on below its text. */
function answerLine(label: string, text: string): string {
  return labeledText(label, text, 11);
}

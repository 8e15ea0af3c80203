/**
 * @module
 * What the commands share that ask a run or change it: how a run is named, the one client of its door, and the form of
 * their answers.
 */
import { userInfo } from 'node:os';
import type { Argv } from 'yargs';
import type { ActionAnswer, ListedRun, OperatorActionName, ReadDocuments } from '../../bot/operator/index.ts';
import { BotError, labeledText, SystemClock } from '../../core/index.ts';
import { run } from './command-process.ts';
import { EXIT } from './exit-codes.ts';
import { flagOption, type Given, jsonOption, textOption } from './options.ts';
import { writeDocument, writeLine, writeNote } from './output.ts';

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

/** A guardian has emptied the book of a run that died within this time, ms. */
const GUARDIAN_MS_MAX = 10_000;
/** Between two looks at the list of runs, ms. */
const LOOK_MS = 200;

const GUARDIAN_OPTION = { guardian: flagOption('Let its guardian end the run and cancel everything') };

/** Where the list of this user's runs is. */
export async function ownRuns(): Promise<string> {
  const { readEnvironment } = await import('../../config/index.ts');
  const { runsFolder } = await import('../../bot/operator/index.ts');
  return runsFolder(readEnvironment().stateHome);
}

/** The run that a read is about: the newest where none is named. @throws BotError `OPERATOR_RUN_UNKNOWN`. */
export async function runToRead(asked: string | undefined): Promise<ListedRun> {
  const { findRun } = await import('../../bot/operator/index.ts');
  return findRun(await ownRuns(), asked ?? 'latest');
}

/** The run that is changed: where none is named, the only one that goes on. @throws BotError `OPERATOR_RUN_UNKNOWN`. */
export async function runToChange(asked: string | undefined): Promise<ListedRun> {
  if (asked !== undefined) return runToRead(asked);
  const { listedRuns, stateOf } = await import('../../bot/operator/index.ts');
  const open = listedRuns(await ownRuns()).filter(({ ended }) => ended === undefined);
  const states = await Promise.all(open.map(stateOf));
  const alive = open.filter((_run, at) => states[at] !== 'died');
  const [only] = alive;
  if (only !== undefined && alive.length === 1) return only;
  const found = alive.map(({ name, runId }) => `${name} (${runId})`).join(', ') || 'none';
  throw new BotError({
    code: 'OPERATOR_RUN_UNKNOWN',
    message: `expected the name of a run, or one run that goes on, got no name and ${found}`,
    remedy: 'Name the bot or the run; `ballast runs` lists them.',
  });
}

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
  const { doorOf } = await import('../../bot/operator/index.ts');
  const found = await runToChange(args.run);
  const answer = await doorOf(found, owner).act(name, { ...parameters, ...whoAndWhy(args.reason) });
  if (args.json) writeDocument({ schema: 1, runId: found.runId, name: found.name, ...answer });
  else writeLine(describeAnswer(found, answer));
  return answer.isConfirmed ? EXIT.ok : EXIT.failure;
}

/**
 * As {@link act}; where the run does not answer, or with `--guardian`, its guardian is asked, which ends the run first. A
 * guardian that has done so on its own by then has told how.
 */
export async function actOrGuardian(
  name: OperatorActionName,
  args: Parameters<typeof act>[1] & { readonly guardian?: boolean | undefined },
  parameters: Readonly<Record<string, unknown>>,
): Promise<number> {
  const found = await runToChange(args.run);
  // Nothing of it is left to cancel: how it ended is the answer.
  if (found.ended !== undefined && name === 'cancel-all') return showEnd(found, found.ended, args.json);
  const its = { ...args, run: found.runId };
  const isGone = (thrown: unknown): boolean =>
    thrown instanceof BotError && /^OPERATOR_(?:UNREACHABLE|RUN_ENDED)$/.test(thrown.code);
  if (args.guardian !== true)
    try {
      return await act(name, its, parameters);
    } catch (thrown) {
      if (!isGone(thrown) || found.ended !== undefined) throw thrown;
      writeNote('the run does not answer: its guardian is asked');
    }
  try {
    return await act(name, its, parameters, 'guardian');
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    const ended = await endOf(found, GUARDIAN_MS_MAX);
    if (ended === undefined) throw thrown;
    return showEnd(found, ended, args.json);
  }
}

/** Shows how a run ended: exit code 0 with the proof that no order is open. */
export function showEnd(
  { runId, name }: ListedRun,
  ended: NonNullable<ListedRun['ended']>,
  isJson: boolean | undefined,
): number {
  if (isJson) writeDocument({ schema: 1, runId, name, ended });
  else {
    const proof = ended.isProven ? 'no order is open, proven' : 'it is not proven that no order is open';
    writeLine(`${answerLine('ended', `${name} (${runId}): ${ended.reason}`)}\n${proof}`);
  }
  return ended.isProven ? EXIT.ok : EXIT.failure;
}

/** How a run ended, as soon as the list says so; `undefined`: it does not, within this time or as its process is gone. */
export async function endOf(
  found: ListedRun,
  withinMs: number,
): Promise<NonNullable<ListedRun['ended']> | undefined> {
  const { findRun, stateOf } = await import('../../bot/operator/index.ts');
  const folder = await ownRuns();
  const clock = new SystemClock();
  const untilMs = clock.monotonicMs() + withinMs;
  let diedAtMs = Number.POSITIVE_INFINITY;
  for (;;) {
    // In this order: of a run whose process is gone the list says the last word, by its guardian a little later.
    const state = await stateOf(found);
    const { ended } = findRun(folder, found.runId);
    if (ended !== undefined) return ended;
    const nowMs = clock.monotonicMs();
    if (state === 'died') diedAtMs = Math.min(diedAtMs, nowMs);
    if (nowMs >= untilMs || nowMs - diedAtMs > GUARDIAN_MS_MAX) return undefined;
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}

/** Who asks, and why: for the journal of the run. */
export function whoAndWhy(reason: string | undefined): { readonly actor: string; readonly reason?: string } {
  return { actor: userInfo().username, ...(reason === undefined ? {} : { reason }) };
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

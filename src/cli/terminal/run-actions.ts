/**
 * @module
 * What is asked of a run and done to it, without a word shown: how a run is named, actions at its door or at its guardian,
 * and how it ended. Commands show it, and agents are told it.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ActionAnswer, ListedRun, OperatorActionName } from '../../bot/operator/index.ts';
import { BotError, SystemClock } from '../../core/index.ts';

/** A guardian has emptied the book of a run that died within this time, ms. */
const GUARDIAN_MS_MAX = 10_000;
/** Between two looks at the list of runs, ms. */
const LOOK_MS = 200;

/** Where the list of this user's runs is. */
export async function ownRuns(): Promise<string> {
  const { readEnvironment } = await import('../../core/environment/index.ts');
  const { runsFolder } = await import('../../bot/operator/index.ts');
  return runsFolder(readEnvironment().stateHome);
}

/** The run that a read is about: the newest where none is named. @throws BotError `OPERATOR_RUN_UNKNOWN`. */
export async function runToRead(asked: string | undefined): Promise<ListedRun> {
  const { findRun } = await import('../../bot/operator/index.ts');
  return findRun(await ownRuns(), asked ?? 'latest');
}

/** Where the record of a run is: the folder itself, or a run of this user. @throws BotError `OPERATOR_RUN_UNKNOWN`. */
export async function folderOfRun(asked: string): Promise<string> {
  const isPath = asked.includes('/') || existsSync(asked);
  return isPath ? asked : (await runToRead(asked)).folder;
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

/** How a run ended. */
export type RunEnd = NonNullable<ListedRun['ended']>;

/** What an action did: the answer of the run or of its guardian, or how the run has ended by then. */
export type Outcome = { readonly answer: ActionAnswer } | { readonly ended: RunEnd };

/** Asks the run, or its guardian, for an action. @throws BotError `OPERATOR_UNREACHABLE`, `OPERATOR_RUN_ENDED`, and what is refused. */
export async function carryOut(
  found: ListedRun,
  name: OperatorActionName,
  parameters: Readonly<Record<string, unknown>>,
  owner: 'control' | 'guardian' = 'control',
): Promise<ActionAnswer> {
  const { doorOf } = await import('../../bot/operator/index.ts');
  return await doorOf(found, owner).act(name, parameters);
}

/**
 * As {@link carryOut}; where the run does not answer, or with `isGuardian`, its guardian is asked, which ends the run
 * first. A guardian that has done so on its own by then has told how.
 */
export async function carryOutOrGuardian(
  found: ListedRun,
  name: OperatorActionName,
  parameters: Readonly<Record<string, unknown>>,
  { isGuardian, onSilent }: { readonly isGuardian: boolean; onSilent(): void },
): Promise<Outcome> {
  // Nothing of it is left to cancel: how it ended is the answer.
  if (found.ended !== undefined && name === 'cancel-all') return { ended: found.ended };
  const isGone = (thrown: unknown): boolean =>
    thrown instanceof BotError && /^OPERATOR_(?:UNREACHABLE|RUN_ENDED)$/.test(thrown.code);
  if (!isGuardian)
    try {
      return { answer: await carryOut(found, name, parameters) };
    } catch (thrown) {
      if (!isGone(thrown) || found.ended !== undefined) throw thrown;
      onSilent();
    }
  try {
    return { answer: await carryOut(found, name, parameters, 'guardian') };
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    const ended = await endOf(found, GUARDIAN_MS_MAX);
    if (ended === undefined) throw thrown;
    return { ended };
  }
}

/** Ends a run in order, its positions first where `flatten` is true; how it ended, `undefined`: it has not within this time. */
export async function stopRun(
  found: ListedRun,
  parameters: Readonly<Record<string, unknown>>,
  withinMs: number,
): Promise<RunEnd | undefined> {
  await carryOut(found, 'stop', parameters);
  return await endOf(found, withinMs);
}

/** How a run ended, as soon as the list says so; `undefined`: it does not, within this time or as its process is gone. */
export async function endOf(found: ListedRun, withinMs: number): Promise<RunEnd | undefined> {
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
export function whoAndWhy(
  reason: string | undefined,
  actor = userInfo().username,
): { readonly actor: string; readonly reason?: string } {
  return { actor, ...(reason === undefined ? {} : { reason }) };
}

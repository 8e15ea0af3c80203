/** @module The page and the door: the feed is followed and tried again, actions are asked for, runs are listed. */
import type { FeedMessage } from '../dashboard.ts';
import { ask, keepToken, later, now, openTab } from './browser.ts';
import { type Dialog, type Explained, type ListRow, type PageState, take } from './store.ts';

/** Between two tries to reach the door, ms. */
const AGAIN_MS = 1_500;
/** A feed that says nothing for so long has stopped, ms. */
const SILENCE_MS = 5_000;

/** The feed that is followed now: a newer one ends it. */
let following: AbortController | undefined;

/** Follows the feed with the token of the state until the session ends. */
function follow(state: PageState, changed: () => void): void {
  following?.abort();
  const own = new AbortController();
  following = own;
  void keepFollowing(state, changed, own);
}

async function keepFollowing(state: PageState, changed: () => void, own: AbortController): Promise<void> {
  const { token } = state;
  while (token !== undefined && !own.signal.aborted) {
    const isRefused = await readFeed(state, changed, own.signal);
    if (own.signal.aborted) return;
    if (isRefused) {
      endSession(state, 'This token is not that of the run: each start of a run makes a new one.');
      changed();
      return;
    }
    if (state.phase.kind !== 'lost') state.phase = { kind: 'lost', sinceMs: now() };
    changed();
    await new Promise<void>((resolve) => later(AGAIN_MS, resolve));
  }
}

/** Reads the feed to its end. True: the token is refused. */
async function readFeed(state: PageState, changed: () => void, session: AbortSignal): Promise<boolean> {
  const ended = new AbortController();
  const end = () => ended.abort();
  session.addEventListener('abort', end);
  const watch = { heardAtMs: now(), isOver: false };
  const look = (): void => {
    if (watch.isOver) return;
    if (now() - watch.heardAtMs > SILENCE_MS) end();
    else later(1_000, look);
  };
  look();
  try {
    const answer = await ask('/feed', state.token ?? '', { signal: ended.signal });
    if (answer.status === 401) return true;
    const reader = answer.status === 200 ? answer.body?.getReader() : undefined;
    const decoder = new TextDecoder();
    let text = '';
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      watch.heardAtMs = now();
      text += decoder.decode(part.value, { stream: true });
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const one of whole) {
        const message: FeedMessage = JSON.parse(one.replace(/^data: /, ''));
        take(state, message, now());
      }
      if (whole.length > 0) changed();
    }
  } catch {
    // Nobody answers, or the feed was cut: it is tried again.
    return false;
  } finally {
    watch.isOver = true;
    session.removeEventListener('abort', end);
  }
  return false;
}

/** Begins a session of this tab. */
export function beginSession(state: PageState, token: string, changed: () => void): void {
  keepToken(token);
  state.token = token;
  state.phase = { kind: 'connecting' };
  changed();
  follow(state, changed);
  void listRuns(state, changed);
}

/** Ends the session: the token is forgotten, and what was shown is taken down. */
export function endSession(state: PageState, why?: string): void {
  following?.abort();
  keepToken(undefined);
  state.token = undefined;
  state.message = undefined;
  state.dialog = undefined;
  state.explained = undefined;
  state.runs = undefined;
  state.phase = why === undefined ? { kind: 'locked' } : { kind: 'locked', why };
}

/** Asks for an action; its answer is put into the dialog. */
export async function act(
  state: PageState,
  action: string,
  parameters: Readonly<Record<string, unknown>>,
  changed: () => void,
): Promise<void> {
  state.dialog = { action, isSent: true };
  changed();
  const answer = await answerOf(state, action, parameters);
  // Who has closed the dialog meanwhile sees the effect on the page.
  if (state.dialog?.action === action) state.dialog = { action, isSent: true, answer };
  changed();
}

async function answerOf(
  state: PageState,
  action: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<NonNullable<Dialog['answer']>> {
  try {
    const answer = await ask(`/control/${action}`, state.token ?? '', { body: parameters });
    const told = JSON.parse(await answer.text());
    if (answer.status !== 200)
      return { isGood: false, text: `${told.error.message}. ${told.error.remedy}`.trim() };
    const { scope, before, after, isConfirmed, waitsFor, halts } = told;
    const waits = isConfirmed ? 'done' : `not confirmed yet, it waits for: ${waitsFor.join('; ')}`;
    const halted = halts.length === 0 ? '' : ` Halted until resumed: ${halts.map(haltWords).join('; ')}.`;
    return {
      isGood: isConfirmed,
      text: `${action} of ${scope}: from ${valueWords(before)} to ${valueWords(after)}, ${waits}.${halted}`,
    };
  } catch {
    return { isGood: false, text: 'The run does not answer. See whether it lives: ballast runs.' };
  }
}

function haltWords({ scope, reason }: { readonly scope: string; readonly reason: string }): string {
  return `${scope} (${reason})`;
}

function valueWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Asks why something was as it was; the answer is put beside the question. */
export async function askWhy(state: PageState, question: string, changed: () => void): Promise<void> {
  state.explained = { question, steps: [] };
  changed();
  const told = await explainedBy(state, question);
  // Who has closed it, or asked something else meanwhile, is not shown this.
  if (state.explained?.question === question) state.explained = told;
  changed();
}

async function explainedBy(state: PageState, question: string): Promise<Explained> {
  try {
    const answer = await ask(`/explain?question=${encodeURIComponent(question)}`, state.token ?? '');
    const told = JSON.parse(await answer.text());
    if (answer.status === 200) return { question, answer: told.answer, steps: told.steps };
    return { question, steps: [], problem: `${told.error.message}. ${told.error.remedy}`.trim() };
  } catch {
    return { question, steps: [], problem: 'The run does not answer. The command below reads its journal.' };
  }
}

/** Asks for the list of runs. */
export async function listRuns(state: PageState, changed: () => void): Promise<void> {
  try {
    const answer = await ask('/runs', state.token ?? '');
    if (answer.status !== 200) return;
    const { runs }: { readonly runs: readonly ListRow[] } = JSON.parse(await answer.text());
    state.runs = runs;
  } catch {
    // The list stays as it was; that nobody answers is shown above it.
    return;
  }
  changed();
}

/** Opens the report of a run that has ended. */
export async function openReport(state: PageState, runId: string, changed: () => void): Promise<void> {
  state.making = runId;
  state.reportProblem = undefined;
  changed();
  try {
    const answer = await ask(`/reports/${encodeURIComponent(runId)}`, state.token ?? '', { body: {} });
    const told = JSON.parse(await answer.text());
    if (answer.status === 200) openTab(told.path);
    else state.reportProblem = told.error.message;
  } catch {
    state.reportProblem = 'the run does not answer';
  }
  state.making = undefined;
  changed();
}

/** @module The one client of the door: what the commands of `ballast` ask a run, and its guardian where the run is silent. */
import type { Agent } from 'undici';
import { BotError, formatJson, isRecord, type JsonObject, messageOf, parseJson } from '../../core/index.ts';
import type { OperatorActionName } from './actions.ts';
import { type Control, type DoorOwner, readControl } from './control-file.ts';
import type { ActionAnswer, ReadDocuments } from './documents.ts';
import { isAlive, type ListedRun } from './run-list.ts';

/** Asks one run. */
export interface DoorClient {
  /** @throws BotError `OPERATOR_UNREACHABLE`, and what the door refuses. */
  read<Name extends keyof ReadDocuments>(
    name: Name,
    query?: Readonly<Record<string, string | number>>,
    withinMs?: number,
  ): Promise<ReadDocuments[Name]>;
  /** @throws BotError `OPERATOR_UNREACHABLE`, and what the door refuses. */
  act(
    name: OperatorActionName,
    parameters: Readonly<Record<string, unknown>>,
    withinMs?: number,
  ): Promise<ActionAnswer>;
}

/** Longer than an action takes to confirm its effect. */
const WITHIN_MS = 15_000;
const STATE_WITHIN_MS = 2_000;

/** The door of a run. @throws BotError `OPERATOR_RUN_ENDED` when there is none. */
export function doorOf(run: ListedRun, owner: DoorOwner = 'control'): DoorClient {
  const control = readControl(run.folder, owner);
  if (control === undefined) throw noDoor(run, owner);
  return new HttpDoorClient(control);
}

/**
 * Where a browser finds the dashboard of a run. The token is behind the `#`: that part of an address stays in the browser.
 * @throws BotError `OPERATOR_RUN_ENDED` when there is no door.
 */
export function dashboardAddress(run: ListedRun): string {
  const control = readControl(run.folder, 'control');
  if (control === undefined) throw noDoor(run, 'control');
  return `${control.baseUrl}/#token=${control.token}`;
}

/** What a run is doing: the state that it tells, `ended`, `died` without an end, or `silent` while its process lives. */
export async function stateOf(run: ListedRun): Promise<string> {
  if (run.ended !== undefined) return 'ended';
  try {
    const { runId, state } = await doorOf(run).read('run', {}, STATE_WITHIN_MS);
    if (runId === run.runId && typeof state === 'string') return state;
  } catch (thrown) {
    if (!(thrown instanceof BotError)) throw thrown;
  }
  return isAlive(run) ? 'silent' : 'died';
}

class HttpDoorClient implements DoorClient {
  readonly #control: Control;
  #agent: Agent | undefined;

  constructor(control: Control) {
    this.#control = control;
  }

  async read<Name extends keyof ReadDocuments>(
    name: Name,
    query: Readonly<Record<string, string | number>> = {},
    withinMs = WITHIN_MS,
  ): Promise<ReadDocuments[Name]> {
    // The door of this run is of this version: it gives what the table of reads says.
    return (await this.#ask('GET', `/${name}`, { query: { ...query }, withinMs })) as ReadDocuments[Name];
  }

  async act(
    name: OperatorActionName,
    parameters: Readonly<Record<string, unknown>>,
    withinMs = WITHIN_MS,
  ): Promise<ActionAnswer> {
    const body = formatJson(parameters);
    return (await this.#ask('POST', `/control/${name}`, { body, withinMs })) as ActionAnswer;
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    {
      query,
      body,
      withinMs,
    }: {
      readonly query?: Record<string, string | number>;
      readonly body?: string;
      readonly withinMs: number;
    },
  ): Promise<object> {
    const { baseUrl, token } = this.#control;
    // Loading the room must not load a network: most commands ask no run.
    const { Agent, request } = await import('undici');
    this.#agent ??= new Agent({ pipelining: 1, connections: 1, keepAliveTimeout: 1_000 });
    let text: string;
    let status: number;
    try {
      const response = await request(`${baseUrl}${path}`, {
        method,
        dispatcher: this.#agent,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        headersTimeout: withinMs,
        bodyTimeout: withinMs,
        ...(query === undefined ? {} : { query }),
        ...(body === undefined ? {} : { body }),
      });
      status = response.statusCode;
      text = await response.body.text();
    } catch (cause) {
      throw unreachable(baseUrl, messageOf(cause), cause);
    }
    const answer = objectIn(text);
    if (answer === undefined) throw unreachable(baseUrl, `an answer of status ${status} that is no document`);
    if (status === 200) return answer;
    const {
      code = 'OPERATOR_UNREACHABLE',
      message = `status ${status}`,
      remedy = '',
    } = isRecord(answer['error']) ? answer['error'] : {};
    throw new BotError({ code: String(code), message: String(message), remedy: String(remedy) });
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const read: unknown = parseJson(text);
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function unreachable(baseUrl: string, why: string, cause?: unknown): BotError {
  return new BotError({
    code: 'OPERATOR_UNREACHABLE',
    message: `expected the run to answer at ${baseUrl}, got ${why}`,
    remedy:
      'See with `ballast runs` whether it lives. `ballast cancel-all` goes to its guardian while the run is silent.',
    cause,
  });
}

function noDoor(run: ListedRun, owner: DoorOwner): BotError {
  const what = owner === 'control' ? 'run with a door' : 'run with a guardian';
  const state = run.ended === undefined ? 'has none now' : `ended (${run.ended.reason})`;
  return new BotError({
    code: 'OPERATOR_RUN_ENDED',
    message: `expected a ${what}, got run ${run.runId} of ${run.name}, which ${state}`,
    remedy:
      '`ballast runs` lists the runs of this user with their states; operator.enabled gives a run its door.',
  });
}

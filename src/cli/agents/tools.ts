/**
 * @module
 * The tools of agents, one row a tool: each does what a command does, by the same code. Reads come from the runs of this
 * user, their records and their tapes; controls are the actions of the door of a run.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { OperatorActionName, ReadDocuments } from '../../bot/operator/index.ts';
import {
  type ActionOn,
  actionsOn,
  BotError,
  integerFrom,
  lineOf,
  optional,
  type Parameters,
  preset,
  required,
} from '../../core/index.ts';
import { explained } from '../terminal/explained.ts';
import {
  carryOut,
  carryOutOrGuardian,
  ownRuns,
  runToChange,
  runToRead,
  stopRun,
  whoAndWhy,
} from '../terminal/run-actions.ts';

/** What the tools of one question work with. */
export interface Desk {
  /** Who asks, as the journal of a run names it. */
  readonly actor: string;
  /** Folders that hold tapes, beside those of runs. */
  readonly tapeFolders: readonly string[];
}

/** One tool. */
export type Tool = ActionOn<Desk> & {
  /** True if it may close positions or end a run. */
  readonly isDestructive?: boolean;
};

const RUNS_MAX = 200;
/** A client waits for an answer a minute; the end of a run may take longer, ms. */
const END_MS_MAX = 45_000;
const MANIFEST = 'manifest.json';

const tool = actionsOn<Desk>();

const RUN = {
  run: optional<string>(
    lineOf('the name of a bot, the id of a run, or latest'),
    'Which run',
    'the newest that goes on',
  ),
} as const;
const CHANGED_RUN = {
  run: optional<string>(
    lineOf('the name of a bot, the id of a run, or latest'),
    'Which run',
    'the only one that goes on',
  ),
} as const;

/** What changes nothing. */
export const READ_TOOLS: readonly Tool[] = [
  tool({
    name: 'runs',
    description: 'Lists the runs of this user, newest first, with their states.',
    parameters: { limit: preset(integerFrom(1, RUNS_MAX), 20, 'How many at most') },
    isRead: true,
    run: async (_desk, { limit }) => {
      const { listedRuns, stateOf } = await import('../../bot/operator/index.ts');
      const shown = listedRuns(await ownRuns()).slice(0, limit);
      const states = await Promise.all(shown.map(stateOf));
      return { runs: shown.map((one, at) => ({ ...one, state: states[at] ?? 'died' })) };
    },
  }),
  readTool(
    'status',
    'The whole run at one instant: state, reasons, halts, profit, limits, markets, strategies.',
  ),
  readTool('orders', 'The open orders of a run.'),
  readTool('positions', 'Positions of a run, and which strategy holds them.'),
  readTool('fills', 'The newest 50 fills of a run.'),
  readTool('alerts', 'Alerts of a run that are not over.'),
  tool({
    name: 'explain',
    description:
      'Why an order, a fill, a denial, a write or a gap was as it was, or what keeps the run from quoting now.',
    parameters: {
      question: required<string>(
        lineOf('now; order, fill, denial or write with an id; gap with market, bid or ask, and a time'),
        'What is to be explained, such as: gap BTC-USD bid 2026-11-27T03:00:00Z',
      ),
      ...RUN,
    },
    isRead: true,
    run: async (_desk, { run, question }) =>
      (await explained(await runToRead(run), question.trim().split(/ +/))).document,
  }),
  tool({
    name: 'report',
    description: 'The figures of a run that has ended, as `ballast report --json` prints them.',
    parameters: RUN,
    isRead: true,
    run: async (_desk, { run }) => {
      const { jsonOfRun, loadRun } = await import('../../report/index.ts');
      return jsonOfRun(loadRun((await runToRead(run)).folder));
    },
  }),
  tool({
    name: 'tapes',
    description: 'Lists tapes: those of runs and those in the folders that the server was started with.',
    parameters: {},
    isRead: true,
    run: async (desk) => {
      const { openTape } = await import('../../tape/format/index.ts');
      const tapes = (await tapesOf(desk)).map((folder) => {
        try {
          const { name, rows, fromUs, toUs, markets } = openTape(folder);
          return { name, folder, rows, fromUs, toUs, markets: markets.map(({ symbol }) => symbol) };
        } catch (thrown) {
          if (!(thrown instanceof BotError)) throw thrown;
          return { name: basename(folder), folder, error: thrown.message };
        }
      });
      return { tapes };
    },
  }),
  tool({
    name: 'tape',
    description: 'Span, markets, counts, files, data quality and hash of one tape of the list.',
    parameters: { name: required<string>(lineOf('the name of a tape'), 'Its name or its folder, as listed') },
    isRead: true,
    run: async (desk, { name }) => {
      const { openTape } = await import('../../tape/format/index.ts');
      const known = await tapesOf(desk);
      const folder = known.find((one) => one === name || basename(one) === name);
      if (folder === undefined) throw unknownTape(name, known);
      const { manifest, truncated } = openTape(folder);
      return { name: basename(folder), ...manifest, truncated };
    },
  }),
];

/** What changes a run: the actions of its door. */
export async function controlTools(): Promise<readonly Tool[]> {
  const { OPERATOR_ACTIONS } = await import('../../bot/operator/index.ts');
  return OPERATOR_ACTIONS.map(({ name, description, gives, parameters }) => {
    const { actor: _actor, ...asked }: Parameters = parameters;
    return {
      ...tool({
        ...{ name, description, gives, parameters: { ...asked, ...CHANGED_RUN } as Parameters },
        run: (desk, values) => changed(desk, name, values),
      }),
      isDestructive: name === 'flatten' || name === 'stop' || name === 'cancel-all',
    };
  });
}

async function changed(
  { actor }: Desk,
  name: OperatorActionName,
  { run, ...values }: Readonly<Record<string, unknown>>,
): Promise<object> {
  const found = await runToChange(typeof run === 'string' ? run : undefined);
  const about = { runId: found.runId, name: found.name };
  const given = { ...values, ...whoAndWhy(undefined, actor) };
  if (name === 'stop') {
    const ended = await stopRun(found, given, END_MS_MAX);
    return { ...about, ...(ended === undefined ? { isEnding: true } : { ended }) };
  }
  if (name !== 'cancel-all') return { ...about, ...(await carryOut(found, name, given)) };
  const outcome = await carryOutOrGuardian(found, name, given, {
    isGuardian: false,
    onSilent: () => undefined,
  });
  return { ...about, ...('ended' in outcome ? { ended: outcome.ended } : outcome.answer) };
}

function readTool(name: keyof ReadDocuments & string, description: string): Tool {
  return tool({
    ...{ name, description, parameters: RUN, isRead: true },
    run: async (_desk, { run }) => {
      const { doorOf } = await import('../../bot/operator/index.ts');
      const found = await runToRead(run);
      return { runId: found.runId, name: found.name, ...(await doorOf(found).read(name)) };
    },
  });
}

/** Folders of tapes: of the runs, and below the folders of the server. */
async function tapesOf({ tapeFolders }: Desk): Promise<readonly string[]> {
  const { listedRuns } = await import('../../bot/operator/index.ts');
  const isTape = (folder: string) => existsSync(join(folder, MANIFEST));
  const ofRuns = listedRuns(await ownRuns()).map(({ folder }) => folder);
  const given = tapeFolders.flatMap((folder) => [folder, ...foldersIn(folder)]);
  return [...new Set([...ofRuns, ...given])].filter(isTape);
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((one) => one.isDirectory()).map((one) => join(folder, one.name));
  } catch {
    // Moved away since the start, or never there: it holds no tape.
    return [];
  }
}

function unknownTape(name: string, known: readonly string[]): BotError {
  const names = known.map((one) => basename(one));
  return new BotError({
    code: 'AGENT_TAPE_UNKNOWN',
    message: `expected the name of a listed tape, got ${JSON.stringify(name)}; known are ${names.slice(0, 10).join(', ') || 'no tapes'}`,
    remedy: 'The tool tapes lists them; `ballast mcp --tapes <folder>` adds a folder.',
  });
}

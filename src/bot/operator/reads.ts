/** @module What can be read of a run while it continues, one row a read. None of them changes anything. */
import {
  actionRefused,
  type BotError,
  integerFrom,
  type JsonObject,
  lineOf,
  optional,
  type Parameters,
  readParameters,
  required,
} from '../../core/index.ts';
import type { BotStatus } from '../kernel/index.ts';
import type { ReadDocuments } from './documents.ts';
import type { Page } from './kept.ts';
import type { OperatedRun, RunFigures } from './ports.ts';
import { invalid } from './scope.ts';

/** One read. */
export interface Read {
  /** As in its path. */
  readonly name: string;
  /** A sentence. */
  readonly description: string;
  readonly parameters: Parameters;
  /** @throws BotError `CONTROL_INVALID`, `CONTROL_REFUSED`. */
  run(run: OperatedRun, query: JsonObject): object;
}

/** Entries of one page, unless fewer are asked for. */
const PAGE_MAX = 1_000;
const PAGE_PRESET = 100;

const PAGE = {
  after: optional(
    integerFrom(0),
    'Number of the first entry: `next` of the page before',
    'the newest entries',
  ),
  limit: optional(integerFrom(1, PAGE_MAX), 'How many entries at most', `${PAGE_PRESET}`),
} as const;

const EXPLAIN = {
  question: required<string>(
    lineOf('the words of a question, as in order 1234 or gap BTC-USD bid 2026-11-27T03:00:00Z'),
    'What is to be explained',
  ),
} as const;

/** All reads. */
export const OPERATOR_READS: readonly Read[] = [
  {
    name: 'run',
    description: 'Which run it is, its state, and what is halted until a person resumes it.',
    parameters: {},
    run: (run): ReadDocuments['run'] => {
      const { state = 'starting', reasons = [], halts = [] } = run.started()?.bot.status() ?? {};
      return { ...run.about, state, reasons, halts };
    },
  },
  read('status', 'The whole run at one instant.', (status, figures) => ({
    ...status,
    ...{ budgets: figures.budgets(), signers: figures.signers() },
  })),
  read('orders', 'Open orders by market.', ({ markets }) => ({
    orders: markets.flatMap(({ symbol, orders }) => orders.map((order) => ({ symbol, ...order }))),
  })),
  read('positions', 'Positions, entry and unrealized profit by market, and who holds them.', positionsOf),
  read('fills', 'The newest 50 fills, the newest first.', ({ fills }) => ({ fills })),
  read(
    'health',
    'The health checks with their values, and why the switch is not renewed.',
    (status, figures) => ({
      ...status.health,
      switch: status.switch,
      unresolved: status.unresolved,
      signers: figures.signers(),
    }),
  ),
  {
    name: 'alerts',
    description: 'Alerts that are not over, and what each channel was told.',
    parameters: {},
    run: ({ board }): ReadDocuments['alerts'] => board?.document() ?? { active: [], channels: [] },
  },
  page(
    'events',
    'Rows of the journal: intents, denials, changes, actions of people.',
    ({ events }, after, limit) => events.page(after, limit),
  ),
  {
    name: 'explain',
    description:
      'Why an order, a fill, a denial, a write or a gap was as it was, from the journal of the run.',
    parameters: EXPLAIN,
    run: (run, query): ReadDocuments['explain'] => {
      const found = readParameters(EXPLAIN, query);
      if (!('values' in found)) throw problemOf(found.problems);
      const explain = run.started()?.explain;
      if (explain !== undefined) return explain(found.values.question.split(' '));
      throw actionRefused(
        'expected a run that has started and keeps a journal',
        'see the report of a paper run',
      );
    },
  },
  page('logs', 'Lines of the log, from the level info on.', ({ lines }, after, limit) =>
    lines.page(after, limit),
  ),
];

function positionsOf(status: BotStatus): ReadDocuments['positions'] {
  const { equity, pnl, markets, strategies } = status;
  return {
    ...{ equity, pnl },
    positions: markets.map(({ symbol, position, averagePrice, mark, unrealized, unowned }) => ({
      ...{ symbol, position, averagePrice, mark, unrealized, unowned },
      byStrategy: Object.fromEntries(
        strategies.flatMap(({ id, inventory }) =>
          Object.hasOwn(inventory, symbol) ? [[id, inventory[symbol]] as const] : [],
        ),
      ),
    })),
  };
}

function read<Name extends 'status' | 'orders' | 'positions' | 'fills' | 'health'>(
  name: Name,
  description: string,
  of: (status: BotStatus, figures: RunFigures) => ReadDocuments[Name],
): Read {
  return {
    ...{ name, description, parameters: {} },
    run: (run) => {
      const started = run.started();
      if (started !== undefined) return of(started.bot.status(), started.figures);
      throw actionRefused('expected a run that has started, got one that starts', 'ask again in a moment');
    },
  };
}

function page(
  name: string,
  description: string,
  of: (run: OperatedRun, after: number | undefined, limit: number) => Page<unknown>,
): Read {
  return {
    ...{ name, description, parameters: PAGE },
    run: (run, query) => {
      const found = readParameters(PAGE, numbersIn(query));
      if ('values' in found) return of(run, found.values.after, found.values.limit ?? PAGE_PRESET);
      throw problemOf(found.problems);
    },
  };
}

function problemOf([first]: Extract<
  ReturnType<typeof readParameters>,
  { problems: unknown }
>['problems']): BotError {
  return invalid(first?.path.join('.') ?? '', first?.expected ?? '', first?.found ?? '');
}

/** A query holds text. */
function numbersIn(query: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => [
      key,
      typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value,
    ]),
  );
}

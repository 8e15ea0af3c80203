/**
 * @module
 * What can be wrong with a run, one row a kind. What is not ready, what alerts are sent for and what the runbook has a row
 * for is all this one table, found in the state that the run has already whenever somebody asks.
 */
import type { BotStatus } from '../kernel/index.ts';
import type { RunFigures, RunView } from './ports.ts';

/** How much an alert matters, the least first. */
const SEVERITIES = ['info', 'warning', 'critical'] as const;

/** One of {@link SEVERITIES}. */
export type Severity = (typeof SEVERITIES)[number];

/** One thing that is wrong now. */
export interface Found {
  /** `account`, a market, a strategy, a health check: with its kind it names the problem. */
  readonly about: string;
  /** A sentence. */
  readonly text: string;
}

/** One kind of problem. */
export interface ProblemKind {
  readonly severity: Severity;
  /** False: the run is as good as ever, and will not be. */
  readonly isNotReady: boolean;
  /** An alert is sent for it; false: others say it, or a person asked for it just now. */
  readonly isAlert: boolean;
  /** It must last this long before an alert is sent, ms. */
  readonly holdMs: number;
  /** A sentence. */
  readonly meaning: string;
  find(view: Started): readonly Found[];
}

/** A run that has started. */
interface Started extends RunView {
  readonly status: BotStatus;
  readonly figures: RunFigures;
}

/** A problem with its kind. */
export interface Problem extends Found {
  readonly kind: ProblemName;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of what a scope may lose, so much is close to the limit. */
const LOSS_NEAR = 0.8;

/** All kinds. */
export const PROBLEMS = {
  starting: kind('info', 'The run has not begun to trade: it checks, reconciles and arms the switch.', {
    isAlert: false,
    find: ({ status: { state } }) =>
      state === 'starting' || state === 'reconciling' ? [run(`the run is ${state}`)] : [],
  }),
  ending: kind('info', 'The run places nothing any more and proves that no order is open.', {
    isAlert: false,
    find: ({ status: { state } }) =>
      state === 'stopping' || state === 'stopped' ? [run(`the run is ${state}`)] : [],
  }),
  degraded: kind(
    'warning',
    'The run does not trade, for reasons that pass: a stream is down, a book is old.',
    {
      holdMs: 30_000,
      find: ({ status: { state, reasons } }) =>
        state === 'degraded' ? [run(reasons.join('; ') || 'the run is degraded')] : [],
    },
  ),
  halted: kind('critical', 'The account, a market or a strategy is halted until a person resumes it.', {
    find: ({ status: { halts } }) =>
      halts
        // The lane of a signer that is down, which has a row of its own, is given back without a person.
        .filter(({ reason }) => !reason.includes(': SIGNER_UNAVAILABLE: '))
        .map(({ control, scope, reason }) => ({ about: scope, text: `halted by ${control}: ${reason}` })),
  }),
  paused: kind('warning', 'The account, a market or a strategy places nothing, until its control lets go.', {
    holdMs: 30_000,
    find: (view) => {
      const kept = new Set(view.status.halts.map(({ scope }) => scope));
      return inState(view, 'halted').filter(({ about }) => !kept.has(about));
    },
  }),
  reducing: kind('warning', 'In the account, a market or a strategy positions may only become smaller.', {
    find: (view) => inState(view, 'reducing'),
  }),
  throttled: kind('warning', 'The writes of the account, a market or a strategy are slowed down.', {
    holdMs: 60_000,
    find: (view) => inState(view, 'throttled'),
  }),
  'strategy-failed': kind('critical', 'A strategy threw, and makes no decisions.', {
    find: ({ status: { strategies } }) =>
      strategies.flatMap(({ id, state, reason }) =>
        state === 'failed' ? [{ about: id, text: `strategy ${id} has failed: ${reason}` }] : [],
      ),
  }),
  'stale-market': kind('warning', 'The data of a market are too old to trade on.', {
    find: ({ status: { markets } }) =>
      markets.flatMap(({ symbol, isFresh }) =>
        isFresh ? [] : [{ about: symbol, text: `the data of ${symbol} are too old to trade on` }],
      ),
  }),
  'switch-not-armed': kind('critical', "The dead man's switch is not armed, so that no order may rest.", {
    holdMs: 5_000,
    find: ({ status: { state, switch: armed } }) =>
      isTrading(state) && (armed.armedForMs ?? 0) <= 0
        ? [{ about: 'switch', text: "the dead man's switch is not armed" }]
        : [],
  }),
  'switch-held': kind('critical', "The dead man's switch is not renewed: it will cancel all orders.", {
    holdMs: 5_000,
    find: ({ status: { switch: armed } }) =>
      armed.held.length === 0 ? [] : [{ about: 'switch', text: `not renewed: ${armed.held.join('; ')}` }],
  }),
  'unresolved-write': kind('warning', 'The outcome of a write is not known yet.', {
    holdMs: 5_000,
    find: ({ status: { unresolved } }) =>
      unresolved === 0
        ? []
        : [{ about: 'account', text: `the outcome of ${unresolved} writes is not known` }],
  }),
  'health-red': kind('warning', 'A check of the health vector is red (H1 to H9).', {
    holdMs: 10_000,
    // H10 is red for the halts, which have a row of their own.
    find: ({ status: { health } }) =>
      health.items.flatMap(({ id, isHealthy, reason }) =>
        isHealthy || id === 'H10' ? [] : [{ about: id, text: reason }],
      ),
  }),
  'signer-down': kind('critical', 'The signer of a wallet does not sign: its lane cannot write.', {
    holdMs: 5_000,
    find: ({ figures }) =>
      figures.signers().flatMap(({ wallet, lane, kind: is, why = 'it does not sign', sinceMs }) =>
        is === 'down'
          ? [
              {
                about: wallet,
                text: `the signer of wallet ${wallet} does not answer${sinceMs === undefined ? '' : ` since ${new Date(sinceMs).toISOString()}`}: ${why}. Lane ${lane} cannot write until it signs; see to the signer, nothing else is to be done: it is asked each second`,
              },
            ]
          : [],
      ),
  }),
  'guardian-gone': kind('warning', 'No guardian watches the run: the switch alone guards it.', {
    holdMs: 30_000,
    find: ({ figures }) =>
      figures.guardian() === 'gone' ? [{ about: 'guardian', text: 'no guardian watches this run' }] : [],
  }),
  'grant-hour': kind('critical', 'The grant of an API wallet ends within an hour, and the run before it.', {
    find: (view) => grantWithin(view, 0, HOUR_MS),
  }),
  'grant-day': kind('warning', 'The grant of an API wallet ends within a day.', {
    isNotReady: false,
    find: (view) => grantWithin(view, HOUR_MS, DAY_MS),
  }),
  'grant-week': kind('info', 'The grant of an API wallet ends within a week.', {
    isNotReady: false,
    find: (view) => grantWithin(view, DAY_MS, 7 * DAY_MS),
  }),
  'loss-near-limit': kind('warning', 'A loss is above 80 % of its limit.', {
    isNotReady: false,
    find: ({ status: { losses } }) => losses.flatMap(nearLimits),
  }),
  'recording-gap': kind('warning', 'Not all that happens is recorded: trading goes on without.', {
    isNotReady: false,
    find: ({ status: { health } }) =>
      health.recording === undefined ? [] : [{ about: 'recording', text: health.recording }],
  }),
  'disk-low': kind('warning', 'The disk of the journal has little room left.', {
    isNotReady: false,
    holdMs: 10_000,
    find: ({ figures, lowDiskBytes }) => {
      const free = figures.freeDiskBytes();
      return free === undefined || free >= lowDiskBytes
        ? []
        : [
            {
              about: 'journal',
              text: `${Math.floor(free / 1_048_576)} MB are free on the disk of the journal`,
            },
          ];
    },
  }),
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** A name of {@link PROBLEMS}. */
export type ProblemName = keyof typeof PROBLEMS;

/** All names, in the order of the table. */
const PROBLEM_NAMES = Object.keys(PROBLEMS) as readonly ProblemName[];

/** What is wrong with a run now. */
export function problemsOf(view: RunView): readonly Problem[] {
  const { status, figures } = view;
  if (status === undefined || figures === undefined)
    return [{ kind: 'starting', ...run('the run is starting') }];
  return PROBLEM_NAMES.flatMap((name) =>
    PROBLEMS[name].find({ ...view, status, figures }).map((found) => ({ kind: name, ...found })),
  );
}

/** Why a run is not ready; empty: it is. */
export function notReady(view: RunView): readonly Problem[] {
  return problemsOf(view).filter((problem) => PROBLEMS[problem.kind].isNotReady);
}

function kind(
  severity: Severity,
  meaning: string,
  rest: Pick<ProblemKind, 'find'> & Partial<ProblemKind>,
): ProblemKind {
  return { isNotReady: true, isAlert: true, holdMs: 0, severity, meaning, ...rest };
}

function run(text: string): Found {
  return { about: 'run', text };
}

function isTrading(state: BotStatus['state']): boolean {
  return state === 'armed' || state === 'quoting' || state === 'degraded';
}

/** Scopes in a trading state. A market and a strategy tell it as text, with the reason behind a colon. */
function inState({ status }: Started, asked: string): readonly Found[] {
  const { trading, markets, strategies } = status;
  const scopes = [
    { about: 'account', trading: `${trading.state}: ${trading.reason}` },
    ...markets.map((market) => ({ about: market.symbol as string, trading: market.trading })),
    ...strategies.map((strategy) => ({ about: strategy.id, trading: strategy.trading })),
  ];
  return scopes.flatMap((one) =>
    stateOfText(one.trading) === asked ? [{ about: one.about, text: one.trading }] : [],
  );
}

/** The trading state at the start of its text. */
export function stateOfText(trading: string): string {
  return /^[a-z]+/.exec(trading)?.[0] ?? '';
}

function grantWithin({ figures }: Started, fromMs: number, toMs: number): readonly Found[] {
  const leftMs = figures.counted().gauges['grant_time_left_ms'];
  return leftMs === undefined || leftMs > toMs || (fromMs > 0 && leftMs <= fromMs)
    ? []
    : [
        {
          about: 'grant',
          text: `the grant of an API wallet ends in ${Math.max(0, Math.floor(leftMs / 60_000))} minutes`,
        },
      ];
}

function nearLimits({ scope, ...loss }: BotStatus['losses'][number]): readonly Found[] {
  return (
    [
      ['daily', loss.daily, loss.dailyMax],
      ['drawdown', loss.drawdown, loss.drawdownMax],
      ['minute', loss.minute, loss.minuteMax],
    ] as const
  ).flatMap(([window, lost, most]) =>
    most === undefined || Number(lost) < LOSS_NEAR * Number(most) || Number(lost) <= 0
      ? []
      : [{ about: `${scope} ${window}`, text: `${window} loss of ${scope}: ${lost} of ${most}` }],
  );
}

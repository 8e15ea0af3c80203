/**
 * @module
 * The metrics that the door of a run gives beside those that are counted while it runs, one row a metric: name, unit,
 * labels, meaning, and how it is found in the state that the run has already.
 */
import { VERSION } from '../../core/index.ts';
import type { BotStatus } from '../kernel/index.ts';
import type { RunFigures, RunView } from './ports.ts';
import { notReady, stateOfText } from './problems.ts';

/** A value with the values of its labels, in their order. */
type Sample = readonly [value: number | string | undefined, ...labels: readonly string[]];

/** One metric. */
export interface DoorMetric {
  readonly kind: 'gauge' | 'counter';
  /** What one is: `ms`, `bytes`, `collateral`, `1`. */
  readonly unit: string;
  readonly labels: readonly string[];
  readonly meaning: string;
  /** Values that are not known are left out. */
  of(view: RunView): readonly Sample[];
}

/** Each name of a metric of the door begins so, also of those that the run counts. */
export const METRIC_PREFIX = 'ballast_';

/** Names of trading states as figures. */
const TRADING_STATES: readonly string[] = ['active', 'throttled', 'reducing', 'halted'];

/** States of signers as figures. */
const SIGNER_STATES: readonly string[] = ['up', 'slow', 'down'];

/** All of them, by their names without {@link METRIC_PREFIX}. */
export const DOOR_METRICS: Readonly<Record<string, DoorMetric>> = {
  run_info: gauge('1', ['run', 'name', 'mode', 'environment', 'version'], 'Always 1: which run it is.', {
    of: ({ about: { runId, name, mode, environment } }) => [[1, runId, name, mode, environment, VERSION]],
  }),
  run_uptime_ms: gauge('ms', [], 'Since the start of the run.', {
    of: ({ about, nowMs }) => [[nowMs - about.startedAtMs]],
  }),
  run_state: gauge('1', ['state'], 'Always 1: the state of the run.', {
    of: ({ status }) => [[1, status?.state ?? 'starting']],
  }),
  run_ready: gauge('1', [], '1 if the run is ready, as `GET /readyz` says, else 0.', {
    of: (view) => [[notReady(view).length === 0 ? 1 : 0]],
  }),
  run_not_ready: gauge('1', ['reason', 'about'], 'Always 1: a reason why the run is not ready.', {
    of: (view) => notReady(view).map(({ kind, about }) => [1, kind, about]),
  }),
  trading_state: gauge(
    '1',
    ['scope'],
    'What the account, a market or a strategy may do: 0 active, 1 throttled, 2 reducing, 3 halted.',
    {
      of: inStatus(({ trading, markets, strategies }) => [
        [TRADING_STATES.indexOf(trading.state), 'account'],
        ...markets.map((one) => [tradingOf(one), one.symbol] as const),
        ...strategies.map((one) => [tradingOf(one), one.id] as const),
      ]),
    },
  ),
  halts: gauge('1', [], 'Halts that wait for a person.', {
    of: inStatus(({ halts }) => [[halts.length]]),
  }),
  health: gauge('1', ['check'], '1 if the check of the health vector (H1 to H10) is green, else 0.', {
    of: inStatus(({ health }) => health.items.map(({ id, isHealthy }) => [isHealthy ? 1 : 0, id])),
  }),
  switch_time_left_ms: gauge('ms', [], "Until the dead man's switch fires; 0: it is not armed.", {
    of: inStatus((status) => [[Math.max(0, status.switch.armedForMs ?? 0)]]),
  }),
  switch_held: gauge('1', [], "Reasons why the dead man's switch is not renewed.", {
    of: inStatus((status) => [[status.switch.held.length]]),
  }),
  guardian_watching: gauge(
    '1',
    [],
    '1 if the guardian watches the run, 0 if it is gone; left out without one.',
    {
      of: inFigures((figures) => {
        const guardian = figures.guardian();
        return guardian === 'none' ? [] : [[guardian === 'watching' ? 1 : 0]];
      }),
    },
  ),
  account_equity: gauge('collateral', [], 'Equity of the account, as the exchange publishes it.', {
    of: inStatus(({ equity }) => [[equity]]),
  }),
  account_cash: gauge('collateral', [], 'Sum of the ledger of the account.', {
    of: inStatus(({ cash }) => [[cash]]),
  }),
  account_pnl: gauge(
    'collateral',
    ['part'],
    'Profit of the account by part: total, realized, unrealized, fees, funding.',
    { of: inStatus(({ pnl }) => Object.entries(pnl).map(([part, amount]) => [amount, part])) },
  ),
  loss: gauge('collateral', ['scope', 'window'], 'Loss of a scope by window: daily, drawdown, minute.', {
    of: inStatus(({ losses }) =>
      losses.flatMap(({ scope, daily, drawdown, minute }) => [
        [daily, scope, 'daily'],
        [drawdown, scope, 'drawdown'],
        [minute, scope, 'minute'],
      ]),
    ),
  }),
  loss_limit: gauge('collateral', ['scope', 'window'], 'What the scope may lose in the window.', {
    of: inStatus(({ losses }) =>
      losses.flatMap(({ scope, dailyMax, drawdownMax, minuteMax }) => [
        [dailyMax, scope, 'daily'],
        [drawdownMax, scope, 'drawdown'],
        [minuteMax, scope, 'minute'],
      ]),
    ),
  }),
  strategy_running: gauge('1', ['strategy'], '1 if the strategy makes decisions, else 0.', {
    of: inStatus(({ strategies }) => strategies.map(({ id, state }) => [state === 'running' ? 1 : 0, id])),
  }),
  strategy_failures_total: counter('1', ['strategy'], 'How often the strategy has failed.', {
    of: inStatus(({ strategies }) => strategies.map(({ id, failures }) => [failures, id])),
  }),
  strategy_pnl: gauge('collateral', ['strategy', 'part'], 'Profit of the strategy by part.', {
    of: inStatus(({ strategies }) =>
      strategies.flatMap(({ id, pnl }) => Object.entries(pnl).map(([part, amount]) => [amount, id, part])),
    ),
  }),
  strategy_fills_total: counter('1', ['strategy', 'role'], 'Fills of the strategy as maker and as taker.', {
    of: inStatus(({ strategies }) =>
      strategies.flatMap(({ id, fills, makerFills }) => [
        [makerFills, id, 'maker'],
        [fills - makerFills, id, 'taker'],
      ]),
    ),
  }),
  market_fresh: gauge('1', ['market'], '1 if the data of the market are recent enough to trade on, else 0.', {
    of: inStatus(({ markets }) => markets.map(({ symbol, isFresh }) => [isFresh ? 1 : 0, symbol])),
  }),
  market_mark_price: gauge('price', ['market'], 'Mark price of the market.', {
    of: inStatus(({ markets }) => markets.map(({ symbol, mark }) => [mark, symbol])),
  }),
  market_position: gauge('size', ['market'], 'Signed position of the account in the market.', {
    of: inStatus(({ markets }) => markets.map(({ symbol, position }) => [position, symbol])),
  }),
  market_unrealized: gauge('collateral', ['market'], 'Unrealized profit in the market.', {
    of: inStatus(({ markets }) => markets.map(({ symbol, unrealized }) => [unrealized, symbol])),
  }),
  market_orders: gauge('1', ['market'], 'Own orders that are open in the market.', {
    of: inStatus(({ markets }) => markets.map(({ symbol, orders }) => [orders.length, symbol])),
  }),
  market_without_quotes_ms: gauge(
    'ms',
    ['market', 'strategy'],
    'How long the strategy has had no quotes in the market; left out while it has.',
    {
      of: inStatus(({ markets }) =>
        markets.flatMap(({ symbol, noQuoteReasons }) =>
          noQuoteReasons.map(({ strategy, durationMs }) => [durationMs, symbol, strategy] as const),
        ),
      ),
    },
  ),
  writes_in_flight: gauge('1', [], 'Writes whose answer has not come.', {
    of: inStatus(({ inFlight }) => [[inFlight]]),
  }),
  writes_unresolved: gauge('1', [], 'Writes whose outcome is not known.', {
    of: inStatus(({ unresolved }) => [[unresolved]]),
  }),
  denials_total: counter('1', [], 'Orders and intents that risk denied.', {
    of: inStatus(({ denials }) => [[denials]]),
  }),
  facts_total: counter('1', [], 'Facts that the run has handled.', {
    of: inStatus(({ facts }) => [[facts]]),
  }),
  journal_disk_free_bytes: gauge('bytes', [], 'Free space on the disk of the journal.', {
    of: inFigures((figures) => [[figures.freeDiskBytes()]]),
  }),
  request_budget_sharers: gauge('1', ['budget'], 'Bots of this machine that share the budget of requests.', {
    of: inFigures((figures) => figures.budgets().map(({ budget, sharers }) => [sharers, budget])),
  }),
  signer_state: gauge('1', ['wallet'], 'How a signer elsewhere fares: 0 up, 1 slow, 2 down.', {
    of: inFigures((figures) =>
      figures.signers().map(({ wallet, kind }) => [SIGNER_STATES.indexOf(kind), wallet]),
    ),
  }),
  signer_duration_ms: gauge('ms', ['wallet', 'quantile'], 'Times of the newest 200 signatures of a signer.', {
    of: inFigures((figures) =>
      figures.signers().flatMap(({ wallet, p50Ms, p99Ms }) => [
        [p50Ms, wallet, '0.5'],
        [p99Ms, wallet, '0.99'],
      ]),
    ),
  }),
  signer_failures_total: counter('1', ['wallet'], 'Signatures that a signer elsewhere did not give.', {
    of: inFigures((figures) => figures.signers().map(({ wallet, failed }) => [failed, wallet])),
  }),
  switch_firings_total: counter('1', [], "How often the dead man's switch has fired.", {
    of: inFigures((figures) => [[figures.switchFirings()]]),
  }),
  alerts_active: gauge('1', ['severity'], 'Alerts that are not over.', {
    of: ({ alerts }) =>
      ['info', 'warning', 'critical'].map((severity) => [
        alerts?.active.filter((one) => one.severity === severity).length ?? 0,
        severity,
      ]),
  }),
  alerts_sent_total: counter('1', ['channel'], 'Alerts that the channel has taken.', {
    of: ({ alerts }) => alerts?.channels.map(({ name, sent }) => [sent, name]) ?? [],
  }),
  alerts_dropped_total: counter(
    '1',
    ['channel'],
    'Alerts that the channel did not take, or that were too many.',
    {
      of: ({ alerts }) => alerts?.channels.map(({ name, dropped }) => [dropped, name]) ?? [],
    },
  ),
  alerts_failures_total: counter('1', ['channel'], 'Requests to the channel that failed.', {
    of: ({ alerts }) => alerts?.channels.map(({ name, failures }) => [failures, name]) ?? [],
  }),
  process_resident_bytes: gauge('bytes', [], 'Memory of the process that is resident.', {
    of: () => [[process.memoryUsage.rss()]],
  }),
  process_heap_bytes: gauge('bytes', [], 'Memory of the process that JavaScript uses.', {
    of: () => [[process.memoryUsage().heapUsed]],
  }),
  process_cpu_ms_total: counter('ms', [], 'Time of a core that the process has used.', {
    of: () => {
      const { user, system } = process.cpuUsage();
      return [[(user + system) / 1_000]];
    },
  }),
};

interface Rest {
  of(view: RunView): readonly Sample[];
}

function gauge(unit: string, labels: readonly string[], meaning: string, { of }: Rest): DoorMetric {
  return { kind: 'gauge', unit, labels, meaning, of };
}

function counter(unit: string, labels: readonly string[], meaning: string, { of }: Rest): DoorMetric {
  return { kind: 'counter', unit, labels, meaning, of };
}

/** Nothing while the run starts. */
function inStatus(of: (status: BotStatus) => readonly Sample[]): (view: RunView) => readonly Sample[] {
  return ({ status }) => (status === undefined ? [] : of(status));
}

function inFigures(of: (figures: RunFigures) => readonly Sample[]): (view: RunView) => readonly Sample[] {
  return ({ figures }) => (figures === undefined ? [] : of(figures));
}

function tradingOf({ trading }: { readonly trading: string }): number {
  return TRADING_STATES.indexOf(stateOfText(trading));
}

/** @module `ballast status`: a run at one instant. */
import type { Argv } from 'yargs';
import type { ListedRun, ReadDocuments } from '../bot/operator/index.ts';
import { formatJson, isRecord } from '../core/index.ts';
import { columns } from './terminal/columns.ts';
import { readCommand } from './terminal/operate.ts';

type Status = ReadDocuments['status'];
type Loss = Status['losses'][number];

/** Adds `status` to the command line. */
export function statusCommand(cli: Argv): Argv {
  return readCommand(cli, 'status', 'Show the state of a run: profit, strategies, markets, halts', describe);
}

function describe(status: Status, { name, mode, config, account }: ListedRun): string {
  const { runId, state, reasons, trading, halts, pnl, equity, health, unresolved } = status;
  const failing = health.items.flatMap(({ id, isHealthy, reason }) =>
    isHealthy ? [] : [`${id}: ${reason}`],
  );
  const rows: (readonly [string, string])[] = [
    ['run', `${runId} of ${name}, ${mode}, ${config}`],
    ...(account === undefined ? [] : [['account', account] as const]),
    ['state', reasons.length === 0 ? state : `${state}: ${reasons.join('; ')}`],
    ['trading', trading.state === 'active' ? 'active' : `${trading.state}: ${trading.reason}`],
    ...halts.map((halt) => ['halted', `${halt.scope} by ${halt.control}: ${halt.reason}`] as const),
    ['equity', equity ?? 'not known'],
    [
      'pnl',
      `${pnl.total} (realized ${pnl.realized}, unrealized ${pnl.unrealized}, fees ${pnl.fees}, funding ${pnl.funding})`,
    ],
    ...status.losses.map((one) => ['losses', lossText(one)] as const),
    ...status.limits
      .filter(({ control }) => control !== 'M4')
      .map((one) => ['limit', limitText(one)] as const),
    ['switch', switchText(status.switch)],
    ['health', failing.length === 0 ? 'ok' : `fails ${failing.join('; ')}`],
    ...(status.health.overload === undefined ? [] : [['overload', status.health.overload] as const]),
    ...status.budgets.filter(({ sharers }) => sharers > 1).map((one) => ['budget', budgetText(one)] as const),
    ...(status.health.recording === undefined ? [] : [['recording', status.health.recording] as const]),
    ...status.signers.map((one) => ['signer', signerText(one)] as const),
    ['writes', unresolved === 0 ? 'all have an outcome' : `${unresolved} have no outcome yet`],
    ...status.strategies.map((one) => ['strategy', strategyText(one)] as const),
    ...status.markets.map((one) => ['market', marketText(one)] as const),
  ];
  return columns(rows);
}

function lossText({ scope, daily, dailyMax, drawdown, drawdownMax, minute, minuteMax }: Loss): string {
  const parts = [
    ['of the day', daily, dailyMax],
    ['from the peak', drawdown, drawdownMax],
    ['of the minute', minute, minuteMax],
  ] as const;
  const limited = parts.filter(([, , most]) => most !== undefined);
  return `${scope}: ${limited.map(([what, lost, most]) => `${lost} of ${most} ${what}`).join(', ')}`;
}

function limitText({ scope, key, used, limit, share }: Status['limits'][number]): string {
  return `${scope}: ${used} of ${limit} (${Math.round(share * 100)} %), ${key}`;
}

function signerText({ wallet, lane, kind, why, sinceMs, p50Ms, p99Ms }: Status['signers'][number]): string {
  const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
  if (kind !== 'down') return `of ${wallet} ${kind}, ${times}${why === undefined ? '' : `: ${why}`}`;
  const since = sinceMs === undefined ? '' : ` since ${new Date(sinceMs).toISOString()}`;
  return `of ${wallet} does not answer${since}: ${why ?? 'it does not sign'}; lane ${lane} cannot write until it signs: see to the signer, it is asked each second`;
}

function budgetText({ budget, sharers, with: others }: Status['budgets'][number]): string {
  const what = budget === 'ip' ? 'requests of this machine' : 'writes of the account';
  return `1/${sharers} of the ${what}, shared with ${others.map(({ name }) => name).join(', ')}`;
}

function switchText({ armedForMs, held }: Status['switch']): string {
  const left = armedForMs === undefined ? 'not armed' : `fires in ${Math.round(armedForMs / 1000)} s`;
  return held.length === 0 ? left : `${left}, held back: ${held.join(', ')}`;
}

function strategyText({ id, state, inEffect, pnl, fills, parameters }: Status['strategies'][number]): string {
  return `${id} ${state}, ${inEffect}, pnl ${pnl.total}, fills ${fills}${parametersText(parameters)}`;
}

function parametersText(parameters: unknown): string {
  const given = isRecord(parameters) ? Object.entries(parameters) : [];
  return given
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : formatJson(value)}`)
    .map((text, at) => `${at === 0 ? ', with' : ','} ${text}`)
    .join('');
}

function marketText(market: Status['markets'][number]): string {
  const { symbol, bid = '-', ask = '-', position, orders, inEffect, noQuoteReasons } = market;
  const why = noQuoteReasons.map(
    ({ strategy, side, code, reason, durationMs }) =>
      `; ${strategy} without ${side} for ${Math.round(durationMs / 1000)} s: ${code}, ${reason}`,
  );
  const own = `position ${position}, ${orders.length} orders, ${inEffect}`;
  return `${symbol} ${bid}/${ask}, ${own}${why.join('')}`;
}

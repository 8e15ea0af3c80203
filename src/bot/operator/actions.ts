/**
 * @module
 * What a person can do to a run while it runs, one row an action. Each goes into the kernel as a call that the log of the
 * run keeps, so that its replay decides the same; the kernel writes it into the journal with who, why, before and after.
 */
import {
  type ActionOn,
  ANY_TEXT,
  actionRefused,
  actionsOn,
  type BotError,
  FLAG,
  isRecord,
  lineOf,
  nearestName,
  preset,
  required,
} from '../../core/index.ts';
import { readYaml, valueAt } from '../../core/yaml/index.ts';
import type { BotStatus, Instruction, WholeScope } from '../kernel/index.ts';
import type { TradingScope, TradingState } from '../risk/index.ts';
import { acknowledge } from './acknowledge.ts';
import type { ActionAnswer } from './documents.ts';
import type { OperatedRun, StartedRun } from './ports.ts';
import { describeScope, invalid, namedScope, SCOPE, strategyOf } from './scope.ts';
import { canceling, closing, type Look, pausing, untilSettled } from './unsettled.ts';

/** An answer comes after this time, ms, whatever is left. */
const CONFIRM_MS_MAX = 5_000;
/** How long a stop waits until the positions are closed that it was asked to close, ms. */
const FLAT_MS_MAX = 60_000;

const WHO = {
  actor: preset(lineOf('a name'), 'operator', 'Who asks, for the journal'),
} as const;
/** Who asks, and why. */
export const WHY = {
  ...WHO,
  reason: preset(lineOf('a reason in words'), 'none given', 'Why, for the journal'),
} as const;
const MARKET = { market: SCOPE.market } as const;

const action = actionsOn<OperatedRun>();

/** All actions, in the order in which help lists them. */
export const OPERATOR_ACTIONS = [
  action({
    name: 'pause',
    description: 'Pulls all quotes of the scope; only what reduces a position is placed until it is resumed.',
    parameters: { ...SCOPE, ...WHY },
    gives: 'an answer that is confirmed when no order of the scope is open and no write is under way',
    run: (run, values) => setState(run, { name: 'pause', state: 'halted', ...values }),
  }),
  action({
    name: 'reduce',
    description: 'Lets the scope only reduce its positions until it is resumed.',
    parameters: { ...SCOPE, ...WHY },
    gives: 'an answer that is confirmed when no order is open that could make a position larger',
    run: (run, values) => setState(run, { name: 'reduce', state: 'reducing', ...values }),
  }),
  action({
    name: 'resume',
    description:
      'Lets the scope trade again, also after a halt that waits for a person; counts losses and firings of the switch from here on, for the account.',
    parameters: {
      ...SCOPE,
      ...WHO,
      reason: required(lineOf('a reason in words'), 'Why it may trade again, for the journal'),
    },
    gives: 'an answer that names what is still halted',
    run: resume,
  }),
  action({
    name: 'flatten',
    description:
      'Halts the account or one market, cancels everything there and closes the positions with reduce-only orders within the price limits.',
    parameters: { ...MARKET, ...WHY },
    gives:
      'an answer that is confirmed when the positions are closed; closing goes on after an answer that is not',
    run: flatten,
  }),
  action({
    name: 'cancel-all',
    description: 'Cancels every open order of the scope; strategies continue and may quote again.',
    parameters: { ...SCOPE, ...WHY },
    gives: 'an answer that is confirmed when no order is open that was open before',
    run: cancelAll,
  }),
  action({
    name: 'set',
    description: 'Gives a running strategy another value of one of its parameters.',
    parameters: {
      parameter: required(
        lineOf('strategy.parameter'),
        'Strategy and parameter, such as maker.size; deeper parameters with further dots',
      ),
      value: required(ANY_TEXT, 'The value as a configuration has it (YAML)'),
      ...WHY,
    },
    gives: 'the value before and after',
    run: setParameter,
  }),
  action({
    name: 'ack',
    description: 'Acknowledges an alert, or all: it is not said again before it is over.',
    parameters: {
      alert: required(lineOf('the number of an alert, or all'), 'Number of the alert, or all'),
      ...WHY,
    },
    gives: 'the alerts that are acknowledged',
    run: (run, values): ActionAnswer => ({
      ...{ action: 'ack', scope: acknowledge(run, values).join(', '), before: 'open', after: 'acknowledged' },
      ...{ isConfirmed: true, waitsFor: [], halts: run.started()?.bot.status().halts ?? [] },
    }),
  }),
  action({
    name: 'stop',
    description: 'Ends the run in order: everything is canceled and it is proven that no order is open.',
    parameters: {
      flatten: preset(
        FLAG,
        false,
        'Close all positions first; the run stays, halted, if that takes over a minute',
      ),
      ...WHY,
    },
    gives: 'an answer as soon as the end begins, or the closing of positions before it',
    run: stop,
  }),
] as const satisfies readonly ActionOn<OperatedRun>[];

/** Name of an action. */
export type OperatorActionName = (typeof OPERATOR_ACTIONS)[number]['name'];

interface Who {
  readonly actor: string;
  readonly reason: string;
}
interface Named {
  readonly strategy: string | undefined;
  readonly market: string | undefined;
}

async function setState(
  run: OperatedRun,
  given: Named & Who & { readonly name: string; readonly state: TradingState },
): Promise<ActionAnswer> {
  const { name, state, ...rest } = given;
  const { bot, status } = tradingOf(run);
  const scope = namedScope(rest, status);
  const before = stateIn(status, scope);
  const look = pausing(bot, scope);
  bot.setTrading(scope, state, orderOf(rest));
  return await answer(run, { name, scope, before, look });
}

function resume(run: OperatedRun, given: Named & Who): Promise<ActionAnswer> {
  const { bot, status } = tradingOf(run);
  const scope = namedScope(given, status);
  const ended = status.strategies.find(
    ({ id, state }) =>
      scope.kind === 'strategy' && scope.strategyId === id && (state === 'failed' || state === 'stopped'),
  );
  if (ended !== undefined)
    throw actionRefused(
      `expected a strategy that runs, got ${ended.id}, which is ${ended.state} (${ended.reason})`,
      'correct it and start the run again',
    );
  const before = stateIn(status, scope);
  bot.setTrading(scope, 'active', orderOf(given));
  return answer(run, { name: 'resume', scope, before, look: () => [] });
}

function flatten(run: OperatedRun, given: Who & Pick<Named, 'market'>): Promise<ActionAnswer> {
  const { bot, status } = tradingOf(run);
  const scope = namedScope({ ...given, strategy: undefined }, status) as WholeScope;
  const before = stateIn(status, scope);
  const look = closing(bot, scope);
  if (!bot.flatten(orderOf(given), scope)) throw noLane();
  return answer(run, { name: 'flatten', scope, before, look });
}

function cancelAll(run: OperatedRun, given: Named & Who): Promise<ActionAnswer> {
  const { bot, status } = tradingOf(run);
  const scope = namedScope(given, status);
  const before = stateIn(status, scope);
  const look = canceling(bot, scope);
  bot.cancelAll(orderOf(given), scope);
  return answer(run, { name: 'cancel-all', scope, before, look });
}

function setParameter(
  run: OperatedRun,
  given: Who & { readonly parameter: string; readonly value: string },
): Promise<ActionAnswer> {
  const { bot, status, parametersOf } = tradingOf(run);
  const [name = '', ...path] = given.parameter.split('.');
  const strategyId = strategyOf(name, status);
  if (path.length === 0 || path.includes(''))
    throw invalid('parameter', 'strategy.parameter', given.parameter);
  const current = status.strategies.find(({ id }) => id === strategyId)?.parameters;
  const problems = bot.setParameters(
    strategyId,
    withValue(current, path, readValue(given.value)),
    orderOf(given),
  );
  if (problems.length > 0) throw badParameter(given, problems, parametersOf(strategyId));
  const after = bot.status().strategies.find(({ id }) => id === strategyId)?.parameters;
  return answer(run, {
    name: 'set',
    scope: { kind: 'strategy', strategyId },
    before: valueAt(current, path) ?? null,
    after: valueAt(after, path) ?? null,
    look: () => [],
  });
}

function stop(run: OperatedRun, given: Who & { readonly flatten: boolean }): Promise<ActionAnswer> {
  const order = orderOf(given);
  const started = run.started();
  const scope = { kind: 'account' } as const;
  if (!given.flatten || started === undefined) {
    const before = started === undefined ? 'starting' : started.bot.status().state;
    started?.audit.record({ type: 'StopAsked', atMs: run.clock.nowMs(), fields: { ...order, before } });
    run.stop(order);
    return answer(run, { name: 'stop', scope, before, after: 'stopping', look: () => [] });
  }
  const { bot, status } = tradingOf(run);
  const look = closing(bot, scope);
  if (!bot.flatten({ ...order, isOfStop: true }, scope)) throw noLane();
  started.audit.record({
    type: 'StopAsked',
    atMs: run.clock.nowMs(),
    fields: { ...order, before: status.state, flatten: true },
  });
  void untilSettled(run.clock, look, FLAT_MS_MAX).then((left) => {
    if (left.length === 0) run.stop(order);
    else
      run.log.error('the run was to stop when its positions are closed: it stays, halted', {
        left: left.join('; '),
      });
  });
  return answer(run, {
    name: 'stop',
    scope,
    before: status.state,
    after: 'stopping when flat',
    look: () => [],
  });
}

/** A run that takes actions. @throws BotError `CONTROL_REFUSED` while it starts or ends. */
function tradingOf(run: OperatedRun): StartedRun & { readonly status: BotStatus } {
  const started = run.started();
  if (started === undefined)
    throw actionRefused('expected a run that trades, got one that starts', 'ask again in a moment');
  const status = started.bot.status();
  if (status.state === 'stopping' || status.state === 'stopped')
    throw actionRefused(
      `expected a run that trades, got one that is ${status.state}`,
      'its orders are being canceled already',
    );
  return { ...started, status };
}

async function answer(
  run: OperatedRun,
  done: {
    readonly name: string;
    readonly scope: TradingScope;
    readonly before: unknown;
    readonly after?: unknown;
    readonly look: Look;
  },
): Promise<ActionAnswer> {
  const { name, scope, before, look } = done;
  const waitsFor = await untilSettled(run.clock, look, CONFIRM_MS_MAX);
  const status = run.started()?.bot.status();
  const halts = status?.halts ?? [];
  return {
    ...{ action: name, scope: describeScope(scope), before },
    after: 'after' in done ? done.after : status === undefined ? 'starting' : stateIn(status, scope),
    ...{ isConfirmed: waitsFor.length === 0, waitsFor, halts },
  };
}

function orderOf({ actor, reason }: Who): Instruction {
  return { actor, reason };
}

/** The state of a scope alone. */
function stateIn(status: BotStatus, scope: TradingScope): string {
  if (scope.kind === 'account') return status.trading.state;
  const found =
    scope.kind === 'market'
      ? status.markets.find(({ symbol }) => symbol === scope.symbol)
      : status.strategies.find(({ id }) => id === scope.strategyId);
  return found?.trading.split(':', 1)[0] ?? 'active';
}

/** Text as a configuration has it: scalars stay text. @throws BotError `CONTROL_INVALID`. */
function readValue(text: string): unknown {
  const { raw } = readYaml(`value: ${text.trim() === '' ? '""' : text}`, {
    label: 'value',
    invalid: (findings) => invalid('value', findings[0]?.expected ?? 'YAML', text),
  });
  return valueAt(raw, ['value']);
}

function withValue(value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next;
  const record = isRecord(value) ? value : {};
  const inner = Object.hasOwn(record, key) ? record[key] : undefined;
  return { ...record, [key]: withValue(inner, rest, next) };
}

function badParameter(
  { parameter, value }: { readonly parameter: string; readonly value: string },
  problems: readonly string[],
  known: readonly string[],
): BotError {
  const [strategy = '', name = ''] = parameter.split('.');
  const nearest = known.includes(name) ? undefined : nearestName(known, name);
  const hint = nearest === undefined ? '' : ` (most like it: ${nearest})`;
  const [first = '', ...others] = problems;
  const [field = parameter, expected = first] = first.split(': expected ');
  const more = others.length === 0 ? '' : `; ${others.join('; ')}`;
  return invalid(`${strategy}.${field}`, `${expected}${hint}${more}`, value);
}

function noLane(): BotError {
  return actionRefused(
    'expected a run with a lane to close positions through, got none; it is halted and its orders are being canceled',
    'close the positions at the exchange',
  );
}

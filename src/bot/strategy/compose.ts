/**
 * @module
 * Handlers of several parts as those of one strategy: components such as quoters and execution algos, and handlers of its
 * own. Each part gets each call, in the order in which the parts are given.
 */
import { HANDLER_NAMES, type HandlerName, type StrategyHandlers } from './handlers.ts';
import type { StrategyMessage } from './messages.ts';
import { refuseMisspelt } from './method-names.ts';

/** Handlers, or a component that has them. */
export type StrategyPart<Parameters = never, Heard = never> =
  | StrategyHandlers<Parameters, Heard>
  | { readonly handlers: StrategyHandlers<Parameters, Heard> };

/** What several parts have saved, by their place among those that save. */
const PARTS = 'composedParts';

/**
 * Joins parts into the handlers of a strategy. What `onSave` gives is that of the one part that has it; of several, each
 * finds its own again in `onLoad`, as long as as many of them save.
 * @example create: (context, values) => compose(new ParameterQuoter(context, values, quotesBy), { onStop: () => report() })
 * @throws ConfigError `STRATEGY_NAME_MISSPELT` for a part with a misspelt handler.
 */
export function compose<Parameters = unknown, Heard = StrategyMessage>(
  ...parts: readonly StrategyPart<Parameters, NoInfer<Heard>>[]
): StrategyHandlers<Parameters, Heard> {
  const all = parts.map((part) => ('handlers' in part ? part.handlers : part));
  for (const one of all)
    refuseMisspelt(one, { of: 'a part of a strategy', kind: 'handler', known: HANDLER_NAMES });
  const composed: Partial<Record<HandlerName, Call>> = {};
  for (const name of HANDLER_NAMES) {
    const calls = all.flatMap((one) => callOf(one, name));
    const [only, another] = calls;
    if (only !== undefined) composed[name] = another === undefined ? only : inTurn(calls);
  }
  const savers = all.filter((one) => one.onSave !== undefined || one.onLoad !== undefined);
  if (savers.length > 1) Object.assign(composed, keptBy(savers));
  return composed as StrategyHandlers<Parameters, Heard>;
}

type Call = (...values: readonly unknown[]) => unknown;

function callOf(handlers: object, name: HandlerName): readonly Call[] {
  const handler: unknown = (handlers as Partial<Record<HandlerName, unknown>>)[name];
  return typeof handler === 'function' ? [handler.bind(handlers) as Call] : [];
}

/** All calls one after the other. What one returns that is none is returned, and refused as ever. */
function inTurn(calls: readonly Call[]): Call {
  return (...values) => {
    let result: unknown;
    for (const call of calls) result = call(...values) ?? result;
    return result;
  };
}

function keptBy(
  savers: readonly StrategyHandlers<never, never>[],
): Pick<StrategyHandlers, 'onSave' | 'onLoad'> {
  return {
    onSave: () => {
      const saved = savers.map((one) => one.onSave?.());
      return saved.every((one) => one === undefined)
        ? undefined
        : { [PARTS]: saved.map((one) => one ?? null) };
    },
    onLoad: (given) => {
      const saved: unknown =
        typeof given === 'object' && given !== null ? Reflect.get(given, PARTS) : undefined;
      if (!Array.isArray(saved) || saved.length !== savers.length) return;
      for (const [at, one] of savers.entries()) if (saved[at] !== null) one.onLoad?.(saved[at]);
    },
  };
}

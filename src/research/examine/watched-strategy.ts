/**
 * @module
 * A strategy under examination: its definition with a look before and after each call of its code. It is called as ever.
 */
import {
  HANDLER_NAMES,
  type MarketView,
  type StrategyContext,
  type StrategyDefinition,
  type StrategyHandlers,
} from '../../bot/strategy/index.ts';
import { messageOf } from '../../core/index.ts';

/** Sees each call of a strategy. */
export interface StrategyWatch {
  /** Runs code of the strategy, as the call of this name. */
  within<T>(run: () => T, call: string): T;
  /** Called with what a handler changed that it only may read; `undefined` as the watch: such writes are not looked for. */
  readonly onWrite: ((handler: string, what: string) => void) | undefined;
}

/** `definition`, seen by `watch`. */
export function watchedStrategy(definition: StrategyDefinition, watch: StrategyWatch): StrategyDefinition {
  return {
    ...definition,
    create: (context, raw) => {
      const instance = watch.within(() => definition.create(context, raw), 'create');
      return {
        handlers: watchedHandlers(instance.handlers, context, watch),
        setParameters: (next) => watch.within(() => instance.setParameters(next), 'onParameters'),
      };
    },
  };
}

type Call = (...values: readonly unknown[]) => unknown;

function watchedHandlers(
  handlers: StrategyHandlers,
  context: StrategyContext,
  watch: StrategyWatch,
): StrategyHandlers {
  const watched: Record<string, Call> = {};
  for (const name of HANDLER_NAMES) {
    const handler: unknown = handlers[name];
    if (typeof handler !== 'function') continue;
    watched[name] = (...values) => {
      const { onWrite } = watch;
      const before = onWrite && shownTo(context, values);
      const result: unknown = watch.within(() => (handler as Call).apply(handlers, [...values]), name);
      if (onWrite !== undefined && before !== undefined)
        for (const [what, text] of shownTo(context, values))
          if (before.get(what) !== text) {
            onWrite(name, what);
            break;
          }
      return result;
    };
  }
  return watched as StrategyHandlers;
}

/** All that a handler can reach and must not change, as text by its name. Own orders and inventory change by no handler alone. */
function shownTo(context: StrategyContext, values: readonly unknown[]): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  for (const symbol of context.symbols) {
    const view = context.market(symbol);
    shown.set(`the book of ${symbol}`, textOf(view.book));
    shown.set(`view.market of ${symbol}`, textOf(safely(() => view.market)));
    shown.set(`view.prices of ${symbol}`, textOf(view.prices));
    shown.set(`view.bbo of ${symbol}`, textOf(view.bbo));
    shown.set(`view.lastTrade of ${symbol}`, textOf(view.lastTrade));
    shown.set(`view.orders of ${symbol}`, textOf([...view.orders]));
    shown.set(`view.candles of ${symbol}`, textOf(candlesOf(view)));
    shown.set(`the view of ${symbol}`, Object.getOwnPropertyNames(view).join());
  }
  shown.set('context.symbols', textOf([...context.symbols]));
  shown.set('context.account.summary', textOf(context.account.summary));
  shown.set('the context', Object.getOwnPropertyNames(context).join());
  for (const [at, value] of values.entries())
    if (!isView(value, context)) shown.set(`argument ${at + 1}`, textOf(value));
  return shown;
}

/** The last of each: that a strategy asked for candles must not change what there is. */
function candlesOf(view: MarketView): unknown {
  const candles = view.candles('1m');
  return [candles.length, candles[0], candles.at(-1)];
}

function isView(value: unknown, context: StrategyContext): boolean {
  return context.symbols.some((symbol) => context.market(symbol) === value);
}

function safely(read: () => unknown): unknown {
  try {
    return read();
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** Plain data as text; numbers in typed arrays as well. */
function textOf(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_key, one: unknown) => {
        if (typeof one === 'bigint') return `${one}n`;
        return ArrayBuffer.isView(one) ? Array.from(one as Float64Array) : one;
      }) ?? 'undefined'
    );
  } catch (thrown) {
    return messageOf(thrown);
  }
}

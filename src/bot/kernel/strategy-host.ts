/**
 * @module
 * The place of one strategy in a run: calls its handlers, and stops it when it throws, returns a promise or asks to be
 * stopped. A strategy that fails takes nothing down but itself: its orders are canceled by the kernel, the others continue
 * (I17). Each instance has an id; what an ended one still asks for is denied.
 */
import {
  BotError,
  ConfigError,
  deepFrozen,
  type Log,
  messageOf,
  ReadFault,
  shown,
  stackOf,
} from '../../core/index.ts';
import type { Book, Denial, LaneId, MarketSymbol, StrategyId, Trade } from '../../domain/index.ts';
import {
  HANDLER_NAMES,
  type HandlerName,
  type StrategyContext,
  type StrategyDefinition,
  type StrategyHandlers,
  type StrategyInstance,
} from '../strategy/index.ts';
import type { LiveMarketView } from './market-view.ts';

/** One strategy as the configuration names it. */
export interface StrategySetup {
  readonly id: StrategyId;
  readonly definition: StrategyDefinition;
  /** As given; checked by the definition. */
  readonly parameters: unknown;
  readonly symbols: readonly MarketSymbol[];
  /** The lane its writes go through. */
  readonly lane: LaneId;
  /** What the run overwrites in place is shown to it as a frozen copy. Default: as it is. */
  readonly freezeViews?: boolean;
  /** How long its orders live where it states nothing itself, ms. Default: no end. */
  readonly orderLifetimeMs?: number;
}

/** `waiting`: made, not started; `failed`: stopped by its own fault, may be started again. */
export type StrategyHostState = 'waiting' | 'running' | 'failed' | 'stopped';

/** How a strategy ended. */
export interface StrategyHostEnd {
  /** Whether it failed or was stopped. */
  readonly state: 'failed' | 'stopped';
  /** The reason, in words. */
  readonly reason: string;
  /** What it threw; absent: it did not throw. */
  readonly error?: { readonly name: string; readonly message: string };
}

/** What a host reports to the kernel. */
export interface StrategyHostEvents {
  /** The strategy has ended; called once. */
  ended(host: StrategyHost, end: StrategyHostEnd): void;
}

type Handler = (first?: unknown, second?: unknown) => unknown;

const NO_HANDLERS: StrategyHandlers = {};

/** Intents and messages one call of a handler may make: more is a loop that went wrong, and reading them would stop all others. */
const INTENTS_PER_CALL_MAX = 250;
/**
 * Handlers whose value is not frozen: a saved state is the strategy's own, and rows of a market come too often. All else is
 * given to several strategies and to the run, and none of them may change it.
 */
const OWN_OR_HOT: ReadonlySet<HandlerName> = new Set(['onLoad', 'onBook', 'onBbo', 'onTrade', 'onPrices']);

/** By a name that is not exported: it is compared with after every row. */
const INTENTS_MAX = INTENTS_PER_CALL_MAX;

/** One host. */
export class StrategyHost {
  readonly setup: StrategySetup;
  readonly views: ReadonlyMap<MarketSymbol, LiveMarketView>;
  /** Counts the instances that were made; the id of the current one. */
  instanceId = 0;
  parameters: unknown;
  failureCount = 0;
  /** The handlers that its newest instance has. */
  handlerNames: readonly HandlerName[] = [];
  reason = '';
  #state: StrategyHostState = 'waiting';
  #instance: StrategyInstance | undefined;
  #handlers: StrategyHandlers = NO_HANDLERS;
  /** The same while the strategy runs. */
  #live: StrategyHandlers = NO_HANDLERS;
  #intentCount = 0;
  /** `onSave` may not ask for itself. */
  #isSaving = false;
  readonly #log: Log;
  readonly #events: StrategyHostEvents;

  constructor(
    setup: StrategySetup,
    parts: { readonly views: StrategyHost['views']; readonly log: Log; readonly events: StrategyHostEvents },
  ) {
    this.setup = setup;
    this.views = parts.views;
    this.parameters = setup.parameters;
    this.#log = parts.log;
    this.#events = parts.events;
  }

  get id(): StrategyId {
    return this.setup.id;
  }

  get state(): StrategyHostState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** Makes an instance. @throws ConfigError for invalid parameters, `STRATEGY_CREATE_FAILED` for what it threw itself. */
  create(context: StrategyContext): void {
    this.instanceId++;
    this.#state = 'waiting';
    this.#live = NO_HANDLERS;
    this.#intentCount = 0;
    const { instance, handlers } = this.#make(context);
    this.#instance = instance;
    this.handlerNames = HANDLER_NAMES.filter((name) => handlers[name] !== undefined);
    this.#handlers = handlers;
  }

  /** Gives back what was saved, then starts. */
  start(saved: unknown): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'running';
    this.#live = this.#handlers;
    if (saved !== undefined) this.call('onLoad', saved);
    this.call('onStart');
  }

  /** The handlers of the instance; none of one that has ended. To be called only through the host. */
  get handlers(): StrategyHandlers {
    return this.#handlers;
  }

  /** Calls a handler, if the strategy runs and has it. */
  call(name: HandlerName, first?: unknown, second?: unknown): void {
    if (this.#state === 'running')
      this.#call(name, this.#handlers[name] as Handler | undefined, first, second);
  }

  /** As {@link call}, for `onBook`. */
  callBook(view: LiveMarketView, book: Book): void {
    const handlers = this.#live;
    if (handlers.onBook === undefined) return;
    this.#intentCount = 0;
    try {
      const result: unknown = handlers.onBook(view, book);
      if (result !== undefined || this.#intentCount > INTENTS_MAX) this.#checkResult('onBook', result);
    } catch (thrown) {
      this.#threw('onBook', thrown);
    }
  }

  /** As {@link call}, for `onTrade`. */
  callTrade(view: LiveMarketView, trade: Trade): void {
    const handlers = this.#live;
    if (handlers.onTrade === undefined) return;
    this.#intentCount = 0;
    try {
      const result: unknown = handlers.onTrade(view, trade);
      if (result !== undefined || this.#intentCount > INTENTS_MAX) this.#checkResult('onTrade', result);
    } catch (thrown) {
      this.#threw('onTrade', thrown);
    }
  }

  #call(name: HandlerName, handler: Handler | undefined, first: unknown, second: unknown): void {
    if (handler === undefined) return;
    this.#intentCount = 0;
    try {
      if (!OWN_OR_HOT.has(name)) {
        deepFrozen(first);
        deepFrozen(second);
      }
      this.#checkResult(name, handler.call(this.#handlers, first, second));
    } catch (thrown) {
      this.#threw(name, thrown);
    }
  }

  #checkResult(name: HandlerName, result: unknown): void {
    if (this.#intentCount > INTENTS_MAX) throw flood();
    if (result !== undefined) this.#refuse(name, result);
  }

  #threw(name: HandlerName, thrown: unknown): void {
    this.#fail(`${name} threw: ${messageOf(thrown)}`, thrown);
  }

  /** As {@link save}, within a handler that asks for it: what `onSave` throws is thrown by that handler. */
  saveWithin(): unknown {
    if (this.#state !== 'running' || this.#isSaving) return undefined;
    this.#isSaving = true;
    try {
      return this.#handlers.onSave?.();
    } finally {
      this.#isSaving = false;
    }
  }

  /** What the strategy wants to keep; `undefined`: nothing. */
  save(): unknown {
    try {
      return this.saveWithin();
    } catch (thrown) {
      this.#threw('onSave', thrown);
      return undefined;
    }
  }

  /** Counts an intent or a message. @throws ConfigError `STRATEGY_FLOOD` when there were too many in this call. */
  countIntent(): void {
    if (++this.#intentCount > INTENTS_MAX) throw flood();
  }

  /** Notifies the strategy of a denial. */
  deny(denial: Denial): void {
    this.call('onDenied', denial);
  }

  /** Hands over new parameters; what is wrong with them otherwise. */
  setParameters(raw: unknown): readonly string[] {
    if (this.#instance === undefined) return ['the strategy is not running'];
    this.#intentCount = 0;
    try {
      const problems = this.#instance.setParameters(raw);
      if (this.#intentCount > INTENTS_MAX) throw flood();
      if (problems.length === 0) this.parameters = raw;
      return problems.map(({ path, expected }) => `${path.join('.') || 'parameters'}: expected ${expected}`);
    } catch (thrown) {
      this.#fail(`onParameters threw: ${messageOf(thrown)}`, thrown);
      return [messageOf(thrown)];
    }
  }

  /** It could not be made again: it stays what it was, failed. */
  abandon(): void {
    this.#state = 'failed';
  }

  /** Ends the strategy: it is notified, its later intents are denied. */
  stop(reason: string): void {
    if (this.#state === 'stopped') return;
    const before = this.failureCount;
    this.call('onStop', reason);
    // What it threw in its last call has ended it.
    if (this.failureCount !== before) return;
    this.#end({ state: 'stopped', reason });
  }

  #make(context: StrategyContext): { instance: StrategyInstance; handlers: StrategyHandlers } {
    try {
      const instance = this.setup.definition.create(context, this.parameters);
      const handlers: unknown = instance.handlers;
      if (typeof handlers === 'object' && handlers !== null && !(handlers instanceof Promise))
        return { instance, handlers: readHandlers(instance.handlers) };
      throw new ReadFault(`create returned ${handlers instanceof Promise ? 'a promise' : shown(handlers)}`);
    } catch (thrown) {
      if (thrown instanceof BotError) throw thrown;
      throw new ConfigError({
        code: 'STRATEGY_CREATE_FAILED',
        message: `expected strategy ${this.id} to be made, but ${messageOf(thrown)}`,
        remedy: 'Let create return an object of handlers at once; markets are known from onStart on.',
        cause: thrown,
      });
    }
  }

  #refuse(name: HandlerName, result: unknown): void {
    if (result instanceof Promise) result.catch((thrown: unknown) => this.#log.debug(messageOf(thrown)));
    const what = result instanceof Promise ? 'a promise' : `a ${typeof result}`;
    this.#fail(`${name} returned ${what}; handlers are synchronous and return nothing`, undefined);
  }

  #fail(reason: string, thrown: unknown): void {
    this.failureCount++;
    const stack = stackOf(thrown);
    const error = { name: nameOf(thrown), message: messageOf(thrown ?? reason) };
    this.#log.error(`strategy ${this.id} failed: ${reason}`, stack === undefined ? {} : { stack });
    this.#end({ state: 'failed', reason, error });
  }

  #end(end: StrategyHostEnd): void {
    this.#state = end.state;
    this.reason = end.reason;
    this.#handlers = NO_HANDLERS;
    this.#live = NO_HANDLERS;
    this.#instance = undefined;
    this.#events.ended(this, end);
  }
}

/**
 * The handlers as they are now, each read once: what is behind a property of an object of others may throw, or be another
 * one at the next look.
 */
function readHandlers(given: StrategyHandlers): StrategyHandlers {
  const read: Record<string, unknown> = {};
  for (const name of HANDLER_NAMES) {
    const handler: unknown = given[name];
    if (handler !== undefined) read[name] = typeof handler === 'function' ? handler.bind(given) : handler;
  }
  return read as StrategyHandlers;
}

/** The name of what was thrown, which may throw when it is asked. */
function nameOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.name) : 'Error';
  } catch {
    return 'Error';
  }
}

function flood(): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_FLOOD',
    message: `expected at most ${INTENTS_PER_CALL_MAX} intents and messages in one call of a handler, got one more`,
    remedy: 'Look for the loop that asks again and again; state the wanted quotes of a market once.',
  });
}

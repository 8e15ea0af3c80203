/**
 * @module
 * The place of one strategy in a run: calls its handlers, and stops it when it throws, returns a promise or asks to be
 * stopped. A strategy that fails takes nothing down but itself: its orders are canceled by the kernel, the others go on
 * (risk-and-keys 7.4, I17). Each life of an instance has a number; what a dead one still asks for is denied.
 */
import { type Log, messageOf } from '../core/index.ts';
import type { Denial, LaneId, MarketSymbol, StrategyId } from '../domain/index.ts';
import type {
  HandlerName,
  StrategyContext,
  StrategyDefinition,
  StrategyHandlers,
  StrategyInstance,
} from '../strategy/index.ts';
import type { MarketLens } from './market-lens.ts';

/** One strategy as the configuration names it. */
export interface StrategySetup {
  readonly id: StrategyId;
  readonly definition: StrategyDefinition;
  /** As given; checked by the definition. */
  readonly parameters: unknown;
  readonly symbols: readonly MarketSymbol[];
  /** The lane its writes go through. */
  readonly lane: LaneId;
}

/** `waiting`: made, not started; `failed`: stopped by its own fault, may be started again. */
export type SeatState = 'waiting' | 'running' | 'failed' | 'stopped';

/** How a strategy came to its end. */
export interface SeatEnd {
  readonly state: 'failed' | 'stopped';
  readonly reason: string;
}

/** What a seat tells the kernel. */
export interface SeatEvents {
  ended(seat: Seat, end: SeatEnd): void;
}

type Handler = (first?: unknown, second?: unknown) => unknown;

const NO_HANDLERS: StrategyHandlers = {};

/** One seat. */
export class Seat {
  readonly setup: StrategySetup;
  readonly views: ReadonlyMap<MarketSymbol, MarketLens>;
  /** Number of the current life. */
  life = 0;
  parameters: unknown;
  failureCount = 0;
  reason = '';
  #state: SeatState = 'waiting';
  #instance: StrategyInstance | undefined;
  #handlers: StrategyHandlers = NO_HANDLERS;
  readonly #log: Log;
  readonly #events: SeatEvents;

  constructor(
    setup: StrategySetup,
    parts: { readonly views: Seat['views']; readonly log: Log; readonly events: SeatEvents },
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

  get state(): SeatState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** Makes an instance. A fault in it is a failure like any other. @throws ConfigError for invalid parameters. */
  create(context: StrategyContext): void {
    this.life++;
    this.#state = 'waiting';
    this.#instance = this.setup.definition.create(context, this.parameters);
    this.#handlers = this.#instance.handlers;
  }

  /** Gives back what was saved, then starts. */
  start(saved: unknown): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'running';
    if (saved !== undefined) this.call('onLoad', saved);
    this.call('onStart');
  }

  /** Does the instance have this handler? */
  has(name: HandlerName): boolean {
    return this.#handlers[name] !== undefined;
  }

  /** Calls a handler, if the strategy runs and has it. */
  call(name: HandlerName, first?: unknown, second?: unknown): void {
    if (this.#state !== 'running') return;
    const handler = this.#handlers[name] as Handler | undefined;
    if (handler === undefined) return;
    try {
      const result = handler.call(this.#handlers, first, second);
      if (result !== undefined) this.#refuse(name, result);
    } catch (thrown) {
      this.#fail(`${name} threw: ${messageOf(thrown)}`, thrown);
    }
  }

  /** What the strategy wants to keep; `undefined`: nothing. */
  save(): unknown {
    if (this.#state !== 'running' || this.#handlers.onSave === undefined) return undefined;
    try {
      return this.#handlers.onSave();
    } catch (thrown) {
      this.#fail(`onSave threw: ${messageOf(thrown)}`, thrown);
      return undefined;
    }
  }

  /** Tells the strategy of a denial. */
  deny(denial: Denial): void {
    this.call('onDenied', denial);
  }

  /** Hands over new parameters; what is wrong with them otherwise. */
  setParameters(raw: unknown): readonly string[] {
    if (this.#instance === undefined) return ['the strategy is not running'];
    try {
      const problems = this.#instance.setParameters(raw);
      if (problems.length === 0) this.parameters = raw;
      return problems.map(({ path, expected }) => `${path.join('.') || 'parameters'}: expected ${expected}`);
    } catch (thrown) {
      this.#fail(`onParameters threw: ${messageOf(thrown)}`, thrown);
      return [messageOf(thrown)];
    }
  }

  /** Ends the strategy: it is told, its later intents are denied. */
  stop(reason: string): void {
    if (this.#state === 'stopped') return;
    this.call('onStop', reason);
    this.#end({ state: 'stopped', reason });
  }

  #refuse(name: HandlerName, result: unknown): void {
    if (result instanceof Promise) result.catch((thrown: unknown) => this.#log.debug(messageOf(thrown)));
    const what = result instanceof Promise ? 'a promise' : `a ${typeof result}`;
    this.#fail(`${name} returned ${what}; handlers are synchronous and return nothing`, undefined);
  }

  #fail(reason: string, thrown: unknown): void {
    this.failureCount++;
    const stack = thrown instanceof Error ? thrown.stack : undefined;
    this.#log.error(`strategy ${this.id} failed: ${reason}`, stack === undefined ? {} : { stack });
    this.#end({ state: 'failed', reason });
  }

  #end(end: SeatEnd): void {
    this.#state = end.state;
    this.reason = end.reason;
    this.#handlers = NO_HANDLERS;
    this.#instance = undefined;
    this.#events.ended(this, end);
  }
}

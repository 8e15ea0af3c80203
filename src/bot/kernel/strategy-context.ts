/**
 * @module
 * The context of one instance of a strategy: what {@link StrategyContext} promises, tied to the kernel. Once the instance
 * has ended, every intent through it is denied.
 */
import { ConfigError, deepFrozen, type Log, type Random, shown, type UnixMs } from '../../core/index.ts';
import type {
  AccountView,
  IntentId,
  MarketState,
  MarketSymbol,
  OrderRef,
  StrategyId,
} from '../../domain/index.ts';
import type {
  AccountOverview,
  Intent,
  MarketView,
  OrderDraft,
  QuoteOptions,
  StrategyContext,
  TargetQuotes,
  Topic,
  TpslDraft,
  TpslIntents,
  TriggerDraft,
  TwapDraft,
} from '../strategy/index.ts';
import type { Scheduler } from './scheduler.ts';
import type { StrategyHost } from './strategy-host.ts';

/** What a context is tied to. */
export interface ContextPorts {
  readonly account: AccountView;
  readonly markets: MarketState;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  /** The local time, Unix ms. */
  now(): UnixMs;
  readonly intents: {
    /** Takes in an intent of an instance of a host. */
    accept(host: StrategyHost, instanceId: number, intent: Intent): void;
    /** The id of the intent that was taken in last. */
    readonly newestId: IntentId;
    /** The ids of the legs, where that asked for a take-profit and stop-loss. */
    readonly newestLegs: TpslIntents;
  };
  readonly messages: {
    /** Takes in a message of a host. @throws ConfigError as `StrategyContext.publish`. */
    publish(host: StrategyHost, topic: unknown, value: unknown): void;
  };
  /** Stores what the strategy wants to keep. False: it is not stored. */
  save(): boolean;
  /** The strategy asks to be stopped, once its handler has returned. */
  stopLater(host: StrategyHost, instanceId: number, reason: string): void;
}

const NO_QUOTES: TargetQuotes = Object.freeze({ bids: [], asks: [] });
const DEFAULT_OPTIONS: QuoteOptions = Object.freeze({});
const TEXT_LENGTH_MAX = 1_000;

/** See {@link StrategyContext}. */
export class HostedContext implements StrategyContext {
  readonly account: AccountOverview;
  readonly random: Random;
  readonly log: Log;
  readonly #host: StrategyHost;
  readonly #instanceId: number;
  readonly #ports: ContextPorts;
  readonly #intents: ContextPorts['intents'];

  constructor(host: StrategyHost, ports: ContextPorts) {
    this.#host = host;
    this.#instanceId = host.instanceId + 1;
    this.#ports = ports;
    this.#intents = ports.intents;
    this.random = ports.random;
    this.log = ports.log;
    this.account = accountOverview(ports, host.id);
  }

  get strategyId(): StrategyId {
    return this.#host.id;
  }

  get symbols(): readonly MarketSymbol[] {
    return this.#host.setup.symbols;
  }

  now(): UnixMs {
    return this.#ports.now();
  }

  market(symbol: MarketSymbol | string): MarketView {
    const view = this.#host.views.get(symbol as MarketSymbol);
    if (view !== undefined) return view;
    throw new ConfigError({
      code: 'STRATEGY_MARKET_UNKNOWN',
      message: `expected one of the markets ${this.symbols.join(', ')} of ${this.strategyId}, got ${shown(symbol).slice(0, 64)}`,
      remedy: 'Add the market to the strategy in the configuration.',
    });
  }

  quote(symbol: MarketSymbol, target: TargetQuotes, options: QuoteOptions = DEFAULT_OPTIONS): void {
    this.#accept({ kind: 'quote', symbol, target, options });
  }

  pullQuotes(reason: string, symbol?: MarketSymbol): void {
    for (const one of symbol === undefined ? this.symbols : [symbol]) {
      const text = textOf(reason);
      this.#accept({ kind: 'quote', symbol: one, target: NO_QUOTES, options: DEFAULT_OPTIONS, reason: text });
    }
  }

  place(order: OrderDraft): IntentId {
    this.#accept({ kind: 'place', order });
    return this.#intents.newestId;
  }

  placeConditional(order: OrderDraft, trigger: TriggerDraft): IntentId {
    this.#accept({ kind: 'placeConditional', order, trigger });
    return this.#intents.newestId;
  }

  placeTwap(order: TwapDraft): IntentId {
    this.#accept({ kind: 'placeTwap', order });
    return this.#intents.newestId;
  }

  placeTpsl(order: TpslDraft): TpslIntents {
    this.#accept({ kind: 'placeTpsl', order });
    return this.#intents.newestLegs;
  }

  cancel(ref: OrderRef): void {
    this.#accept({ kind: 'cancel', ref });
  }

  cancelAll(symbol?: MarketSymbol): void {
    this.#accept({ kind: 'cancelAll', symbol });
  }

  setLeverage(symbol: MarketSymbol, leverage: number): void {
    // What is no number at all is denied like one that is none: it must not be compared or put into a text later.
    const number = typeof leverage === 'number' ? leverage : Number.NaN;
    this.#accept({ kind: 'setLeverage', symbol, leverage: number });
  }

  startTimer(name: string, delayMs: number): void {
    if (this.#isAlive()) this.#ports.scheduler.startOnce(this.strategyId, textOf(name), delayMs);
  }

  startInterval(name: string, periodMs: number): void {
    if (this.#isAlive()) this.#ports.scheduler.startInterval(this.strategyId, textOf(name), periodMs);
  }

  stopTimer(name: string): void {
    if (this.#isAlive()) this.#ports.scheduler.stop(this.strategyId, textOf(name));
  }

  save(): boolean {
    return this.#isAlive() && this.#ports.save();
  }

  publish(topic: Topic, value: unknown): void {
    this.#host.countIntent();
    if (!this.#isAlive()) return;
    if (this.#host.state === 'waiting')
      throw new ConfigError({
        code: 'STRATEGY_PUBLISH_EARLY',
        message: `expected ${this.strategyId} to publish from onStart on, got a message within create`,
        remedy: 'Publish in onStart: before it no strategy hears anything.',
      });
    this.#ports.messages.publish(this.#host, topic, value);
  }

  stop(reason: string): void {
    this.#ports.stopLater(this.#host, this.#instanceId, textOf(reason));
  }

  /** A strategy whose time is over gets no timers: no handler would receive them. */
  #isAlive(): boolean {
    const { instanceId, state } = this.#host;
    return instanceId === this.#instanceId && (state === 'waiting' || state === 'running');
  }

  #accept(intent: Intent): void {
    this.#host.countIntent();
    this.#intents.accept(this.#host, this.#instanceId, intent);
  }
}

/** Text that a strategy gave, whatever it is: it is kept and shown to people long after the call. */
function textOf(text: unknown): string {
  return shown(text).slice(0, TEXT_LENGTH_MAX);
}

function accountOverview(ports: ContextPorts, strategyId: StrategyId): AccountOverview {
  const markOf = (symbol: MarketSymbol) => ports.markets.valuationTicks(symbol);
  return Object.freeze({
    get isSynced() {
      return ports.account.sync.kind === 'synced';
    },
    get summary() {
      return deepFrozen(ports.account.summary);
    },
    get pnl() {
      return ports.account.pnl(markOf, strategyId);
    },
  });
}

/**
 * @module
 * What a person can do to a run while it runs: pause and resume scopes, stop one strategy, cancel everything and
 * halt, also close all positions. Each action names its author and is recorded. Revoking the grant of the
 * wallets is the main wallet's and not possible here.
 */
import type { AccountState, MarketSymbol, StrategyId } from '../../domain/index.ts';
import {
  OPERATOR_HOLDER,
  STOP_HOLDER,
  type TradingScope,
  type TradingState,
  type TradingStates,
} from '../risk/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { Canceler } from './canceler.ts';
import type { Flattener } from './flattener.ts';
import type { IntentRouter } from './intent-router.ts';
import { type CourseObserver, heldOf } from './ports.ts';
import type { StrategyHost } from './strategy-host.ts';

/** Who asked, and why. */
export interface Instruction {
  /** Who gave the instruction. */
  readonly actor: string;
  /** The reason, in words. */
  readonly reason: string;
  /** Part of the end of the run: the next run is not held by it. */
  readonly isOfStop?: boolean;
}

/** A scope that can be emptied: what closes a position is an order of no strategy. */
export type WholeScope = Exclude<TradingScope, { readonly kind: 'strategy' }>;

/** What the kill switch works on. */
export interface KillSwitchParts {
  readonly account: AccountState;
  readonly trading: TradingStates;
  readonly router: IntentRouter;
  readonly canceler: Canceler;
  /** Closes all positions; `undefined`: the run cannot. */
  readonly flattener: Flattener | undefined;
  /** The strategies of the run by their id. */
  readonly hosts: ReadonlyMap<StrategyId, StrategyHost>;
  readonly recorder: Recorder;
  readonly course: CourseObserver | undefined;
  /** A trading state was set: what a person was told must outlive a crash. */
  changed(): void;
  /** A person lets a scope continue. */
  resumed(scope: TradingScope): void;
}

const ACCOUNT = { kind: 'account' } as const;

/** Carries out what people ask for. Every method is called as part of a turn. */
export class KillSwitch {
  readonly #parts: KillSwitchParts;

  constructor(parts: KillSwitchParts) {
    this.#parts = parts;
  }

  /**
   * Sets the trading state of a scope; anything but `active` pulls the quotes of the scope. Closing positions ends with
   * the state that it began with: a person who lets the scope trade again does not want it closed.
   */
  setTrading(scope: TradingScope, state: TradingState, order: Instruction): void {
    const { trading, course, flattener } = this.#parts;
    const holder = order.isOfStop === true && state !== 'active' ? STOP_HOLDER : OPERATOR_HOLDER;
    course?.trading({ control: holder, state, ...heldOf(scope) });
    this.#record('TradingStateChanged', order, { scope, before: trading.ofScope(scope).state, state });
    if (state !== 'halted' && scope.kind !== 'strategy') flattener?.end(marketOf(scope));
    if (state === 'active') {
      // A person's word ends what the continuous controls began as well. What a lane cannot do no word gives back.
      trading.clear(scope);
      this.#parts.resumed(scope);
      this.#parts.changed();
      return;
    }
    trading.set(scope, holder, { state, reason: `${order.actor}: ${order.reason}` });
    this.#parts.changed();
    this.#pull(scope, order.reason);
  }

  /** Ends one strategy and cancels its orders; false when there is none of that name. */
  stopStrategy(strategyId: StrategyId, order: Instruction): boolean {
    const host = this.#parts.hosts.get(strategyId);
    if (host === undefined) return false;
    this.#record('StrategyStopAsked', order, { strategy: strategyId });
    host.stop(`${order.actor}: ${order.reason}`);
    return true;
  }

  /** Halts the account, or one market, and cancels everything there. */
  halt(order: Instruction, scope: WholeScope = ACCOUNT): void {
    this.setTrading(scope, 'halted', order);
    this.#cancel(scope, `${order.actor}: ${order.reason}`);
  }

  /** As {@link halt}, then closes the positions there; false when the run has no lane for that. */
  flatten(order: Instruction, scope: WholeScope = ACCOUNT): boolean {
    this.halt(order, scope);
    this.#record('FlattenAsked', order, { scope });
    this.#parts.flattener?.begin(marketOf(scope));
    return this.#parts.flattener !== undefined;
  }

  /** Cancels every order of a scope, also of no strategy; strategies continue and may quote again. */
  cancelAll(order: Instruction, scope: TradingScope = ACCOUNT): void {
    this.#record('CancelAllAsked', order, { scope });
    this.#pull(scope, `${order.actor}: ${order.reason}`);
    this.#cancel(scope, `${order.actor}: ${order.reason}`);
  }

  /** What {@link #pull} does not reach: orders that no strategy asks for any more. A strategy has none of these. */
  #cancel(scope: TradingScope, why: string): void {
    const { account, canceler } = this.#parts;
    if (scope.kind === 'account') canceler.send({ kind: 'cancelAll' }, why);
    else if (scope.kind === 'market')
      for (const order of account.workingOrders(scope.symbol)) canceler.cancel(order, why);
  }

  #pull(scope: TradingScope, reason: string): void {
    const { router, hosts } = this.#parts;
    if (scope.kind === 'account') router.pull(undefined, reason);
    else if (scope.kind === 'market') router.pull(scope.symbol, reason);
    else {
      const host = hosts.get(scope.strategyId);
      if (host !== undefined) router.cancelAll(host, reason);
    }
  }

  #record(type: string, order: Instruction, fields: Record<string, unknown>): void {
    this.#parts.recorder.record(type, { ...fields, actor: order.actor, reason: order.reason });
  }
}

/** The market of a scope; `undefined`: all of them. */
function marketOf(scope: WholeScope): MarketSymbol | undefined {
  return scope.kind === 'market' ? scope.symbol : undefined;
}

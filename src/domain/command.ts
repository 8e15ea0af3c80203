/**
 * @module
 * What can be asked of the exchange. A {@link TradingCommand} reaches a lane only as an `Approved` one, made only by
 * risk; what skips risk is the closed type {@link SafetyCommand}.
 */
import type { UnixMs } from '../core/index.ts';
import type { CanonicalCommand, MainWalletOperation } from './canonical-command.ts';
import type { LaneId, MarketSymbol } from './ids.ts';
import type { OrderRef, OrderSpec } from './order.ts';

/** Places one order, or several in one write. */
export interface PlaceOrders {
  readonly kind: 'place';
  readonly orders: readonly OrderSpec[];
  /** Only of a single order: the builder that routed it, and its fee on the taker notional. */
  readonly builder?: { readonly accountId: number; readonly feePpm: number };
}

/** One quoting round: all cancels run first, then all placements, in one log entry; items may fail one by one. */
export interface ReplaceOrders {
  readonly kind: 'replace';
  readonly symbol: MarketSymbol;
  readonly cancels: readonly OrderRef[];
  readonly orders: readonly OrderSpec[];
}

/** Sets the leverage of a market: initial margin of 1/leverage. */
export interface SetLeverage {
  readonly kind: 'setLeverage';
  readonly symbol: MarketSymbol;
  /** Leverage, an integer of at least 1. */
  readonly leverage: number;
}

/** Cancels orders by number. */
export interface CancelOrders {
  readonly kind: 'cancel';
  readonly orders: readonly OrderRef[];
}

/** Cancels every open order of the account. */
export interface CancelAllOrders {
  readonly kind: 'cancelAll';
}

/** Arms the dead man's switch: the exchange cancels everything at `triggerAtMs` (absolute); 0 clears it. */
export interface ScheduleCancel {
  readonly kind: 'scheduleCancel';
  readonly triggerAtMs: UnixMs | 0;
}

/** What can raise exposure and therefore needs approval. */
export type TradingCommand = PlaceOrders | ReplaceOrders | SetLeverage;

/** What only takes risk away and passes always. */
export type SafetyCommand = CancelOrders | CancelAllOrders | ScheduleCancel;

/** Anything a lane can carry. */
export type Command = TradingCommand | SafetyCommand;

/**
 * An operation that was planned whole, for what bots do not do: grants, subaccounts, vaults, time-weighted orders and
 * triggers of the client for people. Its answer names no items that could be compared with it.
 */
export interface PlannedOperation {
  readonly kind: 'operation';
  /** Path of the request, without query. */
  readonly path: string;
  /** What is signed. */
  readonly canonical: CanonicalCommand | MainWalletOperation;
  /** The business body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Anything a lane can write. */
export type LaneCommand = Command | PlannedOperation;

const NO_SPECS: readonly OrderSpec[] = [];
const NO_REFS: readonly OrderRef[] = [];

/** The orders that a command places, in input order. */
export function placesOf(command: LaneCommand): readonly OrderSpec[] {
  return command.kind === 'place' || command.kind === 'replace' ? command.orders : NO_SPECS;
}

/** The orders that a command cancels by id, in input order. */
export function cancelsOf(command: LaneCommand): readonly OrderRef[] {
  if (command.kind === 'replace') return command.cancels;
  return command.kind === 'cancel' ? command.orders : NO_REFS;
}

/** A command on its way to a lane. */
export interface RoutedCommand<T extends Command> {
  readonly lane: LaneId;
  readonly command: T;
}

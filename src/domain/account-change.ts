/**
 * @module
 * What an update changed, reported once each: strategies receive it and monitors evaluate it. A fact that was known already
 * changes nothing and says nothing.
 */
import type { Fill, LedgerEntry, Settlements } from './account.ts';
import type { Fact, Proof } from './fact.ts';
import type { IntentId, MarketSymbol, OrderId, StrategyId } from './ids.ts';
import type { OrderSpec, WorkingOrder } from './order.ts';
import type { Lots } from './units.ts';

/** Who an order belongs to; both absent for an order that is not one of ours. */
export interface OrderOwner {
  /** The strategy that owns it; `undefined`: none is known. */
  readonly strategyId: StrategyId | undefined;
  /** The intent that it came from; `undefined`: none is known. */
  readonly intentId: IntentId | undefined;
}

/**
 * Status of an order or an intent. `unresolved` is not an end: the exposure stays reserved until proof. `voided`: it
 * belonged to a ledger that is gone; what it did there is part of the state that was rebuilt.
 */
export type OrderStatus =
  | 'working'
  /** Its trigger was reached: it is a plain order from now on. */
  | 'fired'
  | 'filled'
  | 'canceled'
  | 'expired'
  | 'rejected'
  | 'notExecuted'
  | 'voided'
  | 'unresolved'
  | 'cancelRejected';

/** True if an order or an intent with this status will change no more. */
export function isOver(status: OrderStatus): boolean {
  return status !== 'working' && status !== 'fired' && status !== 'unresolved' && status !== 'cancelRejected';
}

/** What is wrong with an account although every fact was valid (denials.md M2, M10; obligations O58). */
export type AnomalyKind =
  | 'unknownOrder'
  | 'fillWithoutOrder'
  | 'overfill'
  | 'missingItem'
  | 'positionAdopted'
  /** A new ledger: lots that could be of several strategies, and no fill says of which. */
  | 'positionUnsettled'
  | 'switchFired'
  /** It fired, or seems to have, although no renewal was missing. */
  | 'switchFiredOtherwise';

/** One change of an account's state. */
export type AccountChange =
  | (OrderOwner & {
      readonly type: 'OrderChanged';
      readonly symbol: MarketSymbol;
      /** Absent before the exchange gave it a number. */
      readonly orderId: OrderId | undefined;
      readonly status: OrderStatus;
      /** As it stands, or was last. */
      readonly order: WorkingOrder | undefined;
      /** As it was asked for, where that is known. */
      readonly spec: OrderSpec | undefined;
      /** The reason, in words; `undefined`: none is given. */
      readonly reason: string | undefined;
      /** What proves it; `undefined`: it needs no proof. */
      readonly proof: Proof | undefined;
    })
  | (OrderOwner & { readonly type: 'FillApplied'; readonly fill: Fill })
  | { readonly type: 'LedgerApplied'; readonly entry: LedgerEntry }
  /** A new ledger: what a strategy holds was carried into it, and changed by `changeLots` to fit the account. */
  | {
      readonly type: 'PositionSettled';
      readonly strategyId: StrategyId;
      readonly symbol: MarketSymbol;
      readonly changeLots: Lots;
      /** In words. */
      readonly reason: string;
    }
  | {
      readonly type: 'AnomalySeen';
      readonly kind: AnomalyKind;
      /** The market; `undefined`: it concerns none. */
      readonly symbol: MarketSymbol | undefined;
      /** More about the change, in words. */
      readonly detail: string;
      /** The order whose fills show it; absent: no fill does. */
      readonly filled?: OrderId | undefined;
    };

/** How a firing of the switch is reported: only one that lapsed says that the bot was not there (denials.md M12). */
export function firingOf({
  atMs,
  isLapse = true,
}: Extract<Fact, { type: 'SwitchFired' }>): readonly [AnomalyKind, undefined, string] {
  return isLapse
    ? ['switchFired', undefined, `the dead man's switch fired at ${atMs} ms`]
    : [
        'switchFiredOtherwise',
        undefined,
        `the dead man's switch fired at ${atMs} ms, no renewal was missing`,
      ];
}

/** How it is reported that holdings were carried into the ledger of `epoch`. */
export function settlementChanges(
  { settled, unsettled }: Settlements,
  epoch: string | undefined,
): readonly AccountChange[] {
  const ledger = `the exchange began a new ledger, epoch ${epoch}`;
  return [
    ...settled.map(({ strategyId, symbol, changeLots }) => ({
      type: 'PositionSettled' as const,
      ...{ strategyId, symbol, changeLots },
      reason: changeLots === 0 ? `${ledger}: carried over` : `${ledger}: ${changeLots} lots more`,
    })),
    ...unsettled.map(({ symbol, changeLots }) => ({
      type: 'AnomalySeen' as const,
      kind: 'positionUnsettled' as const,
      symbol,
      detail: `${ledger}: ${changeLots} lots of ${symbol} could be of several strategies, or of none`,
    })),
  ];
}

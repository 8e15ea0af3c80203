/**
 * @module
 * What may be read of the account's state: the one view that risk, strategies, reports and the status page share.
 */
import type { UnixMs, Whole } from '../core/index.ts';
import type { AccountSummary, Position } from './account.ts';
import type { OrderOwner } from './account-change.ts';
import type { Exposure, OwnedExposure } from './exposure.ts';
import type { MarketSymbol, OrderId, Seq, StrategyId } from './ids.ts';
import type { Inventory } from './inventory.ts';
import type { TerminalStatus, WorkingOrder } from './order.ts';
import type { Pnl } from './pnl.ts';
import type { PositionMismatch } from './position-audit.ts';
import type { PendingWrite, Reservation } from './reservations.ts';
import type { Lots, Quantums, Ticks } from './units.ts';

/** True if the account's state is complete. Only then may risk be increased. */
export type SyncState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'synced'; readonly seq: Seq }
  | { readonly kind: 'degraded'; readonly reason: string };

/** What may be read of the state. */
export interface AccountView {
  readonly sync: SyncState;
  /** Balances as the exchange published them; `undefined`: none have come. */
  readonly summary: AccountSummary | undefined;
  /** Sum of all ledger entries: the cash. */
  readonly ledgerSum: Quantums;
  /** Until when the exchange is confirmed to cancel everything if we die; `undefined`: not armed. */
  readonly armedUntilMs: UnixMs | undefined;
  /** Why the dead man's switch is not renewed; empty: it is. */
  readonly switchHeldReasons: readonly string[];
  /** True if anything works, or anything is on its way that could. */
  readonly hasOpenOrders: boolean;
  /** As {@link hasOpenOrders}, less what is on its way and can never rest: an order that takes is over when it is answered. */
  readonly hasQuotes: boolean;
  /** Working orders of a market, oldest first; all of the account's or one strategy's. */
  workingOrders(symbol: MarketSymbol, strategyId?: StrategyId): readonly WorkingOrder[];
  /** A working order by its number; `undefined`: it does not work. */
  workingOrder(orderId: OrderId): WorkingOrder | undefined;
  /** How an order ended, while that is remembered. */
  endOf(orderId: OrderId): TerminalStatus | undefined;
  /** The newest position of the log that an order is known of; `undefined`: none is. */
  seqOf(orderId: OrderId): Seq | undefined;
  /** True while an unresolved write cancels the order. */
  isCancelPending(orderId: OrderId): boolean;
  /** False: no order's cancel is on its way. */
  readonly hasPendingCancels: boolean;
  /** Strategy and intent of an order; `undefined`: not known. */
  ownerOf(orderId: OrderId): OrderOwner | undefined;
  /** Exposure of writes and intents that could still execute. */
  reservations(): Iterable<Reservation>;
  /** Writes sent and not resolved. */
  pendingWrites(): readonly PendingWrite[];
  /** Worst case of a market: of the account, or of one strategy. */
  exposure(symbol: MarketSymbol, strategyId?: StrategyId): Exposure;
  /** The same of both, worked out where the caller asks for it. */
  readExposure(symbol: MarketSymbol, strategyId: StrategyId | undefined, into: OwnedExposure): void;
  /** Markets with a position, an order or a reservation. */
  activeSymbols(): Iterable<MarketSymbol>;
  /** All markets that have a position, an order or a reservation, or had one once. */
  readonly seenSymbols: ReadonlySet<MarketSymbol>;
  /** Inventory of a strategy in a market, or of the account if none is named; `undefined`: none. */
  inventory(symbol: MarketSymbol, strategyId?: StrategyId): Inventory | undefined;
  /** Signed position of a strategy or of the account, lots. */
  positionLots(symbol: MarketSymbol, strategyId?: StrategyId): Lots;
  /** Profit and loss of the account or of one strategy over all markets. */
  pnl(markOf: (symbol: MarketSymbol) => Ticks | undefined, strategyId?: StrategyId): Pnl;
  /** The sum of {@link pnl}, for who asks with each order. */
  pnlTotal(markOf: (symbol: MarketSymbol) => Ticks | undefined, strategyId?: StrategyId): Whole;
  /** The position as the exchange published it; `undefined`: none. */
  publishedPosition(symbol: MarketSymbol): Position | undefined;
  /** Markets where fills and published position differ. */
  positionMismatches(): readonly PositionMismatch[];
  /** Strategies with an inventory. */
  strategyIds(): Iterable<StrategyId>;
  /** Sum of the ledger entries by kind, quantums. */
  ledgerByKind(): ReadonlyMap<string, Quantums>;
}

/**
 * @module
 * The one state of the account: a pure function of facts: orders, intents in flight, positions, profit, cash and sync.
 * One writer (the kernel) applies facts; everyone else reads through {@link AccountView}. Fills and ledger entries come once each;
 * orders are idempotent by number and log position, terminal is terminal (obligation O82).
 *
 *   facts ──► apply ──► orders, reservations ──► exposure (risk)
 *                 └──► inventories, cash  ────► profit (strategies, reports)
 *                 └──► changes, reported once ────► handlers, monitors
 *
 * What this does not do: it never ends an order by a timer or by inference (I30), and it never books a fill that the
 * exchange did not report.
 */
import { absent, assert, must, type UnixMs, type Whole } from '../core/index.ts';
import type { AccountSummary, AdoptedPosition, CarriedHoldings, Holding, Position } from './account.ts';
import { type AccountChange, firingOf, type OrderOwner, settlementChanges } from './account-change.ts';
import type { AccountView, SyncState } from './account-view.ts';
import { ChangeQueue } from './change-queue.ts';
import { EarlyFills } from './early-fills.ts';
import { type Exposure, OwnedExposure } from './exposure.ts';
import type { AccountFact, Fact } from './fact.ts';
import { FillLedger } from './fill-ledger.ts';
import {
  type LaneId,
  type MarketSymbol,
  type OrderId,
  type Seq,
  type StrategyId,
  seqOfCursor,
} from './ids.ts';
import type { Inventory } from './inventory.ts';
import type { Market } from './market.ts';
import type { OrderRef, OrderSpec, TerminalStatus, WorkingOrder } from './order.ts';
import { OrderStore } from './order-store.ts';
import type { Pnl } from './pnl.ts';
import { PositionAudit, type PositionMismatch } from './position-audit.ts';
import type { PendingWrite, Reservation } from './reservations.ts';
import { SeenSymbols } from './seen-symbols.ts';
import { type Side, signedLots } from './side.ts';
import type { Lots, Quantums, Ticks } from './units.ts';

const NO_RESERVATIONS: readonly Reservation[] = [];

/** The state. See the module. */
export class AccountState implements AccountView {
  readonly #markets = new Map<MarketSymbol, Market>();
  readonly #books = new FillLedger((symbol) => this.#markets.get(symbol) ?? absent(`market ${symbol}`));
  readonly #orderStore: OrderStore;
  readonly #audit = new PositionAudit();
  readonly #seenSymbols = new SeenSymbols();
  readonly #changes = new ChangeQueue();
  #sync: SyncState = { kind: 'starting' };
  readonly #earlyFills = new EarlyFills();
  #isAdoptionDue = true;
  /** The ledger that the state is of, as far as it was said, and those before it. */
  #epoch: string | undefined;
  readonly #epochs = new Set<string>();
  /** Writes are closed by a ledger whose state is not rebuilt yet. */
  #isVoidDue = false;
  #summary: { readonly account: AccountSummary; readonly seq: Seq } | undefined;
  #armedUntilMs: UnixMs | undefined;
  #switchHeldReasons: readonly string[] = [];

  constructor() {
    this.#orderStore = new OrderStore(this.#changes, this.#books, (symbol) => this.#seenSymbols.add(symbol));
  }

  /** Takes a fact in. Facts about markets other than their definition change nothing here. */
  fold(fact: Fact): void {
    // What there is most of first: texts are compared one after the other.
    switch (fact.type) {
      case 'WriteSent':
      case 'OrderAccepted':
      case 'CancelExecuted':
      case 'WriteResolved':
      case 'OrderRejected':
      case 'OrderNotExecuted':
      case 'CancelRejected':
      case 'WriteUnresolved':
        this.#orderStore.foldWrite(fact);
        return;
      case 'OrderOpened':
        this.#orderStore.open(fact.order, fact.seq);
        return;
      case 'OrderEnded':
        this.#orderStore.orders.cool(this.#orderStore.reservations);
        this.#orderStore.end(fact.ref, fact.status, fact);
        return;
      case 'LaneReady':
      case 'LaneHalted':
        return;
      case 'BookUpdated':
      case 'BboUpdated':
      case 'TradePrinted':
      case 'PricesUpdated':
      case 'CandleUpdated':
      case 'FundingSettled':
      case 'MarketStale':
      case 'TimerFired':
      case 'EquityMarked':
      case 'FeedReceived':
        return;
      case 'MarketChanged':
        this.#markets.set(fact.market.symbol, fact.market);
        return;
      case 'SwitchArmed':
        this.#armedUntilMs = fact.triggerAtMs;
        this.#switchHeldReasons = [];
        return;
      case 'SwitchHeld':
        this.#switchHeldReasons = fact.reasons;
        return;
      case 'SwitchFired':
        this.#armedUntilMs = undefined;
        this.#orderStore.anomaly(...firingOf(fact));
        return;
      case 'WriteVoided':
        this.#orderStore.foldWrite(fact);
        if (!this.#epochs.has(fact.epoch)) return;
        this.#isVoidDue = true;
        if (this.#sync.kind === 'synced') this.#releaseVoid();
        return;
      default:
        this.#foldAccount(fact);
        return;
    }
  }

  /**
   * Reserves approved placements and marks cancels as under way, before anything of them is known to have left.
   * @throws AssertionError when an intent is reserved twice.
   */
  reserve(reserved: {
    readonly lane: LaneId;
    readonly places: readonly OrderSpec[];
    readonly cancels: readonly OrderRef[];
    readonly atMs: UnixMs;
  }): void {
    const { lane, places, cancels, atMs } = reserved;
    const { reservations } = this.#orderStore;
    for (const { intentId } of places)
      if (reservations.get(intentId) !== undefined) assert(false, `a new intent, got ${intentId} again`);
    for (const spec of places)
      reservations.put({ spec, lane, stage: 'approved', requestId: undefined, atMs });
    this.reserveCancels(cancels);
  }

  /** Marks cancels as under way. */
  reserveCancels(refs: readonly OrderRef[]): void {
    for (const ref of refs) this.#orderStore.orders.setCancelPending(ref.orderId, true);
  }

  /**
   * Reports whose orders of a previous run were, and what was held when this ledger began, before fills are applied: a
   * strategy finds its inventory again.
   */
  recallOwners(
    orders: Iterable<OrderOwner & { readonly orderId: OrderId }>,
    carried?: CarriedHoldings,
  ): void {
    this.#orderStore.orders.recallOwners(orders);
    if (carried === undefined) return;
    const { holdings, seq } = carried;
    this.#books.carry({ holdings: holdings.filter(({ symbol }) => this.#markets.has(symbol)), seq });
  }

  /** What each owner holds now. */
  holdings(): readonly Holding[] {
    return this.#books.holdings();
  }

  /** What was carried into this ledger and settled with it: another object when it has changed. */
  get carried(): CarriedHoldings | undefined {
    return this.#books.carried;
  }

  /** Calls `onChange` with what changed since the last call, in order. */
  drainChanges(onChange: (change: AccountChange) => void): void {
    this.#changes.drain(onChange);
  }

  get sync(): SyncState {
    return this.#sync;
  }

  get summary(): AccountSummary | undefined {
    return this.#summary?.account;
  }

  get ledgerSum(): Quantums {
    return this.#books.ledgerSum;
  }

  get armedUntilMs(): UnixMs | undefined {
    return this.#armedUntilMs;
  }

  get switchHeldReasons(): readonly string[] {
    return this.#switchHeldReasons;
  }

  workingOrders(symbol: MarketSymbol, strategyId?: StrategyId): readonly WorkingOrder[] {
    const all = this.#orderStore.orders.workingIn(symbol);
    if (strategyId === undefined) return all;
    // Nearly always there is one strategy in a market: its list is the list.
    for (let at = 0; at < all.length; at++)
      if (all[at]?.strategyId !== strategyId) return all.filter((order) => order.strategyId === strategyId);
    return all;
  }

  isRestingOn(symbol: MarketSymbol, strategyId: StrategyId, side: Side): boolean {
    return this.#orderStore.orders.isRestingOn(symbol, strategyId, side);
  }

  workingOrder(orderId: OrderId): WorkingOrder | undefined {
    const record = this.#orderStore.orders.get(orderId);
    return record === undefined || record.endedAs !== undefined ? undefined : record.order;
  }

  endOf(orderId: OrderId): TerminalStatus | undefined {
    return this.#orderStore.orders.get(orderId)?.endedAs;
  }

  seqOf(orderId: OrderId): Seq | undefined {
    return this.#orderStore.orders.get(orderId)?.seq;
  }

  isCancelPending(orderId: OrderId): boolean {
    return this.#orderStore.orders.get(orderId)?.isCancelPending ?? false;
  }

  /** True while the exchange does not know a working order, by its answer to a cancel: a read has to settle it. */
  isUnknown(orderId: OrderId): boolean {
    return this.#orderStore.orders.get(orderId)?.isUnknown ?? false;
  }

  get hasPendingCancels(): boolean {
    return this.#orderStore.orders.hasPendingCancels;
  }

  get hasOpenOrders(): boolean {
    return this.#orderStore.reservations.size > 0 || this.#orderStore.orders.hasWorking;
  }

  get hasQuotes(): boolean {
    return this.#orderStore.orders.hasWorking || this.#orderStore.reservations.canRest;
  }

  ownerOf(orderId: OrderId): OrderOwner | undefined {
    const record = this.#orderStore.orders.get(orderId);
    return record === undefined ? undefined : { strategyId: record.strategyId, intentId: record.intentId };
  }

  reservations(): Iterable<Reservation> {
    const { reservations } = this.#orderStore;
    return reservations.size === 0 ? NO_RESERVATIONS : reservations.all();
  }

  pendingWrites(): readonly PendingWrite[] {
    return this.#orderStore.reservations.pendingWrites();
  }

  exposure(symbol: MarketSymbol, strategyId?: StrategyId): Exposure {
    const both = new OwnedExposure();
    this.readExposure(symbol, strategyId, both);
    return strategyId === undefined ? both.ofAccount : both.ofStrategy;
  }

  readExposure(symbol: MarketSymbol, strategyId: StrategyId | undefined, into: OwnedExposure): void {
    into.begin(strategyId);
    if (!this.#markets.has(symbol)) return;
    into.ofAccount.positionLots = this.positionLots(symbol);
    if (strategyId !== undefined) into.ofStrategy.positionLots = this.positionLots(symbol, strategyId);
    this.#orderStore.addOpen(symbol, into);
  }

  activeSymbols(): Iterable<MarketSymbol> {
    const symbols = new Set<MarketSymbol>();
    this.#orderStore.addActive(symbols);
    for (const symbol of this.#books.account.symbols()) symbols.add(symbol);
    return symbols;
  }

  get seenSymbols(): ReadonlySet<MarketSymbol> {
    return this.#seenSymbols.all;
  }

  inventory(symbol: MarketSymbol, strategyId?: StrategyId): Inventory | undefined {
    return this.#books.ownedBy(strategyId)?.get(symbol);
  }

  positionLots(symbol: MarketSymbol, strategyId?: StrategyId): Lots {
    return this.#books.ownedBy(strategyId)?.lotsOf(symbol) ?? (0 as Lots);
  }

  unownedLots(symbol: MarketSymbol): Lots {
    return this.#books.unownedLots(symbol);
  }

  pnl(markOf: (symbol: MarketSymbol) => Ticks | undefined, strategyId?: StrategyId): Pnl {
    return this.#books.pnl(markOf, strategyId);
  }

  pnlTotal(markOf: (symbol: MarketSymbol) => Ticks | undefined, strategyId?: StrategyId): Whole {
    return this.#books.pnlTotal(markOf, strategyId);
  }

  publishedPosition(symbol: MarketSymbol): Position | undefined {
    return this.#audit.published(symbol);
  }

  positionMismatches(): readonly PositionMismatch[] {
    // Before the first sync of a ledger its fills need not explain what is held.
    if (this.#isAdoptionDue) return [];
    return this.#audit.mismatches((symbol) => this.#books.account.lotsOf(symbol));
  }

  strategyIds(): Iterable<StrategyId> {
    return this.#books.strategyIds();
  }

  ledgerByKind(): ReadonlyMap<string, Quantums> {
    return this.#books.byKind;
  }

  #foldAccount(fact: Exclude<AccountFact, { type: 'OrderOpened' | 'OrderEnded' }>): void {
    switch (fact.type) {
      case 'OrdersReplaced':
        this.#orderStore.replaceAll(fact.orders, fact.seq);
        return;
      case 'FillRecorded': {
        const { fill } = fact;
        this.#books.addFill(fill);
        this.#earlyFills.add(fill);
        this.#audit.add(fill.symbol, seqOfCursor(fill.id), signedLots(fill.side, fill.sizeLots));
        this.#seenSymbols.add(fill.symbol);
        this.#orderStore.fill(fill);
        return;
      }
      case 'LedgerRecorded': {
        const { orderId } = fact.entry;
        const owner = orderId === null ? undefined : this.#orderStore.orders.get(orderId);
        this.#books.addEntry(fact.entry, owner?.strategyId);
        this.#changes.add({ type: 'LedgerApplied', entry: fact.entry });
        return;
      }
      case 'PositionMoved':
        this.#books.addMove(fact.move);
        this.#earlyFills.addMove(fact.move);
        this.#audit.add(fact.move.symbol, fact.move.seq, fact.move.changeLots);
        this.#seenSymbols.add(fact.move.symbol);
        return;
      case 'PositionAdopted':
        this.#adopt(fact.adopted);
        return;
      case 'PositionsReplaced':
        this.#audit.replace(fact.positions, fact.seq);
        for (const symbol of this.#audit.symbols) this.#audit.settle(symbol);
        return;
      case 'PositionUpdated':
        this.#audit.publish(fact.position, fact.seq);
        this.#audit.settle(fact.position.symbol);
        return;
      case 'AccountUpdated':
        if (this.#summary === undefined || fact.seq >= this.#summary.seq)
          this.#summary = { account: fact.account, seq: fact.seq };
        return;
      case 'AccountSynced':
        this.#sync = { kind: 'synced', seq: fact.seq };
        this.#noteEpoch(fact.epoch);
        this.#releaseVoid();
        this.#orderStore.watchedFrom ??= fact.seq;
        this.#orderStore.catchUp(fact.seq, fact.bookedSeq);
        if (this.#isAdoptionDue) this.#adoptPositions();
        this.#settle(fact.seq);
        return;
      case 'HistoryBooked':
        this.#orderStore.booked(fact.seq);
        return;
      case 'AccountDegraded':
        this.#sync = { kind: 'degraded', reason: fact.reason };
        this.#orderStore.fallBehind();
        return;
      case 'EpochChanged':
        this.#beginEpoch(fact.epoch);
        return;
    }
  }

  /**
   * At the first sync of an epoch: what was held before our history begins is taken over as it is published. Fills
   * after the published position are no part of it.
   */
  #adoptPositions(): void {
    this.#isAdoptionDue = false;
    for (const position of [...this.#audit.positions()]) {
      const { symbol } = position;
      const adoptedLots = this.#adopt(position);
      const detail = `took over ${adoptedLots} lots that no fill explains`;
      if (adoptedLots !== 0) this.#orderStore.anomaly('positionAdopted', symbol, detail);
    }
    this.#earlyFills.end();
  }

  #adopt(position: AdoptedPosition): Lots {
    const { symbol } = position;
    const { quantumsPerTickLot } = must(this.#markets.get(symbol), `market ${symbol}`);
    const { sizeLots, cost } = this.#earlyFills.adopt(position, quantumsPerTickLot);
    if (sizeLots === 0) return sizeLots;
    this.#books.adopt(symbol, sizeLots, cost, position.seq);
    this.#audit.adopt(symbol, position.seq, sizeLots);
    this.#seenSymbols.add(symbol);
    return sizeLots;
  }

  #settle(seq: Seq): void {
    const settlements = this.#books.settle(seq);
    if (settlements === undefined) return;
    for (const change of settlementChanges(settlements, this.#epoch)) this.#changes.add(change);
  }

  #noteEpoch(epoch: string | undefined): void {
    if (epoch === undefined) return;
    this.#epoch = epoch;
    this.#epochs.add(epoch);
  }

  #releaseVoid(): void {
    if (!this.#isVoidDue) return;
    this.#isVoidDue = false;
    this.#orderStore.releaseVoid(this.#epoch ?? '');
  }

  #beginEpoch(epoch: string): void {
    this.#noteEpoch(epoch);
    this.#isVoidDue = true;
    // What their orders did in between is in the position of the new ledger, and in nothing else.
    this.#orderStore.eachOpen((strategyId, symbol) => this.#books.expect(strategyId, symbol));
    const waiting = this.#orderStore.waitingFills();
    this.#orderStore.beginEpoch(epoch);
    this.#books.beginEpoch(waiting);
    this.#audit.clear();
    this.#summary = undefined;
    this.#armedUntilMs = undefined;
    this.#isAdoptionDue = true;
    this.#earlyFills.begin();
    this.#sync = { kind: 'degraded', reason: `the exchange began a new ledger: epoch ${epoch}` };
  }
}

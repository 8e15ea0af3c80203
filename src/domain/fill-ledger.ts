/**
 * @module
 * Fills and ledger entries, and the inventories they make: of the account, and of each strategy on it. Each comes once:
 * the maker of the facts sees to that. The sum of all strategies and of what no strategy owns is the account, lot by lot and quantum by quantum.
 * A new ledger begins the account from nothing; what strategies hold is carried into it, and settled with the account once it is read.
 */
import { FewMap, type Whole } from '../core/index.ts';
import type {
  CarriedHoldings,
  Fill,
  Holding,
  LedgerEntry,
  PositionMove,
  Settlement,
  Settlements,
  Unsettled,
} from './account.ts';
import { type MarketSymbol, type Seq, type StrategyId, seqOfCursor } from './ids.ts';
import { ForcedFills, InventoryBook, isFeeEntry, isFundingEntry, splitByHolding } from './inventory.ts';
import type { Market } from './market.ts';
import type { Pnl } from './pnl.ts';
import { signedLots } from './side.ts';
import { type Lots, lots, type Quantums, quantums, type Ticks } from './units.ts';

/** After everything in any log. */
const END = (1n << 64n) as Seq;

/** The ledger of an account. */
export class FillLedger {
  /** Everything on the account. */
  readonly account = new InventoryBook();
  readonly #strategies = new FewMap<StrategyId, InventoryBook>();
  readonly #byKind = new Map<string, Quantums>();
  readonly #marketOf: (symbol: MarketSymbol) => Market;
  #ledgerSum = 0n;
  /** What happened up to here is part of what strategies carry. */
  #carriedTo: Seq | undefined;
  /** While a new ledger is read: what nobody owned in the one before. */
  #nobodys: ReadonlyMap<MarketSymbol, Lots> | undefined;
  readonly #looseLots = new Map<MarketSymbol, number>();
  /** What strategies carry, and what changed of it: all that they hold but for fills of their own orders here. */
  readonly #base = new Map<string, Holding>();
  #carried: CarriedHoldings | undefined;
  readonly #forced = new ForcedFills();

  constructor(marketOf: (symbol: MarketSymbol) => Market) {
    this.#marketOf = marketOf;
  }

  /** Sum of all entries. */
  get ledgerSum(): Quantums {
    return quantums(this.#ledgerSum);
  }

  /** Sums by kind of entry. */
  get byKind(): ReadonlyMap<string, Quantums> {
    return this.#byKind;
  }

  /** Strategies that own anything. */
  strategyIds(): Iterable<StrategyId> {
    return this.#strategies.keys;
  }

  /** The ledger of a strategy; of the account when none is named. */
  ownedBy(strategyId: StrategyId | undefined): InventoryBook | undefined {
    return strategyId === undefined ? this.account : this.#strategies.get(strategyId);
  }

  /** Books a new fill on the account. */
  addFill(fill: Fill): void {
    this.account.of(fill.symbol).applyFill(fill, this.#marketOf(fill.symbol).quantumsPerTickLot);
    if (this.#nobodys !== undefined) this.#addLoose(fill.symbol, signedLots(fill.side, fill.sizeLots));
  }

  /** Books a fill, known to the account already, for the strategy that owns its order. */
  attribute(fill: Fill, strategyId: StrategyId | undefined): void {
    if (strategyId === undefined) {
      this.#bearForced(this.#forced.add(fill));
      return;
    }
    this.#booksOf(strategyId).of(fill.symbol).applyFill(fill, this.#marketOf(fill.symbol).quantumsPerTickLot);
    if (this.#nobodys !== undefined) this.#addLoose(fill.symbol, -signedLots(fill.side, fill.sizeLots));
  }

  /** As {@link attribute}, of an order of the ledger before: part of what was carried, for no later run knows its owner. */
  inherit(fill: Fill, strategyId: StrategyId): void {
    const { position } = this.#booksOf(strategyId).of(fill.symbol);
    const [lotsBefore, costBefore] = [position.sizeLots, position.cost];
    this.attribute(fill, strategyId);
    this.#addToBase(strategyId, fill.symbol, position.sizeLots - lotsBefore, position.cost - costBefore);
  }

  /** Books a new ledger entry. */
  addEntry(entry: LedgerEntry, strategyId: StrategyId | undefined): void {
    this.#ledgerSum += entry.amount;
    this.#byKind.set(entry.kind, quantums((this.#byKind.get(entry.kind) ?? 0n) + entry.amount));
    this.#bearForced(this.#forced.note(entry));
    if (entry.symbol === null) return;
    if (isFeeEntry(entry)) {
      this.account.of(entry.symbol).applyLedgerFee(entry.amount);
      if (strategyId !== undefined) this.#booksOf(strategyId).of(entry.symbol).applyLedgerFee(entry.amount);
    } else if (isFundingEntry(entry)) this.#addFunding(entry.symbol, entry.amount, seqOfCursor(entry.id));
  }

  /**
   * Books what the exchange moved without a fill, for the account and for those of its strategies that hold the position:
   * by their share of it. A strategy on the other side bears none of a deleverage.
   */
  addMove(move: PositionMove): void {
    const { symbol, changeLots, cash } = move;
    this.account.of(symbol).applyMove(changeLots, cash, this.#marketOf(symbol).quantumsPerTickLot);
    this.#bear(move);
  }

  /** Books what the exchange did to a position for those that hold it; `ofLots`: the position it did it to. */
  #bear({ symbol, changeLots, ofLots, cash, seq, isMarketEnd }: PositionMove): void {
    if (this.#isCarried(seq)) return;
    const { quantumsPerTickLot } = this.#marketOf(symbol);
    const owners = this.#strategies.keys.toSorted();
    const held = owners.map((id) => BigInt(this.#strategies.get(id)?.lotsOf(symbol) ?? 0));
    const nobodys = held.reduce((left, one) => left - one, BigInt(ofLots));
    const shares = splitByHolding(BigInt(changeLots), [nobodys, ...held], isMarketEnd) ?? [];
    for (const [at, id] of owners.entries()) {
      const share = shares[at + 1] ?? 0n;
      if (share === 0n) continue;
      const part = quantums((cash * share) / BigInt(changeLots));
      this.#booksOf(id)
        .of(symbol)
        .applyMove(lots(Number(share)), part, quantumsPerTickLot);
    }
  }

  /** By fills that are booked on the account already. */
  #bearForced(fills: readonly Fill[]): void {
    for (const { id, symbol, side, sizeLots, priceTicks } of fills) {
      const changeLots = signedLots(side, sizeLots);
      const { quantumsPerTickLot } = this.#marketOf(symbol);
      const cash = quantums(-BigInt(changeLots) * BigInt(priceTicks) * quantumsPerTickLot);
      const ofLots = lots(this.account.lotsOf(symbol) - changeLots);
      this.#bear({ symbol, changeLots, ofLots, cash, seq: seqOfCursor(id) });
    }
  }

  /** Takes over a position of the account that no fill up to `seq` explains. */
  adopt(symbol: MarketSymbol, sizeLots: Lots, cost: Quantums, seq: Seq): void {
    this.account.of(symbol).adopt(sizeLots, cost, this.#marketOf(symbol).quantumsPerTickLot, seq);
  }

  /** Profit and loss over all markets. */
  pnl(markOf: (symbol: MarketSymbol) => Ticks | undefined, strategyId: StrategyId | undefined): Pnl {
    let realized = 0n;
    let unrealized = 0n;
    let fees = 0n;
    let funding = 0n;
    for (const [symbol, inventory] of this.ownedBy(strategyId)?.entries() ?? []) {
      const part = inventory.pnlAt(markOf(symbol));
      realized += part.realized;
      unrealized += part.unrealized;
      fees += part.fees;
      funding += part.funding;
    }
    return {
      realized: quantums(realized),
      unrealized: quantums(unrealized),
      fees: quantums(fees),
      funding: quantums(funding),
    };
  }

  /** The sum of {@link pnl}. */
  pnlTotal(markOf: (symbol: MarketSymbol) => Ticks | undefined, strategyId: StrategyId | undefined): Whole {
    return this.ownedBy(strategyId)?.totalAt(markOf) ?? 0;
  }

  /** Lots of the account that no strategy owns. */
  unownedLots(symbol: MarketSymbol): Lots {
    let left: number = this.account.lotsOf(symbol);
    for (const books of this.#strategies.values) left -= books.lotsOf(symbol);
    return lots(left);
  }

  /** What each strategy holds, markets in which it is flat included, and what nobody owns. */
  holdings(): readonly Holding[] {
    const held: Holding[] = [];
    for (const [at, books] of this.#strategies.values.entries())
      for (const [symbol, { position }] of books.entries())
        held.push({
          strategyId: this.#strategies.keys[at],
          ...{ symbol, sizeLots: position.sizeLots, cost: position.cost },
        });
    const nobodys = this.#nobodys ?? this.#unowned();
    for (const [symbol, sizeLots] of nobodys)
      if (sizeLots !== 0) held.push({ strategyId: undefined, symbol, sizeLots, cost: quantums(0n) });
    return held;
  }

  /**
   * What was carried into this ledger and settled with it: what each strategy holds beyond the fills of its own orders in it.
   * `undefined`: there was no ledger before, or this one is not read yet.
   */
  get carried(): CarriedHoldings | undefined {
    if (this.#carriedTo === undefined || this.#carriedTo === END) return undefined;
    this.#carried ??= { holdings: [...this.#base.values()], seq: this.#carriedTo };
    return this.#carried;
  }

  /** A strategy may own what happens in a market, although nothing has yet. */
  expect(strategyId: StrategyId, symbol: MarketSymbol): void {
    this.#booksOf(strategyId).of(symbol);
  }

  /** Takes over what was held in a ledger before. */
  carry({ holdings, seq }: CarriedHoldings): void {
    const nobodys = new Map<MarketSymbol, Lots>();
    for (const { strategyId, symbol, sizeLots, cost } of holdings) {
      if (strategyId === undefined) nobodys.set(symbol, sizeLots);
      else this.#adopt(strategyId, symbol, sizeLots, cost);
    }
    this.#carriedTo = seq ?? END;
    this.#carried = undefined;
    this.#nobodys = seq === undefined ? nobodys : undefined;
    this.#looseLots.clear();
  }

  /** `waiting`: fills whose owner is not known yet. What they made may be a strategy's: nobody owned it only so far. */
  #withoutWaiting(waiting: readonly Fill[]): readonly Holding[] {
    const lotsOf = (symbol: MarketSymbol): number =>
      waiting.reduce((sum, one) => sum + (one.symbol === symbol ? signedLots(one.side, one.sizeLots) : 0), 0);
    return this.holdings().map((held) =>
      held.strategyId === undefined ? { ...held, sizeLots: lots(held.sizeLots - lotsOf(held.symbol)) } : held,
    );
  }

  /** A new ledger: the account begins from nothing. Strategies keep what they hold, and their profit is counted from here. */
  beginEpoch(waiting: readonly Fill[]): void {
    const holdings = this.#withoutWaiting(waiting);
    this.account.clear();
    this.#strategies.clear();
    this.#base.clear();
    this.#byKind.clear();
    this.#forced.clear();
    this.#ledgerSum = 0n;
    this.carry({ holdings, seq: undefined });
  }

  /** Until the new ledger is settled: what its fills have made that no strategy is known to own. */
  #addLoose(symbol: MarketSymbol, signed: number): void {
    this.#looseLots.set(symbol, (this.#looseLots.get(symbol) ?? 0) + signed);
  }

  /**
   * The new ledger is read up to `seq`: what its account holds otherwise than the one before belongs to the one strategy of
   * the market. Of several nobody can say which; a flat account makes all of them flat. Fills without an owner are nobody's.
   */
  settle(seq: Seq): Settlements | undefined {
    const settled: Settlement[] = [];
    const unsettled: Unsettled[] = [];
    const nobodys = this.#nobodys;
    if (nobodys === undefined) return undefined;
    this.#nobodys = undefined;
    this.#carriedTo = seq;
    this.#carried = undefined;
    for (const symbol of new Set([...this.#symbols(), ...nobodys.keys()])) {
      const owners = this.#strategies.keys.filter((id) => this.#strategies.get(id)?.get(symbol));
      const loose = this.#looseLots.get(symbol) ?? 0;
      const change = this.unownedLots(symbol) - (nobodys.get(symbol) ?? 0) - loose;
      const accountLots = this.account.lotsOf(symbol);
      if (change + loose !== 0 && accountLots !== 0 && owners.length !== 1)
        unsettled.push({ symbol, changeLots: lots(change + loose) });
      for (const strategyId of owners) {
        const heldLots = this.#booksOf(strategyId).lotsOf(symbol);
        const own = change === 0 ? 0 : accountLots === loose ? -heldLots : owners.length === 1 ? change : 0;
        if (own !== 0) this.#adjust(strategyId, symbol, own);
        if (own !== 0 || heldLots !== 0) settled.push({ strategyId, symbol, changeLots: lots(own) });
      }
    }
    return { settled, unsettled };
  }

  /** At the average cost of the account, where it has one. */
  #adjust(strategyId: StrategyId, symbol: MarketSymbol, change: number): void {
    const inventory = this.#booksOf(strategyId).of(symbol);
    const { sizeLots, cost } = inventory.position;
    const of = this.account.of(symbol).position;
    const left = BigInt(sizeLots + change);
    const base = of.sizeLots === 0 ? inventory.position : of;
    const costAfter = base.sizeLots === 0 ? 0n : (base.cost * left) / BigInt(base.sizeLots);
    this.#adopt(strategyId, symbol, change, costAfter - cost);
  }

  /** Books for a strategy what no fill of its own orders makes. */
  #adopt(strategyId: StrategyId, symbol: MarketSymbol, sizeLots: number, cost: bigint): void {
    const { quantumsPerTickLot } = this.#marketOf(symbol);
    this.#booksOf(strategyId).of(symbol).adopt(lots(sizeLots), quantums(cost), quantumsPerTickLot);
    this.#addToBase(strategyId, symbol, sizeLots, cost);
  }

  #addToBase(strategyId: StrategyId, symbol: MarketSymbol, sizeLots: number, cost: bigint): void {
    const key = `${strategyId} ${symbol}`;
    const base = this.#base.get(key);
    this.#base.set(key, {
      ...{ strategyId, symbol },
      sizeLots: lots((base?.sizeLots ?? 0) + sizeLots),
      cost: quantums((base?.cost ?? 0n) + cost),
    });
    this.#carried = undefined;
  }

  #isCarried(seq: Seq): boolean {
    return this.#carriedTo !== undefined && seq <= this.#carriedTo;
  }

  #symbols(): ReadonlySet<MarketSymbol> {
    return new Set([this.account, ...this.#strategies.values].flatMap((books) => books.symbols()));
  }

  #unowned(): ReadonlyMap<MarketSymbol, Lots> {
    return new Map(Array.from(this.#symbols(), (symbol) => [symbol, this.unownedLots(symbol)]));
  }

  /** Splits a payment over the strategies by their share of the position; what cannot be split stays with the account. */
  #addFunding(symbol: MarketSymbol, amount: Quantums, seq: Seq): void {
    const account = this.account.of(symbol);
    account.applyFunding(amount);
    if (this.#isCarried(seq)) return;
    const total = BigInt(account.sizeLots);
    if (total === 0n) return;
    const holders = [...this.#strategies.values].filter((books) => books.lotsOf(symbol) !== 0);
    const owned = holders.reduce((sum, books) => sum + BigInt(books.lotsOf(symbol)), 0n);
    let left: bigint = (amount * owned) / total;
    for (const [index, books] of holders.entries()) {
      const isLast = index === holders.length - 1;
      const share = isLast ? left : (amount * BigInt(books.lotsOf(symbol))) / total;
      left -= share;
      books.of(symbol).applyFunding(quantums(share));
    }
  }

  #booksOf(strategyId: StrategyId): InventoryBook {
    let books = this.ownedBy(strategyId);
    if (books === undefined) {
      books = new InventoryBook();
      this.#strategies.add(strategyId, books);
    }
    return books;
  }
}

/**
 * @module
 * Fills and ledger entries, and the inventories they make: of the account, and of each strategy on it. Each comes once:
 * the maker of the facts sees to that. The sum of all strategies and of what no strategy owns is the account, lot by lot and quantum by quantum.
 */
import { FewMap, type Whole } from '../core/index.ts';
import type { Fill, LedgerEntry, PositionMove } from './account.ts';
import type { MarketSymbol, StrategyId } from './ids.ts';
import { InventoryBook, isFeeEntry, isFundingEntry } from './inventory.ts';
import type { Market } from './market.ts';
import type { Pnl } from './pnl.ts';
import { type Lots, lots, type Quantums, quantums, type Ticks } from './units.ts';

/** The ledger of an account. */
export class FillLedger {
  /** Everything on the account. */
  readonly account = new InventoryBook();
  readonly #strategies = new FewMap<StrategyId, InventoryBook>();
  readonly #byKind = new Map<string, Quantums>();
  readonly #marketOf: (symbol: MarketSymbol) => Market;
  #ledgerSum = 0n;

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
  }

  /** Books a fill, known to the account already, for the strategy that owns its order. */
  attribute(fill: Fill, strategyId: StrategyId | undefined): void {
    if (strategyId === undefined) return;
    this.#booksOf(strategyId).of(fill.symbol).applyFill(fill, this.#marketOf(fill.symbol).quantumsPerTickLot);
  }

  /** Books a new ledger entry. */
  addEntry(entry: LedgerEntry, strategyId: StrategyId | undefined): void {
    this.#ledgerSum += entry.amount;
    this.#byKind.set(entry.kind, quantums((this.#byKind.get(entry.kind) ?? 0n) + entry.amount));
    if (entry.symbol === null) return;
    if (isFeeEntry(entry)) {
      this.account.of(entry.symbol).applyLedgerFee(entry.amount);
      if (strategyId !== undefined) this.#booksOf(strategyId).of(entry.symbol).applyLedgerFee(entry.amount);
    } else if (isFundingEntry(entry)) this.#addFunding(entry.symbol, entry.amount);
  }

  /**
   * Books what the exchange moved without a fill, for the account and for those of its strategies that hold the position:
   * by their share of it. A strategy on the other side bears none of a deleverage.
   */
  addMove({ symbol, changeLots, ofLots, cash, isMarketEnd }: PositionMove): void {
    const perTickLot = this.#marketOf(symbol).quantumsPerTickLot;
    this.account.of(symbol).applyMove(changeLots, cash, perTickLot);
    const isHolding = (held: number): boolean =>
      isMarketEnd === true || Math.sign(held) === Math.sign(ofLots);
    const held = Array.from(this.#strategies.values, (books) => books.lotsOf(symbol));
    const nobodys = held.reduce((left, one) => left - one, ofLots as number);
    const total = BigInt([...held, nobodys].filter(isHolding).reduce((sum, one) => sum + one, 0));
    for (const books of this.#strategies.values) {
      const own = books.lotsOf(symbol);
      const share = total === 0n || !isHolding(own) ? 0n : (BigInt(changeLots) * BigInt(own)) / total;
      if (share === 0n) continue;
      const part = quantums((cash * share) / BigInt(changeLots));
      books.of(symbol).applyMove(lots(Number(share)), part, perTickLot);
    }
  }

  /** Takes over a position of the account that no fill explains. */
  adopt(symbol: MarketSymbol, sizeLots: Lots, cost: Quantums): void {
    this.account.of(symbol).adopt(sizeLots, cost, this.#marketOf(symbol).quantumsPerTickLot);
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

  /** Forgets all: a new epoch. */
  clear(): void {
    this.account.clear();
    this.#strategies.clear();
    this.#byKind.clear();
    this.#ledgerSum = 0n;
  }

  /** Splits a payment over the strategies by their share of the position; what cannot be split stays with the account. */
  #addFunding(symbol: MarketSymbol, amount: Quantums): void {
    const account = this.account.of(symbol);
    account.applyFunding(amount);
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

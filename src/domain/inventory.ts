/**
 * @module
 * What an owner (the account, or one strategy on it) has done in each market: position at average cost, fees, funding,
 * volume. What this does not do: deciding who owns a fill; that is the account state's.
 */
import { FewMap, plus, times, type Whole, whole } from '../core/index.ts';
import type { Fill, LedgerEntry } from './account.ts';
import type { MarketSymbol } from './ids.ts';
import { CostBook, type Pnl, totalOf } from './pnl.ts';
import { type Lots, type Quantums, quantums, type Ticks } from './units.ts';

/** One owner's values in one market. */
export class Inventory {
  readonly #position = new CostBook();
  #fillFees = 0n;
  #ledgerFees = 0n;
  #fillsWithoutFee = 0;
  #funding = 0n;
  #fillCount = 0;
  #makerFillCount = 0;
  #volume = 0n;
  /** Of {@link totalAt} what the mark does not change, until something is booked. */
  #fixed: { readonly sum: Whole; readonly perTickLot: Whole } | undefined;

  /** The position at average cost. */
  get position(): Readonly<
    Pick<CostBook, 'sizeLots' | 'cost' | 'realized' | 'averageEntryTicks' | 'unrealizedAt' | 'valueAt'>
  > {
    return this.#position;
  }

  /** Signed position in lots. */
  get sizeLots(): Lots {
    return this.#position.sizeLots;
  }

  /**
   * Fees paid, negative when rebates are more. A fill without a known fee is not a fill without a fee
   * (exchange.md#resources): with one such fill the ledger's fee entries are taken instead.
   */
  get fees(): Quantums {
    return quantums(this.#fillsWithoutFee === 0 ? this.#fillFees : this.#ledgerFees);
  }

  /** Funding received (positive) or paid. */
  get funding(): Quantums {
    return quantums(this.#funding);
  }

  /** Executions, and those of them as maker. */
  get fillCounts(): { readonly all: number; readonly maker: number } {
    return { all: this.#fillCount, maker: this.#makerFillCount };
  }

  /** Notional traded. */
  get volume(): Quantums {
    return quantums(this.#volume);
  }

  /** Books a fill. `perTickLot` is the market's quantums per tick and lot. */
  applyFill(fill: Fill, perTickLot: bigint): void {
    this.#fixed = undefined;
    this.#volume += this.#position.apply(fill, perTickLot);
    this.#fillCount++;
    if (fill.role === 'maker') this.#makerFillCount++;
    if (fill.fee === null) this.#fillsWithoutFee++;
    else this.#fillFees += fill.fee;
  }

  /** Books what the exchange moved without a fill: a change of size against cash. */
  applyMove(changeLots: Lots, cash: Quantums, perTickLot: bigint): void {
    this.#fixed = undefined;
    this.#position.move(changeLots, cash, perTickLot);
  }

  /** Books a fee entry of the ledger: cash change, so a fee paid is negative. */
  applyLedgerFee(amount: Quantums): void {
    this.#fixed = undefined;
    this.#ledgerFees -= amount;
  }

  /** Books a funding payment: cash change. */
  applyFunding(amount: Quantums): void {
    this.#fixed = undefined;
    this.#funding += amount;
  }

  /** See {@link CostBook.adopt}. */
  adopt(sizeLots: Lots, cost: Quantums, perTickLot: bigint): void {
    this.#fixed = undefined;
    this.#position.adopt(sizeLots, cost, perTickLot);
  }

  /** Profit and loss with what is open valued at `markTicks`; without a mark the open part counts as zero. */
  pnlAt(markTicks: Ticks | undefined): Pnl {
    return {
      realized: this.#position.realized,
      unrealized: markTicks === undefined ? quantums(0n) : this.#position.unrealizedAt(markTicks),
      fees: this.fees,
      funding: this.funding,
    };
  }

  /** The sum of {@link pnlAt}: asked for with each order, at a mark that is another each time. */
  totalAt(markTicks: Ticks | undefined): Whole {
    if (markTicks === undefined) return whole(totalOf(this.pnlAt(undefined)));
    const position = this.#position;
    this.#fixed ??= {
      sum: whole(totalOf(this.pnlAt(undefined)) - position.cost),
      perTickLot: whole(position.perTickLot),
    };
    return plus(this.#fixed.sum, times(times(position.sizeLots, markTicks), this.#fixed.perTickLot));
  }
}

/** Inventories of one owner by market. */
export class InventoryBook {
  /** They are looked up and summed up with each order. */
  readonly #bySymbol = new FewMap<MarketSymbol, Inventory>();

  /** The inventory in `symbol`, `undefined` before anything happened there. */
  get(symbol: MarketSymbol): Inventory | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** The inventory in `symbol`, made when it is not there. */
  of(symbol: MarketSymbol): Inventory {
    let inventory = this.get(symbol);
    if (inventory === undefined) {
      inventory = new Inventory();
      this.#bySymbol.add(symbol, inventory);
    }
    return inventory;
  }

  /** All markets in which something happened. */
  symbols(): readonly MarketSymbol[] {
    return this.#bySymbol.keys;
  }

  /** The same, each with its inventory. */
  entries(): readonly (readonly [MarketSymbol, Inventory])[] {
    const { keys, values } = this.#bySymbol;
    return keys.map((symbol, at) => [symbol, values[at] as Inventory]);
  }

  /** See {@link Inventory.totalAt}: of all markets. */
  totalAt(markOf: (symbol: MarketSymbol) => Ticks | undefined): Whole {
    const { keys, values } = this.#bySymbol;
    let total: Whole = 0;
    for (let at = 0; at < keys.length; at++)
      total = plus(total, (values[at] as Inventory).totalAt(markOf(keys[at] as MarketSymbol)));
    return total;
  }

  /** Signed position in lots, 0 when there is none. */
  lotsOf(symbol: MarketSymbol): Lots {
    return this.get(symbol)?.sizeLots ?? (0 as Lots);
  }

  /** Forgets all. */
  clear(): void {
    this.#bySymbol.clear();
  }
}

/** True if `entry` is a fee or a rebate, by its kind. The list of kinds is open (exchange.md#resources). */
export function isFeeEntry(entry: LedgerEntry): boolean {
  return entry.kind.includes('fee') || entry.kind.includes('rebate');
}

/** True if `entry` is a funding payment, by its kind. */
export function isFundingEntry(entry: LedgerEntry): boolean {
  return entry.kind.includes('funding');
}

/** Kinds of entries that change a position without a fill: against the other side's profit, and at the end of a market. */
const MOVING_KINDS: ReadonlySet<string> = new Set(['deleverage', 'final_settlement']);

/** True if this kind of entry is the cash of a position that was moved without a fill (exchange.md#market-rules). */
export function movesPosition({ kind }: Pick<LedgerEntry, 'kind'>): boolean {
  return MOVING_KINDS.has(kind);
}

/** True if a kind of entry that moves a position closes all of it. */
export function closesPosition({ kind }: Pick<LedgerEntry, 'kind'>): boolean {
  return kind === 'final_settlement';
}

/** True if `entry` is the cash leg of an execution. */
export function isTradeEntry(entry: LedgerEntry): boolean {
  return entry.kind === 'trade';
}

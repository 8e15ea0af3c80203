/**
 * @module
 * What an owner (the account, or one strategy on it) has done in each market: position at average cost, fees, funding,
 * volume. What this does not do: deciding who owns a fill; that is the account state's.
 */
import { FewMap, plus, times, type Whole, whole } from '../core/index.ts';
import type { Fill, LedgerEntry } from './account.ts';
import { type MarketSymbol, type Seq, seqOfCursor } from './ids.ts';
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
  /** Where a position was taken over that fills up to there do not explain. */
  #adoptedAt: Seq | undefined;
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
    const isAdopted = this.#adoptedAt !== undefined && seqOfCursor(fill.id) <= this.#adoptedAt;
    if (isAdopted) this.#volume += this.#position.explain(fill, perTickLot);
    else this.#volume += this.#position.apply(fill, perTickLot);
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

  /** See {@link CostBook.adopt}. `seq`: fills up to there that come to light later are part of it. */
  adopt(sizeLots: Lots, cost: Quantums, perTickLot: bigint, seq?: Seq): void {
    this.#fixed = undefined;
    this.#adoptedAt = seq;
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

/** Kinds of entries that only an account has whose positions the exchange closed: its fee, the debt that was left, the other side. */
const LIQUIDATION_KINDS: ReadonlySet<string> = new Set(['liquidation_fee', 'insurance', 'deleverage']);

/** True if an entry says that the exchange has closed positions at its place in the log (exchange.md#market-rules). */
export function isLiquidationEntry({ kind }: Pick<LedgerEntry, 'kind'>): boolean {
  return LIQUIDATION_KINDS.has(kind);
}

/**
 * Splits what happened to an account, an amount or signed lots, over those that hold its side of a market, by their lots
 * and to the last unit: what does not divide is borne by the largest, of equals by the first. A holder of the other side
 * bears nothing, unless a whole market ends: then it bears the opposite. `held`: signed lots that add up to the account.
 * `undefined`: the account holds nothing, so nobody does.
 */
export function splitByHolding(
  amount: bigint,
  held: readonly bigint[],
  isMarketEnd = false,
): readonly bigint[] | undefined {
  const total = held.reduce((sum, one) => sum + one, 0n);
  if (total === 0n) return undefined;
  const bearing = held.map((one) => (isMarketEnd || one > 0n === total > 0n ? one : 0n));
  const base = bearing.reduce((sum, one) => sum + one, 0n);
  const shares = bearing.map((one) => (amount * one) / base);
  const left = shares.reduce((rest, one) => rest - one, amount);
  const sizes = bearing.map((one) => (one < 0n ? -one : one));
  const largest = sizes.reduce((best, one, at) => (one > (sizes[best] ?? 0n) ? at : best), 0);
  return shares.map((one, at) => (at === largest ? one + left : one));
}

/** True if `entry` is the cash leg of an execution. */
export function isTradeEntry(entry: LedgerEntry): boolean {
  return entry.kind === 'trade';
}

/** Fill and entry of a liquidation come one after the other: of so many places in the log one of them is remembered. */
const PLACES_MAX = 1_000;

/**
 * Tells fills of a liquidation from trades of others: they are of an order that no strategy placed, and an entry of the
 * ledger at the same place says that the exchange has closed positions. Either may come first.
 */
export class ForcedFills {
  readonly #fills = new Map<Seq, readonly Fill[]>();
  readonly #places = new Map<Seq, true>();

  /** Takes a fill that no strategy owns in, and gives those that are now known to be forced. */
  add(fill: Fill): readonly Fill[] {
    const seq = seqOfCursor(fill.id);
    remember(this.#fills, seq, [...(this.#fills.get(seq) ?? []), fill]);
    return this.#takeAt(seq);
  }

  /** Takes an entry of the ledger in, and gives the fills that it shows to be forced. */
  note(entry: LedgerEntry): readonly Fill[] {
    if (!isLiquidationEntry(entry)) return [];
    const seq = seqOfCursor(entry.id);
    remember(this.#places, seq, true);
    return this.#takeAt(seq);
  }

  /** Forgets all. */
  clear(): void {
    this.#fills.clear();
    this.#places.clear();
  }

  #takeAt(seq: Seq): readonly Fill[] {
    const fills = this.#places.has(seq) ? this.#fills.get(seq) : undefined;
    if (fills === undefined) return [];
    this.#fills.delete(seq);
    return fills;
  }
}

/** Sets a value, and forgets the oldest beyond {@link PLACES_MAX}. */
function remember<Value>(map: Map<Seq, Value>, seq: Seq, value: Value): void {
  map.set(seq, value);
  if (map.size <= PLACES_MAX) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

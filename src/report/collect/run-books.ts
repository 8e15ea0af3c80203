/**
 * @module
 * The books of a run: cash by the exchange's ledger and profit by fills, each since the run began. The two are kept
 * apart until the end, where their difference is the residual: it is 0, or a fill, a fee or an entry is missing.
 * A new ledger of the exchange (an epoch) voids what an account remembers, so what came before it is banked.
 */
import {
  type AccountState,
  isFeeEntry,
  isFundingEntry,
  isTradeEntry,
  type LedgerEntry,
  type MarketState,
  type MarketSymbol,
  movesPosition,
  NO_STRATEGY,
  type Pnl,
  type Quantums,
  quantums,
  type RunPnl,
  type StrategyId,
  type Ticks,
  totalOf,
} from '../../domain/index.ts';

/** Whose books: a strategy's or, for `undefined`, the account's. */
type Owner = StrategyId | undefined;

/** What one owner has done in one market. */
interface Line {
  realized: bigint;
  unrealized: bigint;
  fees: bigint;
  funding: bigint;
  turnover: bigint;
}

/** Everything at one instant. */
interface Stand {
  readonly cash: bigint;
  readonly value: bigint;
  /** Profit by fills, whatever it is since. */
  readonly total: bigint;
  readonly kinds: ReadonlyMap<string, bigint>;
  readonly lines: ReadonlyMap<string, Line>;
}

const NOTHING: Stand = { cash: 0n, value: 0n, total: 0n, kinds: new Map(), lines: new Map() };
const FIELDS = ['realized', 'unrealized', 'fees', 'funding', 'turnover'] as const;

/** The result of a run. */
export interface RunTotals {
  /** Equity at the start, in quantums. */
  readonly equityStart: Quantums;
  /** Equity at the end, in quantums. */
  readonly equityEnd: Quantums;
  /** Deposits less withdrawals, in quantums. */
  readonly transfers: Quantums;
  /** Profit and loss, split by cause. */
  readonly pnl: Pnl;
  /** Equity change that no entry explains, in quantums; 0 is expected. */
  readonly residual: Quantums;
  readonly ledger: readonly { readonly kind: string; readonly amount: Quantums }[];
  /** Profit and loss by strategy and market. */
  readonly byStrategy: readonly RunPnl[];
}

/** Books of one run. Nothing counts before {@link begin}. */
export class RunBooks {
  readonly #account: AccountState;
  readonly #markets: MarketState;
  readonly #owners: readonly Owner[];
  readonly #symbols: readonly MarketSymbol[];
  /** The state since which changes count; `undefined` while there is no ledger to count in. */
  #since: Stand | undefined;
  /** Changes of ledgers that are gone. */
  #banked: Stand = NOTHING;
  #equityStart = 0n;
  /** What the newest ledger began with; the same as {@link #equityStart} until the first change of the epoch. */
  #equityKnown = 0n;

  constructor(parts: {
    readonly account: AccountState;
    readonly markets: MarketState;
    readonly strategies: readonly StrategyId[];
    readonly symbols: readonly MarketSymbol[];
  }) {
    this.#account = parts.account;
    this.#markets = parts.markets;
    this.#owners = [undefined, ...parts.strategies];
    this.#symbols = parts.symbols;
  }

  /** Counts from here on. */
  begin(): void {
    const stand = this.#stand();
    this.#since = stand;
    this.#equityStart = stand.cash + stand.value;
    this.#equityKnown = this.#equityStart;
  }

  /** The ledger ends: keeps what it showed. Call before the account forgets it. */
  leaveEpoch(): void {
    if (this.#since === undefined) return;
    this.#equityKnown = this.equity();
    this.#banked = this.#change();
    this.#since = undefined;
  }

  /** The state of the new ledger is rebuilt: counts continue from here. */
  enterEpoch(): void {
    this.#since ??= this.#stand();
  }

  /**
   * Equity by fills without transfers, in quantums: what it was at the beginning and profit. The ledger reports a fill
   * in a separate entry, which may come later; at the end the two are compared.
   */
  equity(): bigint {
    const since = this.#since;
    if (since === undefined) return this.#equityKnown;
    const before = this.#equityStart + this.#banked.total - since.total;
    return before + BigInt(this.#account.pnlTotal(this.#markOf));
  }

  /** The totals up to now. */
  totals(): RunTotals {
    const change = this.#change();
    const pnl = sumOf(change, undefined, this.#symbols);
    const transfers = transfersOf(change.kinds);
    const equityEnd = this.#equityStart + change.cash + change.value;
    const kinds = [...change.kinds].filter(([, amount]) => amount !== 0n);
    return {
      equityStart: quantums(this.#equityStart),
      equityEnd: quantums(equityEnd),
      transfers: quantums(transfers),
      pnl,
      residual: quantums(change.cash + change.value - transfers - totalOf(pnl)),
      ledger: kinds
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([kind, amount]) => ({ kind, amount: quantums(amount) })),
      byStrategy: this.#rows(change),
    };
  }

  /** One row for each strategy and market in which anything happened, and one for what belongs to no strategy. */
  #rows(change: Stand): readonly RunPnl[] {
    const rows: RunPnl[] = [];
    for (const symbol of this.#symbols) {
      const rest = { ...(change.lines.get(keyOf(undefined, symbol)) ?? emptyLine()) };
      let restLots = this.#account.positionLots(symbol) as number;
      for (const strategyId of this.#owners) {
        if (strategyId === undefined) continue;
        const line = change.lines.get(keyOf(strategyId, symbol));
        const finalLots = this.#account.positionLots(symbol, strategyId);
        if (line === undefined || (isEmpty(line) && finalLots === 0)) continue;
        for (const field of FIELDS) rest[field] -= line[field];
        restLots -= finalLots;
        rows.push({ strategyId, symbol, finalLots, ...quantumsOf(line) });
      }
      if (!isEmpty(rest) || restLots !== 0)
        rows.push({
          strategyId: NO_STRATEGY,
          symbol,
          finalLots: restLots as RunPnl['finalLots'],
          ...quantumsOf(rest),
        });
    }
    return rows;
  }

  /** What has changed since the beginning, banked ledgers included. */
  #change(): Stand {
    const since = this.#since;
    if (since === undefined) return this.#banked;
    const now = this.#stand();
    const kinds = new Map(this.#banked.kinds);
    for (const [kind, amount] of now.kinds)
      kinds.set(kind, (kinds.get(kind) ?? 0n) + amount - (since.kinds.get(kind) ?? 0n));
    const lines = new Map<string, Line>();
    for (const [key, line] of now.lines) {
      const before = since.lines.get(key);
      const banked = this.#banked.lines.get(key);
      const sum = { ...line };
      for (const field of FIELDS) sum[field] += (banked?.[field] ?? 0n) - (before?.[field] ?? 0n);
      lines.set(key, sum);
    }
    return {
      cash: this.#banked.cash + now.cash - since.cash,
      value: this.#banked.value + now.value - since.value,
      total: this.#banked.total + now.total - since.total,
      kinds,
      lines,
    };
  }

  #stand(): Stand {
    const lines = new Map<string, Line>();
    let value = 0n;
    for (const symbol of this.#symbols) {
      const mark = this.#markOf(symbol);
      const position = this.#account.inventory(symbol)?.position;
      // Without a price the open part counts as what was paid for it: its profit is 0.
      if (position !== undefined) value += mark === undefined ? position.cost : position.valueAt(mark);
      for (const owner of this.#owners) {
        const inventory = this.#account.inventory(symbol, owner);
        const line = inventory === undefined ? emptyLine() : lineOf(inventory.pnlAt(mark), inventory.volume);
        lines.set(keyOf(owner, symbol), line);
      }
    }
    return {
      cash: this.#account.ledgerSum,
      value,
      total: totalOf(this.#account.pnl(this.#markOf)),
      kinds: new Map(this.#account.ledgerByKind()),
      lines,
    };
  }

  readonly #markOf = (symbol: MarketSymbol): Ticks | undefined => this.#markets.valuationTicks(symbol);
}

/**
 * True if a kind of ledger entry is a change of cash that trading did not make. The list of kinds is open
 * (exchange.md#resources).
 */
function isTransfer(kind: string): boolean {
  const entry = { kind } as LedgerEntry;
  return !(isFeeEntry(entry) || isFundingEntry(entry) || isTradeEntry(entry) || movesPosition(entry));
}

function transfersOf(kinds: ReadonlyMap<string, bigint>): bigint {
  let sum = 0n;
  for (const [kind, amount] of kinds) if (isTransfer(kind)) sum += amount;
  return sum;
}

function keyOf(owner: Owner, symbol: MarketSymbol): string {
  return `${owner ?? ''}\n${symbol}`;
}

function emptyLine(): Line {
  return { realized: 0n, unrealized: 0n, fees: 0n, funding: 0n, turnover: 0n };
}

function lineOf({ realized, unrealized, fees, funding }: Pnl, turnover: bigint): Line {
  return { realized, unrealized, fees, funding, turnover };
}

function isEmpty(line: Line): boolean {
  return FIELDS.every((field) => line[field] === 0n);
}

function quantumsOf(line: Line): Pnl & { readonly turnover: Quantums } {
  return {
    realized: quantums(line.realized),
    unrealized: quantums(line.unrealized),
    fees: quantums(line.fees),
    funding: quantums(line.funding),
    turnover: quantums(line.turnover),
  };
}

function sumOf(stand: Stand, owner: Owner, symbols: readonly MarketSymbol[]): Pnl {
  const sum = emptyLine();
  for (const symbol of symbols) {
    const line = stand.lines.get(keyOf(owner, symbol));
    if (line !== undefined) for (const field of FIELDS) sum[field] += line[field];
  }
  return quantumsOf(sum);
}

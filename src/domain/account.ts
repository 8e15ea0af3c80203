/**
 * @module
 * What an account has: fills, positions, ledger entries, and the summary the exchange gives of it.
 */
import type { UnixMs } from '../core/index.ts';
import type { Cursor, MarketSymbol, OrderId, Seq, StrategyId } from './ids.ts';
import type { Side } from './side.ts';
import type { Lots, Ppm, Quantums, Ticks } from './units.ts';

/** One execution of one of our orders. */
export interface Fill {
  /** Its position in history and its only identity. */
  readonly id: Cursor;
  readonly orderId: OrderId;
  readonly symbol: MarketSymbol;
  readonly side: Side;
  /** Whether the order rested (maker) or took (taker). */
  readonly role: 'maker' | 'taker';
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** Positive: paid; negative: a rebate; null: not known, which is not zero (exchange.md#resources). */
  readonly fee: Quantums | null;
  /** Time of the block; null: not known. */
  readonly atMs: UnixMs | null;
}

/** A position as the exchange publishes it. */
export interface Position {
  readonly symbol: MarketSymbol;
  /** Positive: long. */
  readonly sizeLots: Lots;
  /** Signed notional paid for it: value - costBasis is the unrealized profit (exchange.md#resources). */
  readonly costBasis: Quantums;
  /** At the index price; margins use the mark price. */
  readonly unrealizedPnl: Quantums;
  readonly accruedFunding: Quantums;
}

/**
 * A change of a position that no fill made, and the cash for it (exchange.md#market-rules: deleverage, final
 * settlement).
 */
export interface PositionMove {
  readonly symbol: MarketSymbol;
  /** Signed. */
  readonly changeLots: Lots;
  /** The position before it, signed: what each strategy held of it decides what it bears. */
  readonly ofLots: Lots;
  /** The market ended: whatever any account held in it, on whichever side, is closed at one price. */
  readonly isMarketEnd?: true;
  /** As of the ledger: positive when received. */
  readonly cash: Quantums;
  readonly seq: Seq;
}

/** A position that was taken over as it was published: it is older than the history, or came about while the bot did not run. */
export interface AdoptedPosition extends Pick<Position, 'symbol' | 'sizeLots' | 'costBasis'> {
  readonly seq: Seq;
}

/** What an owner holds in a market, at its cost: this is carried into a new ledger, and over a restart in it. */
export interface Holding {
  /** `undefined`: nobody's. */
  readonly strategyId: StrategyId | undefined;
  readonly symbol: MarketSymbol;
  /** Signed. */
  readonly sizeLots: Lots;
  readonly cost: Quantums;
}

/** Holdings, and since when they count. */
export interface CarriedHoldings {
  readonly holdings: readonly Holding[];
  /** What happened up to here is part of them; `undefined`: the ledger that they were carried into is not read yet. */
  readonly seq: Seq | undefined;
}

/** The summary of an account. */
export interface AccountSummary {
  /** Cash: the sum of the ledger. */
  readonly collateral: Quantums;
  /** Cash plus the value of positions at the index price plus funding not settled yet; margins use the mark price. */
  readonly equity: Quantums;
  readonly initialMargin: Quantums;
  readonly maintenanceMargin: Quantums;
  readonly withdrawable: Quantums;
  readonly takerFeePpm: Ppm;
  /** Negative: a rebate. */
  readonly makerFeePpm: Ppm;
}

/** One change of the account's cash, or of what it holds of another token. The sum of all amounts is the cash. */
export interface LedgerEntry {
  readonly id: Cursor;
  /** An open list: deposit, trade, taker_fee, maker_rebate, funding, transfer, ... (exchange.md#resources). */
  readonly kind: string;
  /** Of collateral; 0 for an entry of another token. */
  readonly amount: Quantums;
  /** What moved instead, in that token's own decimal text. */
  readonly otherToken?: { readonly token: number; readonly amount: string };
  /** The market; `null`: it concerns none. */
  readonly symbol: MarketSymbol | null;
  /** The order; `null`: it concerns none. */
  readonly orderId: OrderId | null;
  /** Time of the entry, Unix ms; `null`: not reported. */
  readonly atMs: UnixMs | null;
}

/** The last entries up to which none is missing, by comparison with the exchange; absent: it was not compared. */
export interface ProvenCursors {
  readonly fills?: Cursor | undefined;
  readonly ledger?: Cursor | undefined;
}

/** What a strategy holds after a change of the ledger. */
export interface Settlement {
  readonly strategyId: StrategyId;
  readonly symbol: MarketSymbol;
  /** By how much it was changed; 0: it was carried as it was. */
  readonly changeLots: Lots;
}

/** Lots of a market that nobody is known to own, and could be of several strategies. */
export interface Unsettled {
  readonly symbol: MarketSymbol;
  readonly changeLots: Lots;
}

/** What came of the holdings that were carried into a new ledger. */
export interface Settlements {
  readonly settled: readonly Settlement[];
  readonly unsettled: readonly Unsettled[];
}

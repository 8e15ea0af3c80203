/**
 * @module
 * Facts: everything that is known to have happened, from the streams, from the lanes and from the clock. They are
 * applied to the one state first and shown to strategies afterwards. A terminal fact carries the id of its proof
 * (invariant I30).
 */
import type { UnixMs } from '../core/index.ts';
import type {
  AccountSummary,
  AdoptedPosition,
  Fill,
  LedgerEntry,
  Position,
  PositionMove,
} from './account.ts';
import type { LaneId, MarketSymbol, OrderId, RequestId, Seq } from './ids.ts';
import type { Market } from './market.ts';
import type { Bbo, Book, Candle, FundingRate, Prices, Trade } from './market-data.ts';
import type { EndedRef, OrderRef, OrderSpec, WorkingOrder } from './order.ts';
import type { Lots, Quantums } from './units.ts';

/** What proves a terminal state: a receipt or answer, an order event, a refusal code, or a new ledger's rebuilt state. */
export interface Proof {
  /** The kind of evidence. */
  readonly by: 'answer' | 'receipt' | 'stream' | 'snapshot' | 'refusal' | 'conflict' | 'epoch';
  /** requestId, event position, refusal code or epoch. */
  readonly id: string;
}

/** Facts about a market. */
export type MarketFact =
  | { readonly type: 'MarketChanged'; readonly market: Market }
  | { readonly type: 'BookUpdated'; readonly book: Book }
  | { readonly type: 'BboUpdated'; readonly bbo: Bbo }
  | { readonly type: 'TradePrinted'; readonly trade: Trade }
  | { readonly type: 'PricesUpdated'; readonly prices: Prices }
  | { readonly type: 'CandleUpdated'; readonly candle: Candle; readonly isHistory: boolean }
  | { readonly type: 'FundingSettled'; readonly funding: FundingRate }
  | { readonly type: 'MarketStale'; readonly symbol: MarketSymbol; readonly reason: string };

/** Facts about the account, from the private channels and from history. */
export type AccountFact =
  | {
      readonly type: 'OrdersReplaced';
      readonly orders: readonly WorkingOrder[];
      readonly seq: Seq;
      readonly isComplete: true;
    }
  | { readonly type: 'OrderOpened'; readonly order: WorkingOrder; readonly seq: Seq }
  | {
      readonly type: 'OrderEnded';
      readonly ref: EndedRef;
      readonly status: 'filled' | 'canceled' | 'expired';
      /** What was left of it; absent where that was not said. */
      readonly remainingLots?: Lots;
      readonly seq: Seq;
      readonly proof: Proof;
    }
  /** A new fill: the maker of a fact emits each fill of a ledger once, so the state books it without a look at its id. */
  | { readonly type: 'FillRecorded'; readonly fill: Fill }
  /** A new entry of the ledger; emitted once, as a fill is. */
  | { readonly type: 'LedgerRecorded'; readonly entry: LedgerEntry }
  /** The exchange has moved a position without a fill. */
  | { readonly type: 'PositionMoved'; readonly move: PositionMove }
  /** Of the time before a restart: a position that had been taken over as published. */
  | { readonly type: 'PositionAdopted'; readonly adopted: AdoptedPosition }
  | { readonly type: 'PositionsReplaced'; readonly positions: readonly Position[]; readonly seq: Seq }
  | { readonly type: 'PositionUpdated'; readonly position: Position; readonly seq: Seq }
  | { readonly type: 'AccountUpdated'; readonly account: AccountSummary; readonly seq: Seq }
  /** All streams of the account are joined without a gap up to `seq`. Only then may risk be increased. */
  | {
      readonly type: 'AccountSynced';
      readonly seq: Seq;
      /** Fills up to here are booked, later ones come by their channel: later than orders do (ambiguity A18). Absent: `seq`. */
      readonly bookedSeq?: Seq;
      /** Epoch of the ledger; absent: not stated. */
      readonly epoch?: string | undefined;
    }
  /** The history was read again: fills up to here are booked. */
  | { readonly type: 'HistoryBooked'; readonly seq: Seq }
  | { readonly type: 'AccountDegraded'; readonly reason: string }
  /** The exchange's ledger was restarted: all account state and cursors are void. */
  | { readonly type: 'EpochChanged'; readonly epoch: string; readonly seq?: Seq };

/** Facts about our own writes, from the lanes. */
export type WriteFact =
  | {
      readonly type: 'WriteSent';
      readonly lane: LaneId;
      readonly requestId: RequestId;
      readonly places: readonly OrderSpec[];
      readonly cancels: readonly OrderRef[];
      readonly atMs: UnixMs;
    }
  | {
      readonly type: 'OrderAccepted';
      readonly spec: OrderSpec;
      readonly orderId: OrderId;
      readonly acceptedLots: Lots;
      readonly filledLots: Lots;
      /** True if the order rests in the book. */
      readonly isResting: boolean;
      /** The log position of the write, where it is known: later the number may belong to another order. */
      readonly seq?: Seq | undefined;
      readonly proof: Proof;
    }
  | {
      readonly type: 'OrderRejected';
      readonly spec: OrderSpec;
      /** The reason, in words. */
      readonly reason: string;
      readonly proof: Proof;
    }
  /** Proven that it will never execute: its nonce was consumed by another request. */
  | { readonly type: 'OrderNotExecuted'; readonly spec: OrderSpec; readonly proof: Proof }
  | {
      readonly type: 'CancelExecuted';
      readonly ref: OrderRef;
      readonly canceledLots: Lots;
      /** The log position of the write, where it is known: what the number shows later is another order. */
      readonly seq?: Seq | undefined;
      readonly proof: Proof;
    }
  | {
      readonly type: 'CancelRejected';
      readonly ref: OrderRef;
      /** The reason, in words. */
      readonly reason: string;
      readonly proof: Proof;
    }
  | {
      readonly type: 'WriteUnresolved';
      readonly lane: LaneId;
      readonly requestId: RequestId;
      /** The reason, in words. */
      readonly why: string;
    }
  | {
      readonly type: 'WriteResolved';
      readonly lane: LaneId;
      readonly requestId: RequestId;
      /** `refused`: its nonce is not consumed, and its bytes are alive until it is (outcomes-and-receipts.md). */
      readonly outcome: 'executed' | 'rejected' | 'refused' | 'superseded';
      /** Position in the exchange's log; `undefined`: not known. */
      readonly seq: Seq | undefined;
      /** The exchange's word for a whole write that was rejected or refused. */
      readonly reason?: string | undefined;
    }
  /** Its nonce is consumed, in a ledger that is gone: what it did is part of the state of `epoch` (obligation O119). */
  | {
      readonly type: 'WriteVoided';
      readonly lane: LaneId;
      readonly requestId: RequestId;
      /** Epoch of the ledger: one run of the exchange's log. */
      readonly epoch: string;
    }
  | { readonly type: 'LaneReady'; readonly lane: LaneId }
  | { readonly type: 'LaneHalted'; readonly lane: LaneId; readonly code: string; readonly reason: string }
  | { readonly type: 'SwitchArmed'; readonly triggerAtMs: UnixMs; readonly atMs: UnixMs }
  | { readonly type: 'SwitchHeld'; readonly reasons: readonly string[] }
  | {
      readonly type: 'SwitchFired';
      readonly atMs: UnixMs;
      /**
       * False where no renewal was missing: a fence or an emergency had set it to fire, or orders were canceled before its
       * time, and by no write of ours (obligation O79). Absent: it lapsed.
       */
      readonly isLapse?: boolean;
    };

/** Facts made by the kernel itself. */
export type KernelFact =
  | {
      readonly type: 'TimerFired';
      readonly intentOwner: string;
      /** Name of the timer. */
      readonly name: string;
      readonly atMs: UnixMs;
    }
  | { readonly type: 'EquityMarked'; readonly equity: Quantums; readonly atMs: UnixMs };

/** A value of a custom feed, from outside the exchange: any JSON, of no market. */
export interface FeedFact {
  readonly type: 'FeedReceived';
  /** Name of the feed. */
  readonly feed: string;
  /** The value, as JSON gave it. */
  readonly value: unknown;
  /** When we had it. */
  readonly atMs: UnixMs;
}

/** Any fact. */
export type Fact = MarketFact | AccountFact | WriteFact | KernelFact | FeedFact;

/** What a fact is called. */
export type FactType = Fact['type'];

/** A record, for it does not compile while a type is missing. */
const MARKET_FACTS: Readonly<Record<MarketFact['type'], true>> = {
  MarketChanged: true,
  BookUpdated: true,
  BboUpdated: true,
  TradePrinted: true,
  PricesUpdated: true,
  CandleUpdated: true,
  FundingSettled: true,
  MarketStale: true,
};
const FACTS: Readonly<Record<FactType, true>> = {
  ...MARKET_FACTS,
  OrdersReplaced: true,
  OrderOpened: true,
  OrderEnded: true,
  FillRecorded: true,
  LedgerRecorded: true,
  PositionMoved: true,
  PositionAdopted: true,
  PositionsReplaced: true,
  PositionUpdated: true,
  AccountUpdated: true,
  AccountSynced: true,
  HistoryBooked: true,
  AccountDegraded: true,
  EpochChanged: true,
  WriteSent: true,
  OrderAccepted: true,
  OrderRejected: true,
  OrderNotExecuted: true,
  CancelExecuted: true,
  CancelRejected: true,
  WriteUnresolved: true,
  WriteResolved: true,
  WriteVoided: true,
  LaneReady: true,
  LaneHalted: true,
  SwitchArmed: true,
  SwitchHeld: true,
  SwitchFired: true,
  TimerFired: true,
  EquityMarked: true,
  FeedReceived: true,
};

/** The types of all facts. */
export const FACT_TYPES = Object.keys(FACTS) as readonly FactType[];

/** The types of facts about a market. */
export const MARKET_FACT_TYPES = Object.keys(MARKET_FACTS) as readonly MarketFact['type'][];

/** Takes facts, in order, synchronously. */
export type FactSink = (fact: Fact) => void;

/** Takes those of `facts` from one index to before another, as a {@link FactSink} takes one after the other. */
export type FactsSink = (facts: readonly Fact[], from: number, to: number) => void;

/** The sink of several facts that is `sink`. */
export function factsSinkOf(sink: FactSink): FactsSink {
  return (facts, from, to) => {
    for (let at = from; at < to; at++) sink(facts[at] as Fact);
  };
}

/**
 * Takes in the two facts that recorded markets are full of, by the million: the same as a {@link FactSink} does with a
 * `BookUpdated` and a `TradePrinted`, without an object around each.
 */
export interface MarketSink {
  /** Takes an order book; it may be overwritten after the call. */
  takeBook(book: Book): void;
  /** Takes a trade. */
  takeTrade(trade: Trade): void;
}

/** `sink` as a sink of order books and trades. */
export function marketSinkOf(sink: FactSink): MarketSink {
  return {
    takeBook: (book) => sink({ type: 'BookUpdated', book }),
    takeTrade: (trade) => sink({ type: 'TradePrinted', trade }),
  };
}

/**
 * @module
 * A recorded market in one shape, whichever format it was recorded in: what rested, what traded, what the mark price
 * was and where nothing was recorded. It drives the market of the embedded exchange. What it does not do: matching,
 * pacing, or telling how far a queue had advanced.
 *
 * Order of the stream: exchange time; in one millisecond mark, then trades, then levels, because a set of levels shows
 * what the trades of its millisecond have left.
 */
import type { UnixMs } from '../../core/index.ts';
import type { Lots, Side, Ticks } from '../../domain/index.ts';

/** Levels per side in a recorded set. */
export const RECORDED_LEVELS_MAX = 20;

/** A silence of the recording longer than this is a hole, in milliseconds. */
export const HOLE_MS_MIN = 5_000;

/** One resting level. */
export interface RecordedLevel {
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** Levels of one side, best first, without repeated prices, sizes above zero. */
export type RecordedLevels = readonly RecordedLevel[];

/** One event of a recorded market. */
export type RecordedEvent = RecordedLevelsEvent | RecordedTradeEvent | RecordedMarkEvent | RecordedHoleEvent;

/** A full new set of resting levels, at most {@link RECORDED_LEVELS_MAX} per side; best bid below best ask. */
export interface RecordedLevelsEvent {
  readonly kind: 'levels';
  readonly atMs: UnixMs;
  readonly bids: RecordedLevels;
  readonly asks: RecordedLevels;
}

/** A recorded execution against the book. */
export interface RecordedTradeEvent {
  readonly kind: 'trade';
  readonly atMs: UnixMs;
  /** The side of the taker. */
  readonly aggressor: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** Published prices, rounded half up to the tick, and the funding rate in parts per billion (exact). */
export interface RecordedMarkEvent {
  readonly kind: 'mark';
  readonly atMs: UnixMs;
  readonly markTicks: Ticks;
  readonly indexTicks: Ticks;
  readonly fundingRatePpb: number;
  readonly nextFundingAtMs: UnixMs;
}

/** Nothing was recorded after `atMs` until `untilMs`, for more than {@link HOLE_MS_MIN}. */
export interface RecordedHoleEvent {
  readonly kind: 'hole';
  readonly atMs: UnixMs;
  readonly untilMs: UnixMs;
}

/** What was done to the recording on its way; counted over the latest iteration of `events`, from the recording's beginning. */
export interface RecordingStats {
  /** Sets of levels, trades and mark prices handed out. */
  readonly levels: number;
  readonly trades: number;
  readonly marks: number;
  /** Silences above {@link HOLE_MS_MIN} and their whole length in milliseconds. */
  readonly holes: number;
  readonly holesMs: number;
  /** Records that repeat the one before (StandX snapshots, Binance trade ids). */
  readonly duplicatesDropped: number;
  /** Sets of levels that were repaired, see {@link LOCKED_BOOK_RULE}. */
  readonly lockedRepaired: number;
  readonly crossedRepaired: number;
  /** Trades that are no book trades or come before the first set of levels. */
  readonly tradesDropped: number;
  /** Mark prices before the first set of levels. */
  readonly marksDropped: number;
  /** Trades whose price was set to the best price that the recorder had cut to its coarser step (StandX). */
  readonly tradesSnapped: number;
  /** Aggressors the recording does not name, by the rule that found them (StandX). */
  readonly aggressorsByQuote: number;
  readonly aggressorsByTick: number;
  /** Book diffs older than the REST snapshot (Binance). */
  readonly diffsDropped: number;
  /** Breaks in the chain of update ids and trade ids (Binance). */
  readonly sequenceGaps: number;
  readonly tradeIdGaps: number;
  /** Records of streams this reader does not use (Binance). */
  readonly othersSkipped: number;
  /** Events so late that they were moved to the time of the event handed out before them. */
  readonly lateMoved: number;
}

/** {@link RecordingStats} while they are being counted. */
export type RecordingCounters = { -readonly [Name in keyof RecordingStats]: RecordingStats[Name] };

/** The formats that can be read. */
export type RecordingFormat = 'binance-um' | 'standx';

/** A recorded market, open for reading. */
export interface RecordedMarket {
  readonly format: RecordingFormat;
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  /** Exchange time of the first set of levels. */
  readonly firstAtMs: UnixMs;
  /** Exchange time of the end of the recording. */
  readonly lastAtMs: UnixMs;
  /** Reads lazily; each iteration starts a new reading at the beginning. @throws ProtocolError on a damaged file. */
  readonly events: AsyncIterable<RecordedEvent>;
  /** What the latest iteration has counted so far. */
  stats(): RecordingStats;
}

/** The rule for a recorded book that cannot rest in a matching engine; for print. */
export const LOCKED_BOOK_RULE =
  'locked or crossed recorded book: the side whose best price stood there before keeps it (the bid if neither did), ' +
  'the levels of the other side at or through it are put together one tick beyond';

/** Counters at zero. */
export function zeroCounters(): RecordingCounters {
  return {
    levels: 0,
    trades: 0,
    marks: 0,
    holes: 0,
    holesMs: 0,
    duplicatesDropped: 0,
    lockedRepaired: 0,
    crossedRepaired: 0,
    tradesDropped: 0,
    marksDropped: 0,
    tradesSnapped: 0,
    aggressorsByQuote: 0,
    aggressorsByTick: 0,
    diffsDropped: 0,
    sequenceGaps: 0,
    tradeIdGaps: 0,
    othersSkipped: 0,
    lateMoved: 0,
  };
}

/** The counters that are not zero as lines for people, with the rule behind a repaired book. */
export function describeRecordingStats(stats: RecordingStats): readonly string[] {
  const lines = Object.entries(stats)
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => `${name}: ${count}`);
  return stats.lockedRepaired + stats.crossedRepaired > 0 ? [...lines, LOCKED_BOOK_RULE] : lines;
}

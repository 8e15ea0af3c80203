/**
 * @module
 * What every market channel's stream can do, and what it is made of.
 */
import type { Clock, Log, Metrics, Random } from '../../../core/index.ts';
import type { FactSink, Seq } from '../../../domain/index.ts';
import type { DecodeContext, MarketFrame, SubscriptionParams } from '../../protocol/index.ts';
import type { HistoryReader } from '../ports.ts';

/** One subscription's frames on their way to facts. */
export interface MarketStream {
  readonly params: SubscriptionParams;
  /** A frame of this subscription; `receivedAtMs` is the instant the socket stamped. */
  apply(frame: MarketFrame, receivedAtMs: number): void;
  /** Frames may be missing from here on: the connection went, or the server dropped some. */
  interrupt(reason: string): void;
  /** The subscription is acknowledged: whatever it lacks can be fetched now. */
  resume(): void;
  /** A frame of any market came after {@link MarketStream.resume}: its seq is after the one from which it is live. */
  place?(seq: Seq): void;
  /** True while it waits for a first frame that has not come. Asked some time after an interruption. */
  isWaiting(): boolean;
  /** When its newest frame came, monotonic ms, of state that grows old while none comes; absent: it does not. */
  readonly heardAtMs?: number | undefined;
}

/** What market streams are made of. */
export interface MarketStreamOptions {
  readonly history: HistoryReader;
  readonly markets: DecodeContext;
  readonly sink: FactSink;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Metrics;
}

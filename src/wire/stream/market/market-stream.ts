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
  /**
   * Its connection was heard at this instant. Frames come in order, so state that came before and has not been changed is
   * still the state: it is shown again with the new instant once it has grown old.
   */
  confirm(heardAtMs: number): void;
  /** True while it waits for a first frame that has not come. Asked some time after an interruption. */
  isWaiting(): boolean;
}

/** Unchanged state is shown again after this long; half of the age at which risk distrusts it (I25). */
const CONFIRM_MS = 1_000;

/** True if what was received at one time is to be shown again at another. Also one before it: the clock was set back meanwhile. */
export function isToBeConfirmed(receivedAtMs: number, heardAtMs: number): boolean {
  return Math.abs(heardAtMs - receivedAtMs) >= CONFIRM_MS;
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

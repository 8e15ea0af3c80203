/**
 * @module
 * Brings a recording to the embedded exchange: the tape room reads it asynchronously, the exchange takes events
 * synchronously at block boundaries; between them stands a buffer that is kept filled a fixed count of events ahead.
 */
import { BoundedQueue, type Log, messageOf } from '../core/index.ts';
import type { RecordedSource } from '../simulator/index.ts';
import type { RecordedEvent, RecordedMarket } from '../tape/index.ts';

/** Events kept ready; some minutes of a lively market. */
const READY_MAX = 16_384;
/** Reading goes on when this many are left. */
const READY_LOW = 8_192;

/** A source that fills itself. */
export interface FilledSource extends RecordedSource {
  /** Resolves when the buffer is full or the recording has ended. Call it before a virtual clock is moved. */
  filled(): Promise<void>;
  close(): Promise<void>;
}

/** The events of `market` as a source. A damaged file ends it, is logged, and is thrown by {@link FilledSource.filled}. */
export function recordingSource(market: RecordedMarket, log: Log): FilledSource {
  const events = market.events[Symbol.asyncIterator]();
  const ready = new BoundedQueue<RecordedEvent>(READY_MAX);
  let next: RecordedEvent | undefined;
  let isEnded = false;
  let failure: unknown;
  let filling: Promise<void> | undefined;

  const fill = async (): Promise<void> => {
    try {
      while (!isEnded && ready.size < READY_MAX) {
        const step = await events.next();
        if (step.done === true) isEnded = true;
        else ready.push(step.value);
      }
    } catch (error) {
      failure = error;
      isEnded = true;
      log.error('the recording is damaged and ends here', { error: messageOf(error) });
    } finally {
      filling = undefined;
    }
  };
  const top = (): void => {
    if (ready.size < READY_LOW && !isEnded) filling ??= fill();
    next ??= ready.shift();
  };

  return {
    peek: () => {
      top();
      return next;
    },
    shift: () => {
      top();
      const event = next;
      next = undefined;
      return event;
    },
    get isEnded() {
      return isEnded;
    },
    get lockedRepaired() {
      return market.stats().lockedRepaired;
    },
    filled: async () => {
      if (!isEnded) filling ??= fill();
      await filling;
      if (failure !== undefined) throw failure;
    },
    close: async () => {
      isEnded = true;
      await filling;
      await events.return?.();
    },
  };
}

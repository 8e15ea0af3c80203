import { describe, expect, test } from 'vitest';
import { ReadAhead } from '../../../../src/exchange/flow/read-ahead.ts';
import type { RecordedFlowEvent } from '../../../../src/exchange/flow/recorded-source.ts';
import { recordedMark } from '../../../support/recorded-events.ts';

/** A reader that tells how far it has been read, and fails at the end when it is given an error. */
function reading(count: number, failure?: Error) {
  const state = { read: 0, isClosed: false };
  async function* events(): AsyncGenerator<RecordedFlowEvent> {
    try {
      for (; state.read < count; state.read++) yield recordedMark(state.read, 1_000 + state.read);
      if (failure !== undefined) throw failure;
    } finally {
      state.isClosed = true;
    }
  }
  return { state, events: events() };
}

const unexpected = (error: unknown) => {
  throw error;
};
const prices = (source: ReadAhead) => {
  const taken: number[] = [];
  for (let event = source.shift(); event !== undefined; event = source.shift())
    if (event.kind === 'mark') taken.push(event.indexTicks);
  return taken;
};

describe('reading ahead', () => {
  test('hands out every event once and in order, however small the queue', async () => {
    const source = new ReadAhead(reading(25).events, { eventsMax: 4, onFailure: unexpected });
    const taken: number[] = [];
    while (!source.isEnded) {
      await source.filled();
      taken.push(...prices(source));
    }
    expect(taken).toEqual(Array.from({ length: 25 }, (_, at) => 1_000 + at));
  });

  test('reads no further than the queue is long until half of it is taken', async () => {
    const { state, events } = reading(100);
    const source = new ReadAhead(events, { eventsMax: 10, onFailure: unexpected });
    await source.filled();
    await new Promise(setImmediate);
    expect(state.read).toBe(9);
    for (let taken = 0; taken < 5; taken++) source.shift();
    await new Promise(setImmediate);
    expect(state.read).toBe(14);
  });

  test('looking at the next event does not take it', async () => {
    const source = new ReadAhead(reading(2).events, { onFailure: unexpected });
    await source.filled();
    expect(source.peek()).toBe(source.peek());
    expect(source.isEnded).toBe(false);
    expect(prices(source)).toEqual([1_000, 1_001]);
    expect(source.isEnded).toBe(true);
  });

  test('tells a failure once and ends after what was read before it', async () => {
    const failures: unknown[] = [];
    const failure = new Error('line 7 is damaged');
    const source = new ReadAhead(reading(3, failure).events, { onFailure: (error) => failures.push(error) });
    await source.filled();
    expect(prices(source)).toEqual([1_000, 1_001, 1_002]);
    expect(source.isEnded).toBe(true);
    expect(failures).toEqual([failure]);
  });

  test('closes the reader when it is stopped', async () => {
    const { state, events } = reading(100);
    const source = new ReadAhead(events, { eventsMax: 4, onFailure: unexpected });
    await source.filled();
    await new Promise(setImmediate);
    source.stop();
    await source.filled();
    await new Promise(setImmediate);
    expect(state.isClosed).toBe(true);
    expect(prices(source)).toEqual([1_000, 1_001, 1_002, 1_003]);
    expect(source.isEnded).toBe(true);
  });
});

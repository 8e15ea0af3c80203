import { describe, expect, test } from 'vitest';
import { byteRingMemory } from '../../../../src/core/index.ts';
import { type BookLists, HandOver, HandOverReader, RECORD } from '../../../../src/tape/recorder/hand-over.ts';

const CAPACITY = 1 << 12;

function pair(): { readonly run: HandOver; readonly taken: () => readonly string[] } {
  const memory = byteRingMemory(CAPACITY);
  const reader = new HandOverReader(memory);
  return {
    run: new HandOver(memory),
    taken: () => {
      const seen: string[] = [];
      reader.takeAll(({ kind, atMs, text, lists }) =>
        seen.push([kind, atMs, text.toString(), ...lists.map((list) => [...list].join(','))].join(' ')),
      );
      return seen;
    },
  };
}

const BOOK: BookLists = {
  bidTicks: Float64Array.of(10, 9, 8),
  bidLots: Float64Array.of(1, 2, 3),
  askTicks: Float64Array.of(11, 12),
  askLots: Float64Array.of(4, 2 ** 53 - 1),
  bidCount: 2,
  askCount: 2,
};

describe('what is handed over', () => {
  test('comes out in order, with its time, letter for letter and number for number, however often the memory ends', () => {
    const { run, taken } = pair();
    for (let round = 0; round < 200; round++) {
      const text = 'ü'.repeat(round % 60);
      expect(run.offer(RECORD.frame, text, round + 0.25)).toBe(true);
      expect(run.offer(RECORD.book, 'M-USD', round, BOOK)).toBe(true);
      expect(run.offer(RECORD.book, 'E-USD', round, { ...BOOK, bidCount: 0, askCount: 0 })).toBe(true);
      expect(taken()).toEqual([
        `${RECORD.frame} ${round + 0.25} ${text}`,
        `${RECORD.book} ${round} M-USD 10,9 1,2 11,12 4,9007199254740991`,
        `${RECORD.book} ${round} E-USD    `,
      ]);
    }
  });

  test('is refused where there is no room, if it may be lost, and leaves a part to what may not', () => {
    const { run, taken } = pair();
    let offered = 0;
    while (run.offer(RECORD.frame, 'x'.repeat(100), 0)) offered++;
    run.owe(RECORD.answer, 'y'.repeat(100), 1);
    expect(run.waiting).toBe(0);
    expect(taken()).toHaveLength(offered + 1);
    expect(run.offer(RECORD.frame, 'again', 2)).toBe(true);
  });

  test('waits on its own side if it may not be lost, and keeps its order', () => {
    const { run, taken } = pair();
    for (let at = 0; at < 500; at++) run.owe(RECORD.line, `line ${at}`, at);
    expect(run.waiting).toBeGreaterThan(0);
    // What comes after it waits too, and what may be lost does not pass it.
    expect(run.oweUnlessMany(RECORD.numbers, 'last', 500, BOOK)).toBe(true);
    expect(run.offer(RECORD.frame, 'lost', 0)).toBe(false);
    BOOK.bidTicks[0] = 77;
    const seen: string[] = [];
    while (seen.length < 501) {
      seen.push(...taken());
      run.drain();
    }
    BOOK.bidTicks[0] = 10;
    expect(seen.slice(0, 500)).toEqual(
      Array.from({ length: 500 }, (_, at) => `${RECORD.line} ${at} line ${at}`),
    );
    expect(seen[500]).toBe(`${RECORD.numbers} 500 last 10,9 1,2 11,12 4,9007199254740991`);
    expect(run.waiting).toBe(0);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JournalRow, ROW_TYPES } from '../../../../src/bot/journal/records.ts';
import { type HandedRow, RowRing, rowRingMemory } from '../../../../src/bot/journal/row-ring.ts';

const aRow = (body: string): JournalRow => ({ type: 'write', scope: 'agent:0x1', body });

describe('rows on their way to the thread', () => {
  test('come out as they went in, in their order, whatever their length and however full it is', () => {
    const rows = fc.record({
      type: fc.constantFrom(...ROW_TYPES),
      scope: fc.string({ maxLength: 60 }),
      body: fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 60_000 }).map((length) => 'x'.repeat(length)),
      ),
    });
    const steps = fc.array(fc.tuple(fc.boolean(), rows, fc.boolean()), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(steps, (all) => {
        const memory = rowRingMemory();
        const [writer, reader] = [new RowRing(memory), new RowRing(memory)];
        const waiting: HandedRow[] = [];
        for (const [isRead, row, isLazy] of all) {
          if (isRead) expect(reader.read()).toEqual(waiting.shift());
          else if (writer.write(row, isLazy)) waiting.push({ row, isLazy });
        }
        for (const row of waiting) expect(reader.read()).toEqual(row);
        expect(reader.read()).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test('go round many times', () => {
    const memory = rowRingMemory();
    const [writer, reader] = [new RowRing(memory), new RowRing(memory)];
    for (let at = 0; at < 3000; at++) {
      const row = aRow(`${at} ${'ä'.repeat(at % 997)}`);
      expect(writer.write(row, false)).toBe(true);
      expect(reader.read()).toEqual({ row, isLazy: false });
    }
  });

  test('are not taken when there is no room, and are again when there is', () => {
    const memory = rowRingMemory();
    const [writer, reader] = [new RowRing(memory), new RowRing(memory)];
    const row = aRow('x'.repeat(20_000));
    let count = 0;
    while (writer.write(row, true)) count++;
    expect(count).toBeGreaterThan(8);
    expect(writer.write(aRow('x'.repeat(1_000_000)), true)).toBe(false);
    for (let at = 0; at < count; at++) expect(reader.read()).toEqual({ row, isLazy: true });
    expect(reader.read()).toBeUndefined();
    expect(writer.write(row, false)).toBe(true);
    expect(reader.read()).toEqual({ row, isLazy: false });
  });
});

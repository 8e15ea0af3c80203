import { describe, expect, test } from 'vitest';
import { createInMemoryJournal } from '../../../../src/bot/journal/index.ts';
import { VirtualClock } from '../../../../src/core/index.ts';
import { aFill, anOutcome, aWrite, SCOPE } from './support.ts';

describe('a journal in memory', () => {
  test('a record is known only when it is durable', async () => {
    const clock = new VirtualClock(0);
    const journal = createInMemoryJournal({ commit: { clock, delayMs: 2 } });
    let isDurable = false;
    void journal.recordWrite(aWrite(1)).then(() => {
      isDurable = true;
    });
    await clock.advanceAsync(1);
    expect(isDurable).toBe(false);
    expect(journal.openWrites()).toEqual([]);
    await clock.advanceAsync(1);
    expect(isDurable).toBe(true);
    expect(journal.openWrites()).toEqual([aWrite(1)]);
  });

  test('what comes during a commit is one next commit', async () => {
    const clock = new VirtualClock(0);
    const journal = createInMemoryJournal({ commit: { clock, delayMs: 2 } });
    const first = journal.recordWrite(aWrite(1));
    const others = [journal.recordWrite(aWrite(2)), journal.recordOutcome(anOutcome(1))];
    await clock.advanceAsync(2);
    await first;
    expect(journal.status().pending).toBe(2);
    await clock.advanceAsync(2);
    await Promise.all(others);
    expect(journal.status().pending).toBe(0);
  });

  test('a crash keeps what was acknowledged and may lose the rest', async () => {
    const clock = new VirtualClock(0);
    const journal = createInMemoryJournal({ commit: { clock, delayMs: 2 } });
    void journal.recordWrite(aWrite(1));
    await clock.advanceAsync(2);
    void journal.recordWrite(aWrite(2));
    const rows = journal.crash(0);
    await clock.advanceAsync(10);
    expect(createInMemoryJournal({ rows }).highestNonce(SCOPE)).toBe(1n);
  });

  test('a crash may also keep what was not acknowledged', () => {
    const clock = new VirtualClock(0);
    const journal = createInMemoryJournal({ commit: { clock, delayMs: 2 } });
    void journal.recordWrite(aWrite(1));
    void journal.recordWrite(aWrite(2));
    expect(createInMemoryJournal({ rows: journal.crash(1) }).highestNonce(SCOPE)).toBe(1n);
  });

  test('error: after a failed commit every record is refused', async () => {
    const clock = new VirtualClock(0);
    const journal = createInMemoryJournal({ commit: { clock, delayMs: 2 } });
    const waiting = journal.recordWrite(aWrite(1));
    journal.fail('no space left');
    await expect(waiting).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    await expect(journal.recordOutcome(anOutcome(1))).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    expect(journal.status().failure?.message).toContain('no space left');
  });

  test('the same records give the same head, another record another one', async () => {
    const heads = await Promise.all(
      [1, 1, 2].map(async (n) => {
        const journal = createInMemoryJournal();
        await journal.recordWrite(aWrite(n));
        await journal.recordEffects({ epoch: 'e', fills: [aFill(1)], ledger: [] });
        return journal.head();
      }),
    );
    expect(heads[0]).toBe(heads[1]);
    expect(heads[0]).not.toBe(heads[2]);
  });
});

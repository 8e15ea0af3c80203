import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import type { Journal } from '../../../src/bot/journal/index.ts';
import { must, seededRandom, type UnixMs, VirtualClock } from '../../../src/core/index.ts';
import { createDisk, FSYNC_FAILED, type SimulationDisk } from '../../simulation/disk.ts';
import { DAMAGES, INTRUDERS } from '../../simulation/disk-damage.ts';
import { LifeClock, MachineTime } from '../../simulation/life-clock.ts';

const COMMIT_MS = 5;

/** A disk on virtual time, and what its journal said. */
class Bench {
  readonly world = new VirtualClock(0);
  readonly disk: SimulationDisk = createDisk(COMMIT_MS);
  readonly sights: string[] = [];
  readonly #machine = new MachineTime(this.world);
  #clock: LifeClock | undefined;

  open(): Journal {
    this.#clock = new LifeClock(this.world, this.#machine);
    return this.disk.open(this.#clock, {
      onRow: (kind, row) => this.sights.push(`${kind} ${row.body}`),
      onAudit: () => undefined,
      onTailTorn: (rows) => this.sights.push(`${rows} rows torn off`),
    });
  }

  /** Hands over triggers; gives what became of each once time has passed. */
  async record(journal: Journal, ...triggers: readonly number[]): Promise<readonly string[]> {
    const ends = triggers.map(() => 'open');
    triggers.forEach((at, index) => {
      journal.recordTrigger(at as UnixMs).then(
        () => {
          ends[index] = 'durable';
        },
        (error: Error & { code: string }) => {
          ends[index] = error.code;
        },
      );
    });
    await this.world.advanceAsync(4 * COMMIT_MS);
    return ends;
  }

  die(kind: 'crash' | 'powerLoss'): void {
    must(this.#clock, 'a life').kill();
    this.disk.lose(kind, seededRandom(1));
  }
}

describe('a disk', () => {
  test('keeps what was acknowledged over lives, and loses the rest with the power', async () => {
    const bench = new Bench();
    const first = bench.open();
    expect(await bench.record(first, 1, 2)).toEqual(['durable', 'durable']);
    void first.recordTrigger(3 as UnixMs);
    bench.die('powerLoss');
    expect(bench.disk.rowCount).toBe(2);
    expect(bench.open().lastTriggerAtMs()).toBe(2);
    expect(bench.sights.at(-1)).toBe('recorded {"triggerAtMs":3}');
  });

  test('a commit that fails fails as a group, and every one after it', async () => {
    const bench = new Bench();
    const journal = bench.open();
    const onFailure = sinon.spy();
    bench.disk.failFrom(2, 'full', onFailure);
    expect(await bench.record(journal, 1)).toEqual(['durable']);
    expect(await bench.record(journal, 2, 3)).toEqual(['JOURNAL_FAILED', 'JOURNAL_FAILED']);
    expect(await bench.record(journal, 4)).toEqual(['JOURNAL_FAILED']);
    sinon.assert.calledOnce(onFailure);
    expect(journal.status().failure?.code).toBe('JOURNAL_FAILED');
    expect(() => bench.open()).toThrow(expect.objectContaining({ code: 'JOURNAL_UNWRITABLE' }));
    bench.disk.heal();
    expect(bench.open().lastTriggerAtMs()).toBe(1);
  });

  test('what a failed sync reported lost may be there at the next start (F56)', async () => {
    const bench = new Bench();
    const journal = bench.open();
    bench.disk.failFrom(1, FSYNC_FAILED);
    expect(await bench.record(journal, 7)).toEqual(['JOURNAL_FAILED']);
    bench.disk.heal();
    expect(bench.open().lastTriggerAtMs()).toBe(7);
  });

  test.each(INTRUDERS)('refuses %s by name once, then finds the right file (F58)', async (intruder) => {
    const bench = new Bench();
    await bench.record(bench.open(), 1);
    bench.disk.intrude(intruder);
    expect(() => bench.open()).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^JOURNAL_(?:MISMATCH|SCHEMA_UNKNOWN|LOCKED)$/),
      }),
    );
    expect(bench.open().lastTriggerAtMs()).toBe(1);
  });

  test.each(DAMAGES)('with a %s gives fewer records, or a refusal by name (F57)', async (damage) => {
    const bench = new Bench();
    await bench.record(bench.open(), 1, 2, 3, 4, 5);
    bench.die('powerLoss');
    const lost = bench.disk.damage(damage, seededRandom(damage));
    expect(lost).toBeGreaterThan(0);
    if (damage === 'bit flip' || damage === 'lost row')
      expect(() => bench.open()).toThrow(expect.objectContaining({ code: 'JOURNAL_CORRUPT' }));
    expect(bench.open().lastTriggerAtMs() ?? 0).toBeLessThan(5);
    expect(bench.disk.rowCount).toBe(5 - lost);
  });

  test('tells of a torn tail at the opening that finds it, and of no other damage', async () => {
    const found = async (damage: (typeof DAMAGES)[number]): Promise<readonly string[]> => {
      const bench = new Bench();
      await bench.record(bench.open(), ...Array.from({ length: 60 }, (_none, at) => at + 1));
      bench.die('powerLoss');
      const lost = bench.disk.damage(damage, seededRandom(damage));
      if (damage === 'bit flip' || damage === 'lost row') expect(() => bench.open()).toThrow();
      bench.open();
      bench.open();
      return bench.sights
        .filter((sight) => sight.endsWith('torn off'))
        .map((sight) => sight.replace(`${lost}`, 'lost'));
    };
    expect(await found('torn tail')).toEqual(['lost rows torn off']);
    for (const other of DAMAGES.filter((one) => one !== 'torn tail')) expect(await found(other)).toEqual([]);
  });
});

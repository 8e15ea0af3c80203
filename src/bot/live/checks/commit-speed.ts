/** @module How long a durable commit takes on a disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { type Clock, VERSION } from '../../../core/index.ts';
import { openJournal } from '../../journal/index.ts';

/** Commits that are timed. */
const COMMITS = 50;

/** The 99th percentile of real commits, ms, of a journal that is thrown away. */
export async function commitMs(clock: Clock, folder: string): Promise<number> {
  const scratch = mkdtempSync(`${folder}/doctor-`);
  try {
    const journal = await openJournal({
      path: `${scratch}/disk.journal.sqlite`,
      version: VERSION,
      environment: 'doctor',
      account: 'doctor',
      instance: 'doctor',
    });
    const times: number[] = [];
    for (let i = 0; i < COMMITS; i++) {
      const fromMs = clock.monotonicMs();
      await journal.resetEpoch(`doctor-${i}`);
      times.push(clock.monotonicMs() - fromMs);
    }
    await journal.close();
    return times.sort((a, b) => a - b)[Math.floor(COMMITS * 0.99) - 1] ?? 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

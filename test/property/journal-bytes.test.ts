/**
 * Whatever happens to the bytes of a journal between two lives: the same state, a shorter journal that the start-up
 * check names, or a refusal by name (invariant I20, faults F56 and F57). Here a sample; every byte and 100,000 bits are
 * `npm run prove -- crash --only bytes`.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/core/index.ts';
import {
  aSession,
  ByteJudge,
  changed,
  diskSteps,
  type Finding,
  flipped,
  LAYOUTS,
  torn,
} from '../unit/bot/journal/bytes.ts';
import { temporaryFolder } from '../unit/bot/journal/support.ts';

const folder = temporaryFolder();
afterAll(() => folder.done());

const random = seededRandom('journal bytes');
const records = aSession(16);
const judge = new ByteJudge(folder.path, records);

/** Violations among findings, and how often each finding came. */
function tally(findings: readonly Finding[]): { violations: Finding[]; counts: Map<Finding, number> } {
  const counts = new Map<Finding, number>();
  for (const finding of findings) counts.set(finding, (counts.get(finding) ?? 0) + 1);
  return { violations: [...counts.keys()].filter((finding) => finding.startsWith('violation')), counts };
}

describe.each(LAYOUTS)('a journal that lies %s', (layout) => {
  const bytes = judge.bytes(layout);
  const files = bytes.wal.length === 0 ? (['main'] as const) : (['main', 'wal'] as const);

  test('gives the same state when nothing happened to it', () => {
    expect(judge.judge(bytes, records.length)).toBe('same');
  });

  test.each(files)('never gives a silently different state for a bit that fell over in %s', (file) => {
    const findings = Array.from({ length: 60 }, () =>
      judge.judge(
        changed(bytes, file, (content) => flipped(content, random.integer(0, 8 * content.length - 1))),
      ),
    );
    expect(tally(findings).violations).toEqual([]);
  });

  test.each(files)('is shorter or refused by name when %s is cut off, or ends in zeros', (file) => {
    const findings = Array.from({ length: 30 }, () => {
      const at = random.integer(0, bytes[file].length);
      return [
        judge.judge(changed(bytes, file, (content) => content.subarray(0, at))),
        judge.judge(changed(bytes, file, (content) => content.fill(0, at))),
      ];
    }).flat();
    expect(tally(findings).violations).toEqual([]);
  });
});

test('a log that is cut off loses its end and says which writes are missing', () => {
  const bytes = judge.bytes('all in the log');
  const findings = Array.from({ length: 20 }, (_none, n) =>
    judge.judge(
      changed(bytes, 'wal', (content) => content.subarray(0, Math.floor((content.length * n) / 20))),
    ),
  );
  expect(tally(findings).counts.get('shorter, named')).toBeGreaterThan(10);
});

describe('a power loss in the middle of a step on the disk', () => {
  const steps = diskSteps(folder.path, records);

  test.each(steps)('keeps what was acknowledged: $name after record $durable', (step) => {
    const findings = Array.from({ length: 40 }, (_none, n) => {
      const chance = random.next();
      // The first ones: the blocks in order up to one of them.
      const last = n < 20 ? random.integer(-1, 40) : undefined;
      const kept = torn(step, (block) => (last === undefined ? random.chance(chance) : block <= last));
      return judge.judge(kept, step.durable);
    });
    expect(tally(findings).violations).toEqual([]);
  });
});

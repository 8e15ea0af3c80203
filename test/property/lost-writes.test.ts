/**
 * A part of `npm run prove -- writes`: lanes whose answers get lost, whose requests vanish or come late, held against the log of
 * the exchange (obligations O27, O28, O59, O63; invariants I5, I6, I7).
 */
import { expect, test } from 'vitest';
import { reportOf, segment } from '../../scripts/prove/writes.ts';

test('5,000 writes of which many get no answer: none twice, each with a proven end, fences within 3 s', async () => {
  const report = reportOf([await segment(1, 5_000)], 0);
  expect(report.failures).toEqual([]);
  expect(report.writes).toBe(5_000);
  expect(report.resolveMs.count).toBeGreaterThan(200);
  expect(report.fenceMs.count).toBeGreaterThan(10);
  expect(report.fenced).toBeGreaterThan(report.fenceMs.count);
});

/** A small part of the exploration: `npm run prove -- explore` goes deeper. */
import { expect, test } from 'vitest';
import { explore, ownRunners } from '../simulation/explore/explorer.ts';
import { runSchedule } from '../simulation/explore/run-schedule.ts';

/** As many as take some 10 s: messages of the first part of the scope, each lost, doubled, late and before a death. */
const SCHEDULES = 400;

test('no schedule with one deviation breaks an invariant', async () => {
  const bounds = { schedules: SCHEDULES, depth: 1, isLate: () => false };
  const { failures, schedules, states, levels } = await explore(ownRunners(runSchedule), bounds);
  expect(failures).toEqual([]);
  expect(schedules).toBe(SCHEDULES);
  expect(states).toBeGreaterThan(20);
  expect(levels[0]).toMatchObject({ depth: 0, isComplete: true });
}, 240_000);

/**
 * A part of `npm run prove -- crash`: bots that die at steps of their work, of a failed commit, or find a damaged journal,
 * judged by the oracles of the swarm (faults F50, F51, F55 to F57; obligation O34; invariants I8, I20, I21).
 */
import { describe, expect, test } from 'vitest';
import {
  type CrashCase,
  commitCases,
  damageCases,
  deathCases,
  nameOf,
  runCase,
} from '../../scripts/prove/crash/case.ts';
import { STEPS } from '../simulation/steps.ts';

/** Steps between which something becomes durable, leaves or is learned. */
const TURNING_POINTS = [
  'J2',
  'J3',
  'J4',
  'J6',
  'J10',
  'J12',
  'J14',
  'J17',
  'J18',
  'J20',
  'J21',
  'J22',
  'J28',
];
const SEEDS_MAX = 4;
/** By turns as crash and as power loss. */
const DEATHS: readonly CrashCase[] = deathCases({
  from: 1,
  seeds: 1,
  steps: STEPS.filter(({ id }) => TURNING_POINTS.includes(id)),
}).filter((_one, at) => (at + Math.floor(at / 2)) % 2 === 0);

/** Which seed reaches a step changes with every change of the bot: the first of a few that does is the case. */
async function judge(one: CrashCase): Promise<void> {
  for (let more = 0; more < SEEDS_MAX; more++) {
    const { violations, isReached } = await runCase({ ...one, seed: one.seed + more });
    expect(violations).toEqual([]);
    if (isReached) return;
  }
  throw new Error(`expected one of ${SEEDS_MAX} seeds to reach ${nameOf(one)}`);
}

const named = (cases: readonly CrashCase[]) =>
  cases.map((one) => [`${nameOf(one)}, ${one.seed}`, one] as const);

describe('a bot that dies', () => {
  test.each(named(DEATHS))('starts again and loses nothing: %s', (_name, one) => judge(one));

  test('can die at each step that is seen from outside', () => {
    expect(STEPS.map(({ id }) => Number(id.slice(1)))).toEqual([
      ...Array.from({ length: 22 }, (_none, n) => n + 1),
      28,
    ]);
  });
});

describe('a journal that fails or changes', () => {
  test.each(named(commitCases(1)))('halts the bot by name and is reconciled: %s', (_name, one) => judge(one));
  test.each(named(damageCases(1, 1)))('is refused, or said to be short: %s', (_name, one) => judge(one));
});

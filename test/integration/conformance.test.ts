/**
 * The conformance suite against the embedded exchange over real sockets (issue 4, 6: all pass).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConformanceStage } from '../../src/app/index.ts';
import { CHECKS, type CheckReport, RULES, runConformance, sectionOf } from '../../src/conformance/index.ts';
import { SystemClock, seededRandom } from '../../src/core/index.ts';
import { INTERFACE_RULES, OBLIGATIONS } from '../contract/rules.ts';

const clock = new SystemClock();
let stage: Awaited<ReturnType<typeof startConformanceStage>>;
const reports = new Map<string, CheckReport>();

beforeAll(async () => {
  stage = await startConformanceStage({ clock });
  const { checks } = await runConformance({
    baseUrl: stage.baseUrl,
    clock,
    random: seededRandom(1),
    stage: stage.stage,
  });
  for (const check of checks) reports.set(check.id, check);
}, 180_000);

afterAll(() => stage.stage.close());

describe('the embedded exchange conforms', () => {
  test.each(CHECKS.map(({ id, rule }) => [id, rule]))('%s %s', (id) => {
    const { result, detail } = reports.get(id) ?? { result: 'missing', detail: '' };
    expect([result, detail]).toEqual(['passed', '']);
  });
});

describe('rules of checks', () => {
  const known = new Set(
    [...OBLIGATIONS, ...INTERFACE_RULES].flatMap(([, rules]) => rules.map(({ id }) => id)),
  );

  test('each names a contract id that there is', () => {
    const ids = Object.values(RULES).map((rule) => /\(([A-Z0-9-]+)\)$/.exec(rule)?.[1]);
    expect(ids.filter((id) => id === undefined || !known.has(id))).toEqual([]);
  });

  test('each has one check, and each check one rule', () => {
    expect(CHECKS.map(({ id }) => id).sort()).toEqual(Object.keys(RULES).sort());
  });

  test('ids are sections with numbers', () => {
    for (const { id } of CHECKS) expect(sectionOf(id)).toMatch(/^GW-[A-Z]+$/);
  });
});

import { expect, test } from 'vitest';
import {
  chosen,
  describeExam,
  examine,
  SCENARIOS,
  subjectOf,
} from '../../../../src/research/examine/index.ts';
import { expectExamined } from '../../../../src/testing/index.ts';
import { FAULTY } from '../../../support/faulty-strategies.ts';

test.each(FAULTY)('a strategy that $fault is caught by $caughtBy', ({ definition, caughtBy }) => {
  const results = examine(subjectOf(definition, {}), { only: caughtBy });
  const caught = results.filter(({ finding }) => finding !== undefined).map(({ scenario }) => scenario.name);
  expect(caught.toSorted()).toEqual(caughtBy.toSorted());
  for (const { finding } of results) expect(finding?.event.text).not.toBe('');
});

test('there are more than twenty of them, and more than forty scenarios, each with a name of its own', () => {
  expect(FAULTY.length).toBeGreaterThanOrEqual(20);
  expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(40);
});

test('names and summaries fit a line of 80 columns', () => {
  for (const { name, summary } of SCENARIOS) {
    expect(name, name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(`  pass  ${name.padEnd(24)}${summary}`.length, `${name}: ${summary}`).toBeLessThanOrEqual(80);
  }
});

test('a misspelt scenario is named with the nearest one', () => {
  expect(() => chosen(['flsh-crash'])).toThrow('did you mean flash-crash?');
  expect(chosen(['parameters']).length).toBeGreaterThan(2);
});

test('the table has 80 columns, and names the event, what was expected and what was seen', () => {
  const [one] = FAULTY;
  if (one === undefined) throw new Error('a faulty strategy');
  const subject = subjectOf(one.definition, {});
  const text = describeExam({
    subject,
    file: 'x.ts',
    sha256: '00',
    results: examine(subject, { only: ['empty-book'] }),
  });
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text).toContain('FAIL  empty-book');
  expect(text).toContain('got onBook threw: no best bid');
  expect(text).toContain('0 of 1 scenarios passed');
});

test('a test expects scenarios of a strategy, and says what broke it', () => {
  const [one] = FAULTY;
  if (one === undefined) throw new Error('a faulty strategy');
  expect(() => expectExamined(one.definition, {}, { only: ['no-asks'] })).not.toThrow();
  expect(() => expectExamined(one.definition, {}, { only: ['empty-book'] })).toThrow(
    /FAIL {2}empty-book[\s\S]*no best bid/,
  );
});

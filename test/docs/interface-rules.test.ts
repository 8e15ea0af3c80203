import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contractPage } from '../../scripts/interface-rules.ts';
import { INTERFACE_RULES, OBLIGATIONS } from '../contract/rules.ts';
import { WATCHED } from '../contract/watched.ts';
import { ROOT } from '../tidy/source.ts';

const obligations = OBLIGATIONS.flatMap(([, rules]) => rules);

describe('docs/reference/interface-rules.md', () => {
  test('is what the rules and the tests say', () => {
    expect(readFileSync(join(ROOT, 'docs/reference/interface-rules.md'), 'utf8')).toBe(contractPage());
  });

  test('lists every obligation once, in order', () => {
    expect(obligations.map((rule) => rule.id)).toEqual(Array.from({ length: 122 }, (_, at) => `O${at + 1}`));
    const ids = INTERFACE_RULES.flatMap(([, rules]) => rules.map((rule) => rule.id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has a test for every rule that is not marked as open', () => {
    const silent = contractPage()
      .split('\n')
      .filter((line) => line.includes('no test cites it yet'))
      .map((line) => line.split('|')[1]?.trim());
    expect(silent).toEqual([]);
  });

  test('names an oracle of the swarm for every obligation, or says why there can be none', () => {
    expect(Object.keys(WATCHED)).toEqual(obligations.map(({ id }) => id));
    const page = contractPage();
    expect(page).not.toContain('(no oracle)');
    expect(page).not.toContain('nothing yet');
  });

  test('names for those a directed test that cites the obligation', () => {
    for (const [id, { by, test: file }] of Object.entries(WATCHED)) {
      if (by.length > 0) continue;
      expect(file, id).toBeDefined();
      expect(readFileSync(join(ROOT, file ?? ''), 'utf8'), id).toMatch(new RegExp(`\\b${id}\\b`));
    }
  });
});

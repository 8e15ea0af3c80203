import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import {
  defaultQuirks,
  parseQuirk,
  QUIRK_IDS,
  QUIRKS,
  QuirkSwitches,
} from '../../../../src/exchange/state/quirks.ts';
import { resolveSettings } from '../../../../src/exchange/state/settings.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/reference/quirks.md'), 'utf8');

describe('quirks', () => {
  test('are the twenty ambiguities of the interface document (obligations A1 to A20)', () => {
    expect(QUIRK_IDS).toEqual(Array.from({ length: 20 }, (_none, index) => `A${index + 1}`));
  });

  test('the first value of each is the default, and those not named keep theirs', () => {
    expect(defaultQuirks()).toMatchObject({ A1: 'digest', A4: 'delta', A7: 'ascending', A19: 'account' });
    expect(resolveSettings({ quirks: { A7: 'descending' } }).quirks).toEqual({
      ...defaultQuirks(),
      A7: 'descending',
    });
  });

  test.each([...QUIRK_IDS])('%s: each value stands on its page, and no other', (id) => {
    const rows = PAGE.split('\n').filter((line) => line.startsWith('|'));
    const from = rows.findIndex((row) => row.startsWith(`| ${id} |`));
    const until = rows.findIndex((row, at) => at > from && !row.startsWith('| |'));
    const told = rows.slice(from, until < 0 ? undefined : until).map((row) => /`([\w-]+)`/.exec(row)?.[1]);
    expect(told).toEqual([...QUIRKS[id].values]);
  });
});

describe('parseQuirk', () => {
  test.each([
    ['A4=full', { A4: 'full' }],
    ['A18=blocks-first', { A18: 'blocks-first' }],
  ])('%s is one answer', (text, quirk) => {
    expect(parseQuirk(text)).toEqual(quirk);
  });

  test.each([
    ['', 'expected a quirk as A1=value to A20=value, got ""'],
    ['A21=yes', 'expected a quirk as A1=value to A20=value, got "A21=yes"'],
    ['toString=1', 'expected a quirk as A1=value to A20=value, got "toString=1"'],
    ['A7', 'expected A7 (direction of history pages) as one of ascending, descending, got ""'],
    ['A7=down', 'expected A7 (direction of history pages) as one of ascending, descending, got "down"'],
    ['A16=now', 'expected A16 (a receipt that contradicts the answer) as one of never, got "now"'],
    ['A7=ascending=1', 'expected A7 (direction of history pages) as one of'],
  ])('%j is refused with what would be right', (text, message) => {
    expect(() => parseQuirk(text)).toThrow(message);
  });
});

describe('QuirkSwitches', () => {
  test('tell everybody who listens that a question came up, and how it is answered', () => {
    const quirks = new QuirkSwitches({ ...defaultQuirks(), A5: 'none' });
    const onMet = sinon.spy();
    quirks.onMet(onMet);
    expect([quirks.takes('A5', 'none'), quirks.takes('A6', 'consumed')]).toEqual([true, false]);
    quirks.meet('A10');
    expect(onMet.args).toEqual([
      ['A5', 'none'],
      ['A6', 'kept'],
      ['A10', 'new'],
    ]);
  });
});
